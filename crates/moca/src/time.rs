//! Instants and stated times: what a record or event says about time, kept as text beside what it means.

use std::fmt;

use serde::{Serialize, Serializer};
use time::{Date, Month, OffsetDateTime};

/// A point in time, in nanoseconds since 1970-01-01T00:00:00Z without leap seconds.
///
/// Wide enough for every RFC 3339 text: year 9999 at offset −23:59 lies in year 10000 of UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(i128);

impl Instant {
    /// From nanoseconds since 1970 in UTC.
    #[must_use]
    pub const fn from_unix_nanos(nanos: i128) -> Self {
        Self(nanos)
    }

    /// From milliseconds since 1970 in UTC, as AG-UI `timestamp` has them.
    #[must_use]
    pub const fn from_unix_millis(millis: i64) -> Self {
        Self(millis as i128 * NANOS_PER_MILLI)
    }

    /// The instant so many milliseconds later; stays where it is at the end of time.
    #[must_use]
    pub const fn plus(self, millis: i64) -> Self {
        Self(self.0.saturating_add(millis as i128 * NANOS_PER_MILLI))
    }

    /// Nanoseconds since 1970 in UTC.
    #[must_use]
    pub const fn unix_nanos(self) -> i128 {
        self.0
    }

    /// Milliseconds since 1970 in UTC, rounded down: the column of an archive.
    ///
    /// Saturates outside the range of `i64`, which no RFC 3339 text reaches.
    #[must_use]
    pub fn unix_millis(self) -> i64 {
        let millis = self.0.div_euclid(NANOS_PER_MILLI);
        i64::try_from(millis).unwrap_or(if millis < 0 { i64::MIN } else { i64::MAX })
    }

    /// As a date-time in UTC; `None` outside the years that `time` knows (±9999).
    #[must_use]
    pub fn to_utc(self) -> Option<OffsetDateTime> {
        OffsetDateTime::from_unix_timestamp_nanos(self.0).ok()
    }

    /// `14 Feb 2027` in UTC.
    #[must_use]
    pub fn day(self) -> String {
        self.to_utc().map_or_else(beyond, |t| day_of(t.date()))
    }

    /// `14 Feb 2027, 09:30:00 UTC`.
    #[must_use]
    pub fn moment(self) -> String {
        self.to_utc().map_or_else(beyond, |t| moment_of(t, "UTC"))
    }

    /// `2027-02-14T09:30:00.125Z`: RFC 3339 in UTC, with as many decimals as there are (0, 3, 6 or 9).
    #[must_use]
    pub fn rfc3339(self) -> String {
        let Some(t) = self.to_utc() else { return beyond() };
        let nanos = t.nanosecond();
        let fraction = match nanos {
            0 => String::new(),
            n if n % 1_000_000 == 0 => format!(".{:03}", n / 1_000_000),
            n if n % 1_000 == 0 => format!(".{:06}", n / 1_000),
            n => format!(".{n:09}"),
        };
        let (y, mo, d) = (t.year(), u8::from(t.month()), t.day());
        let (h, mi, s) = t.to_hms();
        format!("{y:04}-{mo:02}-{d:02}T{h:02}:{mi:02}:{s:02}{fraction}Z")
    }
}

impl From<OffsetDateTime> for Instant {
    fn from(at: OffsetDateTime) -> Self {
        Self(at.unix_timestamp_nanos())
    }
}

#[cfg(feature = "ts")]
#[doc(hidden)]
mod ts {
    use super::Instant;

    /// On the wire an instant is its RFC 3339 text.
    impl ts_rs::TS for Instant {
        type WithoutGenerics = Self;
        type OptionInnerType = Self;

        fn name(_: &ts_rs::Config) -> String {
            "string".to_owned()
        }

        fn inline(_: &ts_rs::Config) -> String {
            "string".to_owned()
        }
    }
}

impl Serialize for Instant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.rfc3339())
    }
}

/// How far the service's clock may run ahead of the receiver's before `computedAt` counts as in the future:
/// two machines that keep time over the network differ by less.
pub const CLOCK_SKEW_MILLIS: i64 = 60_000;

