//! Relations between loaded packages (`facts/moca-reader §5.3`).
