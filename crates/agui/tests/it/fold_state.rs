//! State, activities and sources in other forms (facts/agui §1.5, §1.7, §8.2).

use agui::fold::{ForeignOrigin, Role};
use serde_json::{Value, json};

use crate::fold_support::{Archive, fold, folded, frames, request, steps};

fn started(version: Option<&str>) -> Value {
    json!({"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":version})
}

fn finished() -> Value {
    json!({"type":"RUN_FINISHED","threadId":"t","runId":"r"})
}

fn run(version: Option<&str>, events: &[Value]) -> Archive {
    let mut all = vec![started(version)];
    all.extend_from_slice(events);
    all.push(finished());
    folded(&all)
}

fn snapshot(state: Value) -> Value {
    json!({"type":"STATE_SNAPSHOT","snapshot":state})
}

fn delta(patch: Value) -> Value {
    json!({"type":"STATE_DELTA","delta":patch})
}

#[test]
fn snapshots_replace_and_patches_change_the_state() {
    let add = delta(json!([{"op":"add","path":"/b","value":2}]));
    assert_eq!(
        run(None, &[snapshot(json!({"a":1})), add.clone()]).state_value(),
        json!({"a":1,"b":2})
    );
    assert_eq!(run(None, &[add]).state_value(), json!({"b":2}), "the base is an empty object");
    let one = delta(json!({"op":"add","path":"/c","value":3}));
    assert_eq!(run(None, &[one]).state_value(), json!({"c":3}), "one operation in place of a list");
}

#[test]
fn falsy_snapshots_count_from_1_0_on() {
    for falsy in [json!(null), json!(false), json!(0), json!("")] {
        let events = [snapshot(json!({"a":1})), snapshot(falsy.clone())];
        let old = run(None, &events);
        assert_eq!(old.state_value(), json!({"a":1}));
        assert!(old.has("agui.state.falsy-snapshot"));
        assert_eq!(run(Some("1.0"), &events).state_value(), falsy);
    }
}

#[test]
fn unknown_operations_follow_the_version_of_the_run() {
    let events = [
        snapshot(json!({"n":1})),
        delta(json!([{"op":"increment","path":"/n"},{"op":"replace","path":"/n","value":5}])),
    ];
    for (version, n) in
        [(None, 1), (Some("0.9"), 1), (Some("1.0"), 5), (Some("1.7"), 5), (Some("2.0"), 5)]
    {
        let archive = run(version, &events);
        assert_eq!(archive.state_value(), json!({"n":n}), "{version:?}");
        assert!(archive.has("agui.patch.unknown-operation"));
    }
}

#[test]
fn the_request_states_the_state_before_a_run() {
    let ask =
        |state: Value| request(&json!({"threadId":"t","runId":"r","messages":[],"state":state}));
    let mut all = vec![ask(json!({"x":1}))];
    all.extend(frames(&[
        started(None),
        delta(json!([{"op":"add","path":"/y","value":2}])),
        finished(),
    ]));
    assert_eq!(fold(&steps(all.clone())).state_value(), json!({"x":1,"y":2}));
    all.push(ask(json!({"z":3})));
    assert_eq!(fold(&steps(all)).state_value(), json!({"z":3}));
}

#[test]
fn activities_are_replaced_kept_and_patched() {
    let show = |content: Value, replace: bool| json!({"type":"ACTIVITY_SNAPSHOT","messageId":"p","activityType":"PLAN","content":content,"replace":replace});
    let change = |kind: &str, patch: Value| json!({"type":"ACTIVITY_DELTA","messageId":"p","activityType":kind,"patch":patch});
    let archive = run(
        None,
        &[
            show(json!({"a":1}), true),
            show(json!({"a":9}), false),
            change("PLAN", json!([{"op":"add","path":"/b","value":2}])),
            change("PLAN", json!([{"op":"remove","path":"/none"}])),
            change("DONE", json!([{"op":"replace","path":"/a","value":3}])),
            json!({"type":"ACTIVITY_DELTA","messageId":"q","activityType":"PLAN","patch":[]}),
        ],
    );
    let message = archive.message(&Role::Activity, "p");
    let content = &archive.activities[&message.key];
    assert_eq!(content.activity_type, "DONE");
    assert_eq!(serde_json::from_str::<Value>(&content.content).unwrap(), json!({"a":3,"b":2}));
    assert_eq!(archive.held.len(), 1);
    let codes: Vec<_> = archive.codes();
    assert!(
        codes.contains(&("agui.patch.failed", Some(4)))
            && codes.contains(&("agui.activity.not-held", Some(6)))
    );
}

