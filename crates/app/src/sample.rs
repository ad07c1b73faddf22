//! The sample archive: recordings of an invented bicycle-rental firm, imported into a copy that is the user's to play with.

use crate::{App, contract::Failure, import::Given};

/// The recordings, in the order in which they are imported.
const RECORDINGS: &[(&str, &[u8])] = &[];

impl App {
    /// Imports the sample recordings; does nothing when they are held.
    ///
    /// # Errors
    /// When the archive cannot be written.
    pub fn fill_with_sample(&self) -> Result<(), Failure> {
        self.jobs()?.run(crate::contract::JobKind::Import, |job| {
            let given = RECORDINGS.iter().map(|(name, bytes)| Given::Bundled { name, bytes }).collect();
            self.import(|| Ok(given), "sample", job).map(drop)
        })
    }
}
