//! MOCA packages: open, check, digest, verify, cite.
