//! When something happened, as far as a recording says (facts/agui §1.1).

use agui::frame::Arrival;
use archive::Instant;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

/// Where a time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// An event's `timestamp`.
    Stated,
    /// The recorder noted when it arrived.
    Received,
}

impl From {
    /// The word as stored.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Received => "received",
        }
    }
}

/// An instant with its origin: what the event states, else when it arrived. `began` is when the connection began.
pub(crate) fn when(
    timestamp: Option<&str>,
    arrival: Option<&Arrival>,
    began: Option<&str>,
) -> Option<(Instant, From)> {
    let stated = timestamp.and_then(read).map(|at| (at, From::Stated));
    stated.or_else(|| received(arrival, began).map(|at| (at, From::Received)))
}

/// When it arrived, in absolute time.
pub(crate) fn received(arrival: Option<&Arrival>, began: Option<&str>) -> Option<Instant> {
    match arrival? {
        Arrival::UnixMillis(millis) => millis.checked_mul(1000).map(Instant),
        Arrival::Text(text) => read(text),
        Arrival::OffsetMillis(offset) => {
            let began = read(began?)?;
            #[allow(
                clippy::cast_possible_truncation,
                reason = "`as` saturates, and a sum out of range is refused"
            )]
            let micros = (offset * 1000.0) as i64;
            began.0.checked_add(micros).map(Instant)
        }
    }
}

/// Reads a time as recordings spell it: RFC 3339 text, or a number whose unit is told by its size.
pub(crate) fn read(spelt: &str) -> Option<Instant> {
    let text = spelt.trim().trim_matches('"');
    if let Ok(at) = OffsetDateTime::parse(text, &Rfc3339) {
        return i64::try_from(at.unix_timestamp_nanos() / 1000).ok().map(Instant);
    }
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    // Smaller numbers count from some start that nobody stated (facts/agui §1.1).
    let micros = match number.abs() {
        size if size >= 1e17 => number / 1e3,
        size if size >= 1e14 => number,
        size if size >= 1e11 => number * 1e3,
        size if size >= 1e8 => number * 1e6,
        _ => return None,
    };
    #[allow(
        clippy::cast_possible_truncation,
        reason = "`as` saturates; the year 9999 is far below its end"
    )]
    Some(Instant(micros.round() as i64))
}

/// Writes an instant as RFC 3339 in UTC.
pub(crate) fn rfc3339(at: Instant) -> String {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1000)
        .ok()
        .and_then(|at| at.format(&Rfc3339).ok())
        // Only instants beyond the year 9999 have no RFC 3339 form.
        .unwrap_or_else(|| format!("{} µs after 1970-01-01T00:00:00Z", at.0))
}

/// Now, as the archive keeps it.
pub(crate) fn instant(at: OffsetDateTime) -> Instant {
    Instant(i64::try_from(at.unix_timestamp_nanos() / 1000).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_by_size() {
        let at = Instant(1_788_250_000_000_000);
        for spelt in [
            "1788250000000",
            "1788250000",
            "1788250000000000",
            "1788250000000000000",
            "1788250000.0",
        ] {
            assert_eq!(read(spelt), Some(at), "{spelt}");
        }
        assert_eq!(read("\"2026-09-01T10:06:40+02:00\""), read("2026-09-01T08:06:40Z"));
        assert_eq!(read("12"), None);
        assert_eq!(read("soon"), None);
        assert_eq!(read("1e999"), None);
    }

    #[test]
    fn arrival_counts_from_the_connection() {
        let at = received(Some(&Arrival::OffsetMillis(12.5)), Some("2026-09-01T10:00:00Z"));
        assert_eq!(at.map(rfc3339).as_deref(), Some("2026-09-01T10:00:00.0125Z"));
        assert_eq!(received(Some(&Arrival::OffsetMillis(12.5)), None), None);
    }
}
