//! Shared ground of the test binaries: where fixtures and the shared corpora stand.
