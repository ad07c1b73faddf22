//! Evidence: normalised source texts and selectors (`facts/moca-reader §6`).
