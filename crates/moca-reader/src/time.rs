//! Instants, and how a package may spell them (`facts/moca-reader §7.4`).

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(pub i64);

impl Instant {
    /// The instant a package's text names; `None` if no one instant can be told from it.
    ///
    /// Read are the forms of ISO 8601 that the reference Reader reads alike on every machine:
    /// a year, a month, a day (each its first instant in UTC), or a day with `T`, `t` or a space
    /// and a time with `Z`, `z`, `±HH:MM`, `±HHMM`. A time without an offset is taken as UTC,
    /// where the reference takes the time zone of its machine. Leap seconds, and everything else
    /// that some program may understand as a date, are not read.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let year = take_year(&mut rest)?;
        let month = if take(&mut rest, b"-") { take_digits(&mut rest, 2)? } else { 1 };
        let has_day = text.len() - rest.len() >= "YYYY-MM".len() && take(&mut rest, b"-");
        let day = if has_day { take_digits(&mut rest, 2)? } else { 1 };
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        // A 30 February rolls over into March, as in the reference.
        let days = days_since_1970(year, month) + day - 1;
        let mut millis = days * 86_400_000;
        if has_day && take(&mut rest, b"Tt ") {
            millis += take_time(&mut rest)?;
        }
        rest.is_empty().then_some(Self(millis))
    }
}

/// Milliseconds from midnight UTC, the offset taken off.
fn take_time(rest: &mut &str) -> Option<i64> {
    let hour = take_digits(rest, 2)?;
    let minute = if take(rest, b":") { take_digits(rest, 2)? } else { return None };
    let mut millis = (hour * 60 + minute) * 60_000;
    let mut past_minute = 0;
    if take(rest, b":") {
        let second = take_digits(rest, 2)?;
        past_minute = second * 1000 + take_fraction(rest)?;
        if second > 59 {
            return None;
        }
    }
    millis += past_minute;
    if minute > 59 || hour > 24 || (hour == 24 && millis > 86_400_000) {
        return None;
    }
    Some(millis - take_offset(rest)?)
}

/// Milliseconds of a fraction of a second; what is finer is cut off. No fraction is 0.
fn take_fraction(rest: &mut &str) -> Option<i64> {
    if !take(rest, b".") {
        return Some(0);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (fraction, behind) = rest.split_at(digits);
    *rest = behind;
    let padded: String = fraction.chars().chain("00".chars()).take(3).collect();
    if fraction.is_empty() { None } else { padded.parse().ok() }
}

/// Milliseconds of an offset, positive east of Greenwich.
fn take_offset(rest: &mut &str) -> Option<i64> {
    let sign = match rest.bytes().next() {
        None => return Some(0),
        Some(b'Z' | b'z') => {
            *rest = &rest[1..];
            return Some(0);
        }
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return None,
    };
    *rest = &rest[1..];
    let hours = take_digits(rest, 2)?;
    take(rest, b":");
    let minutes = take_digits(rest, 2)?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000)
}

/// Four digits, or a sign and six (`+002026`).
fn take_year(rest: &mut &str) -> Option<i64> {
    let sign = match rest.bytes().next() {
        Some(b'+') => 1,
        Some(b'-') => -1,
        _ => return take_digits(rest, 4),
    };
    *rest = &rest[1..];
    let year = sign * take_digits(rest, 6)?;
    // ECMAScript dates end before the year 275761; "-000000" is no year.
    (year.abs() <= 275_000 && !(sign < 0 && year == 0)).then_some(year)
}

fn take(rest: &mut &str, any_of: &[u8]) -> bool {
    let found = rest.bytes().next().is_some_and(|b| any_of.contains(&b));
    if found {
        *rest = &rest[1..];
    }
    found
}

fn take_digits(rest: &mut &str, count: usize) -> Option<i64> {
    let digits = rest.get(..count)?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    *rest = &rest[count..];
    digits.parse().ok()
}

/// Days from 1970-01-01 to the first of a month of the proleptic Gregorian calendar.
fn days_since_1970(year: i64, month: i64) -> i64 {
    // Years that begin in March put the leap day last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * month + 2) / 5;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// JSON Schema format `date`: a day that is in the calendar.
pub fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(i, b)| match i {
            4 | 7 => *b == b'-',
            _ => b.is_ascii_digit(),
        });
    if !shaped {
        return false;
    }
    let number = |digits: &[u8]| digits.iter().fold(0, |n, d| n * 10 + i64::from(d - b'0'));
    let (year, month, day) = (number(&bytes[..4]), number(&bytes[5..7]), number(&bytes[8..]));
    (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    let (next_year, next_month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    days_since_1970(next_year, next_month) - days_since_1970(year, month)
}

/// JSON Schema format `date-time` as the reference's schema library reads it: a date, one `T`,
/// `t` or white space, a time with seconds and a zone (`Z`, `±HH`, `±HHMM`, `±HH:MM`); second 60
/// only at the end of a UTC day (`facts/moca-reader §1.2`).
pub fn is_date_time(text: &str) -> bool {
    let separator = |c: char| matches!(c, 'T' | 't') || crate::schema::is_js_space(c);
    let mut parts = text.split(separator);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(date), Some(time), None) => is_date(date) && is_zoned_time(time),
        _ => false,
    }
}

fn is_zoned_time(time: &str) -> bool {
    parse_zoned_time(time).is_some_and(|(hour, minute, second, sign, zone_hour, zone_minute)| {
        if zone_hour > 23 || zone_minute > 59 {
            return false;
        }
        if hour <= 23 && minute <= 59 && second < 60 {
            return true;
        }
        let utc_minute = minute - zone_minute * sign;
        let utc_hour = hour - zone_hour * sign - i64::from(utc_minute < 0);
        second == 60 && matches!(utc_hour, 23 | -1) && matches!(utc_minute, 59 | -1)
    })
}

type ZonedTime = (i64, i64, i64, i64, i64, i64);

fn parse_zoned_time(time: &str) -> Option<ZonedTime> {
    let mut rest = time;
    let hour = take_digits(&mut rest, 2)?;
    let minute = if take(&mut rest, b":") { take_digits(&mut rest, 2)? } else { return None };
    let second = if take(&mut rest, b":") { take_digits(&mut rest, 2)? } else { return None };
    take_fraction(&mut rest)?;
    if take(&mut rest, b"Zz") {
        return rest.is_empty().then_some((hour, minute, second, 1, 0, 0));
    }
    let sign = if rest.starts_with('-') { -1 } else { 1 };
    if !take(&mut rest, b"+-") {
        return None;
    }
    let zone_hour = take_digits(&mut rest, 2)?;
    let mut zone_minute = 0;
    if !rest.is_empty() {
        take(&mut rest, b":");
        zone_minute = take_digits(&mut rest, 2)?;
    }
    rest.is_empty().then_some((hour, minute, second, sign, zone_hour, zone_minute))
}
