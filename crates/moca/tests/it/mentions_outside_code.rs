//! A mention is a marker or versioned node reference in the answer's text, outside code and not part of a longer word.

use moca::duty::{MAX_MENTIONS, mentions};
use proptest::prelude::*;

fn starts(answer: &str, text: &str) -> Vec<usize> {
    mentions(answer, &[Some(text)])[0].iter().map(|m| m.bytes.start).collect()
}

#[test]
fn code_spans_and_blocks_hold_no_mention() {
    assert_eq!(starts("a [1] `b [1]` c [1]", "[1]"), [2, 16]);
    assert_eq!(starts("``[1] ` [1]`` [1]", "[1]"), [14]);
    assert_eq!(starts("x\n\n```\n[1]\n```\n[1]", "[1]"), [15]);
    assert_eq!(starts("x\n\n~~~ sh\n[1]\n", "[1]"), [0_usize; 0]);
    assert_eq!(starts("x\n\n    [1] indented\n\n[1]", "[1]"), [21]);
    // An unclosed backtick opens no code.
    assert_eq!(starts("`[1]", "[1]"), [1]);
}

#[test]
fn a_reference_is_not_found_in_a_longer_one() {
    let node_ref = "https://b.example/h@1.0.0#a.md";
    assert_eq!(starts("see https://b.example/h@1.0.0#a.md.", node_ref), [4]);
    assert_eq!(starts("(https://b.example/h@1.0.0#a.md)", node_ref), [1]);
    assert_eq!(starts("<https://b.example/h@1.0.0#a.md>", node_ref), [1]);
    for longer in [
        "https://b.example/h@1.0.0#a.md.bak",
        "https://b.example/h@1.0.0#a.mdx",
        "https://b.example/h@1.0.0#a.md/b",
        "https://b.example/h@1.0.0#a.md-old",
        "xhttps://b.example/h@1.0.0#a.md",
        "v:https://b.example/h@1.0.0#a.md",
    ] {
        assert_eq!(starts(longer, node_ref), [0_usize; 0], "{longer}");
    }
}

#[test]
fn a_marker_is_not_found_in_a_longer_word() {
    assert_eq!(starts("[10] [1]", "[1]"), [5]);
    assert_eq!(starts("S12 S1, S1_b S1", "S1"), [4, 13]);
    assert_eq!(starts("nothing here", "[1]"), [0_usize; 0]);
}

#[test]
fn positions_count_bytes_and_code_points() {
    let found = &mentions("🚲 “é” [1]", &[Some("[1]")])[0][0];
    assert_eq!((found.bytes.clone(), found.code_points.clone()), (14..17, 6..9));
}

#[test]
fn equal_texts_share_their_places_and_absent_ones_have_none() {
    let found = mentions("[1]", &[Some("[1]"), None, Some(""), Some("[1]")]);
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0, 0, 1]);
    assert!(mentions("[1]", &[]).is_empty());
}

#[test]
fn the_longest_text_counts_at_a_place() {
    let found = mentions("[1][2] [1]", &[Some("[1]"), Some("[1][2]")]);
    assert_eq!((found[0].len(), found[1].len()), (1, 1));
    assert_eq!(found[0][0].bytes.start, 7);
}

#[test]
fn the_number_of_mentions_is_bounded() {
    let answer = "[1] ".repeat(MAX_MENTIONS + 10);
    assert_eq!(starts(&answer, "[1]").len(), MAX_MENTIONS);
}

#[test]
fn many_long_texts_are_searched_in_batches() {
    let texts: Vec<String> = (0..2_000).map(|i| format!("{i:04}-{}", "x".repeat(600))).collect();
    let answer = format!("{} {}", texts[1_999], texts[3]);
    let asked: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
    let found = mentions(&answer, &asked);
    assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 2);
    assert_eq!((found[1_999][0].bytes.start, found[3][0].bytes.start), (0, 606));
}

proptest! {
    #[test]
    fn what_is_found_is_what_was_asked_for(answer in "[a\\[\\]1` \n~é]{0,60}") {
        for mention in &mentions(&answer, &[Some("[1]")])[0] {
            prop_assert_eq!(&answer[mention.bytes.clone()], "[1]");
            let before = answer[..mention.bytes.start].chars().count();
            prop_assert_eq!(mention.code_points.clone(), before..before + 3);
        }
    }
}
