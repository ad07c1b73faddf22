//! The second wall: an HTML parser and a small list, whatever the first wall wrote.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::Builder;

/// The tags that Markdown may become.
const TAGS: [&str; 23] = [
    "p",
    "br",
    "wbr",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "blockquote",
    "pre",
    "code",
    "em",
    "strong",
    "del",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
];

/// Digits of a list's first number (CommonMark allows nine).
const MAX_START_DIGITS: usize = 9;

/// Passes [`TAGS`] without attributes, apart from `start` on `ol` (digits) and `align` on cells
/// (three words). No URL attribute passes, so there is no URL to check.
pub(crate) fn sanitise(html: &str) -> String {
    CLEANER.clean(html).to_string()
}

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let align = HashMap::from([("align", HashSet::from(["left", "center", "right"]))]);
    let mut cleaner = Builder::empty();
    cleaner
        .tags(HashSet::from(TAGS))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .generic_attributes(HashSet::new())
        .tag_attributes(HashMap::from([("ol", HashSet::from(["start"]))]))
        .tag_attribute_values(HashMap::from([("th", align.clone()), ("td", align)]))
        .attribute_filter(|_, attribute, value| {
            let digits = value.len() <= MAX_START_DIGITS
                && !value.is_empty()
                && value.bytes().all(|b| b.is_ascii_digit());
            (attribute != "start" || digits).then_some(Cow::Borrowed(value))
        })
        .url_schemes(HashSet::new())
        .link_rel(None)
        .strip_comments(true);
    cleaner
});

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The second wall alone, as if the first had let everything through.
    #[test]
    fn raw_html_loses_everything_that_is_not_listed() {
        for (html, clean) in [
            ("<script>x</script><b>a</b>", "a"),
            ("<p onclick=x style=y class=z id=w>a</p>", "<p>a</p>"),
            ("<a href=javascript:x>a</a><img src=x onerror=y>", "a"),
            ("<button class=cite data-citation=0>[1]</button>", "[1]"),
            (
                "<ol start=12></ol><ol start=-1></ol><ol start=x></ol>",
                "<ol start=\"12\"></ol><ol></ol><ol></ol>",
            ),
            ("<svg><style><img src=x onerror=y></style></svg>", ""),
            (
                "<table><tbody><tr><td align=right width=9>a</td></tr></tbody></table>",
                "<table><tbody><tr><td align=\"right\">a</td></tr></tbody></table>",
            ),
            ("<!-- c -->a<base href=x><meta http-equiv=refresh><form><input></form>", "a"),
        ] {
            assert_eq!(sanitise(html), clean, "{html}");
        }
    }

    /// Whether each `<` of sanitised HTML begins a listed tag with no attribute but the two.
    fn only_listed(html: &str) -> bool {
        html.split('<').skip(1).all(|rest| {
            let tag = rest.split('>').next().unwrap_or("").trim_start_matches('/');
            let (name, attribute) = tag.split_once(' ').unwrap_or((tag, ""));
            let allowed = match name {
                "ol" => attribute.starts_with("start=\""),
                "th" | "td" => attribute.starts_with("align=\""),
                _ => false,
            };
            TAGS.contains(&name) && (attribute.is_empty() || allowed)
        })
    }

    // Broken HTML has no fixed form: a parser moves lists and tables about at each reading. What
    // holds for it is that no reading brings anything back. What the writer writes is read as it stands.
    proptest! {
        #[test]
        fn nothing_comes_back_at_a_second_reading(parts in proptest::collection::vec(
            proptest::sample::select(&[
                "<p>", "</p>", "<b", "<script>", "</script>", "<svg>", "<math>", "<mtext>", "<style>",
                "</style>", "<table>", "<td align=right>", "<ol start=3>", "<li>", "<pre>\n", "<em>",
                "<a href='x'>", "<!--", "-->", "<img src=x onerror=y>", "&lt;", "&amp;lt;", "\"", "'",
                ">", "text", "\u{FDD0}0\u{FDD1}", "<![CDATA[", "<noscript>", "<mglyph>", "<br>", "<code>",
            ][..]), 0..30)) {
            let once = sanitise(&parts.concat());
            prop_assert!(only_listed(&once), "{}", once);
            prop_assert!(only_listed(&sanitise(&once)), "{}", once);
        }

        #[test]
        fn sanitising_twice_changes_nothing_that_was_written(parts in proptest::collection::vec(
            proptest::sample::select(&[
                "# ", "> ", "- ", "3. ", "\n", "\n\n", "  ", "    ", "*", "**", "~~", "`", "```\n", "|",
                "|-:|\n", "a", "<br>", "<p>", "<script>", "</em>", "<!--", "&lt;", "&", "\"", "word ",
                "- [x] ", "---\n", "\\", "a-word-so-long-that-it-is-given-a-place-to-break-by-the-renderer-in-its-middle",
            ][..]), 0..40)) {
            let html = crate::record_text(&parts.concat());
            prop_assert_eq!(sanitise(&html), html);
        }
    }
}
