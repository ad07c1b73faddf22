//! Members of a composed package (`facts/moca-reader §5.1`).

use std::sync::Arc;

use crate::manifest::MemberPin;
use crate::package::Target;
use crate::reader::ReadResult;

/// Finds the package that a pin names.
pub trait MemberResolver: Send + Sync {
    /// Where the member is, or nothing.
    fn resolve(&self, pin: &MemberPin) -> Option<Target>;
}

/// One member with what became of it.
#[derive(Clone, Debug)]
pub struct Member {
    /// The pin.
    pub pin: MemberPin,
    /// What became of it.
    pub status: MemberStatus,
    /// The member as read, where it was read.
    pub result: Option<Arc<ReadResult>>,
}

/// What became of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberStatus {
    /// Found, and its digest is the pinned one.
    Resolved,
    /// Not found, or nobody looked.
    Unresolved,
    /// Found with another digest.
    Mismatch,
    /// A package would be its own member.
    Cycle,
}
