//! R40: all combinations of trust values, reviews, outcomes, ages and integrity, and what must hold for each of them.

use moca::Instant;
use moca::StatedTime;
use moca::standing::{
    AsOf, AsOfTime, Basis, Check, CheckOutcome, CurrencyKind, ForecastKind, IntegrityKind,
    ReadStanding, ReviewKind, Standing, Tone, Whom, standing, strip,
};
use serde_json::{Value, json};

use crate::shared::{at, read, with};

const NOW: &str = "2026-12-01T00:00:00Z";
/// Dates long past, between the answer and now, ahead, absent, unreadable.
const DATES: [Option<&str>; 5] =
    [Some("2026-01-01"), Some("2026-11-01T00:00:00Z"), Some("2027-02-14"), None, Some("soon")];

fn bases() -> Vec<Basis> {
    let service = |computed: Option<&str>| Basis::Service {
        computed_at: computed.map(StatedTime::parse),
        received_at: None,
        imported_at: Some(at("2026-11-30T00:00:00Z")),
    };
    let check = |outcome| {
        Basis::Check(Check {
            reader: "built-in Reader".to_owned(),
            version: "0.1.0".to_owned(),
            at: at("2026-11-20T00:00:00Z"),
            outcome,
        })
    };
    vec![
        service(Some("2026-10-01T08:00:00+02:00")),
        service(Some("2026-11-15T08:00:00Z")),
        service(Some("2026-10-01T08:00:00")),
        service(Some("2026-10-01")),
        service(Some("some day")),
        service(Some("2099-01-01T00:00:00Z")),
        service(None),
        check(CheckOutcome::SameBytes),
        check(CheckOutcome::DifferentBytes {
            held: moca::Digest::parse(&format!("sha256:{}", "0".repeat(64))).expect("a digest"),
        }),
        check(CheckOutcome::NotHeld),
        check(CheckOutcome::CouldNotCheck { reason: "the file is damaged".to_owned() }),
    ]
}

/// Flags, dates and integrity in all combinations; reviews rotate so that each meets each.
fn records() -> Vec<Value> {
    let reviews = ["none", "accurate", "needs-change", "inaccurate", "excellent"];
    let mut records = Vec::new();
    let mut turn = 0;
    for status in ["stable", "draft", "deprecated"] {
        for flags in 0..16_u8 {
            for stale_after in DATES {
                for (from, until) in [
                    (None, None),
                    (DATES[0], DATES[2]),
                    (DATES[0], DATES[1]),
                    (DATES[0], DATES[0]),
                    (DATES[1], None),
                    (DATES[2], None),
                    (DATES[4], None),
                    (None, DATES[4]),
                    (DATES[4], DATES[0]),
                ] {
                    let mut record = with(&[
                        ("/trust/status", json!(status)),
                        ("/trust/stale", json!(flags & 1 != 0)),
                        ("/trust/inForce", json!(flags & 2 == 0)),
                        ("/trust/superseded", json!(flags & 4 != 0)),
                        ("/trust/contested", json!(flags & 8 != 0)),
                    ]);
                    for (name, date) in
                        [("staleAfter", stale_after), ("validFrom", from), ("validUntil", until)]
                    {
                        if let Some(date) = date {
                            record["trust"][name] = json!(date);
                        }
                    }
                    let outcome = reviews[turn % reviews.len()];
                    if outcome != "none" {
                        let signer = if turn % 7 == 0 { "" } else { "Harbour reviewers" };
                        record["trust"]["attestedReviews"] = json!([{ "reviewer": "human:m.lindqvist",
                            "reviewedAt": "2026-08-14", "outcome": outcome, "signer": signer }]);
                    }
                    if turn % 3 == 0 {
                        record["trust"]["declaredVerified"] = json!([{ "by": "human:t.oja" }]);
                    }
                    match turn % 11 {
                        0 => record["package"]["signed"] = json!(false),
                        1 => record["package"]["signers"] = json!([]),
                        2 => {
                            record["package"]["signed"] = json!(false);
                            record["package"]["signers"] = json!([]);
                        }
                        3 => record["node"]["id"] = json!("https://elsewhere.example#x.md"),
                        4 => {
                            record["trust"]["supersededBy"] =
                                json!(["https://bikes.example/handbook@4.0.0"]);
                        }
                        5 => {
                            record["trust"]["contestedBy"] =
                                json!(["a@1", "b@1", "c@1", "d@1", "e@1", "f@1"]);
                        }
                        _ => {}
                    }
                    records.push(record);
                    turn += 1;
                }
            }
        }
    }
    records
}

