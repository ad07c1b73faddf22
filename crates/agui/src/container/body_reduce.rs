//! Bodies inside of JSON that are captures themselves: their header lines go as those of a capture do.

use std::io::{self, Write};

use super::sse_reduce::{self, DECIDING_BYTES, HeaderFilter, Rule};
use super::window::Window;
use super::{LeftOut, har_entry};
use crate::json::{self, Piece};

/// Writes the rest of a JSON string, whose opening quote the window is behind, without the lines that a capture loses;
/// all others as they stand, so that a string without header lines is copied. Gives the bytes that the text lost.
pub(super) fn copy_text(
    window: &mut Window,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<u64> {
    let mut lines = Lines::new(out, left_out);
    loop {
        // An escape with its surrogate partner is 12 bytes long.
        let bytes = window.at_least(12)?;
        let (taken, piece) = json::string_piece(bytes, bytes.len() < 12);
        if bytes.is_empty() || matches!(piece, Piece::End | Piece::NeedMore) {
            let lost = lines.end()?;
            window.consume(taken);
            out.write_all(b"\"")?;
            return Ok(lost);
        }
        match piece {
            Piece::Run(run) => {
                for part in run.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
                    lines.take(part, part)?;
                }
            }
            Piece::Escaped(code) => {
                let mut resolved = Vec::with_capacity(4);
                code.push(&mut resolved);
                lines.take(&bytes[..taken], &resolved)?;
            }
            Piece::End | Piece::NeedMore => {}
        }
        window.consume(taken);
    }
}

/// The same for a string token that is at hand.
pub(super) fn text_token(token: &[u8], left_out: &mut LeftOut) -> io::Result<(Vec<u8>, u64)> {
    let Some(inner) = token.strip_prefix(b"\"") else { return Ok((token.to_vec(), 0)) };
    let mut window = Window::new(Box::new(io::Cursor::new(inner.to_vec())), 0);
    let mut kept = b"\"".to_vec();
    let lost = copy_text(&mut window, &mut kept, left_out)?;
    Ok((kept, lost))
}

/// The same for a string token of base64; a text that is no base64 is taken as it stands.
pub(super) fn base64_token(token: &[u8], left_out: &mut LeftOut) -> io::Result<(Vec<u8>, u64)> {
    let Some(Ok(bytes)) = json::string_value(token).map(|text| har_entry::from_base64(&text))
    else {
        return text_token(token, left_out);
    };
    if !sse_reduce::has_headers(&bytes) {
        return Ok((token.to_vec(), 0));
    }
    let (mut kept, length) = (Vec::new(), bytes.len());
    let counted =
        sse_reduce::reduce(Box::new(io::Cursor::new(bytes)), Rule::ByFirstLine, &mut kept)?;
    left_out.add(&counted);
    let mut quoted = Vec::new();
    json::push_quoted(&mut quoted, &har_entry::to_base64(&kept));
    Ok((quoted, (length - kept.len()) as u64))
}

/// The lines of a text in a JSON string, as they stand there and as what they mean.
struct Lines<'a> {
    out: &'a mut dyn Write,
    left_out: &'a mut LeftOut,
    filter: HeaderFilter,
    /// The line as it stands in the string, as long as it is not known whether it is kept.
    raw: Vec<u8>,
    /// The same with its escapes resolved.
    text: Vec<u8>,
    /// What is known of the line; after its end, of the line before.
    keep: Option<bool>,
    after_return: bool,
    lost: u64,
}

impl<'a> Lines<'a> {
    fn new(out: &'a mut dyn Write, left_out: &'a mut LeftOut) -> Self {
        Self {
            out,
            left_out,
            filter: HeaderFilter::default(),
            raw: Vec::new(),
            text: Vec::new(),
            keep: None,
            after_return: false,
            lost: 0,
        }
    }

    /// Takes the next piece of a line: how it stands there and what it means. Line ends come last in a piece.
    fn take(&mut self, raw: &[u8], text: &[u8]) -> io::Result<()> {
        if std::mem::take(&mut self.after_return) && text != b"\n" {
            self.keep = None;
        }
        let end = text.last().copied().filter(|byte| matches!(byte, b'\n' | b'\r'));
        if let Some(keep) = self.keep {
            self.pass(keep, raw, text.len())?;
        } else {
            self.raw.extend_from_slice(raw);
            self.text.extend_from_slice(text);
            if end.is_some() || self.text.len() >= DECIDING_BYTES {
                self.decide()?;
            }
        }
        match end {
            Some(b'\r') => self.after_return = true,
            Some(_) => self.keep = None,
            None => {}
        }
        Ok(())
    }

    fn decide(&mut self) -> io::Result<()> {
        let (raw, text) = (std::mem::take(&mut self.raw), std::mem::take(&mut self.text));
        let line = text.strip_suffix(b"\n").or(text.strip_suffix(b"\r")).unwrap_or(&text);
        let keep = self.filter.keep(line, self.left_out);
        self.keep = Some(keep);
        self.pass(keep, &raw, text.len())
    }

    fn pass(&mut self, keep: bool, raw: &[u8], length: usize) -> io::Result<()> {
        if keep {
            return self.out.write_all(raw);
        }
        self.lost += length as u64;
        Ok(())
    }

    fn end(mut self) -> io::Result<u64> {
        if !self.raw.is_empty() {
            self.decide()?;
        }
        Ok(self.lost)
    }
}
