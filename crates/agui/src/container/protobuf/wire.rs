//! The protobuf wire format: fields of a message, one after the other.

/// A field's content by its wire type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Content<'a> {
    Varint(u64),
    Fixed64(u64),
    Fixed32,
    Bytes(&'a [u8]),
}

/// The fields of a message; an error where the bytes are no message.
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

/// The bytes are no message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoMessage;

impl<'a> Fields<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    fn field(&mut self) -> Option<(u64, Content<'a>)> {
        let tag = self.varint()?;
        let content = match tag & 7 {
            0 => Content::Varint(self.varint()?),
            1 => Content::Fixed64(u64::from_le_bytes(*self.take(8)?.first_chunk()?)),
            2 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Content::Bytes(self.take(length)?)
            }
            5 => self.take(4).map(|_| Content::Fixed32)?,
            _ => return None,
        };
        (tag >> 3 != 0).then_some((tag >> 3, content))
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.take(1)?.first()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Content<'a>), NoMessage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let field = self.field().ok_or(NoMessage);
        if field.is_err() {
            self.rest = &[];
        }
        Some(field)
    }
}

/// Whether bytes begin with a frame that holds an event: a length, then one field that fills it. The bytes
/// may end inside the frame.
pub(in crate::container) fn is_framed_event(bytes: &[u8]) -> bool {
    let Some((length, frame)) = bytes.split_first_chunk::<4>() else { return false };
    let length = u32::from_be_bytes(*length) as usize;
    if !(2..=crate::limits::MAX_FRAME_BYTES).contains(&length) {
        return false;
    }
    let mut fields = Fields::of(&frame[..frame.len().min(length)]);
    let before = fields.rest.len();
    let Some(tag) = fields.varint() else { return false };
    let Some(inner) = fields.varint() else { return false };
    let head = (before - fields.rest.len()) as u64;
    tag & 7 == 2 && (1..64).contains(&(tag >> 3)) && head + inner == length as u64
}
