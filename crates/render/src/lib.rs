//! Untrusted text to safe HTML and plain text.
