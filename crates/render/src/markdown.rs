//! The first wall: Markdown events to fixed tags, escaped text and the app's elements.

mod cite;
mod elements;

use std::ops::Range;

use pulldown_cmark::{Alignment, Event, HeadingLevel, LinkType, Parser, RefDefs, Tag};

use crate::answer::{MAX_MARKDOWN_BYTES, Place, Rendered};
use crate::draft::Draft;
use crate::mention::{MARKDOWN, Mention, mask};
use elements::{ImageOpen, LinkOpen};

/// Open elements up to which quotes, lists and tables are drawn; deeper ones keep their text only.
/// The HTML parser behind us takes time that grows with depth × length.
const MAX_DEPTH: usize = 48;
/// The same for everything inside them.
const MAX_INLINE_DEPTH: usize = MAX_DEPTH + 16;

/// Where the HTML will be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Medium {
    /// In the app, whose handlers make the elements live.
    App,
    /// In a file without a script.
    Document,
}

/// Markdown to HTML, with a cite element at each of the ordered `mentions` that is not in code.
pub(crate) fn write(markdown: &str, mentions: &[Mention], medium: Medium) -> Rendered {
    let masked = mask(markdown, mentions);
    let mut writer = Writer {
        medium,
        source: markdown,
        masked: &masked,
        mentions,
        drawn: vec![false; mentions.len()],
        places: Vec::with_capacity(mentions.len()),
        draft: Draft::with_capacity(markdown.len() * 3 / 2 + 64),
        open: Vec::new(),
        aligns: Vec::new(),
        cell: 0,
        head: false,
        code: false,
        images: 0,
        link: None,
    };
    if markdown.len() > MAX_MARKDOWN_BYTES {
        writer.paragraphs();
    } else {
        let mut events = Parser::new_ext(&masked, MARKDOWN).into_offset_iter();
        while let Some((event, bytes)) = events.next() {
            writer.event(event, bytes, events.reference_definitions());
        }
    }
    Rendered { html: writer.draft.finish(), places: writer.places }
}

/// What the next end event closes.
enum Open {
    /// A tag, already spelt; empty for an element that is not drawn.
    Tag(&'static str),
    Link(Box<LinkOpen>),
    Image(Box<ImageOpen>),
}

struct Writer<'s> {
    medium: Medium,
    source: &'s str,
    masked: &'s str,
    mentions: &'s [Mention],
    /// Which mentions were drawn, as their one button or as code.
    drawn: Vec<bool>,
    places: Vec<Place>,
    draft: Draft,
    open: Vec<Open>,
    aligns: Vec<Alignment>,
    cell: usize,
    head: bool,
    code: bool,
    /// Images that are open; inside them only text is drawn.
    images: usize,
    /// The words of the open link, to compare with its host.
    link: Option<String>,
}

