//! Which characters cannot be seen, and what they are called.

/// The name of a character that draws nothing of its own or that changes how others are drawn
/// (controls, bidi controls, zero-width, tags, variation selectors, noncharacters); `None` for a
/// character that is drawn. Line feed and tab count as drawn.
pub(crate) fn hidden(c: char) -> Option<&'static str> {
    // Every printable ASCII character and most letters leave here.
    if matches!(c, ' '..='~' | '\n' | '\t' | '\u{A0}'..='\u{AC}' | '\u{AE}'..='\u{34E}') {
        return None;
    }
    let name = match c {
        '\0'..='\u{1F}' => C0[c as usize],
        '\u{7F}' => "DELETE",
        '\u{85}' => "NEXT LINE",
        '\u{90}' => "DEVICE CONTROL STRING",
        '\u{9B}' => "CONTROL SEQUENCE INTRODUCER",
        '\u{9D}' => "OPERATING SYSTEM COMMAND",
        '\u{80}'..='\u{9F}' => "CONTROL",
        '\u{AD}' => "SOFT HYPHEN",
        '\u{34F}' => "COMBINING GRAPHEME JOINER",
        '\u{61C}' => "ARABIC LETTER MARK",
        '\u{115F}' => "HANGUL CHOSEONG FILLER",
        '\u{1160}' => "HANGUL JUNGSEONG FILLER",
        '\u{17B4}' | '\u{17B5}' => "KHMER INHERENT VOWEL",
        '\u{180B}'..='\u{180D}' | '\u{180F}' => "MONGOLIAN FREE VARIATION SELECTOR",
        '\u{180E}' => "MONGOLIAN VOWEL SEPARATOR",
        '\u{200B}' => "ZERO WIDTH SPACE",
        '\u{200C}' => "ZERO WIDTH NON-JOINER",
        '\u{200D}' => "ZERO WIDTH JOINER",
        '\u{200E}' => "LEFT-TO-RIGHT MARK",
        '\u{200F}' => "RIGHT-TO-LEFT MARK",
        '\u{2028}' => "LINE SEPARATOR",
        '\u{2029}' => "PARAGRAPH SEPARATOR",
        '\u{202A}' => "LEFT-TO-RIGHT EMBEDDING",
        '\u{202B}' => "RIGHT-TO-LEFT EMBEDDING",
        '\u{202C}' => "POP DIRECTIONAL FORMATTING",
        '\u{202D}' => "LEFT-TO-RIGHT OVERRIDE",
        '\u{202E}' => "RIGHT-TO-LEFT OVERRIDE",
        '\u{2060}' => "WORD JOINER",
        '\u{2061}'..='\u{2064}' => "INVISIBLE MATHEMATICAL OPERATOR",
        '\u{2065}' => "UNASSIGNED, NOT DRAWN",
        '\u{2066}' => "LEFT-TO-RIGHT ISOLATE",
        '\u{2067}' => "RIGHT-TO-LEFT ISOLATE",
        '\u{2068}' => "FIRST STRONG ISOLATE",
        '\u{2069}' => "POP DIRECTIONAL ISOLATE",
        '\u{206A}'..='\u{206F}' => "DEPRECATED FORMAT CHARACTER",
        '\u{3164}' => "HANGUL FILLER",
        '\u{FDD0}'..='\u{FDEF}' => "NONCHARACTER",
        '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => "VARIATION SELECTOR",
        '\u{FEFF}' => "ZERO WIDTH NO-BREAK SPACE",
        '\u{FFA0}' => "HALFWIDTH HANGUL FILLER",
        '\u{FFF0}'..='\u{FFF8}' => "UNASSIGNED, NOT DRAWN",
        '\u{FFF9}'..='\u{FFFB}' => "INTERLINEAR ANNOTATION",
        '\u{FFFC}' => "OBJECT REPLACEMENT CHARACTER",
        '\u{1BCA0}'..='\u{1BCA3}' => "SHORTHAND FORMAT CHARACTER",
        '\u{1D173}'..='\u{1D17A}' => "MUSICAL FORMAT CHARACTER",
        '\u{E0001}' => "LANGUAGE TAG",
        '\u{E0020}'..='\u{E007F}' => "TAG CHARACTER",
        '\u{E0000}'..='\u{E0FFF}' => "UNASSIGNED, NOT DRAWN",
        _ if c as u32 & 0xFFFE == 0xFFFE => "NONCHARACTER",
        _ => return None,
    };
    Some(name)
}

