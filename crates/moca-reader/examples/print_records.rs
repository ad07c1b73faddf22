//! Opens a package and prints what is wrong with it and the record of each of its nodes:
//! `cargo run -p moca-reader --example print_records -- PACKAGE TIME`.
#![allow(clippy::print_stdout)] // it prints

use moca_reader::{CitationOptions, Instant, Library, Options, read_package};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let package = arguments.next().ok_or("which package?")?;
    let now = arguments.next().unwrap_or_else(|| "2026-10-01T00:00:00Z".to_owned());
    let now = Instant::parse(&now).ok_or("a time is written like 2026-10-01T00:00:00Z")?;

    let package = read_package(package.as_str(), &Options::at(now));
    for found in &package.diagnostics {
        println!(
            "{} {}: {}",
            found.code,
            found.file.as_deref().unwrap_or("package"),
            found.message
        );
    }
    let mut library = Library::new();
    library.add(package)?;
    for record in library.citations(now, &CitationOptions::with_text()) {
        println!("{}", serde_json::to_string_pretty(&record)?);
    }
    Ok(())
}
