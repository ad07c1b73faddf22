//! No screen breaks a rule of axe that is serious, contrast among them, in either theme: in the real window, where text has colours.

use serde_json::{Value, json};

use crate::window::Window;

/// Where to look, what to press there, and what must be in sight.
const SCREENS: &[(&str, &str, &str)] = &[
    ("#/conversations/", "", "[data-source] .standing"),
    ("#/conversations/", "Also cited by", "button.answer"),
    ("#/conversations", "", "main.nothing"),
    ("#/findings", "", "nav[aria-label=Codes]"),
    ("#/settings", "", "#looks"),
];

/// Gives what is broken to the driver, a line for each rule.
const RUN: &str = "const done = arguments[arguments.length - 1];\
    axe.run(document.body, { resultTypes: ['violations'] }).then(({ violations }) => done(violations\
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')\
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html).join(' ')}`)))";

#[tokio::test]
async fn no_screen_breaks_a_serious_rule_in_either_theme() {
    let axe = recite_tests::repository().join("ui/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("axe is installed with the user interface");
    let window = Window::open(&[]).await;
    window.press("Open the sample archive").await;
    window.wait_for_text("body", "desk.harbour-bikes.example").await;
    window.open_conversation("I rented a cargo bike").await;
    let opened = window.script("return location.hash").await;
    window.script(&axe).await;
    for theme in ["light", "dark"] {
        let set = format!("document.documentElement.dataset.theme = '{theme}'");
        window.script(&set).await;
        for (place, press, wanted) in SCREENS {
            let place = if place.ends_with('/') { opened.clone() } else { json!(place) };
            window.page.execute("location.hash = arguments[0]", vec![place.clone()]).await.unwrap();
            if !press.is_empty() {
                window.find("[data-source] .standing").await;
                window.press(press).await;
            }
            window.find(wanted).await;
            let broken = window.page.execute_async(RUN, Vec::new()).await.expect("axe runs");
            assert_eq!(broken, Value::Array(Vec::new()), "{theme}, {place} {press}");
            window.keys("\u{e00c}").await;
        }
    }
    window.close().await;
}
