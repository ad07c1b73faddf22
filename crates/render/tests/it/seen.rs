//! Nothing stays hidden, and nothing that belongs to a script is touched (quality R33).

use render::{
    MAX_COMBINING, Piece, TITLE_CHARS, plain, plain_line, record_text, title, visible, visible_html,
};

use crate::dom::assert_nothing_unseen;
use crate::hostile::corpus;

#[test]
fn hidden_characters_are_named() {
    for (text, shown) in [
        ("a\u{202e}b", "a⟨U+202E⟩b"),
        ("a\u{2066}b\u{2069}", "a⟨U+2066⟩b⟨U+2069⟩"),
        ("Si\u{200b}gned", "Si⟨U+200B⟩gned"),
        ("a\0b\u{1b}[1m", "a⟨U+0000⟩b⟨U+001B⟩[1m"),
        ("a\u{200d}b\u{200c}c", "a⟨U+200D⟩b⟨U+200C⟩c"),
        ("\u{200f}abc", "⟨U+200F⟩abc"),
        ("\u{200b}\u{200b}\u{200b}\u{200b}\u{200b}", "⟨U+200B ×5⟩"),
        ("x\u{fe00}\u{fe01}", "x⟨U+FE00⟩⟨U+FE01⟩"),
        ("\u{ffff}", "⟨U+FFFF⟩"),
    ] {
        assert_eq!(plain(text), shown);
    }
    let html = visible_html("a\u{202e}b");
    assert_eq!(
        html,
        "a<span class=\"mark\" data-mark=\"hidden\" title=\"RIGHT-TO-LEFT OVERRIDE\">U+202E</span>b"
    );
}

#[test]
fn a_message_in_tag_characters_is_spelt_out() {
    let hidden: String =
        "hi <b>".chars().filter_map(|c| char::from_u32(0xE0000 + c as u32)).collect();
    let html = visible_html(&hidden);
    assert!(html.contains("TAG CHARACTERS spelling “hi &lt;b&gt;”"), "{html}");
}

#[test]
fn writing_that_needs_joiners_and_marks_is_unchanged() {
    for text in [
        "שלום עולם",
        "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים",
        "המקור \u{200e}(IBM)\u{200e} נבדק",
        "مرحبا بالعالم",
        "می\u{200c}خواهم",
        "क्\u{200d}ष हिन्दी",
        "ශ්\u{200d}රී ලංකාව",
        "👩\u{200d}💻 ❤\u{fe0f} 1\u{fe0f}\u{20e3} 👨\u{200d}👩\u{200d}👧",
        "葛\u{e0100}城",
        "tiếng Việt, e\u{301}, Straße, naïve",
        "ᠮᠣᠩᠭᠣᠯ\u{180b}",
    ] {
        assert_eq!(visible(text), [Piece::Text(text)]);
        assert_eq!(plain(text), text);
        assert_eq!(record_text(text), format!("<p>{text}</p>"));
    }
}

#[test]
fn combining_stacks_are_capped_and_stay_in_their_text() {
    assert_eq!(
        plain(&format!("a{}b", "\u{301}".repeat(1000))).matches('\u{301}').count(),
        MAX_COMBINING
    );
    assert!(plain(&format!("a{}", "\u{301}".repeat(1000))).ends_with("⟨+994 combining marks⟩"));
    assert_eq!(plain("\u{301}a"), "\u{25CC}\u{301}a");
}

#[test]
fn long_words_may_break() {
    let html = visible_html(&"a".repeat(1000));
    assert_eq!(html.matches("<wbr>").count(), 15);
    assert_eq!(visible_html("two words"), "two words");
    assert_eq!(visible_html(&"界".repeat(1000)).matches("<wbr>").count(), 0);
}

#[test]
fn lines_end_in_line_feeds() {
    assert_eq!(plain("a\r\nb\rc\n"), "a\nb\nc\n");
    assert_eq!(plain_line(" a\r\n\tb  c "), "a b c");
}

#[test]
fn titles_are_one_line_of_words() {
    assert_eq!(title("Can I **return** `it`\nlate?\n\nSecond"), "Can I return it late?");
    assert_eq!(title("\n\n- [x](javascript:y) item\n- other"), "x item");
    assert_eq!(title(""), "");
    let long = title(&"word ".repeat(100));
    assert!(long.ends_with("word…") && long.chars().count() <= TITLE_CHARS, "{long}");
    assert_eq!(title(&"x".repeat(500)).chars().count(), TITLE_CHARS);
    for (_, text) in corpus() {
        let title = title(&text);
        assert_nothing_unseen(&title);
        assert!(title.chars().count() <= TITLE_CHARS && !title.contains(['\n', '\t']));
    }
}

#[test]
fn no_field_text_holds_anything_unseen() {
    for (_, text) in corpus() {
        assert_nothing_unseen(&plain(&text));
        let line = plain_line(&text);
        assert_nothing_unseen(&line);
        assert!(!line.contains(['\n', '\t', '\r']));
    }
}
