//! The `recite` command in its surroundings: the system's clock.

use std::process::ExitCode;

use recite_cli::Surroundings;

fn main() -> ExitCode {
    recite_cli::run(Surroundings { clock: Box::new(now), batch_bytes: app::BATCH_BYTES })
}

/// The one place where the command line asks the clock.
#[allow(
    clippy::disallowed_methods,
    reason = "hosts ask the clock; the core takes it as an argument"
)]
fn now() -> time::OffsetDateTime {
    time::OffsetDateTime::now_utc()
}
