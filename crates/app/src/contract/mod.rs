//! The command contract: every command a host offers, with its request and response.
//!
//! [`commands!`](crate::commands) lists the commands once. A host hands it a macro of its own and gets one entry per command,
//! so a host that forgets a command does not compile. The types cross to the user interface through
//! `ts-rs` (`ui/src/gen/`), as camelCase JSON; row ids cross as strings, instants as RFC 3339 text in UTC.

mod commands;
mod conversation;
mod error;
mod finding;
mod host;
mod import;
mod job;
mod source;
mod status;

pub use conversation::*;
pub use error::*;
pub use finding::*;
pub use host::*;
pub use import::*;
pub use job::*;
pub use source::*;
pub use status::*;

/// No request, or no answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS)]
#[ts(export)]
pub struct Nothing {}

macro_rules! commands_trait {
    ($($name:ident, $request:ty, $response:ty, $what:literal;)*) => {
        /// What a host can ask of Recite. [`App`](crate::App) answers it; hosts hand every command on.
        pub trait Commands {
            $(
                #[doc = $what]
                ///
                /// # Errors
                /// A [`Failure`] with its kind, a sentence and a hint.
                fn $name(&self, request: $request) -> Result<$response, Failure>;
            )*
        }

        /// Names of all commands, in the order of the contract.
        pub const COMMAND_NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

crate::commands!(commands_trait);