const C0: [&str; 32] = [
    "NULL",
    "START OF HEADING",
    "START OF TEXT",
    "END OF TEXT",
    "END OF TRANSMISSION",
    "ENQUIRY",
    "ACKNOWLEDGE",
    "BELL",
    "BACKSPACE",
    "TABULATION",
    "LINE FEED",
    "LINE TABULATION",
    "FORM FEED",
    "CARRIAGE RETURN",
    "SHIFT OUT",
    "SHIFT IN",
    "DATA LINK ESCAPE",
    "DEVICE CONTROL ONE",
    "DEVICE CONTROL TWO",
    "DEVICE CONTROL THREE",
    "DEVICE CONTROL FOUR",
    "NEGATIVE ACKNOWLEDGE",
    "SYNCHRONOUS IDLE",
    "END OF TRANSMISSION BLOCK",
    "CANCEL",
    "END OF MEDIUM",
    "SUBSTITUTE",
    "ESCAPE",
    "INFORMATION SEPARATOR FOUR",
    "INFORMATION SEPARATOR THREE",
    "INFORMATION SEPARATOR TWO",
    "INFORMATION SEPARATOR ONE",
];

/// Whether a hidden character belongs to the writing around it: joiners inside Arabic, Persian and
/// Indic words and in emoji, one variation selector after a character that takes one, direction
/// marks in a text that holds right-to-left letters.
pub(crate) fn belongs(
    c: char,
    before: Option<char>,
    after: Option<char>,
    right_to_left: bool,
) -> bool {
    let Some(before) = before else { return c == '\u{200F}' && right_to_left };
    match c {
        '\u{200C}' => joins(before) && after.is_some_and(|a| hidden(a).is_none()),
        '\u{200D}' => {
            (joins(before) && after.is_none_or(|a| hidden(a).is_none()))
                || (pictograph(before) || before == '\u{FE0F}') && after.is_some_and(pictograph)
        }
        '\u{200E}' | '\u{200F}' | '\u{61C}' => right_to_left,
        '\u{FE00}'..='\u{FE0F}' => {
            hidden(before).is_none()
                && !before.is_whitespace()
                && (!before.is_ascii() || matches!(before, '0'..='9' | '#' | '*'))
        }
        '\u{E0100}'..='\u{E01EF}' => han(before),
        '\u{180B}'..='\u{180F}' => matches!(before, '\u{1820}'..='\u{18AA}'),
        _ => false,
    }
}

/// A strong right-to-left letter (Hebrew, Arabic, Syriac, Thaana, N'Ko and the rest of their blocks).
pub(crate) fn right_to_left(c: char) -> bool {
    matches!(c, '\u{5D0}'..='\u{5F4}' | '\u{620}'..='\u{64A}' | '\u{66E}'..='\u{6D5}'
        | '\u{6EE}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// A tag character's ASCII counterpart; tags can spell a sentence that nobody sees.
pub(crate) fn tag_as_ascii(c: char) -> Option<char> {
    match c {
        '\u{E0020}'..='\u{E007E}' => char::from_u32(c as u32 - 0xE0000),
        _ => None,
    }
}

/// Letters of scripts in which a joiner changes the shape of the word.
fn joins(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{DFF}' | '\u{E80}'..='\u{109F}' | '\u{1780}'..='\u{18AF}'
        | '\u{A840}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDCF}' | '\u{FE70}'..='\u{FEFC}')
}

fn pictograph(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

fn han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}
