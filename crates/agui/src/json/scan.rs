//! Where a JSON value ends: by quotes and brackets alone, over any cut of the bytes.

use super::{is_space, quote_or_backslash};
use crate::limits::MAX_DEPTH;

/// Finds the end of one value, piece by piece. Feed it from the value's first byte on.
#[derive(Debug, Default)]
pub(crate) struct ValueScan {
    state: State,
    depth: u64,
    too_deep: bool,
}

/// What a piece did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scan {
    /// All of it belongs to the value, which goes on.
    More,
    /// The value ends behind this many bytes of the piece.
    End(usize),
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    /// Between the tokens of an array or object.
    Nested,
    /// In a string; the byte before was an unpaired backslash or not.
    String { escaped: bool },
    /// In a number, a literal or something that is no token at all.
    Bare,
}

impl ValueScan {
    /// Looks at the next piece; not to be called again once the end was given.
    pub(crate) fn feed(&mut self, piece: &[u8]) -> Scan {
        let mut at = 0;
        while at < piece.len() {
            match self.state {
                State::Start => match piece[at] {
                    b'{' | b'[' => {
                        self.state = State::Nested;
                        self.depth = 1;
                        at += 1;
                    }
                    b'"' => {
                        self.state = State::String { escaped: false };
                        at += 1;
                    }
                    // No value begins with these; each is a piece of its own, so that a reader goes on.
                    b'}' | b']' | b',' | b':' => return Scan::End(at + 1),
                    _ => self.state = State::Bare,
                },
                State::Bare => {
                    let rest = &piece[at..];
                    let end = rest.iter().position(|&byte| {
                        is_space(byte)
                            || matches!(byte, b',' | b']' | b'}' | b':' | b'"' | b'{' | b'[')
                    });
                    match end {
                        Some(end) => return Scan::End(at + end),
                        None => return Scan::More,
                    }
                }
                State::String { escaped: true } => {
                    self.state = State::String { escaped: false };
                    at += 1;
                }
                State::String { escaped: false } => {
                    let Some(found) = quote_or_backslash(&piece[at..]) else { return Scan::More };
                    at += found + 1;
                    if piece[at - 1] == b'\\' {
                        self.state = State::String { escaped: true };
                    } else if self.depth == 0 {
                        return Scan::End(at);
                    } else {
                        self.state = State::Nested;
                    }
                }
                State::Nested => {
                    let Some(found) =
                        piece[at..].iter().position(|&byte| STRUCTURAL[byte as usize])
                    else {
                        return Scan::More;
                    };
                    at += found + 1;
                    match piece[at - 1] {
                        b'"' => self.state = State::String { escaped: false },
                        b'{' | b'[' => {
                            self.depth += 1;
                            self.too_deep |= self.depth > MAX_DEPTH as u64;
                        }
                        _ => {
                            self.depth -= 1;
                            if self.depth == 0 {
                                return Scan::End(at);
                            }
                        }
                    }
                }
            }
        }
        Scan::More
    }

    /// Whether the value went deeper than [`MAX_DEPTH`].
    pub(crate) fn too_deep(&self) -> bool {
        self.too_deep
    }

    /// Whether the value may end where the bytes end: only a number or a literal can.
    pub(crate) fn may_end(&self) -> bool {
        self.state == State::Bare
    }
}

/// Bytes that open or close something.
static STRUCTURAL: [bool; 256] = {
    let mut table = [false; 256];
    table[b'"' as usize] = true;
    table[b'{' as usize] = true;
    table[b'}' as usize] = true;
    table[b'[' as usize] = true;
    table[b']' as usize] = true;
    table
};
