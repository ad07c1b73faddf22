//! Integration tests of the crate, one promise a test.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::needless_pass_by_value,
    reason = "a test that cannot go on fails, one that cannot run says so, and values are made where they are used"
)]

mod codes;
mod container_cuts;
mod container_faults;
mod container_reduce;
mod container_secrets;
mod container_shapes;
mod container_twice;
mod event_spellings;
mod fold_clients;
mod fold_limits;
mod fold_lists;
mod fold_messages;
mod fold_moca;
mod fold_runs;
mod fold_splits;
mod fold_state;
mod fold_support;
mod fold_tools;
mod fuzz_corpus;
mod messages_only;
mod recordings;
mod runs_cut;