fn each(mut look: impl FnMut(&Value, &Basis, &Standing)) {
    let now = at(NOW);
    let mut seen = 0;
    let bases = bases();
    for record in records() {
        let reading = read(&record);
        for basis in &bases {
            look(&record, basis, &standing(&reading, basis, now));
            seen += 1;
        }
    }
    assert_eq!(seen, 3 * 16 * 5 * 9 * 11);
}

fn all_as_of(standing: &ReadStanding) -> Vec<(&AsOf, &str)> {
    let mut all = vec![(&standing.integrity.as_of, standing.integrity.line.as_str())];
    all.extend(standing.currency.iter().map(|s| (&s.as_of, s.line.as_str())));
    all.extend(standing.forecast.iter().map(|s| (&s.as_of, s.line.as_str())));
    all.extend(standing.reviews.iter().map(|s| (&s.as_of, s.line.as_str())));
    all.extend(standing.declared.iter().map(|s| (&s.as_of, s.line.as_str())));
    all.push((&standing.worst.as_of, standing.worst.line.as_str()));
    all
}

#[test]
fn a_declared_verification_is_never_an_attested_review() {
    each(|record, _, standing| {
        let Standing::Read(read) = standing else { return };
        let attested = record["trust"]["attestedReviews"].as_array().map_or(0, Vec::len);
        let declared = record["trust"]["declaredVerified"].as_array().map_or(0, Vec::len);
        assert!(read.reviews.len() <= attested && read.declared.len() <= declared);
        for declared in &read.declared {
            assert_eq!(declared.badge, "Declared, not checked");
        }
        for review in &read.reviews {
            assert!(review.badge.starts_with("Attested review: "));
            let approves = review.kind == ReviewKind::Accurate;
            assert!(approves || review.tone >= Tone::Unknown, "{review:?}");
        }
    });
}

#[test]
fn no_bad_flag_is_hidden_by_a_good_one() {
    each(|record, basis, standing| {
        let Standing::Read(read) = standing else { return };
        let kinds: Vec<_> = read.currency.iter().map(|s| s.kind).collect();
        let speaks = !kinds.contains(&CurrencyKind::CouldNotCheck);
        let trust = &record["trust"];
        let has = |kind| kinds.contains(&kind);
        let out =
            [CurrencyKind::NotInForce, CurrencyKind::NotYetInForce, CurrencyKind::NoLongerInForce];
        if speaks {
            assert_eq!(has(CurrencyKind::Stale), trust["stale"] == true);
            assert_eq!(out.iter().any(|kind| has(*kind)), trust["inForce"] == false);
            assert!(has(CurrencyKind::Superseded) || trust["superseded"] == false);
            assert!(has(CurrencyKind::Superseded) || trust["supersededBy"].is_null());
            assert!(
                has(CurrencyKind::Contested)
                    || (trust["contested"] == false && trust["contestedBy"].is_null())
            );
            assert_eq!(has(CurrencyKind::Draft), trust["status"] == "draft");
            assert_eq!(has(CurrencyKind::Deprecated), trust["status"] == "deprecated");
        } else {
            assert!(matches!(basis, Basis::Check(_)));
            assert_eq!(kinds, [CurrencyKind::CouldNotCheck]);
        }
        // The worst first, the worst in the strip, and nothing drawn as good beside it.
        assert!(read.currency.is_sorted_by(|a, b| a.tone >= b.tone || a.tone <= Tone::Neutral));
        let tones = || {
            let currency = read.currency.iter().map(|s| s.tone);
            let forecast = read.forecast.iter().map(|s| s.tone);
            currency.chain(forecast).chain(read.reviews.iter().map(|s| s.tone))
        };
        let worst = tones().chain([read.integrity.tone]).filter(|t| *t > Tone::Neutral).max();
        if let Some(worst) = worst {
            assert_eq!(read.worst.tone, worst);
        }
        if tones().any(|tone| tone >= Tone::Caution) {
            assert!(read.currency.iter().all(|s| s.tone != Tone::Good));
        }
        if read.worst.word == "in force, not stale" {
            assert!(tones().all(|tone| tone <= Tone::Neutral));
            assert_eq!(kinds, [CurrencyKind::InForceNotStale]);
        }
    });
}

