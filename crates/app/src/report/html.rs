//! A conversation as one HTML file: no script, nothing loaded, styles inside, a content policy that holds it to that.

use std::fmt::Write;

use render::{Marker, Markers, answer_document, html_escape, plain_line, visible_html};

use super::{
    Citations, Item, Message, Report, Run,
    states::{Line, lines},
    words::{OTHERS, computed_line, evidence_line, moment, recording_line},
};

/// Looks of the file; kept apart so that the policy can name its digest instead of allowing any style.
const STYLE: &str = include_str!("report.css");

/// Writes a report as HTML.
#[must_use]
pub fn html(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_report(&mut out, report);
    out
}

fn write_report(out: &mut String, report: &Report) -> std::fmt::Result {
    let title = html_escape(&plain_line(&report.title));
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        style_digest(),
    )?;
    write!(out, "<header><h1>{}</h1>\n<p class=\"dim\">", visible_html(&report.title))?;
    if let Some(service) = &report.service {
        write!(out, "{} · ", visible_html(service))?;
    }
    if let Some(thread) = &report.thread_id {
        write!(out, "thread {} · ", visible_html(thread))?;
    }
    writeln!(out, "report made {} by Recite</p></header>", html_escape(&moment(&report.made_at)))?;
    for recording in &report.recordings {
        let line = visible_html(&recording_line(recording));
        writeln!(out, "<p class=\"dim\">Recording {line}</p>")?;
    }
    for note in &report.notes {
        writeln!(out, "<p class=\"note\">{}</p>", visible_html(note))?;
    }
    let mut anchor = 0;
    for run in &report.runs {
        write_run(out, run, &mut anchor)?;
    }
    if !report.orphan_citations.is_empty() {
        writeln!(out, "<section><h2>Citations without a message</h2><ul>")?;
        for orphan in &report.orphan_citations {
            let computed = orphan.computed_at.as_deref().unwrap_or("time not stated");
            writeln!(
                out,
                "<li>{} ({})</li>",
                visible_html(&orphan.sentence),
                visible_html(computed)
            )?;
        }
        writeln!(out, "</ul></section>")?;
    }
    if !report.findings.is_empty() {
        writeln!(out, "<section><h2>Findings</h2><ul>")?;
        for finding in &report.findings {
            writeln!(
                out,
                "<li>{} <code>{}</code> {}</li>",
                html_escape(&finding.severity),
                html_escape(&finding.code),
                visible_html(&finding.message)
            )?;
        }
        writeln!(out, "</ul></section>")?;
    }
    writeln!(out, "</body>\n</html>")
}

/// Writes a run; `anchor` numbers the sources of the file, so that a marker leads to its own.
fn write_run(out: &mut String, run: &Run, anchor: &mut u32) -> std::fmt::Result {
    writeln!(out, "<section class=\"run\">")?;
    match &run.id {
        Some(_) => {
            let id = run.run_id.as_deref().map(visible_html).unwrap_or_default();
            let at = run
                .started_at
                .as_deref()
                .map(|at| format!(" · {}", visible_html(&moment(at))))
                .unwrap_or_default();
            writeln!(out, "<h2>Run {id} · {}{at}</h2>", visible_html(&run.ending_text))?;
        }
        None => writeln!(out, "<h2>Messages</h2>")?,
    }
    run.messages.iter().try_for_each(|message| write_message(out, message, anchor))?;
    writeln!(out, "</section>")
}

fn write_message(out: &mut String, message: &Message, anchor: &mut u32) -> std::fmt::Result {
    let answer = if message.citations.is_some() { " answer" } else { "" };
    write!(out, "<article class=\"message{answer}\"><h3>{}", visible_html(&message.role))?;
    if !message.ended {
        write!(out, " <span class=\"dim\">not ended</span>")?;
    }
    writeln!(out, "</h3>")?;
    for call in &message.tool_calls {
        writeln!(
            out,
            "<p class=\"call\">Tool call <b>{}</b> <code>{}</code></p>",
            visible_html(&call.name),
            visible_html(&call.arguments)
        )?;
    }
    let items = message.citations.as_ref().map_or(&[][..], |citations| &citations.items);
    match message.role.as_str() {
        "assistant" | "user" => {
            let text = answer_document(&message.text, &markers(items, *anchor)).html;
            writeln!(out, "<div class=\"text\">{text}</div>")?;
        }
        _ => writeln!(out, "<div class=\"text\"><pre>{}</pre></div>", visible_html(&message.text))?,
    }
    if let Some(citations) = &message.citations {
        write_citations(out, citations, anchor)?;
    }
    writeln!(out, "</article>")
}

