//! The `recite` command.

fn main() {}
