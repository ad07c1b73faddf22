//! What must hold for any bytes. One function a fuzz target; the tests of the crate run the same
//! functions over the committed corpus.

use moca::standing::{Basis, Check, CheckOutcome, Standing, standing};
use moca::{StatedTime, event, record};

/// The value of a citation event.
pub fn citations(data: &[u8]) {
    let Ok(value) = std::str::from_utf8(data) else { return };
    let parsed = event::parse(value);
    assert_eq!(event::parse(value), parsed);
    assert_eq!(parsed.event.content_sha256().len(), 64);
    if parsed.event.state_id() == "empty" {
        assert!(parsed.event.citations().is_empty());
    }
    for citation in parsed.event.citations() {
        judge(&citation.record);
    }
}

/// A citation record.
pub fn record(data: &[u8]) {
    let Ok(raw) = std::str::from_utf8(data) else { return };
    let read = record::read(raw);
    assert_eq!(read.reading.raw(), raw);
    assert_eq!(read.reading.valid().is_none(), matches!(read.reading, record::Reading::Invalid(_)));
    judge(&read.reading);
}

/// What is invalid is never shown as anything else, whatever it rests on.
fn judge(reading: &record::Reading) {
    let Some(now) = StatedTime::parse("2026-10-01T00:00:00Z").instant() else { return };
    let service = Basis::Service { computed_at: None, received_at: None, imported_at: Some(now) };
    let check = Basis::Check(Check {
        reader: "r".to_owned(),
        version: "1".to_owned(),
        at: now,
        outcome: CheckOutcome::SameBytes,
    });
    for basis in [service, check] {
        let standing = standing(reading, &basis, now);
        let shown_as_invalid = matches!(standing, Standing::Invalid(_));
        assert_eq!(reading.valid().is_none(), shown_as_invalid);
        let _ = standing.worst();
    }
}
