//! An answer's Markdown as Markdown that can stand in another document.

use pulldown_cmark::{CowStr, Event, Parser, Tag, TagEnd};
use pulldown_cmark_to_cmark::cmark;

use crate::answer::MAX_MARKDOWN_BYTES;
use crate::export::markdown_escape;
use crate::mention::MARKDOWN;
use crate::text::plain;

/// Open elements up to which Markdown is kept; each level is written again before every line.
const MAX_DEPTH: usize = 32;

/// Markdown that keeps emphasis, lists, quotes, tables and code, and nothing that loads, links or counts as HTML:
/// an image is its words, a link its words and its address as code, a heading a line in bold.
/// What cannot be kept so stands literally, as [`markdown_escape`] writes it.
pub fn markdown_contained(markdown: &str) -> String {
    contained(markdown).unwrap_or_else(|| markdown_escape(markdown))
}

fn contained(markdown: &str) -> Option<String> {
    if markdown.len() > MAX_MARKDOWN_BYTES {
        return None;
    }
    let mut events = Vec::new();
    // Addresses of the links that are open.
    let mut links: Vec<CowStr<'_>> = Vec::new();
    let mut depth = 0_usize;
    for event in Parser::new_ext(markdown, MARKDOWN) {
        match &event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return None;
        }
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let address =
                    links.pop().map(|url| plain(&url)).filter(|url| !url.trim().is_empty());
                events.extend(
                    address
                        .map(|url| [text(" ("), Event::Code(url.into()), text(")")])
                        .into_iter()
                        .flatten(),
                );
            }
            Event::Start(Tag::Heading { .. }) => {
                events.extend([Event::Start(Tag::Paragraph), Event::Start(Tag::Strong)]);
            }
            Event::End(TagEnd::Heading(_)) => {
                events.extend([Event::End(TagEnd::Strong), Event::End(TagEnd::Paragraph)]);
            }
            Event::Start(Tag::HtmlBlock) => events.push(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::HtmlBlock) => events.push(Event::End(TagEnd::Paragraph)),
            Event::Text(words) | Event::Html(words) | Event::InlineHtml(words) => {
                words_of(&plain(&words), &mut events);
            }
            Event::Code(code) => events.push(Event::Code(plain(&code).into())),
            other => events.push(other),
        }
    }
    let mut written = String::with_capacity(markdown.len() + 64);
    cmark(events.iter(), &mut written, MARKDOWN).ok()?;
    is_inert(&written).then_some(written)
}

/// Text, with `<` as its entity: not every reader knows that a backslash takes its meaning away.
fn words_of(words: &str, events: &mut Vec<Event<'_>>) {
    for (at, part) in words.split('<').enumerate() {
        if at > 0 {
            events.push(Event::InlineHtml("&lt;".into()));
        }
        if !part.is_empty() {
            events.push(text(part));
        }
    }
}

fn text(words: &str) -> Event<'static> {
    Event::Text(CowStr::from(words.to_owned()))
}

/// Reads what was written once more, with every extension that a reader may have: the writer's escapes are not ours.
fn is_inert(markdown: &str) -> bool {
    use pulldown_cmark::Options;
    Parser::new_ext(markdown, Options::all()).all(|event| {
        !matches!(
            event,
            Event::Html(_)
                | Event::InlineHtml(_)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::FootnoteReference(_)
                | Event::Start(
                    Tag::Link { .. }
                        | Tag::Image { .. }
                        | Tag::Heading { .. }
                        | Tag::HtmlBlock
                        | Tag::MetadataBlock(_)
                        | Tag::FootnoteDefinition(_)
                )
        )
    })
}
