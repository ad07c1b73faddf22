//! One figure of the table, and the line that tells it.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::rounds::Cost;

/// What is measured against what, and how it should turn out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) against: &'static str,
    pub(crate) goal: f64,
    pub(crate) stretch: Option<f64>,
}

/// Which figures are wanted, and of which size.
pub(crate) struct Figures<'a> {
    size: &'a str,
    wanted: &'a [String],
}

impl<'a> Figures<'a> {
    pub(crate) fn new(size: &'a str, wanted: &'a [String]) -> Self {
        Self { size, wanted }
    }

    /// Whether any of these is to be measured; all are when none was named.
    pub(crate) fn want(&self, any: &[&Figure]) -> bool {
        let named = |figure: &Figure, wanted: &str| {
            figure
                .name
                .strip_prefix(wanted)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        self.wanted.is_empty()
            || any.iter().any(|figure| self.wanted.iter().any(|wanted| named(figure, wanted)))
    }

    /// Tells the ratios of two sides that were measured in the same rounds: by the clock on the wall, which is what
    /// counts, and by processor time, which other work on the machine disturbs less.
    pub(crate) fn tell_pair(&self, figure: &Figure, ours: &[Cost], theirs: &[Cost]) {
        let ratios = |of: fn(&Cost) -> f64| -> Vec<f64> {
            ours.iter().zip(theirs).map(|(ours, theirs)| of(ours) / of(theirs)).collect()
        };
        let seconds =
            |side: &[Cost]| spread(&side.iter().map(|cost| cost.wall).collect::<Vec<_>>());
        let mut told = self.told(figure, &ratios(|cost| cost.wall));
        told["seconds"] = seconds(ours);
        told["seconds_against"] = seconds(theirs);
        if theirs.iter().all(Cost::is_counted) {
            told["processor"] = spread(&ratios(|cost| cost.processor));
        }
        self.print(figure, &told);
    }

    /// Tells values that are what they are.
    pub(crate) fn tell(&self, figure: &Figure, values: &[f64]) {
        self.print(figure, &self.told(figure, values));
    }

    /// Says why a figure is not there.
    pub(crate) fn skip(&self, figure: &Figure, why: &str) {
        self.print(figure, &json!({ "figure": figure.name, "size": self.size, "not_run": why }));
    }

    fn told(&self, figure: &Figure, values: &[f64]) -> Value {
        let mut told = json!({
            "figure": figure.name, "size": self.size, "what": figure.what, "against": figure.against,
            "goal": figure.goal, "stretch": figure.stretch, "rounds": values.len(),
        });
        let kept = spread(values);
        for key in ["median", "min", "max"] {
            told[key] = kept[key].clone();
        }
        told
    }

    fn print(&self, figure: &Figure, line: &Value) {
        if self.want(&[figure]) {
            writeln!(io::stdout(), "{line}").expect("standard output takes a line");
        }
    }
}

fn spread(values: &[f64]) -> Value {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
    json!({ "median": round(sorted[sorted.len() / 2]), "min": round(sorted[0]), "max": round(sorted[sorted.len() - 1]) })
}
