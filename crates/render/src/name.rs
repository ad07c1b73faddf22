//! Names of persons, firms and keys: one line, with a note when letters may deceive.

use std::collections::BTreeSet;

use serde::Serialize;
use unicode_script::{Script, UnicodeScript};

use crate::text::plain_line;

/// A name as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Name {
    /// One line of plain text, hidden characters as marks.
    pub shown: String,
    /// What the reader should know of its letters.
    pub note: Option<NameNote>,
}

/// Why a name's letters may deceive (Unicode UTS 39 §5; quality R33).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum NameNote {
    /// Letters of scripts that are not written together in one name.
    MixedScripts {
        /// Their names, in alphabetical order.
        scripts: Vec<&'static str>,
    },
    /// Letters of one other script, each of which looks like a Latin letter.
    LooksLatin {
        /// The script's name.
        script: &'static str,
    },
}

impl NameNote {
    /// The note as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::MixedScripts { scripts } => {
                format!("This name mixes letters of {}.", scripts.join(" and "))
            }
            Self::LooksLatin { script } => {
                format!("This name looks Latin but its letters are {script}.")
            }
        }
    }
}

/// A name from untrusted text (a signer, a reviewer, a service, a host's label).
pub fn name(text: &str) -> Name {
    Name { shown: plain_line(text), note: doubt(text) }
}

/// The note that a name deserves.
pub(crate) fn doubt(text: &str) -> Option<NameNote> {
    if text.is_ascii() {
        return None;
    }
    let whole = scripts(text);
    let alike = whole.iter().filter(|&&script| looks_like_another(script)).count() > 1;
    let within_a_word = text
        .split(|c: char| !c.is_alphanumeric() && c.script() != Script::Inherited)
        .any(|word| !written_together(&scripts(word)));
    if alike || within_a_word {
        let scripts: BTreeSet<&'static str> = whole.iter().map(|s| s.full_name()).collect();
        return Some(NameNote::MixedScripts { scripts: scripts.into_iter().collect() });
    }
    match whole.as_slice() {
        [script @ (Script::Cyrillic | Script::Greek)] if all_look_latin(text) => {
            Some(NameNote::LooksLatin { script: script.full_name() })
        }
        _ => None,
    }
}

/// The scripts of a text's letters, each once.
fn scripts(text: &str) -> Vec<Script> {
    let mut scripts = Vec::new();
    for c in text.chars() {
        let script = c.script();
        let real = !matches!(script, Script::Common | Script::Inherited | Script::Unknown);
        if real && !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    scripts
}

/// One script, or Latin with one of the East Asian sets (UTS 39 §5.2 "highly restrictive").
fn written_together(scripts: &[Script]) -> bool {
    const EAST_ASIAN: [&[Script]; 3] = [
        &[Script::Latin, Script::Han, Script::Hiragana, Script::Katakana],
        &[Script::Latin, Script::Han, Script::Bopomofo],
        &[Script::Latin, Script::Han, Script::Hangul],
    ];
    scripts.len() < 2
        || EAST_ASIAN.iter().any(|set| scripts.iter().all(|script| set.contains(script)))
}

/// Scripts with letters that pass for those of another in this list, even in separate words.
fn looks_like_another(script: Script) -> bool {
    matches!(
        script,
        Script::Latin
            | Script::Cyrillic
            | Script::Greek
            | Script::Armenian
            | Script::Cherokee
            | Script::Coptic
            | Script::Lisu
            | Script::Deseret
    )
}

fn all_look_latin(text: &str) -> bool {
    const ALIKE: &str = "авеікмнорстухѕјԁԛԝһӏАВЕІКМНОРСТУХЅЈԚԜӀΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρυκια";
    text.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).all(|c| ALIKE.contains(c))
}