const NANOS_PER_MILLI: i128 = 1_000_000;
const NANOS_PER_SECOND: i128 = 1_000_000_000;

fn beyond() -> String {
    "beyond the year 9999".to_owned()
}

/// A time as a record or event states it: the text, and what it could be read as (`facts/moca-reader §7.4`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StatedTime {
    text: String,
    reading: TimeReading,
}

/// What the text of a [`StatedTime`] could be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TimeReading {
    /// RFC 3339 date-time with an offset.
    Exact {
        /// The instant meant.
        at: Instant,
        /// Minutes east of UTC.
        offset_minutes: i16,
    },
    /// `YYYY-MM-DD`, which MOCA reads as midnight UTC of that day.
    DateOnly {
        /// Midnight UTC.
        at: Instant,
    },
    /// A date-time without an offset: read as UTC, and to be shown as uncertain.
    NoOffset {
        /// The instant if the text is in UTC.
        at: Instant,
    },
    /// Neither; nothing can be said of it.
    Unreadable,
}

impl StatedTime {
    /// Reads a text. Never fails: an unreadable one is kept as such.
    pub fn parse(text: impl Into<String>) -> Self {
        let text = text.into();
        let reading = read(&text).unwrap_or(TimeReading::Unreadable);
        Self { text, reading }
    }

    /// The text as received.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it could be read as.
    #[must_use]
    pub fn reading(&self) -> TimeReading {
        self.reading
    }

    /// The instant, for comparison; an offset-less time as UTC, `None` when unreadable.
    #[must_use]
    pub fn instant(&self) -> Option<Instant> {
        match self.reading {
            TimeReading::Exact { at, .. }
            | TimeReading::DateOnly { at }
            | TimeReading::NoOffset { at } => Some(at),
            TimeReading::Unreadable => None,
        }
    }

    /// `14 Feb 2027` in the offset of the text, the day its author wrote; `None` when unreadable.
    #[must_use]
    pub fn day(&self) -> Option<String> {
        let local = self.local()?;
        Some(local.to_utc().map_or_else(beyond, |t| day_of(t.date())))
    }

    /// `14 Feb 2027, 09:30:00 +02:00` in the offset of the text; a date only as the day; `None` when unreadable.
    #[must_use]
    pub fn moment(&self) -> Option<String> {
        let zone = match self.reading {
            TimeReading::Exact { offset_minutes: 0, .. } => "UTC".to_owned(),
            TimeReading::Exact { offset_minutes, .. } => {
                let (sign, m) = (if offset_minutes < 0 { '-' } else { '+' }, offset_minutes.abs());
                format!("{sign}{:02}:{:02}", m / 60, m % 60)
            }
            TimeReading::NoOffset { .. } => "(no offset stated, read as UTC)".to_owned(),
            TimeReading::DateOnly { .. } => return self.day(),
            TimeReading::Unreadable => return None,
        };
        Some(self.local()?.to_utc().map_or_else(beyond, |t| moment_of(t, &zone)))
    }

    /// The instant shifted so that its UTC fields are the local fields of the text.
    fn local(&self) -> Option<Instant> {
        let shift = match self.reading {
            TimeReading::Exact { offset_minutes, .. } => i128::from(offset_minutes) * 60,
            _ => 0,
        };
        self.instant().map(|at| Instant(at.0 + shift * NANOS_PER_SECOND))
    }
}

impl fmt::Display for StatedTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

fn day_of(date: Date) -> String {
    let month = MONTHS[usize::from(u8::from(date.month())) - 1];
    format!("{} {month} {:04}", date.day(), date.year())
}

fn moment_of(t: OffsetDateTime, zone: &str) -> String {
    let (h, m, s) = t.to_hms();
    format!("{}, {h:02}:{m:02}:{s:02} {zone}", day_of(t.date()))
}