#[test]
fn dates_of_the_record_that_have_passed_are_told_whatever_the_flag_says() {
    let now = at(NOW);
    let instant = |value: &Value| value.as_str().and_then(|text| StatedTime::parse(text).instant());
    each(|record, _, standing| {
        let Standing::Read(read) = standing else { return };
        let trust = &record["trust"];
        let told_stale = read.currency.iter().any(|s| s.kind == CurrencyKind::Stale)
            || read
                .forecast
                .iter()
                .any(|s| matches!(s.kind, ForecastKind::Stale | ForecastKind::StaleWhenAnswered));
        if instant(&trust["staleAfter"]).is_some_and(|after| now >= after) {
            assert!(told_stale, "{record}");
        }
        let over = instant(&trust["validUntil"]).is_some_and(|until| now >= until);
        let early = instant(&trust["validFrom"]).is_some_and(|from| now < from);
        if over || early {
            let told = read.currency.iter().any(|s| {
                matches!(s.kind, CurrencyKind::NotYetInForce | CurrencyKind::NoLongerInForce)
            }) || read.forecast.iter().any(|s| {
                matches!(
                    s.kind,
                    ForecastKind::NotYetInForce
                        | ForecastKind::NoLongerInForce
                        | ForecastKind::OutOfForceWhenAnswered
                )
            });
            assert!(told, "{record}");
        }
        if trust["staleAfter"] == "soon" {
            assert!(read.forecast.iter().any(|s| s.kind == ForecastKind::StaleDateUnreadable));
        }
        // What the dates say now is never said in the name of a Reader.
        assert!(read.forecast.iter().all(|s| s.as_of.by == Whom::OwnDates));
        assert!(read.forecast.iter().all(|s| s.tone != Tone::Good));
    });
}

#[test]
fn a_flag_and_its_contrary_by_the_dates_are_both_shown_with_their_times() {
    each(|_, _, standing| {
        let Standing::Read(read) = standing else { return };
        let flag = |kind| read.currency.iter().any(|s| s.kind == kind);
        for state in &read.forecast {
            let against = match state.kind {
                ForecastKind::NotStale => "stale",
                ForecastKind::InForce => "not in force",
                ForecastKind::StaleWhenAnswered => "not stale",
                ForecastKind::OutOfForceWhenAnswered => "in force",
                _ => continue,
            };
            let detail = state.detail.as_deref().unwrap_or_default();
            assert!(detail.starts_with(&format!("Flag of the record: {against} · ")), "{detail}");
            assert!(detail.ends_with(&read.as_of.line), "{detail}");
            assert!(read.as_of.line != state.as_of.line);
        }
        if read.forecast.iter().any(|s| s.kind == ForecastKind::NotStale) {
            assert!(flag(CurrencyKind::Stale));
        }
    });
}

#[test]
fn failed_integrity_hides_everything_else() {
    let mut failed = 0;
    each(|record, basis, standing| {
        let contradicts = record["node"]["id"] == "https://elsewhere.example#x.md";
        let differs = matches!(
            basis,
            Basis::Check(Check { outcome: CheckOutcome::DifferentBytes { .. }, .. })
        );
        match standing {
            Standing::Failed(standing) => {
                failed += 1;
                assert!(contradicts || differs);
                let kind = if contradicts {
                    IntegrityKind::Contradiction
                } else {
                    IntegrityKind::DigestDiffers
                };
                assert_eq!((standing.integrity.kind, standing.integrity.tone), (kind, Tone::Bad));
                let json = serde_json::to_value(Standing::Failed(standing.clone())).expect("JSON");
                let members: Vec<_> =
                    json.as_object().expect("an object").keys().map(String::as_str).collect();
                assert_eq!(members, ["asOf", "integrity", "state", "worst"]);
            }
            Standing::Read(_) => assert!(!contradicts && !differs),
            Standing::Invalid(_) => panic!("all records of the table are valid"),
        }
    });
    assert!(failed > 2_000, "{failed}");
}

#[test]
fn unknown_is_never_drawn_as_good() {
    each(|_, basis, standing| {
        let Standing::Read(read) = standing else { return };
        let known = match basis {
            Basis::Service { computed_at: Some(t), .. } => {
                t.text().ends_with("+02:00") || t.text() == "2026-11-15T08:00:00Z"
            }
            Basis::Service { .. } => false,
            Basis::Check(check) => check.outcome == CheckOutcome::SameBytes,
        };
        let mut tones = vec![read.integrity.tone, read.worst.tone];
        tones.extend(read.currency.iter().map(|s| s.tone));
        tones.extend(read.forecast.iter().map(|s| s.tone));
        tones.extend(read.reviews.iter().map(|s| s.tone));
        assert!(known || tones.iter().all(|tone| *tone != Tone::Good));
        let integrity = &read.integrity;
        if matches!(integrity.kind, IntegrityKind::CouldNotCheck | IntegrityKind::SignedByUnnamed) {
            assert_eq!(integrity.tone, Tone::Unknown);
        }
        for review in &read.reviews {
            assert!(review.kind != ReviewKind::UnknownOutcome || review.tone == Tone::Unknown);
            assert!(!review.sentence.contains("signer is not named") || review.tone != Tone::Good);
        }
    });
}

