//! One module per promise.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on fails")]

mod citation_states_and_broken_duties_are_told;
mod inspect_tells_what_the_reader_concludes;
mod keeps_bytes_exactly;
mod recordings_give_their_messages;
mod reference_clients_agree;
mod sample_is_made_again;
mod sample_shows_every_state;
mod speed_keeps_its_ratios;
mod the_window_may_do_nothing_else;
mod what_a_breaker_found_stays_mended;