impl Writer<'_> {
    fn event(&mut self, event: Event<'_>, bytes: Range<usize>, definitions: &RefDefs<'_>) {
        match event {
            Event::Start(tag) => self.start(tag, bytes, definitions),
            Event::End(_) => self.end(),
            Event::Text(text) | Event::Html(text) => self.text(&text, bytes),
            Event::InlineHtml(html) if is_break(&html) => self.line_break(),
            Event::InlineHtml(html) => self.text(&html, bytes),
            Event::Code(code) => self.code_span(&code, &bytes),
            Event::SoftBreak => self.words(None, "\n"),
            Event::HardBreak => self.line_break(),
            Event::Rule => self.draft.tag("<hr>"),
            Event::TaskListMarker(done) => self.words(None, if done { "☑ " } else { "☐ " }),
            // These are not switched on.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.words(None, &text);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>, bytes: Range<usize>, definitions: &RefDefs<'_>) {
        match tag {
            Tag::Link { link_type, dest_url, id, .. } if self.images == 0 => {
                let address = self.address(link_type, &dest_url, &id, &bytes, definitions);
                self.open_link(address, bytes);
            }
            Tag::Image { link_type, dest_url, id, .. } => {
                let address = self.address(link_type, &dest_url, &id, &bytes, definitions);
                self.images += 1;
                self.open.push(Open::Image(Box::new(ImageOpen::new(address.as_deref(), bytes))));
            }
            _ if self.images > 0 => self.skip(),
            Tag::Paragraph => self.element("<p>", "</p>"),
            Tag::Heading { level, .. } => match level {
                // The page around has the first two levels.
                HeadingLevel::H1 => self.element("<h3>", "</h3>"),
                HeadingLevel::H2 => self.element("<h4>", "</h4>"),
                HeadingLevel::H3 => self.element("<h5>", "</h5>"),
                _ => self.element("<h6>", "</h6>"),
            },
            Tag::BlockQuote(_) => self.container("<blockquote>", "</blockquote>"),
            Tag::List(None) => self.container("<ul>", "</ul>"),
            Tag::List(Some(1)) => self.container("<ol>", "</ol>"),
            Tag::List(Some(first)) => self.container(&format!("<ol start=\"{first}\">"), "</ol>"),
            Tag::Item => self.inner("<li>", "</li>"),
            Tag::CodeBlock(_) => {
                self.element("<pre><code>", "</code></pre>");
                self.code = true;
            }
            // Raw HTML is shown as what it is: source.
            Tag::HtmlBlock => self.element("<pre><code>", "</code></pre>"),
            Tag::Table(aligns) => {
                self.aligns = aligns;
                self.container("<table>", "</tbody></table>");
            }
            Tag::TableHead => {
                (self.cell, self.head) = (0, true);
                self.inner("<thead><tr>", "</tr></thead><tbody>");
            }
            Tag::TableRow => {
                (self.cell, self.head) = (0, false);
                self.inner("<tr>", "</tr>");
            }
            Tag::TableCell => self.table_cell(),
            Tag::Emphasis => self.element("<em>", "</em>"),
            Tag::Strong => self.element("<strong>", "</strong>"),
            Tag::Strikethrough => self.element("<del>", "</del>"),
            _ => self.skip(),
        }
    }

    fn end(&mut self) {
        self.code = false;
        match self.open.pop() {
            Some(Open::Tag(close)) => self.draft.tag(close),
            Some(Open::Link(link)) => self.close_link(&link),
            Some(Open::Image(image)) => self.close_image(&image),
            None => {}
        }
    }

    /// An element that holds text.
    fn element(&mut self, start: &str, close: &'static str) {
        self.draw_below(MAX_INLINE_DEPTH, start, close);
    }

    /// An element that may hold others of its kind.
    fn container(&mut self, start: &str, close: &'static str) {
        self.draw_below(MAX_DEPTH, start, close);
    }

    /// An element that only makes sense inside a container that is drawn.
    fn inner(&mut self, start: &str, close: &'static str) {
        let limit = if self.within_nothing() { 0 } else { MAX_INLINE_DEPTH };
        self.draw_below(limit, start, close);
    }

    fn draw_below(&mut self, limit: usize, start: &str, close: &'static str) {
        if self.open.len() < limit {
            self.draft.tag(start);
            self.open.push(Open::Tag(close));
        } else {
            // Keeps the words of neighbours apart.
            self.words(None, " ");
            self.open.push(Open::Tag(""));
        }
    }

    fn within_nothing(&self) -> bool {
        matches!(self.open.last(), Some(Open::Tag("")) | None)
    }

    /// An element of which only the text is drawn.
    fn skip(&mut self) {
        self.open.push(Open::Tag(""));
    }

    fn table_cell(&mut self) {
        let align = self.aligns.get(self.cell).copied().unwrap_or(Alignment::None);
        self.cell += 1;
        let (tag, close) = if self.head { ("<th", "</th>") } else { ("<td", "</td>") };
        let align = match align {
            Alignment::None => "",
            Alignment::Left => " align=\"left\"",
            Alignment::Center => " align=\"center\"",
            Alignment::Right => " align=\"right\"",
        };
        self.inner(&format!("{tag}{align}>"), close);
    }

    fn line_break(&mut self) {
        if self.images == 0 {
            self.draft.tag("<br>");
        }
        if let Some(link) = &mut self.link {
            link.push(' ');
        }
    }

    fn code_span(&mut self, code: &str, bytes: &Range<usize>) {
        let drawn = self.images == 0;
        if drawn {
            self.draft.tag("<code>");
        }
        if self.untouched(bytes) {
            self.words(None, code);
        } else {
            let code = unmasked_code(&self.source[bytes.clone()]);
            self.words(None, &code);
            let first = self.next_mention(bytes.start);
            let last = self.next_mention(bytes.end);
            self.drawn[first..last].fill(true);
        }
        if drawn {
            self.draft.tag("</code>");
        }
    }

    /// Text of the document; `text` is what Markdown made of `bytes`.
    fn text(&mut self, text: &str, bytes: Range<usize>) {
        if self.masked.get(bytes.clone()) == Some(text) {
            self.source_text(bytes);
        } else if self.untouched(&bytes) {
            self.words(None, text);
        } else {
            let source = &self.source[bytes];
            self.words(None, source);
        }
    }

    /// Words that are drawn as they are; `before` is the character before them.
    fn words(&mut self, before: Option<char>, text: &str) {
        if let Some(link) = &mut self.link {
            link.push_str(text);
        }
        self.draft.text(before, text);
    }

    /// A text beyond [`MAX_MARKDOWN_BYTES`]: its lines, with the mentions.
    fn paragraphs(&mut self) {
        let source = self.source;
        let mut at = 0;
        self.draft.tag("<p>");
        for line in source.split_inclusive('\n') {
            let text = line.trim_end_matches(['\n', '\r']);
            self.source_text(at..at + text.len());
            at += line.len();
            self.draft.tag("<br>");
        }
        self.draft.tag("</p>");
    }

    /// The address of a link or image as it stands in the source; `None` when masking reached into
    /// it and it cannot be had back.
    fn address(
        &self,
        link_type: LinkType,
        masked: &str,
        label: &str,
        bytes: &Range<usize>,
        definitions: &RefDefs<'_>,
    ) -> Option<String> {
        let from = match link_type {
            LinkType::Inline | LinkType::Autolink | LinkType::Email => bytes.clone(),
            _ => definitions.get(label)?.span.clone(),
        };
        if self.untouched(&from) {
            return Some(masked.to_owned());
        }
        let start = from.start + self.masked.get(from)?.rfind(masked)?;
        self.source.get(start..start + masked.len()).map(str::to_owned)
    }

    /// Whether no mention touches `bytes`.
    fn untouched(&self, bytes: &Range<usize>) -> bool {
        let next = self.next_mention(bytes.start);
        self.mentions.get(next).is_none_or(|mention| mention.bytes.start >= bytes.end)
    }

    /// The first mention that ends after `at`.
    fn next_mention(&self, at: usize) -> usize {
        self.mentions.partition_point(|mention| mention.bytes.end <= at)
    }
}

/// The text of a code span from its source (CommonMark §6.1), for a span that was read masked.
fn unmasked_code(source: &str) -> String {
    let code = source.trim_matches('`').replace("\r\n", " ").replace(['\n', '\r'], " ");
    let inner = code.strip_prefix(' ').and_then(|inner| inner.strip_suffix(' '));
    match inner {
        Some(inner) if !code.trim().is_empty() => inner.to_owned(),
        _ => code,
    }
}

fn is_break(html: &str) -> bool {
    html.len() <= "<br />".len()
        && ["<br>", "<br/>", "<br />"].iter().any(|tag| html.eq_ignore_ascii_case(tag))
}
