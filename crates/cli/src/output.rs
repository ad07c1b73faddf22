//! What the command prints: JSON for scripts, tables for people, failures on standard error.

use std::io::{self, IsTerminal, Write};

use app::contract::Failure;
use serde::Serialize;

/// Where results go.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    /// JSON or text.
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether results are to be JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Prints `value` as JSON, or what `human` makes of it.
    ///
    /// # Errors
    /// When standard output takes no more; a closed pipe is no failure.
    pub(crate) fn print<T: Serialize>(
        &self,
        value: &T,
        human: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        let text = if self.json {
            let mut json = serde_json::to_string(value)
                .map_err(|_| Failure::internal("The result could not be written as JSON"))?;
            json.push('\n');
            json
        } else {
            human(value)
        };
        write_out(text.as_bytes())
    }

    /// Tells what went wrong, in one or two lines; as JSON too when that was asked for.
    pub(crate) fn failure(&self, failure: &Failure) {
        if self.json
            && let Ok(json) = serde_json::to_string(&serde_json::json!({ "error": failure }))
        {
            // Nobody is left to tell when standard output is closed; the exit code still says it.
            drop(write_out(format!("{json}\n").as_bytes()));
        }
        eprintln!("recite: {}", render::terminal_line(&failure.message));
        if let Some(hint) = &failure.hint {
            eprintln!("        {}", render::terminal_line(hint));
        }
    }
}

pub(crate) fn write_out(bytes: &[u8]) -> Result<(), Failure> {
    StandardOutput.write_all(bytes).map_err(|error| {
        Failure::new(
            app::contract::ErrorKind::Storage,
            format!("Standard output could not be written: {error}."),
        )
    })
}

/// Standard output, for which a reader that closed the pipe (`| head`) is an early end and no failure.
pub(crate) struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut out = io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// “1 run”, “2 runs”.
pub(crate) fn counted(count: u32, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {one}s"),
    }
}

/// Whether progress may be drawn.
pub(crate) fn shows_progress() -> bool {
    io::stderr().is_terminal()
}

/// A table with a header, columns as wide as their widest cell up to `WIDEST`, the last one whole; text of the archive is made safe for a terminal.
pub(crate) fn table<const N: usize>(header: [&str; N], rows: &[[String; N]]) -> String {
    const WIDEST: usize = 60;
    let shorten = |column: usize, cell: &str| {
        let safe = render::terminal_line(cell);
        if column + 1 < N && safe.chars().count() > WIDEST {
            let mut short: String = safe.chars().take(WIDEST - 1).collect();
            short.push('…');
            short
        } else {
            safe
        }
    };
    let mut lines: Vec<[String; N]> = vec![header.map(str::to_owned)];
    lines.extend(rows.iter().map(|row| std::array::from_fn(|at| shorten(at, &row[at]))));
    let widths: [usize; N] = std::array::from_fn(|column| {
        lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for line in lines {
        let mut drawn = String::new();
        for (cell, width) in line.iter().zip(widths) {
            drawn.push_str(cell);
            drawn.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
        text.push_str(drawn.trim_end());
        text.push('\n');
    }
    text
}
