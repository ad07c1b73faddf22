//! What a reader sees of an answer, and where its citations stand.

use render::{Marker, Markers, answer, answer_document, mentions, record_text};

use crate::dom::{assert_only_listed, elements};
use crate::two_markers;

fn cited(markdown: &str) -> Vec<(u32, String)> {
    let answer = answer(markdown, &two_markers());
    assert_only_listed(&answer.html);
    answer.places.iter().map(|p| (p.citation, markdown[p.bytes.clone()].to_owned())).collect()
}

fn text(html: &str) -> String {
    elements(html)[0].text.clone()
}

#[test]
fn each_mention_outside_code_is_a_button() {
    let one = |n: usize| vec![(0, "[1]".to_owned()); n];
    assert_eq!(cited("Yes [1]. And **[1]**, ~~[1]~~, _[1]_"), one(4));
    assert_eq!(cited("# [1]\n\n> [1]\n\n- [1]\n\n| [1] | a |\n|-|-|\n| b | [1] |"), one(5));
    assert_eq!(cited("`[1]` and ``a [1]`` [1]"), one(1));
    assert_eq!(cited("```\n[1]\n```\n~~~\n[1]\n~~~\n\n    [1]\n\n[1]"), one(1));
    assert_eq!(cited("```\n[1] in a fence that never ends"), one(0));
    assert_eq!(cited("[a `[1]` b](https://a.example/) ![`[1]`](https://a.example/)"), one(0));
    assert_eq!(cited("[ 1 ] [1 ] \\[1\\] &#91;1]"), one(0));
}

#[test]
fn markers_that_markdown_takes_for_links_stay_markers() {
    let one = |n: usize| vec![(0, "[1]".to_owned()); n];
    assert_eq!(cited("[1](https://a.example/)"), one(1));
    assert_eq!(cited("[[1]](https://a.example/)"), one(1));
    assert_eq!(cited("![1](https://a.example/i.png) ![[1]](https://a.example/i.png)"), one(2));
    assert_eq!(cited("See [1] and [x][1].\n\n[1]: https://a.example/"), one(3));
    assert_eq!(cited("[a](https://a.example/?q=[1])"), one(1));
    assert_eq!(cited("[1][2]"), vec![(0, "[1]".to_owned()), (1, "[2]".to_owned())]);
}

#[test]
fn a_link_with_a_marker_goes_where_it_said() {
    let html =
        answer("[[1]](https://a.example/x) [t](https://a.example/?q=[1])", &two_markers()).html;
    let urls: Vec<_> =
        elements(&html).iter().filter_map(|e| e.attribute("data-url").map(str::to_owned)).collect();
    assert_eq!(urls, ["https://a.example/x", "https://a.example/?q=[1]"]);
}

#[test]
fn a_definition_that_holds_a_marker_keeps_its_address() {
    let html = answer("[r] [1]\n\n[r]: https://a.example/?q=[1]", &two_markers()).html;
    let link = elements(&html).into_iter().find(|e| e.name == "a").unwrap();
    assert_eq!(link.attribute("data-url"), Some("https://a.example/?q=[1]"));
}

#[test]
fn a_node_reference_is_a_button_only_when_it_is_cited_and_whole() {
    let reference = "https://kb.example/k@1.0.0#a.md";
    let whole = vec![(0, reference.to_owned())];
    assert_eq!(cited(&format!("({reference}).")), whole);
    assert_eq!(cited(&format!("[policy]({reference})")), whole);
    assert_eq!(cited(&format!("<{reference}>")), whole);
    assert_eq!(cited(&format!("{reference}.bak {reference}/b {reference}-2 x{reference}")), []);
    assert_eq!(cited("https://kb.example/k@1.0.1#a.md"), []);
    let html = answer(&format!("[policy]({reference})"), &two_markers()).html;
    assert!(elements(&html).iter().all(|e| e.name != "a"), "a reference is no address: {html}");
}

