//! One module per table: row type, writes, reads, and every statement in one place.

/// Declares the statements of one table and lists them in `ALL`, which the query-plan test explains.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $sql:expr;)+) => {
        $($(#[$doc])* pub(crate) const $name: &str = $sql;)+
        /// Every statement declared here, by name.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($name), $name)),+];
    };
}

pub(crate) mod citation;
pub(crate) mod citation_event;
pub(crate) mod connection;
pub(crate) mod conversation;
pub(crate) mod finding;
pub(crate) mod foreign_source;
pub(crate) mod message;
pub(crate) mod note;
pub(crate) mod record;
pub(crate) mod run;
pub(crate) mod segment;
pub(crate) mod service;
pub(crate) mod setting;
pub(crate) mod source;
pub(crate) mod tool_call;
pub(crate) mod total;