#[test]
fn every_state_carries_its_time_and_its_speaker() {
    each(|_, basis, standing| {
        let Standing::Read(read) = standing else { return };
        for (as_of, line) in all_as_of(read) {
            assert!(line.ends_with(&as_of.line), "{line}");
            assert!(as_of.line.contains(" · by "), "{line}");
            match (&as_of.by, &as_of.time) {
                (Whom::OwnDates, AsOfTime::Known { at: known }) => assert_eq!(*known, at(NOW)),
                (Whom::Check { .. }, AsOfTime::Known { at: known }) => {
                    assert_eq!(*known, at("2026-11-20T00:00:00Z"));
                }
                (Whom::Service, AsOfTime::NotStated) => {
                    assert!(line.contains("the service did not say when"));
                    assert!(line.ends_with("imported 30 Nov 2026, 00:00:00 UTC"));
                }
                (Whom::Service, AsOfTime::Unusable { .. }) => {
                    assert!(line.contains("as of an unknown time"), "{line}");
                }
                (
                    Whom::Service,
                    AsOfTime::Stated { text, .. } | AsOfTime::Uncertain { text, .. },
                ) => {
                    let Basis::Service { computed_at: Some(stated), .. } = basis else {
                        panic!("{basis:?}")
                    };
                    assert_eq!(text, stated.text());
                }
                other => panic!("{other:?}"),
            }
        }
    });
}

#[test]
fn a_strip_counts_every_source_and_puts_the_worst_first() {
    let reading = read(&with(&[]));
    let stale = read(&with(&[("/trust/stale", json!(true))]));
    let invalid = read(&json!({}));
    let basis = &bases()[0];
    let of = |reading| standing(reading, basis, at(NOW));
    let all = [of(&reading), of(&stale), of(&invalid), of(&reading)];
    let rolled = strip(&all);
    assert_eq!(rolled.sources, 4);
    assert_eq!(
        rolled.sentence,
        "4 sources: 1 with an invalid record · 1 stale · 2 in force, not stale"
    );
    assert!(rolled.parts.is_sorted_by(|a, b| a.tone >= b.tone));
    assert_eq!(rolled.line, "as of 1 Oct 2026, 08:00:00 +02:00 · by the service’s Reader");
    let later = standing(&reading, &bases()[1], at(NOW));
    let several = strip([&all[0], &later]);
    let moment = |standing: &Standing| {
        let line = standing.as_of().line.strip_prefix("as of ").unwrap().to_owned();
        line.split(" · ").next().unwrap().to_owned()
    };
    for time in [moment(&all[0]), moment(&later)] {
        assert!(several.line.contains(&time), "{} lacks {time}", several.line);
    }
    assert_eq!(strip([&all[0]]).sentence, "1 source: 1 in force, not stale");
    let none = strip([]);
    assert_eq!((none.sources, none.sentence.as_str(), none.line.as_str()), (0, "No sources.", ""));
}

#[test]
fn a_strip_tells_the_first_and_the_last_time_of_flags_alike() {
    let of = |computed: &str| {
        let basis = Basis::Service {
            computed_at: Some(StatedTime::parse(computed)),
            received_at: None,
            imported_at: Some(at(NOW)),
        };
        standing(&read(&with(&[])), &basis, at(NOW))
    };
    let all = ["2026-09-02T08:00:00Z", "2026-09-03T08:00:00Z", "2026-09-01T08:00:00Z"].map(of);
    let rolled = strip(&all);
    assert_eq!(rolled.sentence, "3 sources: 3 in force, not stale");
    assert_eq!(
        rolled.line,
        "as of 1 Sep 2026, 08:00:00 UTC to 3 Sep 2026, 08:00:00 UTC · by the service’s Reader"
    );
}

#[test]
fn a_time_of_computing_after_reception_is_no_time() {
    let basis = |received: Option<Instant>| Basis::Service {
        computed_at: Some(StatedTime::parse("2026-10-01T08:00:00Z")),
        received_at: received,
        imported_at: None,
    };
    let reading = read(&with(&[]));
    let early = standing(&reading, &basis(Some(at("2026-09-01T00:00:00Z"))), at(NOW));
    assert!(matches!(early.as_of().time, AsOfTime::Unusable { .. }));
    assert!(early.as_of().line.ends_with("received 1 Sep 2026, 00:00:00 UTC"));
    assert_eq!(early.worst().word, "at an unknown time");
    let right = standing(&reading, &basis(Some(at("2026-10-01T08:00:01Z"))), at(NOW));
    assert_eq!(right.worst().word, "in force, not stale");
}
