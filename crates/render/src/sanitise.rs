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
