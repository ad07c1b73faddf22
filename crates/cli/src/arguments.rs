//! Arguments of the `recite` command; `docs/cli.md` documents them.

use std::path::PathBuf;

use app::contract::ExportFormat;
use clap::{Parser, Subcommand, ValueEnum};

/// Keeps AI answers with their sources, and says when each trust flag was true.
#[derive(Debug, Parser)]
#[command(name = "recite", version)]
pub(crate) struct Arguments {
    /// The archive; without it, the desktop app's.
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) archive: Option<PathBuf>,
    /// Print JSON for scripts instead of text for people.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(flatten)]
    Archive(OnArchive),
    /// Look at a MOCA package. Exit 0: valid; 1: invalid; 2: could not be read.
    Inspect {
        /// A folder, a .moca or a .zip file.
        package: PathBuf,
        /// Whose keys count; without it nothing is signed.
        #[arg(long, value_name = "FILE")]
        trust_root: Option<PathBuf>,
        /// Folders in which members are looked for.
        #[arg(long, value_name = "DIR", num_args = 1..)]
        members: Vec<PathBuf>,
        /// Packages loaded beside it, which may supersede or contest it.
        #[arg(long, value_name = "PACKAGE", num_args = 1..)]
        with: Vec<PathBuf>,
        /// The instant at which it is judged; without it, now.
        #[arg(long, value_name = "TIME")]
        at: Option<String>,
        /// Every warning is an error.
        #[arg(long)]
        strict: bool,
    },
    /// Print the digest of each package.
    Digest {
        /// Folders, .moca or .zip files.
        #[arg(required = true, value_name = "PACKAGE")]
        packages: Vec<PathBuf>,
    },
}

/// What to do with an archive.
#[derive(Debug, Subcommand)]
pub(crate) enum OnArchive {
    /// Take recordings into the archive. Exit 0: none was refused; 2: some were.
    Import {
        /// Files, or folders of files.
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// List conversations, newest first.
    List {
        /// Rows, from 1 to 200.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Where the last page ended.
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Show a conversation with the sources of each answer.
    Show {
        /// Its id, as `list` gives it.
        conversation: String,
    },
    /// List what is wrong with what was received.
    Findings {
        /// Only this code.
        #[arg(long)]
        code: Option<String>,
        /// Only this conversation.
        #[arg(long)]
        conversation: Option<String>,
        /// Rows, from 1 to 200.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Where the last page ended.
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Write a conversation out.
    Export {
        /// Its id, as `list` gives it.
        conversation: String,
        /// What to write.
        #[arg(long, value_enum)]
        format: Format,
        /// Where to; without it, to standard output.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Make every derived table again from the bytes received.
    Rebuild,
    /// Check every byte of the archive; changes nothing. Exit 1: something is damaged.
    Verify,
}

/// Formats of `export`.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    /// Each event's bytes as received, one a line.
    Events,
    /// For AG-UI DevTools.
    AguiJsonl,
    /// Markdown with sources, times and states.
    Markdown,
    /// One HTML file without script.
    Html,
}

impl From<Format> for ExportFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Events => Self::Events,
            Format::AguiJsonl => Self::AguiJsonl,
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
        }
    }
}
