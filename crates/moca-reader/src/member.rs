//! Members of a composed package (`facts/moca-reader §5.1`).
//!
//! A composed package pins each member by id, version and digest. Finding the bytes is the host's
//! business, through a [`MemberResolver`]; what it finds counts only if the digest is the pinned
//! one. Nothing about members makes the composing package invalid.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::diagnostic::{Code, Diagnostics};
use crate::limits::Limits;
use crate::manifest::{Manifest, MemberPin};
use crate::package::Target;
use crate::reader::{Options, ReadResult, read_below};
use crate::value::Value;

/// Packages read as members during one `read_package`. Members share members, so without a bound
/// a few packages of a hostile folder could be read 2^depth times.
const MAX_MEMBER_READS: usize = 1_000;

/// Finds the package that a pin names.
pub trait MemberResolver: Send + Sync {
    /// Where the member is, or nothing.
    fn resolve(&self, pin: &MemberPin) -> Option<Target>;
}

/// One member with what became of it.
#[derive(Clone, Debug)]
pub struct Member {
    /// The pin.
    pub pin: MemberPin,
    /// What became of it.
    pub status: MemberStatus,
    /// The member as read, where it was read. Use it only if the status is
    /// [`MemberStatus::Resolved`].
    pub result: Option<Arc<ReadResult>>,
}

/// What became of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberStatus {
    /// Found, and it is the package that was pinned.
    Resolved,
    /// Not found, or nobody looked.
    Unresolved,
    /// Found, but another package than the pinned one.
    Mismatch,
    /// A package would be its own member.
    Cycle,
}

/// Finds members among folders: each folder given, and the folders right inside it.
#[derive(Clone, Debug, Default)]
pub struct DirectoryResolver {
    found: Vec<Candidate>,
}

#[derive(Clone, Debug)]
struct Candidate {
    id: String,
    version: String,
    folder: PathBuf,
}

impl DirectoryResolver {
    /// Looks through the folders once. Folders inside one are taken in the order of their names;
    /// those without a readable `moca.json` are no candidates.
    ///
    /// # Errors
    /// If a folder given cannot be listed.
    pub fn new<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> io::Result<Self> {
        let mut found = Vec::new();
        for folder in folders {
            let folder = folder.as_ref();
            let mut inside = fs::read_dir(folder)?
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<Vec<_>>>()?;
            inside.sort();
            let inside = inside.into_iter().filter(|path| path.is_dir());
            let all = std::iter::once(folder.to_owned()).chain(inside);
            found.extend(all.filter_map(Candidate::of_folder));
        }
        Ok(Self { found })
    }
}

impl MemberResolver for DirectoryResolver {
    /// The first folder whose manifest has the pinned id and version.
    fn resolve(&self, pin: &MemberPin) -> Option<Target> {
        let candidate = self.found.iter().find(|c| c.id == pin.id && c.version == pin.version)?;
        Some(Target::Path(candidate.folder.clone()))
    }
}

impl Candidate {
    fn of_folder(folder: PathBuf) -> Option<Self> {
        let file = fs::File::open(folder.join("moca.json")).ok()?;
        let mut json = Vec::new();
        file.take(Limits::default().max_manifest_bytes).read_to_end(&mut json).ok()?;
        let json = json.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&json);
        let manifest: Value = serde_json::from_slice(json).ok()?;
        let text = |name| manifest.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Self { id: text("id")?, version: text("version")?, folder })
    }
}

/// The packages above the one being read, and how many more may be read below them.
#[derive(Clone, Debug)]
pub(crate) struct Ancestry {
    ids: Vec<String>,
    reads_left: Arc<AtomicUsize>,
}

impl Ancestry {
    /// Nothing above.
    pub(crate) fn root() -> Self {
        Self { ids: Vec::new(), reads_left: Arc::new(AtomicUsize::new(MAX_MEMBER_READS)) }
    }

    fn below(&self, id: &str) -> Self {
        let mut ids = self.ids.clone();
        ids.push(id.to_owned());
        Self { ids, reads_left: Arc::clone(&self.reads_left) }
    }

    fn take_read(&self) -> bool {
        let less = |left: usize| left.checked_sub(1);
        self.reads_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}

/// Finds and reads the members that `manifest` pins, in its order, with the same options.
pub(crate) fn read_members(
    manifest: &Manifest,
    options: &Options,
    ancestry: &Ancestry,
    found: &mut Diagnostics,
) -> Vec<Member> {
    let below = ancestry.below(&manifest.id);
    let read = |pin: &MemberPin| {
        let (status, result, finding) = match &options.member_resolver {
            None => (MemberStatus::Unresolved, None, None),
            Some(resolver) => read_member(pin, resolver.as_ref(), options, &below),
        };
        (Member { pin: pin.clone(), status, result }, finding)
    };
    let mut members = Vec::with_capacity(manifest.members.len());
    for pin in &manifest.members {
        let (member, finding) = read(pin);
        if let Some((code, why)) = finding {
            found.file(code, "moca.json", format!("member {}@{} {why}", pin.id, pin.version));
        }
        members.push(member);
    }
    members
}

type Outcome = (MemberStatus, Option<Arc<ReadResult>>, Option<(Code, &'static str)>);

fn read_member(
    pin: &MemberPin,
    resolver: &dyn MemberResolver,
    options: &Options,
    ancestry: &Ancestry,
) -> Outcome {
    let unresolved = |why| (MemberStatus::Unresolved, None, Some((Code::MemberUnresolved, why)));
    let cycle = Some((Code::MemberCycle, "would be its own member"));
    if ancestry.ids.contains(&pin.id) {
        return (MemberStatus::Cycle, None, cycle);
    }
    if ancestry.ids.len() > options.limits.max_member_depth {
        return unresolved("is deeper than the limit for members of members");
    }
    let Some(target) = resolver.resolve(pin) else { return unresolved("was not found") };
    if !ancestry.take_read() {
        return unresolved("is beyond the limit for packages read as members");
    }
    let result = Arc::new(read_below(target, options, ancestry));
    if result.diagnostics.iter().any(|d| d.code == Code::MemberCycle) {
        return (MemberStatus::Cycle, Some(result), cycle);
    }
    let mismatch = |why| Some((Code::MemberDigestMismatch, why));
    if result.digest != Some(pin.digest) {
        return (MemberStatus::Mismatch, Some(result), mismatch("was found with other bytes"));
    }
    let same = result.manifest.as_ref().is_some_and(|m| m.id == pin.id && m.version == pin.version);
    if !same {
        let why = mismatch("has the pinned digest, but its manifest names another package");
        return (MemberStatus::Mismatch, Some(result), why);
    }
    (MemberStatus::Resolved, Some(result), None)
}
