//! The one window may call our own commands and nothing else, under a policy that loads and runs nothing foreign.

use std::{collections::BTreeSet, fs};

use recite_tests::repository;
use serde_json::Value;

fn json(path: &str) -> Value {
    serde_json::from_slice(&fs::read(repository().join(path)).unwrap()).unwrap()
}

#[test]
fn the_capability_lists_the_commands_of_the_contract_and_of_the_shell() {
    let capability = json("src-tauri/capabilities/main.json");
    let listed: BTreeSet<String> = capability["permissions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|permission| permission.as_str().unwrap().to_owned())
        .collect();
    let shell = [
        "choose_files",
        "choose_folder",
        "choose_export_path",
        "open_link",
        "startup_files",
        "open_sample",
        "close_sample",
    ];
    let mut wanted: BTreeSet<String> = app::contract::COMMAND_NAMES
        .iter()
        .chain(&shell)
        .map(|name| format!("allow-{}", name.replace('_', "-")))
        .collect();
    // Listening to the events that the shell itself sends.
    wanted.extend(["core:event:allow-listen".to_owned(), "core:event:allow-unlisten".to_owned()]);
    assert_eq!(listed, wanted);
    assert_eq!(capability["windows"], serde_json::json!(["main"]));
    let capabilities = fs::read_dir(repository().join("src-tauri/capabilities")).unwrap().count();
    assert_eq!(capabilities, 1, "one capability file");
}

#[test]
fn the_policy_allows_our_own_files_and_the_bridge_only() {
    let policy = &json("src-tauri/tauri.conf.json")["app"]["security"]["csp"];
    let stated: Vec<(&str, &str)> = policy
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
        .collect();
    assert!(stated.contains(&("default-src", "'none'")));
    assert!(stated.contains(&("connect-src", "ipc: http://ipc.localhost")));
    for (name, value) in stated {
        for foreign in ["unsafe", "data:", "https:", "*", "blob:"] {
            assert!(!value.contains(foreign), "{name} allows {foreign}");
        }
    }
}

#[test]
fn only_the_platform_door_talks_to_the_shell() {
    let mut doors = BTreeSet::new();
    let mut folders = vec![repository().join("ui/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read_to_string(&path).unwrap().contains("@tauri-apps/") {
                doors.insert(
                    path.strip_prefix(repository()).unwrap().to_string_lossy().into_owned(),
                );
            }
        }
    }
    assert_eq!(doors, BTreeSet::from(["ui/src/platform/shell.ts".to_owned()]));
}
