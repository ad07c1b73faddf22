//! Use cases and command contract of Recite.
