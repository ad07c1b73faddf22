//! The table of codes holds each code once, with a rule and a sentence.

use std::collections::BTreeSet;

use agui::finding::CODES;

#[test]
fn every_code_stands_once_with_its_meaning_and_rule() {
    let ids: BTreeSet<&str> = CODES.iter().map(|code| code.id).collect();
    assert_eq!(ids.len(), CODES.len());
    for code in CODES {
        assert!(code.id.starts_with("agui.") && code.id.split('.').count() == 3, "{}", code.id);
        assert!(code.meaning.ends_with('.') && !code.rule.is_empty(), "{}", code.id);
    }
    for room in [agui::event::CODES, agui::runs::CODES, agui::fold::CODES] {
        assert!(!room.is_empty() && room.iter().all(|code| ids.contains(code.id)));
    }
}
