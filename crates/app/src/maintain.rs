//! Verify and rebuild.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    sync::Arc,
};

use agui::carrier;
use archive::{ConversationId, Rebuild, Source, SourceId};

use crate::{
    App,
    browse::called,
    contract::{
        Failure, JobKind, JobOutcome, JobRef, TouchedConversation, TouchedRecording, VerifyReport,
    },
    derive::{DERIVED_VERSION, Derive, Facts, Queue, Rows, order, side_by_side},
    failure::Storage,
    jobs::Job,
    stored::stored_frames,
};

/// Sources read per page while rebuilding.
const SOURCES: u32 = 200;

/// Frames between two looks at whether the user wants to stop.
const FRAMES_PER_LOOK: u32 = 1024;

/// Lines of damage that a report lists.
const MAX_DAMAGE: usize = 200;

impl App {
    /// Reads every byte of the archive and tells what is damaged; changes nothing.
    ///
    /// # Errors
    /// When it cannot be read at all, or the user stops it.
    pub fn verify_now(&self) -> Result<VerifyReport, Failure> {
        self.jobs()?.run(JobKind::Verify, |job| self.verify(job))
    }

    /// Derives every row again from the bytes received; gives the number of recordings.
    ///
    /// # Errors
    /// When the archive cannot be written, or the user stops it: then it is as before.
    pub fn rebuild_now(&self) -> Result<u32, Failure> {
        self.jobs()?.run(JobKind::Rebuild, |job| self.rebuild(job))
    }

    pub(crate) fn start_verify(self: &Arc<Self>) -> Result<JobRef, Failure> {
        let app = Arc::clone(self);
        Ok(self.jobs()?.start(JobKind::Verify, move |job| {
            app.verify(job).map(|report| JobOutcome::Verified { report })
        }))
    }

    pub(crate) fn start_rebuild(self: &Arc<Self>) -> Result<JobRef, Failure> {
        let app = Arc::clone(self);
        Ok(self.jobs()?.start(JobKind::Rebuild, move |job| {
            app.rebuild(job).map(|recordings| JobOutcome::Rebuilt { recordings })
        }))
    }

    fn verify(&self, job: &Job) -> Result<VerifyReport, Failure> {
        let mut progress = |now: archive::verify::Progress| {
            job.tell(|state| {
                "Reading the archive".clone_into(&mut state.doing);
                state.done = now.done.to_string();
                state.total = Some(now.total.to_string());
            });
        };
        let decode = |bytes: Box<dyn Read + Send>| {
            let opened =
                carrier::open(bytes).map_err(|error| io::Error::other(error.to_string()))?;
            Ok(opened.content as Box<dyn Read>)
        };
        // A damaged archive does not open, and must be verified all the same.
        let report =
            archive::verify::verify(&self.path, &decode, &job.wanted(), &mut progress).storage()?;
        let sound = report.is_sound();
        let (touched, untold) = touched(&report.damages);
        let mut damage: Vec<String> = report
            .damages
            .into_iter()
            .map(|found| match found.hits.is_empty() {
                true => found.what,
                false => format!("{}: {}", found.what, found.hits.join(", ")),
            })
            .collect();
        let more = damage.len().saturating_sub(MAX_DAMAGE) as u64 + report.more;
        damage.truncate(MAX_DAMAGE);
        Ok(VerifyReport {
            sound,
            recordings: u32::try_from(report.sources).unwrap_or(u32::MAX),
            segments: u32::try_from(report.segments).unwrap_or(u32::MAX),
            bytes: report.bytes.to_string(),
            damage,
            more: u32::try_from(more).unwrap_or(u32::MAX),
            touched,
            untold,
        })
    }

    fn rebuild(&self, job: &Job) -> Result<u32, Failure> {
        let mut writer = self.writer()?;
        let rebuild = writer.begin_rebuild().storage()?;
        self.derive_all(rebuild, None, job)
    }

    /// Derives every source again but the one that is being taken out; gives their number.
    pub(crate) fn derive_all(
        &self,
        mut rebuild: Rebuild<'_>,
        without: Option<SourceId>,
        job: &Job,
    ) -> Result<u32, Failure> {
        let recordings = self.read(|reader| {
            let (mut after, mut recordings) = (None, 0_u32);
            loop {
                let page = reader.sources(after.as_ref(), SOURCES).storage()?;
                for source in page.rows.iter().filter(|source| Some(source.id) != without) {
                    job.check()?;
                    job.tell(|state| {
                        state.doing = format!("Reading {} again", source.name);
                        state.counts.files = recordings;
                    });
                    derive_again(self, &mut rebuild, source, job)?;
                    recordings += 1;
                }
                match page.next {
                    Some(next) => after = Some(next),
                    None => return Ok(recordings),
                }
            }
        })?;
        order::settle_in(self, &mut rebuild, job)?;
        rebuild.finish().storage()?;
        Ok(recordings)
    }
}

/// Whom damages concern, each recording and conversation once, and how many damages do not tell.
fn touched(damages: &[archive::verify::Damage]) -> (Vec<TouchedRecording>, u32) {
    let mut recordings: BTreeMap<SourceId, (&str, BTreeMap<ConversationId, &str>)> =
        BTreeMap::new();
    let mut untold = 0_u32;
    for damage in damages {
        untold += u32::from(damage.touched.is_empty());
        for touched in &damage.touched {
            let (_, conversations) = recordings
                .entry(touched.source)
                .or_insert_with(|| (touched.name.as_str(), BTreeMap::new()));
            conversations
                .extend(touched.conversations.iter().map(|(id, title)| (*id, title.as_str())));
        }
    }
    let recordings = recordings
        .into_iter()
        .map(|(id, (name, conversations))| TouchedRecording {
            id: id.to_string(),
            name: render::plain_line(name),
            conversations: conversations
                .into_iter()
                .map(|(id, title)| TouchedConversation {
                    id: id.to_string(),
                    title: called(&render::plain_line(title)),
                })
                .collect(),
        })
        .collect();
    (recordings, untold)
}

/// Derives the rows of one source from its stored content, just as its import did.
pub(crate) fn derive_again(
    app: &App,
    rebuild: &mut Rebuild<'_>,
    source: &Source,
    job: &Job,
) -> Result<(), Failure> {
    let (format, mut frames) = stored_frames(app, source)?;
    let facts = Facts { source: source.id, format, imported_at: source.imported_at };
    let mut rows = Rows::new(facts.clone());
    let read = |queue: &Queue| {
        let mut derive = Derive::new(facts);
        let mut until_look = FRAMES_PER_LOOK;
        while let Some(frame) = frames.next_frame()? {
            derive.frame(queue, &mut *frames, frame)?;
            until_look -= 1;
            if until_look == 0 {
                job.check()?;
                until_look = FRAMES_PER_LOOK;
            }
        }
        derive.finish(queue, &mut *frames)?;
        Ok(derive.events())
    };
    // The bytes are stored already.
    let events = side_by_side(rebuild, &mut rows, read, |_, _| Ok(()))?;
    order::note(rebuild, source.id)?;
    rebuild.set_source_counts(source.id, DERIVED_VERSION, events).storage()
}