#[test]
fn the_longest_marker_counts_and_of_equal_ones_the_first() {
    let markers = Markers::new([
        Marker { citation: 0, texts: vec!["[1".into()] },
        Marker { citation: 1, texts: vec!["[1]".into()] },
        Marker { citation: 2, texts: vec!["[1]".into()] },
        Marker { citation: 3, texts: vec!["a1".into()] },
    ]);
    let found: Vec<_> = mentions("[1] [1 ] a12 ba1 a1", &markers)
        .into_iter()
        .map(|m| (m.citation, m.bytes))
        .collect();
    assert_eq!(found, [(1, 0..3), (0, 4..6), (3, 17..19)]);
}

#[test]
fn unusable_markers_are_left_out() {
    let texts = ["", "  ", "a\nb", "\u{1b}[1m", &"x".repeat(2000)];
    let texts: Vec<String> = texts.iter().map(|&t| t.to_owned()).collect();
    let answer_text = texts.concat();
    let markers = Markers::new([Marker { citation: 0, texts }]);
    assert!(mentions(&answer_text, &markers).is_empty());
}

#[test]
fn places_say_where_and_in_which_words() {
    let markdown = "Ein Rad 🚲 kostet *nichts* **[1]** am Tag.\nZeile zwei.";
    let answer = answer(markdown, &two_markers());
    let place = &answer.places[0];
    assert_eq!(&markdown[place.bytes.clone()], "[1]");
    assert_eq!((place.citation, place.place), (0, 0));
    assert_eq!(place.excerpt, "Ein Rad 🚲 kostet nichts [1] am Tag.");
}

#[test]
fn a_text_too_long_for_markdown_is_shown_whole_with_its_buttons() {
    let markdown = format!("# [1]\n{}", "word\n".repeat(60_000));
    assert!(markdown.len() > render::MAX_MARKDOWN_BYTES);
    let answer = answer(&markdown, &two_markers());
    assert_eq!(answer.places.len(), 1);
    assert_eq!(text(&answer.html).matches("word").count(), 60_000);
}

#[test]
fn deep_nesting_is_cut_and_its_text_kept() {
    let markdown = format!("{}deep", "> ".repeat(5_000));
    let html = record_text(&markdown);
    assert!(html.matches("<blockquote>").count() < 100);
    assert!(text(&html).contains("deep"));
    let list: String = (0..200).map(|n| format!("{}- item{n}\n", "  ".repeat(n))).collect();
    let html = record_text(&list);
    assert!(assert_only_listed(&html).is_empty());
    assert!((0..200).all(|n| text(&html).contains(&format!("item{n}"))));
}

#[test]
fn images_are_never_loaded_and_refused_links_are_text() {
    insta::assert_snapshot!(record_text(
        "![a bike](https://img.example/b.png) ![](data:image/png;base64,AA)\n\n\
         [x](javascript:alert(1)) [terms](../terms.md) [mail](mailto:a@b.example)\n\n\
         [bank.example](https://evil.example/) [ok](https://bank.example/) <https://bank.example/é>"
    ));
}

#[test]
fn a_typical_answer() {
    insta::assert_snapshot!(answer(TYPICAL, &two_markers()).html);
}

#[test]
fn a_typical_answer_for_a_document() {
    insta::assert_snapshot!(answer_document(TYPICAL, &two_markers()).html);
}

#[test]
fn places_of_a_typical_answer() {
    insta::assert_json_snapshot!(answer(TYPICAL, &two_markers()).places);
}

const TYPICAL: &str = "\
# Returning a bike

Yes. A bike may be returned at **any staffed station** within opening hours [1]. Elsewhere it costs a
transfer fee of 6\u{a0}€ [2], see [the tariff](https://bikes.example/tariff?y=2026&m=11).

| Tariff | Fee |
|:--|--:|
| Day | 6 € [2] |
| Week | `[2]` |

3. Lock the bike.
4. Show the code:
   ```text
   unlock [1] <now>
   ```

- [x] helmet
- [ ] lights, as https://kb.example/k@1.0.0#a.md says.

> Late returns: <b>12 €</b>. שלום.

[1]: https://bikes.example/returns
";
