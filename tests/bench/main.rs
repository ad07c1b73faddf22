//! The promises of speed and size, measured as ratios: `bench [S|M] [FIGURE…]` prints one JSON line a figure.
//!
//! Each ratio has both of its sides in this run, in alternating order. What the figures mean, their goals and the
//! present ones stand in `docs/performance.md`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot go on stops")]

mod figure;
mod import;
mod memory;
mod reader;
mod render;
mod rounds;

use std::process::ExitCode;

use recite_tests::generate;

use self::figure::Figures;

/// How much is measured.
#[derive(Debug, Clone, Copy)]
struct Size {
    name: &'static str,
    runs: u64,
    /// How often each side of a ratio is measured.
    rounds: usize,
    /// How often memory is, which hardly varies and takes an import of ten times the size.
    memory_rounds: usize,
}

const S: Size = Size { name: "S", runs: generate::S, rounds: 7, memory_rounds: 5 };
const M: Size = Size { name: "M", runs: generate::M, rounds: 5, memory_rounds: 1 };

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [child, what @ ..] = &arguments[..]
        && child == memory::CHILD
    {
        memory::child(what);
        return ExitCode::SUCCESS;
    }
    let (size, wanted) = match arguments.split_first() {
        None => (S, &[][..]),
        Some((size, wanted)) if size == S.name => (S, wanted),
        Some((size, wanted)) if size == M.name => (M, wanted),
        Some(_) => {
            eprintln!("usage: bench [S|M] [P1|P2|P3|P4|P5|P10|P12|reader…]");
            return ExitCode::FAILURE;
        }
    };
    let figures = Figures::new(size.name, wanted);
    import::measure(size, &figures);
    memory::measure(size, &figures);
    render::measure(size, &figures);
    reader::measure(size, &figures);
    ExitCode::SUCCESS
}
