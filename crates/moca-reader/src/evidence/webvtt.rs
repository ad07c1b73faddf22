//! WebVTT cues and the times that media fragments share with them (`facts/moca-reader §6.2, §6.3`).

use super::html::{decode_references, without_tags};
use crate::schema::is_js_space;

/// One cue: when it is shown, and its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Cue {
    /// Seconds from the start of the medium.
    pub start: f64,
    /// Seconds from the start of the medium.
    pub end: f64,
    /// The payload, tags removed and references decoded, lines joined by LF.
    pub text: String,
}

/// The cues of a file, in order. The first block is the header; blocks without a timing line
/// (notes, styles, regions) and cues with unreadable times are left out.
pub(super) fn cues(source: &str) -> Vec<Cue> {
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    blocks(&source).skip(1).filter_map(cue).collect()
}

/// The text of all cues, joined by LF.
pub(super) fn text(cues: &[Cue]) -> String {
    cues.iter().map(|cue| cue.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Reads `[h:]m:s[.fraction]` or `s[.fraction]`, white space around it allowed; finite seconds.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let text = text.trim_matches(is_js_space);
    let parts: Vec<&str> = text.split(':').collect();
    let total = match parts[..] {
        [seconds] => decimal(seconds, None)?,
        [minutes, seconds] => minute(minutes)? + decimal(seconds, Some(2))?,
        [hours, minutes, seconds] => {
            digits(hours)? * 3600.0 + minute(minutes)? + decimal(seconds, Some(2))?
        }
        _ => return None,
    };
    total.is_finite().then_some(total)
}

/// The parts between runs of two or more LF.
fn blocks(source: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(source);
    std::iter::from_fn(move || {
        let text = rest?;
        match text.find("\n\n") {
            Some(end) => {
                rest = Some(text[end..].trim_start_matches('\n'));
                Some(&text[..end])
            }
            None => rest.take(),
        }
    })
}

fn cue(block: &str) -> Option<Cue> {
    let mut lines = block.split('\n');
    let (start, rest) = lines.find_map(|line| line.split_once("-->"))?;
    let end = rest.trim_start_matches(is_js_space).split(is_js_space).next()?;
    // A second arrow ends the time as a space does.
    let end = end.split("-->").next()?;
    let (start, end) = (seconds(start)?, seconds(end)?);
    let text = lines
        .map(|line| decode_references(&without_tags(line)).into_owned())
        .collect::<Vec<_>>()
        .join("\n");
    Some(Cue { start, end, text })
}

fn minute(text: &str) -> Option<f64> {
    if text.len() > 2 { None } else { Some(digits(text)? * 60.0) }
}

/// Digits with an optional fraction; `whole` demands that many digits before it.
fn decimal(text: &str, whole: Option<usize>) -> Option<f64> {
    let (integer, fraction) = match text.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (text, None),
    };
    digits(integer)?;
    if let Some(fraction) = fraction {
        digits(fraction)?;
    }
    if whole.is_some_and(|length| integer.len() != length) { None } else { text.parse().ok() }
}

fn digits(text: &str) -> Option<f64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        None
    } else {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::{cues, seconds, text};

    #[test]
    fn times_are_hours_minutes_seconds_or_seconds() {
        assert_eq!(seconds("00:00:12"), Some(12.0));
        assert_eq!(seconds(" 1:02.5 "), Some(62.5));
        assert_eq!(seconds("100:00:00"), Some(360_000.0));
        assert_eq!(seconds("9.25"), Some(9.25));
        for bad in ["", "1:2", "1:2:3:4", "123:00", "1.", ".5", "-1", "1e3", "00:00:1", "a"] {
            assert_eq!(seconds(bad), None, "{bad:?}");
        }
        assert_eq!(seconds(&"9".repeat(400)), None);
    }

    #[test]
    fn cues_have_their_lines_without_tags() {
        let source = "WEBVTT\r\n\r\nNOTE no cue\r\n\r\n1\r\n00:05.000 --> 00:09.500 align:start\r\nOrders over <b>&#163;50</b>\r\nship free.\r\n\r\n\r\n00:10.000 --> 00:14.000\n<v Presenter>Bye.\n";
        let found = cues(source);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].start, found[0].end), (5.0, 9.5));
        assert_eq!(text(&found), "Orders over £50\nship free.\nBye.\n");
    }

    #[test]
    fn unreadable_cues_and_the_header_are_left_out() {
        assert_eq!(cues("WEBVTT\n1 --> 2\nheader"), []);
        assert_eq!(cues("WEBVTT\n\nsoon --> 2\nx\n\n1 -->\ny"), []);
        assert_eq!(cues("\n\n1 --> 2-->3\nx")[0].end, 2.0);
    }
}
