//! Keeps findings within bounds: the first few of a code in a run, then a count.

use std::collections::BTreeMap;

use crate::finding::{Code, Finding, Severity};

/// Most findings of one code in one run; the rest are counted in one more.
pub const MAX_FINDINGS_PER_CODE: u64 = 20;

/// The same for codes of severity Info, which repeat on every event of a dump.
pub const MAX_INFOS_PER_CODE: u64 = 1;

/// Counts findings of one run by code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bound(BTreeMap<&'static str, Seen>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    code: &'static Code,
    count: u64,
}

impl Bound {
    /// The finding, if its code has room for it.
    pub fn admit(&mut self, finding: Finding) -> Option<Finding> {
        let code = finding.code;
        let seen = self.0.entry(code.id).or_insert(Seen { code, count: 0 });
        seen.count += 1;
        (seen.count <= most(code)).then_some(finding)
    }

    /// One finding for each code that had no room, with the number left out.
    pub fn rest(self) -> Vec<Finding> {
        let over = self.0.into_values().filter(|seen| seen.count > most(seen.code));
        over.map(|Seen { code, count }| Finding {
            code,
            message: format!("{} more of this kind in this run.", count - most(code)),
            event: None,
            at: None,
        })
        .collect()
    }
}

fn most(code: &Code) -> u64 {
    if code.severity == Severity::Info { MAX_INFOS_PER_CODE } else { MAX_FINDINGS_PER_CODE }
}