/// What an answer may use to refer to its sources, which are numbered from `anchor` on.
fn markers(items: &[Item], anchor: u32) -> Markers {
    Markers::new((anchor..).zip(items).map(|(citation, item)| Marker {
        citation,
        texts: item.marker.iter().chain(&item.node_ref).cloned().collect(),
    }))
}

fn write_citations(out: &mut String, citations: &Citations, anchor: &mut u32) -> std::fmt::Result {
    let computed = visible_html(&computed_line(citations));
    writeln!(
        out,
        "<div class=\"sources\"><p class=\"asof\">{} <span class=\"dim\">({computed})</span></p>",
        visible_html(&citations.sentence)
    )?;
    for item in &citations.items {
        write_item(out, item, *anchor)?;
        *anchor += 1;
    }
    if !citations.others.is_empty() {
        writeln!(out, "<div class=\"source\"><p class=\"dim\">{OTHERS}</p><ul>")?;
        for other in &citations.others {
            let url = other.url.as_deref().map(visible_html).unwrap_or_default();
            let (title, origin) = (visible_html(&other.title), visible_html(&other.origin));
            writeln!(
                out,
                "<li>{title} <span class=\"url\">{url}</span> <span class=\"dim\">({origin})</span></li>"
            )?;
        }
        writeln!(out, "</ul></div>")?;
    }
    writeln!(out, "</div>")
}

fn write_item(out: &mut String, item: &Item, anchor: u32) -> std::fmt::Result {
    write!(out, "<div class=\"source\" id=\"source-{anchor}\"><h4>")?;
    if let Some(marker) = &item.marker {
        write!(out, "<span class=\"marker\">{}</span> ", visible_html(marker))?;
    }
    writeln!(out, "{}</h4>", visible_html(&item.title))?;
    if let Some(node_ref) = &item.node_ref {
        writeln!(out, "<p class=\"dim ref\">{}</p>", visible_html(node_ref))?;
    }
    // Flags stand in a list of their own, into which no text of a record is put but as escaped words.
    writeln!(out, "<ul class=\"flags\">")?;
    for line in lines(&item.standing) {
        write_line(out, &line)?;
    }
    writeln!(out, "</ul>")?;
    if let Some(text) = &item.text {
        let text = answer_document(text, &Markers::none()).html;
        writeln!(
            out,
            "<details open><summary class=\"dim\">Text of the source, as the record has it</summary><div class=\"cited\">{text}</div></details>"
        )?;
    }
    for evidence in &item.evidence {
        writeln!(out, "<p class=\"dim\">{}</p>", visible_html(&evidence_line(evidence)))?;
    }
    if let Some(sha256) = &item.record_sha256 {
        writeln!(out, "<p class=\"dim\">Record SHA-256 <code>{}</code></p>", html_escape(sha256))?;
    }
    writeln!(out, "</div>")
}

fn write_line(out: &mut String, line: &Line) -> std::fmt::Result {
    let (class, sign) = (line.word(), line.sign());
    write!(
        out,
        "<li class=\"{class}\"><span class=\"sign\">{sign}</span><b>{}</b>{}",
        visible_html(&line.flag),
        visible_html(&line.since())
    )?;
    if !line.sentence.is_empty() {
        write!(out, "<br>{}", visible_html(&line.sentence))?;
    }
    if let Some(detail) = &line.detail {
        write!(out, " <span class=\"dim\">{}</span>", visible_html(detail))?;
    }
    writeln!(out, "</li>")
}

fn style_digest() -> String {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use sha2::{Digest, Sha256};
    STANDARD.encode(Sha256::digest(STYLE.as_bytes()))
}
