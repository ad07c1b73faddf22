//! Structure layers and their operations (`facts/moca-reader §9.1`).

/// The structure of one package.
#[derive(Clone, Debug)]
pub struct Structure;
