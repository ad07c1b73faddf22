//! The SQLite archive of Recite.
