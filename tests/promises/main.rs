//! One module per promise.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod any_chunking_gives_the_same;
mod citation_states_and_broken_duties_are_told;
mod every_flag_has_its_time;
mod export_and_import_again_gives_every_byte;
mod exports_carry_the_whole_answer;
mod inspect_tells_what_the_reader_concludes;
mod keeps_bytes_exactly;
mod lists_tell_the_truth;
mod no_byte_makes_a_flag_look_better;
mod order_of_import_does_not_matter;
mod recordings_give_their_messages;
mod reference_clients_agree;
mod sample_is_made_again;
mod sample_shows_every_state;
mod seed_rules_hold_from_import_to_show;
mod speed_keeps_its_ratios;
mod the_window_may_do_nothing_else;
mod what_a_breaker_found_stays_mended;
