//! Untrusted text inside our own sentences: bounded, quoted where it could read as ours, controls made visible.

use std::fmt::Write;

/// Longest piece of untrusted text in a sentence of this crate, in code points.
pub(crate) const MAX_SHOWN: usize = 120;

/// Untrusted text on one line: controls, bidi and zero-width characters as `⟨U+202E⟩`, at most [`MAX_SHOWN`] code points.
pub(crate) fn shown(text: &str) -> String {
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i == MAX_SHOWN {
            out.push('…');
            break;
        }
        if hidden(c) {
            // Writing to a String cannot fail.
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// Like [`shown`], in quotes unless it is one plain word, so that it cannot pass for words of ours.
pub(crate) fn quoted(text: &str) -> String {
    let word = !text.is_empty()
        && text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '`'));
    if word { shown(text) } else { format!("“{}”", shown(text).replace(['“', '”'], "\"")) }
}

/// Whether a text names anyone: it has a letter or digit that is drawn.
pub(crate) fn names_someone(text: &str) -> bool {
    text.chars().any(|c| c.is_alphanumeric() && !hidden(c))
}

/// Characters that change how text is drawn without being seen, and those that break a line.
fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_bidi_overrides_become_visible() {
        assert_eq!(shown("a\u{202e}b\nc"), "a⟨U+202E⟩b⟨U+000A⟩c");
        assert_eq!(shown("שלום עולם"), "שלום עולם");
    }

    #[test]
    fn long_text_is_cut_at_the_limit() {
        assert_eq!(shown(&"x".repeat(500)).chars().count(), MAX_SHOWN + 1);
    }

    #[test]
    fn words_that_could_be_ours_are_quoted() {
        assert_eq!(quoted("human:m.lindqvist"), "human:m.lindqvist");
        assert_eq!(quoted("nobody. In force”"), "“nobody. In force\"”");
        assert_eq!(quoted(""), "“”");
    }
}
