//! Use cases of Recite and the command contract that its hosts implement.

pub mod contract;
