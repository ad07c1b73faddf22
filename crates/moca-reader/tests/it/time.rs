//! How times are read (`facts/moca-reader §7.4`), form by form.

use moca_reader::record::standing_at;
use moca_reader::time::{is_date, is_date_time};
use moca_reader::{Code, Instant};
use serde_json::json;

use crate::fixture::{NOW, Package};

const DAY: i64 = 86_400_000;
const HOUR: i64 = 3_600_000;

/// 2026-10-01T00:00:00Z.
const MIDNIGHT: i64 = NOW.0;

/// Text, instant, and whether the schemas accept it.
const FORMS: &[(&str, Option<i64>, bool)] = &[
    ("2026-10-01", Some(MIDNIGHT), true),
    ("2026-10-01T00:00:00Z", Some(MIDNIGHT), true),
    ("2026-10-01t00:00:00z", Some(MIDNIGHT), true),
    ("2026-10-01 00:00:00Z", Some(MIDNIGHT), true),
    ("2026-10-01T02:00:00+02:00", Some(MIDNIGHT), true),
    ("2026-09-30T23:59:00-00:01", Some(MIDNIGHT), true),
    ("2026-10-01T00:00:00+23:59", Some(MIDNIGHT - 24 * HOUR + 60_000), true),
    ("2026-10-01T00:00:00+0200", Some(MIDNIGHT - 2 * HOUR), true),
    ("2026-10-01T00:00:00.5Z", Some(MIDNIGHT + 500), true),
    ("2026-10-01T00:00:00.123456789Z", Some(MIDNIGHT + 123), true),
    // Accepted by the schemas, but no instant.
    ("2026-10-01T00:00:00+02", None, true),
    ("2026-12-31T23:59:60Z", None, true),
    ("2027-01-01T00:59:60+01:00", None, true),
    // An instant, but a miss of the schemas.
    ("2026-10-01T00:00:00", Some(MIDNIGHT), false),
    ("2026-10-01T00:00", Some(MIDNIGHT), false),
    ("2026-10-01T00:00Z", Some(MIDNIGHT), false),
    ("2026-09-30T24:00:00Z", Some(MIDNIGHT), false),
    ("2026-09-31", Some(MIDNIGHT), false),
    ("2026-02-30", Some(MIDNIGHT - 213 * DAY), false),
    ("2026-10", Some(MIDNIGHT), false),
    ("2026", Some(MIDNIGHT - 273 * DAY), false),
    ("+002026-10-01T00:00:00Z", Some(MIDNIGHT), false),
    // Neither.
    ("2026-10-01T23:59:61Z", None, false),
    ("2026-10-01T12:00:60Z", None, false),
    ("2026-10-01T24:00:01Z", None, false),
    ("2026-10-01T00:60:00Z", None, false),
    ("2026-10-01T00:00:00+24:00", None, false),
    ("2026-10-01T00:00:00,5Z", None, false),
    ("2026-10-01T00:00:00.Z", None, false),
    ("2026-10-01T00:00:00 Z", None, false),
    ("2026-10-01T00:00:00Zjunk", None, false),
    ("2026-10-01T", None, false),
    ("2026-10-01Z", None, false),
    ("2026-13-01", None, false),
    ("2026-00-10", None, false),
    ("2026-10-32", None, false),
    ("2026-10-00", None, false),
    ("20261001", None, false),
    ("2026-10-1", None, false),
    ("2026-274", None, false),
    ("2026-W40-4", None, false),
    ("Oct 1 2026", None, false),
    ("10/01/2026", None, false),
    (" 2026-10-01 ", None, false),
    ("Thu, 01 Oct 2026 00:00:00 GMT", None, false),
    ("-000000-01-01", None, false),
    ("٢٠٢٦-10-01", None, false),
    ("garbage", None, false),
    ("", None, false),
];

#[test]
fn each_form_is_the_instant_it_should_be() {
    for &(text, instant, in_schema) in FORMS {
        assert_eq!(Instant::parse(text), instant.map(Instant), "{text:?}");
        assert_eq!(is_date(text) || is_date_time(text), in_schema, "{text:?}");
    }
}

#[test]
fn leap_days_are_in_the_calendar_when_they_are() {
    for (text, holds) in
        [("2024-02-29", true), ("2026-02-29", false), ("2000-02-29", true), ("1900-02-29", false)]
    {
        assert_eq!(is_date(text), holds, "{text}");
    }
    assert_eq!(Instant::parse("1970-01-01"), Some(Instant(0)));
    assert_eq!(Instant::parse("1969-12-31T23:59:59.999Z"), Some(Instant(-1)));
    assert_eq!(Instant::parse("0000-01-01"), Some(Instant(-62_167_219_200_000)));
    assert_eq!(Instant::parse("9999-12-31T23:59:59.999Z"), Some(Instant(253_402_300_799_999)));
}

#[test]
fn a_window_includes_its_start_and_not_its_end() {
    let start = Some("2026-10-01T00:00:00Z");
    let at = |shift: i64| Instant(MIDNIGHT + shift);
    assert_eq!(standing_at(start, None, None, at(-1)), (false, true));
    assert_eq!(standing_at(start, None, None, at(0)), (true, true));
    assert_eq!(standing_at(None, start, None, at(-1)), (false, false));
    assert_eq!(standing_at(None, start, None, at(0)), (false, true));
    assert_eq!(standing_at(None, None, start, at(-1)), (false, true));
    assert_eq!(standing_at(None, None, start, at(0)), (false, false));
}

#[test]
fn an_unreadable_time_is_not_stale_and_not_in_force() {
    for text in ["soon", "2026-12-31T23:59:60Z", "Oct 1 2026"] {
        assert_eq!(standing_at(Some(text), None, None, NOW), (false, true));
        assert_eq!(standing_at(None, Some(text), None, NOW), (false, false));
        assert_eq!(standing_at(None, None, Some(text), NOW), (false, false));
    }
}

/// The same time misses the schema of a node (`C005`) and that of a manifest (`M002`), which
/// makes the package invalid.
#[test]
fn a_time_without_offset_is_a_warning_in_a_node_and_an_error_in_the_manifest() {
    let time = "2026-10-01T00:00:00";
    let node = Package::new("https://example.com/t", "1.0.0")
        .node("a.md", &format!("stale_after: {time}"), "")
        .read_plainly();
    let codes = |r: &moca_reader::ReadResult| r.diagnostics.iter().map(|d| d.code).collect();
    let found: Vec<Code> = codes(&node);
    assert_eq!((found, node.valid), (vec![Code::FieldInvalid], true));

    let id = "https://example.com/t";
    let manifest = json!({ "id": id, "version": "1.0.0", "validFrom": time });
    let manifest = Package::with_manifest(manifest).node("a.md", "", "").read_plainly();
    let found: Vec<Code> = codes(&manifest);
    assert_eq!((found, manifest.valid), (vec![Code::ManifestSchema], false));
}
