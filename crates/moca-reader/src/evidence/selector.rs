//! Selectors against a normalised source (`facts/moca-reader §6.3`).

use memchr::memmem;

use super::text::SourceText;
use super::webvtt::seconds;
use crate::value::Value;

/// See [`SourceText::matches`].
pub(super) fn matches(selector: &Value, source: &SourceText<'_>) -> Option<bool> {
    match selector.get("type").and_then(Value::as_str)? {
        "TextQuoteSelector" => Some(quote(selector, source)),
        "TextPositionSelector" => Some(position(selector, source)),
        "FragmentSelector" => fragment(selector, source),
        _ => None,
    }
}

/// An occurrence of `exact` right after `prefix` and right before `suffix` is an occurrence of the
/// three in a row. Only a missing prefix or suffix is empty; `exact` must not be.
fn quote(selector: &Value, source: &SourceText<'_>) -> bool {
    let part = |name| selector.get(name).and_then(Value::as_str).unwrap_or_default();
    let exact = part("exact");
    if exact.is_empty() {
        return false;
    }
    let (prefix, suffix) = (part("prefix"), part("suffix"));
    let text = source.as_str().as_bytes();
    if prefix.is_empty() && suffix.is_empty() {
        contains(text, exact.as_bytes())
    } else {
        contains(text, [prefix, exact, suffix].concat().as_bytes())
    }
}

/// A searcher for a needle this short is made in no time; one for a longer needle takes longer to
/// make than a usual source to search.
const SHORT_NEEDLE: usize = 32;

/// True if `needle` occurs. Finds its beginning and compares the rest, as long as those
/// comparisons together stay below one pass over the text.
fn contains(text: &[u8], needle: &[u8]) -> bool {
    let Some((start, rest)) = needle.split_at_checked(SHORT_NEEDLE) else {
        return memmem::find(text, needle).is_some();
    };
    let begins = memmem::Finder::new(start);
    let mut affordable = text.len();
    let mut text = text;
    while let Some(at) = begins.find(text) {
        if text[at + start.len()..].starts_with(rest) {
            return true;
        }
        text = &text[at + 1..];
        match affordable.checked_sub(rest.len()) {
            Some(left) => affordable = left,
            None => return memmem::find(text, needle).is_some(),
        }
    }
    false
}

/// `0 ≤ start ≤ end ≤` code points of the text; what stands there is not compared with anything.
fn position(selector: &Value, source: &SourceText<'_>) -> bool {
    let number = |name| selector.get(name).and_then(Value::as_integer);
    let (Some(start), Some(end)) = (number("start"), number("end")) else { return false };
    start >= 0 && start <= end && usize::try_from(end).is_ok_and(|end| end <= source.code_points())
}

/// A media fragment `t=start,end` matches when a cue is shown during some of it. Fragments of
/// other kinds, a PDF page for one, and of other sources are not checked.
fn fragment(selector: &Value, source: &SourceText<'_>) -> Option<bool> {
    if !selector.get("conformsTo").and_then(Value::as_str).is_some_and(is_media_fragments) {
        return None;
    }
    let cues = source.cues()?;
    let value = selector.get("value").and_then(Value::as_str).unwrap_or_default();
    let Some((start, end)) = time_range(value) else { return Some(false) };
    Some(cues.iter().any(|cue| start < cue.end && end > cue.start))
}

fn is_media_fragments(conforms_to: &str) -> bool {
    let rest = conforms_to.strip_prefix("https://").or_else(|| conforms_to.strip_prefix("http://"));
    matches!(rest, Some("www.w3.org/TR/media-frags" | "www.w3.org/TR/media-frags/"))
}

