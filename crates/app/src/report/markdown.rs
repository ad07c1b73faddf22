//! A conversation as Markdown: text of the recording is quoted and escaped, so that it cannot look like the report's own words.

use std::fmt::Write;

use render::{markdown_contained, markdown_escape, plain, plain_line};

use super::{
    Citations, Item, Message, Report, Run,
    states::{Line, lines},
    words::{OTHERS, computed_line, evidence_line, moment, recording_line},
};

/// Writes a report as Markdown.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_report(&mut out, report);
    out
}

fn write_report(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(out, "# {}\n", escape(&report.title))?;
    let mut facts = Vec::new();
    facts.extend(report.service.as_ref().map(|service| format!("Service: {}", escape(service))));
    facts.extend(report.thread_id.as_ref().map(|thread| format!("Thread: {}", escape(thread))));
    facts.push(format!("Report made {} by Recite", moment(&report.made_at)));
    writeln!(out, "{}\n", facts.join(" · "))?;
    for recording in &report.recordings {
        writeln!(out, "- Recording {}", escape(&recording_line(recording)))?;
    }
    if !report.recordings.is_empty() {
        out.push('\n');
    }
    for note in &report.notes {
        writeln!(out, "_{}_\n", escape(note))?;
    }
    for run in &report.runs {
        write_run(out, run)?;
    }
    if !report.orphan_citations.is_empty() {
        writeln!(out, "## Citations without a message\n")?;
        for orphan in &report.orphan_citations {
            let computed = orphan.computed_at.as_deref().unwrap_or("time not stated");
            writeln!(out, "- {} ({})", escape(&orphan.sentence), escape(computed))?;
        }
        out.push('\n');
    }
    if !report.findings.is_empty() {
        writeln!(out, "## Findings\n")?;
        for finding in &report.findings {
            writeln!(
                out,
                "- {} `{}`: {}",
                finding.severity,
                finding.code,
                escape(&finding.message)
            )?;
        }
        out.push('\n');
    }
    Ok(())
}

fn write_run(out: &mut String, run: &Run) -> std::fmt::Result {
    match &run.id {
        Some(_) => {
            let id = run.run_id.as_deref().map(|id| format!(" {}", escape(id))).unwrap_or_default();
            let at = run
                .started_at
                .as_deref()
                .map(|at| format!(" · {}", escape(&moment(at))))
                .unwrap_or_default();
            writeln!(out, "## Run{id} · {}{at}\n", escape(&run.ending_text))?;
        }
        None => writeln!(out, "## Messages\n")?,
    }
    run.messages.iter().try_for_each(|message| write_message(out, message))
}

fn write_message(out: &mut String, message: &Message) -> std::fmt::Result {
    let open = if message.ended { "" } else { " (not ended)" };
    writeln!(out, "**{}**{open}\n", escape(&message.role))?;
    for call in &message.tool_calls {
        writeln!(out, "- Tool call {}: {}", escape(&call.name), escape(&call.arguments))?;
    }
    if !message.tool_calls.is_empty() {
        out.push('\n');
    }
    match message.role.as_str() {
        _ if message.text.is_empty() => {}
        "assistant" | "user" | "reasoning" => write_quoted(out, &message.text, "")?,
        _ => write_verbatim(out, &message.text)?,
    }
    match &message.citations {
        Some(citations) => write_citations(out, citations),
        None => Ok(()),
    }
}

/// Text of the recording as a block quote, in which nothing can be a part of the report, a link or an image.
fn write_quoted(out: &mut String, text: &str, indent: &str) -> std::fmt::Result {
    for line in markdown_contained(text).lines() {
        writeln!(out, "{indent}> {line}")?;
    }
    writeln!(out)
}

/// Text that is no prose, in a fence longer than any it holds.
fn write_verbatim(out: &mut String, text: &str) -> std::fmt::Result {
    let text = plain(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(out, "{fence}text\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

fn write_citations(out: &mut String, citations: &Citations) -> std::fmt::Result {
    let computed = escape(&computed_line(citations));
    writeln!(out, "Sources: {} ({computed})\n", escape(&citations.sentence))?;
    for (number, item) in citations.items.iter().enumerate() {
        write_item(out, number + 1, item)?;
    }
    if !citations.others.is_empty() {
        writeln!(out, "{OTHERS}:\n")?;
        for other in &citations.others {
            let url =
                other.url.as_ref().map(|url| format!(", {}", escape(url))).unwrap_or_default();
            writeln!(out, "- {}{url} ({})", escape(&other.title), escape(&other.origin))?;
        }
        out.push('\n');
    }
    Ok(())
}

fn write_item(out: &mut String, number: usize, item: &Item) -> std::fmt::Result {
    let marker =
        item.marker.as_deref().map(|marker| format!("{} ", escape(marker))).unwrap_or_default();
    writeln!(out, "{number}. {marker}{}", escape(&item.title))?;
    if let Some(node_ref) = &item.node_ref {
        writeln!(out, "   - {}", escape(node_ref))?;
    }
    for line in lines(&item.standing) {
        write_line(out, &line)?;
    }
    if let Some(sha256) = &item.record_sha256 {
        writeln!(out, "   - Record SHA-256: `{sha256}`")?;
    }
    for evidence in &item.evidence {
        writeln!(out, "   - {}", escape(&evidence_line(evidence)))?;
    }
    out.push('\n');
    match &item.text {
        Some(text) => write_quoted(out, text, "   "),
        None => Ok(()),
    }
}

fn write_line(out: &mut String, line: &Line) -> std::fmt::Result {
    write!(out, "   - {} **{}**", line.sign(), escape(&line.flag))?;
    if !line.as_of.is_empty() {
        write!(out, " · {}", escape(&line.as_of))?;
    }
    if !line.sentence.is_empty() {
        write!(out, " — {}", escape(&line.sentence))?;
    }
    if let Some(detail) = &line.detail {
        write!(out, " {}", escape(detail))?;
    }
    writeln!(out)
}

fn escape(text: &str) -> String {
    markdown_escape(&plain_line(text))
}
