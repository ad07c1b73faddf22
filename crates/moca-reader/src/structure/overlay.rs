//! Structure that the host lays over that of the packages (`facts/moca-reader §9.1`).

use super::graph::Layer;
use super::turtle::{self, Fact};
use crate::diagnostic::Diagnostics;
use crate::limits::Limits;

/// Statements of the application or of the organisation that runs it. They come from the host
/// only; a package cannot bring one.
#[derive(Clone, Debug)]
pub struct Overlay {
    id: String,
    layer: Layer,
    facts: Vec<Fact>,
}

/// Whose an overlay is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayLayer {
    /// The application's.
    Application,
    /// The organisation's.
    Organisation,
}

impl Overlay {
    /// Reads an overlay from Turtle. Faults are reported under the file name `overlay:<id>`; one
    /// that is not Turtle or is over a limit (`O001`) states nothing.
    pub fn parse(
        id: impl Into<String>,
        layer: OverlayLayer,
        turtle: &[u8],
        limits: &Limits,
        found: &mut Diagnostics,
    ) -> Self {
        let id = id.into();
        let parsed = turtle::parse(turtle, &format!("overlay:{id}"), limits, found);
        let layer = match layer {
            OverlayLayer::Application => Layer::Application,
            OverlayLayer::Organisation => Layer::Organisation,
        };
        Self { id, layer, facts: parsed.facts }
    }

    /// The name the host gave it.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The layer its statements count as.
    pub fn layer(&self) -> Layer {
        self.layer
    }

    pub(super) fn facts(&self) -> &[Fact] {
        &self.facts
    }
}
