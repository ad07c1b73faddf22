//! Makes one permission for each command of the contract and embeds the user interface.

include!("../crates/app/src/contract/commands.rs");

macro_rules! names {
    ($($name:ident, $request:ty, $response:ty, $what:literal;)*) => { &[$(stringify!($name)),*] };
}

/// Commands of the shell itself; see `src/desktop.rs`.
const SHELL: &[&str] = &[
    "choose_files",
    "choose_folder",
    "choose_export_path",
    "open_link",
    "startup_files",
    "open_sample",
    "close_sample",
];

fn main() {
    println!("cargo:rerun-if-changed=../crates/app/src/contract/commands.rs");
    let contract: &[&str] = commands!(names);
    let all: Vec<&'static str> = contract.iter().chain(SHELL).copied().collect();
    let commands: &'static [&'static str] = Box::leak(all.into_boxed_slice());
    let attributes = tauri_build::Attributes::new()
        .app_manifest(tauri_build::AppManifest::new().commands(commands));
    if let Err(error) = tauri_build::try_build(attributes) {
        // A build script has no other way to say what is wrong.
        println!("cargo:warning={error:#}");
        std::process::exit(1);
    }
}
