//! Links and images: the elements that stand for something outside.

use std::ops::Range;

use super::{Medium, Open, Writer};
use crate::link::{Link, Refused, link};
use crate::text::{plain_line, shorten};
use crate::visible::{escape_into, visible_html};

/// Characters of an address that is shown because its link is not offered.
const SHOWN_ADDRESS_CHARS: usize = 80;

/// A link whose words are being drawn.
pub(super) struct LinkOpen {
    target: Result<Link, Refused>,
    address: String,
    bytes: Range<usize>,
    /// A mention stands in it: its words are drawn bare and the link after them, since a button
    /// inside a link could be hit for the wrong one.
    beside: bool,
}

/// An image whose words are being drawn.
pub(super) struct ImageOpen {
    host: Option<String>,
    bytes: Range<usize>,
}

impl ImageOpen {
    pub(super) fn new(address: Option<&str>, bytes: Range<usize>) -> Self {
        Self { host: address.and_then(|a| link(a).ok()).map(|link| link.ascii_host), bytes }
    }
}

impl Writer<'_> {
    /// Begins a link. An address that was lost to masking counts as unreadable.
    pub(super) fn open_link(&mut self, address: Option<String>, bytes: Range<usize>) {
        let target = address.as_deref().map_or(Err(Refused::Form), link);
        let beside = !self.untouched(&bytes);
        if let (Ok(link), false) = (&target, beside) {
            self.draft.insert(anchor_start(self.medium, link));
        }
        self.link = Some(String::new());
        let address = address.unwrap_or_default();
        self.open.push(Open::Link(Box::new(LinkOpen { target, address, bytes, beside })));
    }

    pub(super) fn close_link(&mut self, open: &LinkOpen) {
        let words = self.link.take().unwrap_or_default();
        if open.beside {
            self.remaining_cites(&open.bytes);
        }
        match &open.target {
            // A node reference is a name, never an address (facts/moca-reader §10.2).
            _ if open.beside && self.is_mention(&open.address) => {}
            Ok(link) if open.beside => {
                self.words(None, " ");
                self.anchor(link, &link.ascii_host);
            }
            Ok(link) => {
                if words.trim().is_empty() {
                    self.words(None, &link.ascii_host);
                }
                self.end_anchor(link, &words);
            }
            Err(refused) => self.refused(*refused, &open.address, &words),
        }
    }

    pub(super) fn close_image(&mut self, image: &ImageOpen) {
        self.images -= 1;
        self.remaining_cites(&image.bytes);
        self.words(None, " ");
        match &image.host {
            Some(host) => self.mark("image", &format!("image not loaded · {host}")),
            None => self.mark("image", "image not loaded"),
        }
    }

    /// A whole link with its words.
    pub(super) fn anchor(&mut self, link: &Link, words: &str) {
        self.draft.insert(anchor_start(self.medium, link));
        self.words(None, words);
        self.end_anchor(link, words);
    }

    fn end_anchor(&mut self, link: &Link, words: &str) {
        match self.medium {
            Medium::App => {
                self.draft.insert("</a>".to_owned());
                if misleads(words, link) {
                    self.mark("host", &format!("goes to {}", link.ascii_host));
                }
            }
            Medium::Document => {
                self.draft.insert("</span>".to_owned());
                if words != link.ascii_url {
                    let url = visible_html(&format!(" ({})", link.ascii_url));
                    self.draft.insert(format!("<span class=\"url\">{url}</span>"));
                }
            }
        }
    }

    fn refused(&mut self, refused: Refused, address: &str, words: &str) {
        let shown = shorten(&plain_line(address), SHOWN_ADDRESS_CHARS);
        self.words(None, " ");
        if shown.is_empty() || words == address {
            self.mark("link", &format!("link not offered: {refused}"));
        } else {
            self.mark("link", &format!("link not offered: {refused} · {shown}"));
        }
    }

    /// Whether the address itself is a mention, such as a node reference.
    fn is_mention(&self, address: &str) -> bool {
        self.places.last().is_some_and(|place| self.source[place.bytes.clone()] == *address)
    }

    fn mark(&mut self, kind: &'static str, label: &str) {
        self.draft.insert(format!(
            "<span class=\"mark\" data-mark=\"{kind}\">{}</span>",
            visible_html(label)
        ));
    }
}

fn anchor_start(medium: Medium, link: &Link) -> String {
    if medium == Medium::Document {
        return "<span class=\"link\">".to_owned();
    }
    let mut html = String::from("<a class=\"link\" role=\"link\" tabindex=\"0\" data-url=\"");
    escape_into(&mut html, &link.ascii_url);
    html.push_str("\" data-host=\"");
    escape_into(&mut html, &link.ascii_host);
    html.push_str("\">");
    html
}

/// Whether a link's words name another host than the one it goes to, or its host needs to be seen.
fn misleads(words: &str, link: &Link) -> bool {
    if link.unicode_host.is_some() {
        return words.trim() != link.ascii_host;
    }
    let bare =
        |host: &str| host.trim_start_matches("www.").trim_end_matches('.').to_ascii_lowercase();
    words
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | ',' | '"'))
        .filter_map(named_host)
        .any(|host| bare(&host) != bare(&link.ascii_host))
}

/// The host that a word of a link's text names, if it looks like one.
fn named_host(word: &str) -> Option<String> {
    let (explicit, rest) = match word.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, word),
    };
    let host = rest.split(['/', '?', '#', '\\']).next()?.trim_end_matches(['.', ':', '!']);
    let host = host.rsplit('@').next()?;
    let (head, top) = host.rsplit_once('.').unwrap_or(("", host));
    let like_a_name = !head.is_empty()
        && top.chars().next().is_some_and(char::is_alphabetic)
        && top.chars().count() >= 2
        && head.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'));
    (explicit || like_a_name).then(|| host.to_owned())
}
