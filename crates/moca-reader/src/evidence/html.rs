//! HTML to text, and the character references WebVTT shares with it (`facts/moca-reader §6.2`).

use std::borrow::Cow;

use memchr::{memchr, memmem};

use super::text::NextByte;
use crate::schema::is_js_space;

/// Removes `script` and `style` elements, then every tag, then decodes character references once.
pub(super) fn text(source: &str) -> String {
    decode_references(&without_tags(&without_scripts(source))).into_owned()
}

/// Removes every `<…>`; a `<` that nothing closes stays.
pub(super) fn without_tags(source: &str) -> Cow<'_, str> {
    let bytes = source.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    while let Some(open) = memchr(b'<', &bytes[copied..]).map(|i| copied + i) {
        let Some(close) = memchr(b'>', &bytes[open..]).map(|i| open + i) else { break };
        out.push_str(&source[copied..open]);
        copied = close + 1;
    }
    if copied == 0 {
        return Cow::Borrowed(source);
    }
    out.push_str(&source[copied..]);
    Cow::Owned(out)
}

/// Decodes decimal and hexadecimal references and six names, once: `&amp;lt;` becomes `&lt;`.
///
/// A number of a surrogate becomes U+FFFD, which no quote can hold instead of it.
pub(super) fn decode_references(source: &str) -> Cow<'_, str> {
    let bytes = source.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut from = 0;
    while let Some(at) = memchr(b'&', &bytes[from..]).map(|i| from + i) {
        from = at + 1;
        if let Some((decoded, end)) = reference(&source[at..]) {
            out.push_str(&source[copied..at]);
            out.push(decoded);
            copied = at + end;
            from = copied;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(source);
    }
    out.push_str(&source[copied..]);
    Cow::Owned(out)
}

/// The character that the reference at the start of `text` stands for, and the reference's length.
fn reference(text: &str) -> Option<(char, usize)> {
    let rest = &text[1..];
    if let Some(number) = rest.strip_prefix('#') {
        let (digits, radix, mark) = match number.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16, 3),
            None => (number, 10, 2),
        };
        let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        if length == 0 || digits.as_bytes().get(length) != Some(&b';') {
            return None;
        }
        let code =
            u32::from_str_radix(&digits[..length], radix).ok().filter(|&n| n <= 0x10_ffff)?;
        return Some((char::from_u32(code).unwrap_or('\u{fffd}'), mark + length + 1));
    }
    let length = rest.find(|c: char| !c.is_ascii_alphabetic())?;
    if rest.as_bytes()[length] != b';' {
        return None;
    }
    let decoded = match rest[..length].to_ascii_lowercase().as_str() {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => '\u{a0}',
        _ => return None,
    };
    Some((decoded, length + 2))
}

/// The two elements whose content is not text.
const SCRIPT: &[u8] = b"script";
const STYLE: &[u8] = b"style";

/// Removes `script` and `style` elements that have an end tag, from start tag to end tag.
fn without_scripts(source: &str) -> Cow<'_, str> {
    let bytes = source.as_bytes();
    let mut script_ends = EndTags::new(source, SCRIPT);
    let mut style_ends = EndTags::new(source, STYLE);
    let mut closing = NextByte::new(bytes, b'>');
    let mut out = String::new();
    let mut copied = 0;
    let mut from = 0;
    while let Some(open) = memchr(b'<', &bytes[from..]).map(|i| from + i) {
        from = open + 1;
        let (name, ends) = if starts_tag(&bytes[open + 1..], SCRIPT) {
            (SCRIPT, &mut script_ends)
        } else if starts_tag(&bytes[open + 1..], STYLE) {
            (STYLE, &mut style_ends)
        } else {
            continue;
        };
        let Some(close) = closing.at_or_after(open + 1 + name.len()) else { break };
        if let Some(end) = ends.first_from(close + 1) {
            out.push_str(&source[copied..open]);
            copied = end;
            from = end;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(source);
    }
    out.push_str(&source[copied..]);
    Cow::Owned(out)
}

/// True if `bytes` begin with the tag name, in any case, and the name ends there.
fn starts_tag(bytes: &[u8], name: &[u8]) -> bool {
    bytes.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
        && !bytes.get(name.len()).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// The end tags of one element name, asked for at positions that only grow.
struct EndTags<'a> {
    source: &'a str,
    name: &'static [u8],
    /// Where the last one found starts and ends.
    found: Option<(usize, usize)>,
    /// No end tag starts at or after `scanned` but before it was looked at.
    scanned: usize,
}

impl<'a> EndTags<'a> {
    fn new(source: &'a str, name: &'static [u8]) -> Self {
        Self { source, name, found: None, scanned: 0 }
    }

    /// Where the first end tag that starts at or after `from` ends.
    fn first_from(&mut self, from: usize) -> Option<usize> {
        if let Some((start, end)) = self.found
            && start >= from
        {
            return Some(end);
        }
        self.scanned = self.scanned.max(from);
        let bytes = self.source.as_bytes();
        while let Some(at) = memmem::find(&bytes[self.scanned..], b"</").map(|i| self.scanned + i) {
            self.scanned = at + 2;
            let named = &bytes[at + 2..];
            if named.get(..self.name.len()).is_some_and(|n| n.eq_ignore_ascii_case(self.name)) {
                // The name is ASCII, so what follows it starts on a character.
                let rest = &self.source[at + 2 + self.name.len()..];
                let tail = rest.trim_start_matches(is_js_space);
                if tail.starts_with('>') {
                    let end = self.source.len() - tail.len() + 1;
                    self.found = Some((at, end));
                    return Some(end);
                }
            }
        }
        self.scanned = bytes.len();
        self.found = None;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{decode_references, text};

    #[test]
    fn html_keeps_the_words_between_the_tags() {
        let source = "<html><body><p>Returns are free for orders over &#163;50 &amp; under <b>30 kg</b>.</p></body>";
        assert_eq!(text(source), "Returns are free for orders over £50 & under 30 kg.");
        assert_eq!(text("a < b"), "a < b");
        assert_eq!(text("a <> b <c\n d>e"), "a  b e");
    }

    #[test]
    fn scripts_and_styles_go_only_with_an_end_tag() {
        assert_eq!(text("a<script>x<b>y</SCRIPT \n>b"), "ab");
        assert_eq!(text("a<style type=x>p{}</style>b<STYLE>q</style>c"), "abc");
        assert_eq!(text("a<script>x</style>b"), "axb");
        assert_eq!(text("a<scripts>x</scripts>b"), "axb");
        assert_eq!(text("<style><script>x</script></style>y"), "y");
        assert_eq!(text("<script>1</script>2<script>3"), "23");
        assert_eq!(text("<script>a</script x>b</script>c"), "c");
    }

    #[test]
    fn references_are_decoded_once_and_unknown_ones_stay() {
        assert_eq!(decode_references("&amp;lt; &LT; &nbsp;."), "&lt; < \u{a0}.");
        assert_eq!(decode_references("&#x41;&#X6a;&#65;&#0;"), "AjA\0");
        assert_eq!(
            decode_references("&#x110000; &#99999999999999; &#xd800;"),
            "&#x110000; &#99999999999999; \u{fffd}"
        );
        assert_eq!(
            decode_references("&constructor; &eacute; &amp &#; &#x; &"),
            "&constructor; &eacute; &amp &#; &#x; &"
        );
        assert_eq!(decode_references("&&amp;"), "&&");
    }
}
