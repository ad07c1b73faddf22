//! The desktop shell of Recite.

fn main() {}
