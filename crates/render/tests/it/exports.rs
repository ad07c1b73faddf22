//! Exported text is data for whatever reads it (quality R35).

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use render::{
    csv_cell, html_escape, markdown_contained, markdown_escape, plain, terminal, terminal_line,
};

use crate::dom::{assert_nothing_unseen, elements};
use crate::hostile::corpus;

#[test]
fn csv_cells_are_never_formulas() {
    assert_eq!(csv_cell("=1+1"), "\"'=1+1\"");
    assert_eq!(csv_cell(" \t@x"), "\"' \t@x\"");
    assert_eq!(csv_cell("a\"b,c\nd"), "\"a\"\"b,c\nd\"");
    assert_eq!(csv_cell(""), "\"\"");
    assert_eq!(csv_cell("plain 5"), "\"plain 5\"");
    for (_, text) in corpus() {
        let cell = csv_cell(&text);
        let inner = cell.strip_prefix('"').unwrap().strip_suffix('"').unwrap();
        assert_eq!(inner.replace("\"\"", "").matches('"').count(), 0, "{text:.80}");
        let first = inner.trim_start().chars().next().unwrap_or('x');
        assert!(!"=+-@＝＋－＠".contains(first), "{text:.80}");
        assert_nothing_unseen(inner);
    }
}

#[test]
fn escaped_markdown_reads_as_its_text() {
    for (category, text) in corpus() {
        if text.len() > 20_000 {
            continue;
        }
        let markdown = markdown_escape(&text);
        let mut read = String::new();
        for event in Parser::new_ext(&markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION)
        {
            match event {
                Event::Text(text) => read.push_str(&text),
                Event::SoftBreak | Event::HardBreak => read.push('\n'),
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => read.push('\n'),
                other => panic!("{category}: {text:?} became {other:?} from {markdown:?}"),
            }
        }
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&read), words(&plain(&text)), "{category}: {markdown:?}");
    }
}

#[test]
fn escaped_html_is_text() {
    for (_, text) in corpus() {
        let html = html_escape(&text);
        let parsed = elements(&html);
        assert_eq!(parsed.len(), 1, "an element came of {text:.80}");
        assert_eq!(parsed[0].text, plain(&text));
        let attribute = elements(&format!("<p class=\"{html}\">x</p>"));
        assert_eq!(attribute[1].attribute("class"), Some(plain(&text).as_str()));
        assert_eq!(attribute[1].attributes.len(), 1);
    }
}

#[test]
fn no_escape_sequence_reaches_a_terminal() {
    assert_eq!(terminal("a\u{1b}[2Jb\nc"), "a⟨U+001B⟩[2Jb\nc");
    assert_eq!(terminal_line("a\u{9b}2J\nb\tc"), "a⟨U+009B⟩2J⟨U+000A⟩b⟨U+0009⟩c");
    for (_, text) in corpus() {
        assert!(terminal(&text).chars().all(|c| !c.is_control() || matches!(c, '\n' | '\t')));
        assert!(!terminal_line(&text).chars().any(char::is_control));
    }
}

#[test]
fn contained_markdown_keeps_its_form() {
    let markdown = "# Returns\n\nBring it **back** within `14 days` [1].\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |";
    assert_eq!(
        markdown_contained(markdown),
        "**Returns**\n\nBring it **back** within `14 days` \\[1\\].\n\n* one\n* two\n\n|a|b|\n|-|-|\n|1|2|"
    );
    assert_eq!(markdown_contained("a <b>c</b> `<d>`"), "a &lt;b>c&lt;/b> `<d>`");
    assert_eq!(
        markdown_contained(
            "[the rules](https://rules.example/a) and ![map](https://x.example/p.png)"
        ),
        "the rules (`https://rules.example/a`) and map (`https://x.example/p.png`)"
    );
}

#[test]
fn contained_markdown_loads_links_and_embeds_nothing() {
    for (category, text) in corpus() {
        let markdown = markdown_contained(&text);
        assert_nothing_unseen(&markdown);
        for event in Parser::new_ext(&markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION)
        {
            let live = matches!(
                event,
                Event::Html(_)
                    | Event::InlineHtml(_)
                    | Event::Start(
                        Tag::Link { .. } | Tag::Image { .. } | Tag::Heading { .. } | Tag::HtmlBlock
                    )
            );
            assert!(!live, "{category}: {text:.200} became {event:?}");
        }
    }
}

#[test]
fn contained_markdown_of_a_deep_text_stands_literally() {
    let deep = "> ".repeat(20_000) + "end";
    assert_eq!(markdown_contained(&deep), markdown_escape(&deep));
    let lists = "- ".repeat(20_000) + "end";
    assert_eq!(markdown_contained(&lists), markdown_escape(&lists));
}
