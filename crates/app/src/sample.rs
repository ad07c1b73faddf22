//! The sample archive: recordings of an invented bicycle-rental firm, imported into a copy that is the user's to play with.
//! `make sample` makes them again (`docs/sample.md`).

use crate::{App, contract::Failure, import::Given};

macro_rules! recordings {
    ($($name:literal,)*) => {
        &[$(($name, include_bytes!(concat!("../../../tests/fixtures/sample/recordings/", $name)))),*]
    };
}

/// The recordings, in the order in which they are imported: oldest first, as an archive grows.
const RECORDINGS: &[(&str, &[u8])] = recordings![
    "message-store-school-trip.json",
    "desk-transfer-fee-stale-since.agui.jsonl",
    "desk-helmets-declared-only.agui.jsonl",
    "travel-helper-norway-contested.jsonl",
    "desk-lost-key-draft-cancelled.agui.jsonl",
    "desk-family-day-long-answer.har",
    "travel-helper-theft-window-unreadable.har",
    "desk-storm-failed-resumed-cut-off.agui.jsonl",
    "desk-season-ticket-deprecated.agui.jsonl",
    "desk-oeffnungszeiten-review-inaccurate.agui.jsonl",
    "ride-planner-without-citations.agui.jsonl",
    "desk-late-fee-by-season.agui.jsonl",
    "staging-faulty-events-and-records.agui.jsonl",
    "staging-faulty-times.agui.jsonl",
    "staging-faulty-places-and-order.agui.jsonl",
    "desk-renamed-by-snapshot.sse",
    "desk-cargo-bike-to-pier-4.agui.jsonl",
];

impl App {
    /// Imports the sample recordings; does nothing when they are held.
    ///
    /// # Errors
    /// When the archive cannot be written.
    pub fn fill_with_sample(&self) -> Result<(), Failure> {
        self.jobs()?.run(crate::contract::JobKind::Import, |job| {
            let given =
                RECORDINGS.iter().map(|(name, bytes)| Given::Bundled { name, bytes }).collect();
            self.import(|| Ok(given), "sample", job).map(drop)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::RECORDINGS;

    #[test]
    fn every_recording_of_the_sample_is_imported() {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/sample/recordings");
        let files: BTreeSet<_> = fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        let imported: BTreeSet<_> = RECORDINGS.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(imported, files);
    }
}