/// RFC 3339 `date-time` (`T` and `Z` in either case, a blank for `T`), the same without offset, or a full date.
fn read(text: &str) -> Option<TimeReading> {
    let bytes = text.as_bytes();
    if !text.is_ascii() || bytes.len() < 10 {
        return None;
    }
    let (date, rest) = text.split_at(10);
    let days = days_since_1970(date)?;
    if rest.is_empty() {
        return Some(TimeReading::DateOnly { at: Instant(days * 86_400 * NANOS_PER_SECOND) });
    }
    let clock = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, offset) = split_offset(clock)?;
    let (seconds, nanos, leap) = clock_of(clock)?;
    let minutes = offset.unwrap_or(0);
    let utc = days * 86_400 + seconds - i128::from(minutes) * 60;
    if leap && !starts_half_year(utc + 1) {
        return None;
    }
    let at = Instant((utc + i128::from(leap)) * NANOS_PER_SECOND + if leap { 0 } else { nanos });
    Some(match offset {
        Some(offset_minutes) => TimeReading::Exact { at, offset_minutes },
        None => TimeReading::NoOffset { at },
    })
}

/// A leap second exists only as 23:59:60 UTC on 30 June or 31 December (RFC 3339, appendix D); it is read as the start
/// of the next day. `seconds` is that start, since 1970.
fn starts_half_year(seconds: i128) -> bool {
    let start = Instant(seconds * NANOS_PER_SECOND).to_utc();
    start.is_some_and(|t| {
        t.to_hms() == (0, 0, 0) && t.day() == 1 && matches!(t.month(), Month::January | Month::July)
    })
}

fn days_since_1970(date: &str) -> Option<i128> {
    let b = date.as_bytes();
    if b[4] != b'-' || b[7] != b'-' {
        return None;
    }
    let (year, month, day) = (number(&b[..4])?, number(&b[5..7])?, number(&b[8..10])?);
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()?;
    Some(i128::from(date.to_julian_day() - UNIX_EPOCH_JULIAN_DAY))
}

const UNIX_EPOCH_JULIAN_DAY: i32 = 2_440_588;

/// Splits `09:30:00+02:00` into the clock and its offset in minutes.
fn split_offset(clock: &str) -> Option<(&str, Option<i16>)> {
    if let Some(clock) = clock.strip_suffix(['Z', 'z']) {
        return Some((clock, Some(0)));
    }
    let Some(at) = clock.rfind(['+', '-']) else { return Some((clock, None)) };
    let (clock, zone) = clock.split_at(at);
    let b = zone.as_bytes();
    if b.len() != 6 || b[3] != b':' {
        return None;
    }
    let (hours, minutes) = (number(&b[1..3])?, number(&b[4..6])?);
    if hours > 23 || minutes > 59 {
        return None;
    }
    let total = i16::try_from(hours * 60 + minutes).ok()?;
    Some((clock, Some(if b[0] == b'-' { -total } else { total })))
}

/// Seconds of the day, nanoseconds, and whether the text names second 60 (then the seconds are those of :59).
fn clock_of(clock: &str) -> Option<(i128, i128, bool)> {
    let b = clock.as_bytes();
    if b.len() < 8 || b[2] != b':' || b[5] != b':' {
        return None;
    }
    let (h, m, s) = (number(&b[..2])?, number(&b[3..5])?, number(&b[6..8])?);
    if h > 23 || m > 59 || s > 60 {
        return None;
    }
    let nanos = match &b[8..] {
        [] => 0,
        [b'.', digits @ ..] if !digits.is_empty() => {
            // Decimals beyond the ninth are below the resolution of any clock in use and are cut.
            let mut nanos = i128::from(number(&digits[..digits.len().min(9)])?);
            number_all_digits(digits)?;
            for _ in digits.len()..9 {
                nanos *= 10;
            }
            nanos
        }
        _ => return None,
    };
    let leap = s == 60;
    Some((i128::from(h * 3600 + m * 60 + s - i32::from(leap)), nanos, leap))
}

fn number(digits: &[u8]) -> Option<i32> {
    number_all_digits(digits)?;
    Some(digits.iter().fold(0, |n, d| n * 10 + i32::from(d - b'0')))
}

fn number_all_digits(digits: &[u8]) -> Option<()> {
    digits.iter().all(u8::is_ascii_digit).then_some(())
}