/// The first `t=[npt:]start[,end]` among parts separated by `&`; no comma means without an end.
fn time_range(value: &str) -> Option<(f64, f64)> {
    let range = value.split('&').find_map(|part| part.strip_prefix("t="))?;
    let range = range.strip_prefix("npt:").unwrap_or(range);
    let (start, end) = match range.split_once(',') {
        Some((start, end)) => (start, Some(end)),
        None => (range, None),
    };
    let start = if start.is_empty() { 0.0 } else { seconds(start)? };
    let end = end.map_or(Some(f64::INFINITY), seconds)?;
    (start <= end).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::{SourceText, Value, contains, matches, time_range};
    use crate::evidence::text::SourceKind;

    fn check(selector: &str, source: &str, kind: SourceKind) -> Option<bool> {
        let selector: Value = serde_json::from_str(selector).unwrap();
        matches(&selector, &SourceText::new(kind, source.as_bytes()))
    }

    fn text(selector: &str, source: &str) -> Option<bool> {
        check(selector, source, SourceKind::Text)
    }

    #[test]
    fn quote_needs_its_neighbours_right_beside_it() {
        let source = "abab cab";
        let quote = |rest: &str| text(&format!(r#"{{"type":"TextQuoteSelector",{rest}}}"#), source);
        assert_eq!(quote(r#""exact":"ab""#), Some(true));
        assert_eq!(quote(r#""exact":"ab","prefix":"c""#), Some(true));
        assert_eq!(quote(r#""exact":"ab","prefix":"ab","suffix":" ""#), Some(true));
        assert_eq!(quote(r#""exact":"ab","prefix":" ""#), Some(false));
        assert_eq!(quote(r#""exact":"ab","suffix":"c""#), Some(false));
        assert_eq!(quote(r#""exact":"""#), Some(false));
        assert_eq!(quote(r#""exact":7"#), Some(false));
        assert_eq!(quote(r#""exact":"Ab""#), Some(false));
        assert_eq!(quote(r#""exact":"ab","prefix":null"#), Some(true));
    }

    #[test]
    fn a_long_quote_is_found_wherever_it_is_and_however_often_it_begins() {
        let begun = "x".repeat(40);
        for (source, found) in [
            (format!("{begun}y"), true),
            (format!("{}y{begun}", begun.repeat(50)), true),
            (begun.repeat(50), false),
            (format!("{}{}z", begun.repeat(50), &begun[1..]), false),
            (begun.clone(), false),
        ] {
            assert_eq!(contains(source.as_bytes(), format!("{begun}y").as_bytes()), found);
        }
    }

    #[test]
    fn position_counts_code_points() {
        let at = |start: &str, end: &str| {
            text(
                &format!(r#"{{"type":"TextPositionSelector","start":{start},"end":{end}}}"#),
                "aé😀",
            )
        };
        assert_eq!(at("0", "3"), Some(true));
        assert_eq!(at("3", "3"), Some(true));
        assert_eq!(at("0", "4"), Some(false));
        assert_eq!(at("2", "1"), Some(false));
        assert_eq!(at("-1", "1"), Some(false));
        assert_eq!(at("0.5", "1"), Some(false));
        assert_eq!(at("1.0", "2.0"), Some(true));
        assert_eq!(at("\"0\"", "1"), Some(false));
    }

    #[test]
    fn fragment_is_checked_against_cues_only() {
        let vtt = "WEBVTT\n\n5 --> 9.5\na\n\n10 --> 14\nb";
        let at = |value: &str, kind| {
            let selector = format!(
                r#"{{"type":"FragmentSelector","conformsTo":"http://www.w3.org/TR/media-frags/","value":"{value}"}}"#
            );
            check(&selector, vtt, kind)
        };
        assert_eq!(at("t=6,8", SourceKind::WebVtt), Some(true));
        assert_eq!(at("t=00:00:12", SourceKind::WebVtt), Some(true));
        assert_eq!(at("t=9.5,10", SourceKind::WebVtt), Some(false));
        assert_eq!(at("t=500,600", SourceKind::WebVtt), Some(false));
        assert_eq!(at("t=8,6", SourceKind::WebVtt), Some(false));
        assert_eq!(at("t=6,8", SourceKind::Text), None);
        let page = r#"{"type":"FragmentSelector","conformsTo":"http://tools.ietf.org/rfc/rfc3778","value":"page=12"}"#;
        assert_eq!(check(page, vtt, SourceKind::WebVtt), None);
        assert_eq!(check(r#"{"type":"XPathSelector"}"#, vtt, SourceKind::WebVtt), None);
        assert_eq!(check("{}", vtt, SourceKind::WebVtt), None);
    }

    #[test]
    fn time_ranges_are_read_as_the_rules_say() {
        assert_eq!(time_range("xywh=1&t=npt:,8"), Some((0.0, 8.0)));
        assert_eq!(time_range("t=5"), Some((5.0, f64::INFINITY)));
        assert_eq!(time_range("t=5,"), None);
        assert_eq!(time_range("t=x"), None);
        assert_eq!(time_range("st=5"), None);
        assert_eq!(time_range("t="), Some((0.0, f64::INFINITY)));
    }
}
