//! Sidecar indexes (`facts/moca-reader §9.3`).
