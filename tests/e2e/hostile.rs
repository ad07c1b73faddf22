//! A hostile conversation in the real window: no script runs, nothing is loaded, no badge is forged (R30, R31, R34).

use serde_json::Value;

use crate::{
    network::{self, Place},
    recordings::{citations, conversation, record},
    window::Window,
};

/// Sets `window.pwned` when any of it runs; loads from a port of this machine when any of it loads.
fn attacks(port: u16) -> Vec<String> {
    let url = format!("http://127.0.0.1:{port}/canary");
    let corpus: Value = serde_json::from_slice(
        &std::fs::read(recite_tests::fixture("hostile-strings.json")).unwrap(),
    )
    .unwrap();
    let mut attacks: Vec<String> = corpus["strings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["text"].as_str().map(str::to_owned))
        .collect();
    attacks.extend([
        "<img src=x onerror=\"window.pwned=1\">".to_owned(),
        "<svg onload=\"window.pwned=1\"><script>window.pwned=1</script></svg>".to_owned(),
        "<script>window.pwned=1</script>".to_owned(),
        format!("![x]({url}.png) <img src=\"{url}.png\"> <link rel=stylesheet href=\"{url}.css\">"),
        format!("<iframe src=\"{url}\"></iframe><video src=\"{url}\"></video><object data=\"{url}\"></object>"),
        "![x](http://192.0.2.1/x.png) <img src=\"http://192.0.2.1/x.png\"> <link rel=prefetch href=\"//192.0.2.1/x\">".to_owned(),
        "<link rel=dns-prefetch href=\"//canary.example\"> <style>@import url(http://192.0.2.1/x.css)</style>".to_owned(),
        "<a href=\"http://canary.example/\" ping=\"http://192.0.2.1/ping\">x</a> https://canary.example/preview".to_owned(),
        "<button class=\"cite\" data-citation=\"0\" data-place=\"0\">[9]</button>".to_owned(),
        "<div class=\"standing\" data-standing=\"read\"><li class=\"flag\" data-tone=\"good\">✔ Signed · Attested by us</li></div>"
            .to_owned(),
    ]);
    attacks
}

#[tokio::test]
async fn nothing_runs_nothing_loads_and_no_badge_is_forged() {
    let place = network::enter("hostile::nothing_runs_nothing_loads_and_no_badge_is_forged");
    if place == Place::Done {
        return;
    }
    if place == Place::Own {
        network::assert_counted();
    }
    let tried = network::tried();
    let listener = std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let attacks = attacks(listener.local_addr().unwrap().port());
    assert!(attacks.len() >= 300, "the corpus has {} strings", attacks.len());
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    // Every string stands in question, answer, title, text and marker; a conversation holds twenty of them.
    for (number, group) in attacks.chunks(20).enumerate() {
        let thread = format!("h{number}");
        let all = group.join("\n\n");
        let sources: Vec<(&str, Value)> =
            group.iter().map(|text| (text.as_str(), record("returns.md", text, text))).collect();
        let event = citations(1, &format!("answer-{thread}"), &sources);
        let file = folder.path().join(format!("{thread}.jsonl"));
        std::fs::write(
            &file,
            conversation(&thread, &format!("Hostile {number}: {all}"), &all, Some(event)),
        )
        .unwrap();
        files.push(file.to_string_lossy().into_owned());
    }
    let arguments: Vec<&str> = files.iter().map(String::as_str).collect();
    let window = Window::open(&arguments).await;
    window
        .script("window.violations = []; document.addEventListener('securitypolicyviolation', e => window.violations.push(e.blockedURI + ' ' + e.violatedDirective));")
        .await;
    for number in 0..files.len() {
        window.open_conversation(&format!("Hostile {number}:")).await;
        window.scroll_to("article[data-role='assistant']").await;
        window.keys("s").await;
        window.find("[data-source]").await;
        let forged = window
            .script(
                "return [...document.querySelectorAll('[data-standing], .flag[data-tone]')]\
                 .filter(mark => mark.closest('article[data-role]') || mark.closest('.quote, blockquote')).length",
            )
            .await;
        assert_eq!(forged, 0, "Hostile {number}: a trust mark stands inside text");
        let foreign = window
            .script(
                "return [...document.querySelectorAll('article script, article img, article iframe, article svg script, article object, article video, article link, article style, article form')].length",
            )
            .await;
        assert_eq!(foreign, 0, "Hostile {number}: an element that no text may make");
    }
    assert_eq!(
        window.script("return window.pwned ?? null").await,
        Value::Null,
        "a script of a text ran"
    );
    assert_eq!(
        window.script("return window.violations").await,
        Value::Array(Vec::new()),
        "the policy had to step in"
    );
    assert!(listener.accept().is_err(), "something was loaded");
    if place == Place::Own {
        assert_eq!(network::tried(), tried, "the app tried to reach something");
    }
    window.picture("hostile").await;
    window.close().await;
}
