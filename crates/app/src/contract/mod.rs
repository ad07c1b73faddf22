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
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, ts_rs::TS,
)]
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

#[cfg(test)]
mod tests {
    use std::{fmt::Write, fs, path::PathBuf};

    macro_rules! rows {
        ($($name:ident, $request:ty, $response:ty, $what:literal;)*) => {
            &[$((stringify!($name), stringify!($request), stringify!($response), $what)),*]
        };
    }

    /// Writes the command list for the user interface, where `ts-rs` writes the types.
    #[test]
    fn export_bindings_commands() {
        let rows: &[(&str, &str, &str, &str)] = crate::commands!(rows);
        let types: std::collections::BTreeSet<&str> =
            rows.iter().flat_map(|row| [row.1, row.2]).collect();
        let mut text =
            String::from("// Made from the command list of the contract. Do not edit.\n");
        for name in types {
            writeln!(text, "import type {{ {name} }} from \"./{name}\";").unwrap();
        }
        text.push_str("\n/** Every command: what it takes and what it gives. */\nexport interface Commands {\n");
        for (name, request, response, what) in rows {
            writeln!(
                text,
                "  /** {what}. */\n  {name}: {{ request: {request}; response: {response} }};"
            )
            .unwrap();
        }
        text.push_str("}\n");
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/gen");
        fs::write(folder.join("Commands.ts"), text).unwrap();
    }
}
