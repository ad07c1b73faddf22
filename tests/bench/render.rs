//! P12: an answer as HTML.

use std::{hint::black_box, time::Instant};

use recite_tests::generate::Random;
use render::{Marker, Markers};

use crate::{
    Size,
    figure::{Figure, Figures},
};

const P12: Figure = Figure {
    name: "P12",
    what: "render::answer of 2 kB, 99th percentile",
    against: "ammonia::clean of its HTML, 99th percentile",
    goal: 1.5,
    stretch: None,
};

/// Answers of a round.
const ANSWERS: usize = 500;

/// Times that each is measured, of which the fastest counts: what the answer costs, not what else the machine did.
const TIMES: usize = 5;

/// Bytes of an answer, about.
const ANSWER_BYTES: usize = 2000;

const WORDS: &[&str] = &[
    "deposit",
    "is",
    "returned",
    "within",
    "**fourteen days**",
    "of",
    "the",
    "*last* ride",
    "unless",
    "a",
    "helmet",
    "or",
    "`lock-7`",
    "was",
    "damaged",
    "see",
    "[the terms](https://example.com/terms)",
    "and",
    "[1]",
    "[2]",
    "für",
];

pub(crate) fn measure(size: Size, figures: &Figures<'_>) {
    if !figures.want(&[&P12]) {
        return;
    }
    let markers = Markers::new((1..=3).map(|citation| Marker {
        citation,
        texts: vec![
            format!("[{citation}]"),
            format!("https://example.com/kb@1.0.0#content/node-{citation}.md"),
        ],
    }));
    let mut random = Random::new(12);
    let answers: Vec<String> = (0..ANSWERS).map(|_| answer(&mut random)).collect();
    let cleaned: Vec<String> = answers.iter().map(|answer| render::record_text(answer)).collect();
    let ratios: Vec<f64> = (0..size.rounds)
        .map(|round| {
            let ours =
                || percentile(&answers, |answer| drop(black_box(render::answer(answer, &markers))));
            let theirs = || percentile(&cleaned, |html| drop(black_box(ammonia::clean(html))));
            if round % 2 == 0 {
                let ours = ours();
                ours / theirs()
            } else {
                let theirs = theirs();
                ours() / theirs
            }
        })
        .collect();
    figures.tell(&P12, &ratios);
}

fn percentile(of: &[String], cost: impl Fn(&str)) -> f64 {
    let mut seconds: Vec<f64> = of
        .iter()
        .map(|text| {
            let times = (0..TIMES).map(|_| {
                let begun = Instant::now();
                cost(text);
                begun.elapsed().as_secs_f64()
            });
            times.fold(f64::INFINITY, f64::min)
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() * 99 / 100]
}

fn answer(random: &mut Random) -> String {
    let mut text = String::from("## Your deposit\n\n");
    while text.len() < ANSWER_BYTES {
        let list = random.below(3) == 0;
        for _ in 0..1 + random.below(4) {
            text.push_str(if list { "- " } else { "" });
            let words: Vec<&str> = (0..6 + random.below(12)).map(|_| *random.of(WORDS)).collect();
            text.push_str(&words.join(" "));
            text.push_str(".\n");
        }
        text.push('\n');
    }
    text
}