#[test]
fn sources_in_other_forms_are_collected_with_where_they_stood() {
    let hit = json!({"title":"T","url":"https://a.example/x"});
    let answer = [
        json!({"type":"TEXT_MESSAGE_START","messageId":"m"}),
        json!({"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x","rawEvent":{"contents":[{"annotations":[
            {"$type":"citation","title":"From raw","url":"https://raw.example/"},{"$type":"other","title":"no"}]}]}}),
        json!({"type":"RAW","source":"bedrock","event":{"delta":{"citationsDelta":{"title":"Delta","location":{"web":{"url":"https://b.example/"}}}}}}),
        json!({"type":"TEXT_MESSAGE_END","messageId":"m"}),
    ];
    let mut events = answer.to_vec();
    events.extend([
        snapshot(json!({"citations":{"m":[hit, "https://bare.example/y"],"gone":[{"name":"N","href":"https://c.example/"}]},
            "rag":{"citation_index":{"7":{"document_title":"Doc","document_uri":"file:///etc/passwd"}}}})),
        json!({"type":"CUSTOM","name":"app.sources","value":{"messageId":"m","sources":[{"title":"S","url":"javascript:alert(1)"}]}}),
        json!({"type":"CUSTOM","name":"PredictState","value":{"sources":[{"title":"no"}]}}),
        json!({"type":"CUSTOM","name":"moca.citations","value":{"citations":[{"title":"no"}]}}),
        json!({"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":[{"type":"text","text":"t","metadata":{"title":"Hit","source":"https://d.example/"}}]}),
    ]);
    let archive = run(None, &events);
    let told: Vec<_> = archive
        .foreign
        .iter()
        .map(|s| {
            let message = s.message.map(|key| archive.held[&key].id.as_str());
            (&s.origin, s.title.as_deref(), s.host.as_deref(), message.or(s.message_id.as_deref()))
        })
        .collect();
    let raw_event = ForeignOrigin::RawEvent("TEXT_MESSAGE_CONTENT".into());
    let raw = ForeignOrigin::Raw(Some("bedrock".into()));
    let custom = ForeignOrigin::Custom("app.sources".into());
    let expected = [
        (&raw_event, Some("From raw"), Some("raw.example"), Some("m")),
        (&raw, Some("Delta"), Some("b.example"), Some("m")),
        (&ForeignOrigin::State, Some("N"), Some("c.example"), Some("gone")),
        (&ForeignOrigin::State, Some("T"), Some("a.example"), Some("m")),
        (&ForeignOrigin::State, None, Some("bare.example"), Some("m")),
        (&ForeignOrigin::State, Some("Doc"), None, None),
        (&custom, Some("S"), None, Some("m")),
        (&ForeignOrigin::ToolResult, Some("Hit"), Some("d.example"), Some("r")),
    ];
    assert_eq!(told, expected);
}

/// A run whose events are given as they are spelt.
fn spelt(events: &[&str]) -> Archive {
    let mut all = vec![started(None).to_string()];
    all.extend(events.iter().map(ToString::to_string));
    all.push(finished().to_string());
    fold(&steps(crate::fold_support::texts(&all)))
}

#[test]
fn values_that_no_client_holds_are_named_and_the_rest_is_held() {
    let state = r#"{"type":"STATE_SNAPSHOT","snapshot":{"large":1e999,"small":-1e999,"whole":9223372036854775808,"zero":-0,"text":"\ud800x"}}"#;
    let patch =
        r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/more","value":[1e400,"\udc00"]}]}"#;
    let archive = spelt(&[state, patch]);
    assert_eq!(
        archive.state_value(),
        json!({"large":null,"small":null,"whole":9_223_372_036_854_775_808_u64,"zero":-0.0,"text":"\u{fffd}x","more":[null,"\u{fffd}"]})
    );
    for code in
        ["agui.event.number-too-large", "agui.event.number-inexact", "agui.event.lone-surrogate"]
    {
        assert!(archive.has(code), "{code}");
    }
    assert!(!archive.has("agui.patch.too-large") && !archive.has("agui.patch.failed"));
    let activity = r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"T","content":{"n":1e999,"t":"\ud800"}}"#;
    assert!(!spelt(&[activity]).has("agui.patch.too-large"));
}
