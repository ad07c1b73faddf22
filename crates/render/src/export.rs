//! Text into other formats: each function leaves a value that its reader takes for data.

use crate::text::plain;
use crate::visible::escape_into;

/// A CSV cell (RFC 4180), always quoted. A text that a spreadsheet could take for a formula gets an
/// apostrophe before it: `=`, `+`, `-`, `@` and their full-width forms, also after white space.
pub fn csv_cell(text: &str) -> String {
    let text = plain(text);
    let formula =
        text.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠', '|', '%'])
            || text.starts_with(['\t', '\n']);
    let mut cell = String::with_capacity(text.len() + 3);
    cell.push('"');
    if formula {
        cell.push('\'');
    }
    for part in text.split_inclusive('"') {
        cell.push_str(part);
        if part.ends_with('"') {
            cell.push('"');
        }
    }
    cell.push('"');
    cell
}

/// Markdown in which the text stands literally, line by line: no emphasis, link, image, heading, list,
/// HTML or code comes of it. For a table cell put it on one line first ([`crate::plain_line`]).
pub fn markdown_escape(text: &str) -> String {
    let text = plain(text);
    let mut markdown = String::with_capacity(text.len() + text.len() / 8);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        escape_line(&mut markdown, line);
        if let Some(next) = lines.peek() {
            let within = !line.trim().is_empty() && !next.trim().is_empty();
            markdown.push_str(if within { "\\\n" } else { "\n" });
        }
    }
    markdown
}

/// HTML text or a quoted attribute value; hidden characters as `⟨U+202E⟩`.
pub fn html_escape(text: &str) -> String {
    let mut html = String::new();
    escape_into(&mut html, &plain(text));
    html
}

/// Text for a terminal, many lines: no control character but line feed and tab, so no ANSI sequence.
pub fn terminal(text: &str) -> String {
    plain(text)
}

/// Text for one line of a log or a table in a terminal: line feeds and tabs are shown as `⟨U+000A⟩`, `⟨U+0009⟩`.
pub fn terminal_line(text: &str) -> String {
    plain(text).replace('\n', "⟨U+000A⟩").replace('\t', "⟨U+0009⟩")
}

fn escape_line(markdown: &mut String, line: &str) {
    let body = line.trim_start_matches([' ', '\t']);
    // Leading white space would become code or vanish.
    for c in line[..line.len() - body.len()].chars() {
        markdown.push_str(if c == '\t' { "&nbsp;&nbsp;&nbsp;&nbsp;" } else { "&nbsp;" });
    }
    let body = body.trim_end_matches([' ', '\t']);
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in body.char_indices() {
        let special = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '$' | '^' => true,
            '#' | '-' | '+' | '=' | ':' | '!' | '{' | '%' => at == 0,
            '.' | ')' => digits > 0 && at == digits,
            _ => false,
        };
        if special {
            markdown.push('\\');
        }
        markdown.push(c);
    }
}
