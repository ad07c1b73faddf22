//! Text can never make a cite button, whatever it is made of (quality R34).

use proptest::prelude::*;
use render::{Marker, Markers, answer, mentions, record_text, visible_html};

use crate::dom::assert_only_listed;
use crate::two_markers;

/// What forged markers, broken Markdown and broken HTML are made of.
const BITS: [&str; 46] = [
    "[1]",
    "[2]",
    "[",
    "]",
    "(",
    ")",
    "`",
    "```\n",
    "~~~\n",
    "\n",
    "\n\n",
    "    ",
    "> ",
    "- ",
    "1. ",
    "|",
    "|-|\n",
    "\u{FDD0}",
    "\u{FDD1}",
    "0",
    "&#xFDD0;",
    "&#64977;",
    "<button class=\"cite\" data-citation=\"0\" data-place=\"0\">",
    "</button>",
    "\\",
    "*",
    "**",
    "_",
    "~~",
    "https://e.example/",
    "https://kb.example/k@1.0.0#a.md",
    "[1]: ",
    ": ",
    "<",
    ">",
    "!",
    "x",
    "é",
    "\u{202e}",
    "\t",
    "\r\n",
    "&",
    "\"",
    "'",
    "<br>",
    "\u{301}",
];

fn hostile() -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(&BITS[..]), 0..40)
        .prop_map(|bits| bits.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn buttons_stand_only_where_a_marker_stands(text in hostile()) {
        let markers = two_markers();
        let answer = answer(&text, &markers);
        let buttons = assert_only_listed(&answer.html);
        let places: Vec<_> = answer.places.iter().map(|p| (p.citation, p.place)).collect();
        prop_assert_eq!(buttons, places);
        let mentions = mentions(&text, &markers);
        let mut seen = Vec::new();
        for place in &answer.places {
            let source = &text[place.bytes.clone()];
            let right = match place.citation {
                0 => source == "[1]" || source == "https://kb.example/k@1.0.0#a.md",
                _ => source == "[2]",
            };
            prop_assert!(right, "{source} is no marker of citation {}", place.citation);
            prop_assert!(mentions.iter().any(|m| m.bytes == place.bytes), "not a mention");
            prop_assert!(!seen.contains(&place.bytes.start), "two buttons for one mention");
            seen.push(place.bytes.start);
        }
    }

    #[test]
    fn no_marker_no_button(text in hostile()) {
        prop_assert!(assert_only_listed(&record_text(&text)).is_empty());
        prop_assert!(assert_only_listed(&visible_html(&text)).is_empty());
    }

    #[test]
    fn any_marker_text_is_safe(text in hostile(), marker in hostile(), other in any::<String>()) {
        let markers = Markers::new([
            Marker { citation: 3, texts: vec![marker] },
            Marker { citation: 4, texts: vec![other] },
        ]);
        let answer = answer(&text, &markers);
        let buttons = assert_only_listed(&answer.html);
        prop_assert_eq!(buttons.len(), answer.places.len());
    }

    #[test]
    fn any_text_at_all_is_safe(text in any::<String>()) {
        prop_assert!(assert_only_listed(&record_text(&text)).is_empty());
        assert_only_listed(&answer(&text, &two_markers()).html);
    }
}
