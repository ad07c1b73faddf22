//! Promises of the citation vocabulary, one module each.

// The lints' own exceptions for tests reach test functions only, not what those share.
#![allow(clippy::expect_used, clippy::print_stdout)]

mod answer_sources_have_their_own_sentences;
mod code_table;
mod fuzz_corpus;
mod hostile_values;
mod mentions_outside_code;
mod names_and_times;
mod outcomes;
mod recordings_break_what_facts_say;
mod records_keep_the_schema;
mod seed_rules;
mod shared;
mod specification_records;
mod standing_sentences;
mod standing_table;
