//! Names whose letters may deceive carry a note (quality R33).

use render::{NameNote, name};

#[test]
fn mixed_scripts_are_noted() {
    for (text, scripts) in [
        ("\u{410}nna Müller", vec!["Cyrillic", "Latin"]),
        ("Harb\u{3bf}ur Bikes", vec!["Greek", "Latin"]),
        ("Ivan Петров", vec!["Cyrillic", "Latin"]),
        ("аЅсіеntіfіс", vec!["Cyrillic", "Latin"]),
        ("שלוםx", vec!["Hebrew", "Latin"]),
    ] {
        let note = name(text).note;
        assert_eq!(note, Some(NameNote::MixedScripts { scripts }), "{text}");
    }
    let sentence = name("\u{410}nna").note.unwrap().sentence();
    assert_eq!(sentence, "This name mixes letters of Cyrillic and Latin.");
}

#[test]
fn whole_names_that_look_latin_are_noted() {
    for (text, script) in [("\u{430}\u{440}\u{440}\u{4cf}\u{435}", "Cyrillic"), ("ΑΒΕ 7", "Greek")]
    {
        assert_eq!(name(text).note, Some(NameNote::LooksLatin { script }), "{text}");
    }
}

#[test]
fn names_as_people_have_them_are_not_noted() {
    for text in [
        "Anna Müller",
        "Анна Петрова",
        "Γιώργος Παπαδόπουλος",
        "דוד לוי",
        "محمد علي",
        "IBM ישראל",
        "山田太郎 ソニー Sony",
        "삼성 SDI 三星",
        "Nguyễn Văn Ả",
        "Łukasz O'Neill-Ó Súilleabháin 3rd",
        "e\u{301}clair",
        "",
    ] {
        assert_eq!(name(text).note, None, "{text}");
        assert_eq!(name(text).shown, text);
    }
}

#[test]
fn names_are_one_line_with_their_hidden_characters() {
    assert_eq!(name("Anna\nMüller\u{202e}").shown, "Anna Müller⟨U+202E⟩");
}
