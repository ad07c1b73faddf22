//! Node refs, digests and stated times mean what the facts say, and unreadable ones say so.

use moca::time::TimeReading;
use moca::{Digest, Instant, NodePath, NodeRef, PackageId, StatedTime, Version};

#[test]
fn a_node_ref_is_split_at_the_last_hash_and_the_last_at_before_it() {
    let node_ref =
        NodeRef::parse("https://user@host.example/a#b@1.0.0#c/d.md").expect("a reference");
    assert_eq!(node_ref.package_id(), "https://user@host.example/a#b");
    assert_eq!(node_ref.version(), "1.0.0");
    assert_eq!(node_ref.path(), "c/d.md");
    for bad in ["", "#", "a@1#", "@1#p", "a@#p", "a#p", "a@1", "a#p@1"] {
        assert!(NodeRef::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn a_rebuilt_ref_reads_back_as_its_parts_or_is_refused() {
    let build = |id: &str, version: &str, path: &str| {
        NodeRef::from_parts(&PackageId::new(id), &Version::new(version), &NodePath::new(path))
    };
    assert_eq!(build("urn:a", "1", "p.md").expect("a reference").as_str(), "urn:a@1#p.md");
    assert!(build("urn:a", "1", "p#q.md").is_err());
    assert!(build("urn:a", "1@2", "p.md").is_err());
    assert!(build("urn:a", "", "p.md").is_err());
}

#[test]
fn a_digest_is_lower_case_and_whole() {
    let good = format!("sha256:{}", "0af9".repeat(16));
    let digest = Digest::parse(&good).expect("a digest");
    assert_eq!((digest.as_str(), digest.hex()), (good.as_str(), &good[7..]));
    for bad in [
        good.to_uppercase(),
        good.replace("0a", "0A"),
        good[..70].to_owned(),
        format!("{good}0"),
        good[7..].to_owned(),
    ] {
        assert!(Digest::parse(&bad).is_err(), "{bad}");
    }
}

fn utc(text: &str) -> Option<String> {
    StatedTime::parse(text).instant().map(Instant::rfc3339)
}

#[test]
fn readable_times_mean_one_instant() {
    for (text, expected) in [
        ("2026-08-14", "2026-08-14T00:00:00Z"),
        ("2026-08-14T09:30:00Z", "2026-08-14T09:30:00Z"),
        ("2026-08-14t09:30:00z", "2026-08-14T09:30:00Z"),
        ("2026-08-14 09:30:00+02:00", "2026-08-14T07:30:00Z"),
        ("2026-08-14T09:30:00-00:00", "2026-08-14T09:30:00Z"),
        ("2026-08-14T00:00:00+23:59", "2026-08-13T00:01:00Z"),
        ("2026-08-14T23:59:59-23:59", "2026-08-15T23:58:59Z"),
        ("2026-08-14T09:30:00.1Z", "2026-08-14T09:30:00.100Z"),
        ("2026-08-14T09:30:00.123456789123Z", "2026-08-14T09:30:00.123456789Z"),
        ("2026-08-14T09:30:00.000120Z", "2026-08-14T09:30:00.000120Z"),
        ("2026-08-14T09:30:00", "2026-08-14T09:30:00Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
        ("0000-01-01", "0000-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        // Second 60 exists at the end of June and December in UTC, and only there.
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2017-01-01T01:59:60.5+02:00", "2017-01-01T00:00:00Z"),
    ] {
        assert_eq!(utc(text).as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn unreadable_times_stay_text() {
    for text in [
        "",
        "2026",
        "2026-08",
        "Aug 14 2026",
        "2026-02-30",
        "2026-13-01",
        "2026-00-10",
        "2026-08-14T",
        "2026-08-14T09:30Z",
        "2026-08-14T24:00:00Z",
        "2026-08-14T09:60:00Z",
        "2026-08-14T09:30:61Z",
        "2026-08-14T09:30:60Z",
        "2026-08-14T23:59:60Z",
        "2026-12-31T23:59:60+02:00",
        "2026-08-14T09:30:00.Z",
        "2026-08-14T09:30:00+24:00",
        "2026-08-14T09:30:00+02:60",
        "2026-08-14T09:30:00+0200",
        "2026-08-14T09:30:00+2:00",
        "2026-08-14X09:30:00Z",
        "2026/08/14",
        "20260814",
        " 2026-08-14",
        "2026-08-14 ",
        "+026-08-14",
        "２０２６-08-14",
        "2026-08-14T09:30:00.1x9Z",
        "2026-08-14T09.30.00Z",
        "2026-08-1a",
        "202a-08-14",
    ] {
        let stated = StatedTime::parse(text);
        assert_eq!(stated.reading(), TimeReading::Unreadable, "{text}");
        assert_eq!((stated.text(), stated.instant()), (text, None));
        assert_eq!((stated.day(), stated.moment()), (None, None));
    }
}

#[test]
fn a_missing_offset_is_flagged_and_a_stated_one_is_kept() {
    let kinds = ["2026-08-14T09:30:00", "2026-08-14", "2026-08-14T23:30:00-05:30"]
        .map(|text| (StatedTime::parse(text).reading(), StatedTime::parse(text).moment()));
    assert!(matches!(kinds[0].0, TimeReading::NoOffset { .. }));
    assert_eq!(
        kinds[0].1.as_deref(),
        Some("14 Aug 2026, 09:30:00 (no offset stated, read as UTC)")
    );
    assert!(matches!(kinds[1].0, TimeReading::DateOnly { .. }));
    assert_eq!(kinds[1].1.as_deref(), Some("14 Aug 2026"));
    assert!(matches!(kinds[2].0, TimeReading::Exact { offset_minutes: -330, .. }));
    // The day and hour that its author wrote, not those of UTC.
    assert_eq!(kinds[2].1.as_deref(), Some("14 Aug 2026, 23:30:00 -05:30"));
}

#[test]
fn the_last_day_of_year_9999_far_west_lies_after_it_in_utc() {
    let west = StatedTime::parse("9999-12-31T23:59:59-23:59");
    let east = StatedTime::parse("9999-12-31T23:59:59+23:59");
    assert!(west.instant() > east.instant());
    assert_eq!(west.day().as_deref(), Some("31 Dec 9999"));
    assert_eq!(west.instant().map(Instant::rfc3339).as_deref(), Some("beyond the year 9999"));
}

#[test]
fn instants_count_in_milliseconds_both_ways() {
    let at = Instant::from_unix_millis(-1);
    assert_eq!(at.rfc3339(), "1969-12-31T23:59:59.999Z");
    assert_eq!(at.unix_millis(), -1);
    assert_eq!(Instant::from_unix_nanos(-1).unix_millis(), -1);
    assert_eq!(at.plus(1).unix_nanos(), 0);
    assert_eq!(Instant::from_unix_nanos(i128::MAX).unix_millis(), i64::MAX);
    assert_eq!(Instant::from_unix_nanos(i128::MIN).unix_millis(), i64::MIN);
}
