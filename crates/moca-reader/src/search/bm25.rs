//! BM25 ranking (`facts/moca-reader §9.2`).

use std::collections::HashMap;

/// Saturation of a term's frequency.
const K1: f64 = 1.2;
/// Weight of a document's length.
const B: f64 = 0.75;

/// Texts counted once, ranked many times.
#[derive(Clone, Debug, Default)]
pub(super) struct Corpus {
    vocabulary: HashMap<String, u32>,
    documents: Vec<Document>,
}

#[derive(Clone, Debug)]
struct Document {
    /// Term and frequency, sorted by term.
    terms: Vec<(u32, u32)>,
    /// Words.
    length: u32,
}

impl Corpus {
    /// Adds a text; documents are numbered from 0.
    pub(super) fn add(&mut self, text: &str) {
        let mut frequencies: HashMap<u32, u32> = HashMap::new();
        let mut length = 0;
        for word in words(text) {
            let next = u32::try_from(self.vocabulary.len()).unwrap_or(u32::MAX);
            let term = *self.vocabulary.entry(word).or_insert(next);
            *frequencies.entry(term).or_default() += 1;
            length += 1;
        }
        let mut terms: Vec<_> = frequencies.into_iter().collect();
        terms.sort_unstable();
        self.documents.push(Document { terms, length });
    }

    /// Scores the documents `among`, as if there were no others; those with a score, unordered.
    pub(super) fn rank(&self, query: &str, among: &[usize]) -> Vec<(usize, f64)> {
        let mut terms: Vec<u32> = Vec::new();
        for word in words(query) {
            if let Some(&term) = self.vocabulary.get(&word)
                && !terms.contains(&term)
            {
                terms.push(term);
            }
        }
        let documents = || among.iter().map(|&n| (n, &self.documents[n]));
        let count = among.len() as f64;
        let total: u64 = documents().map(|(_, d)| u64::from(d.length)).sum();
        #[allow(clippy::cast_precision_loss)]
        let average = if total == 0 { 1.0 } else { total as f64 / count };
        let weights: Vec<(u32, f64)> = terms
            .into_iter()
            .map(|term| {
                let with_term = documents().filter(|(_, d)| d.frequency(term) > 0).count() as f64;
                (term, (1.0 + (count - with_term + 0.5) / (with_term + 0.5)).ln())
            })
            .collect();
        let score = |document: &Document| {
            let length = B * f64::from(document.length) / average;
            let parts = weights.iter().map(|&(term, weight)| {
                let frequency = f64::from(document.frequency(term));
                weight * (frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + length)))
            });
            parts.sum()
        };
        documents()
            .map(|(n, document)| (n, round(score(document))))
            .filter(|&(_, score)| score > 0.0)
            .collect()
    }
}

impl Document {
    fn frequency(&self, term: u32) -> u32 {
        match self.terms.binary_search_by_key(&term, |&(t, _)| t) {
            Ok(at) => self.terms[at].1,
            Err(_) => 0,
        }
    }
}

/// Four decimals.
pub(super) fn round(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}

/// Runs of letters and digits, lower-cased.
///
/// `char::is_alphanumeric` takes vowel signs of Indic scripts for letters, where the reference
/// Reader's pattern would cut words at them.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let words: Vec<String> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::{Corpus, words};

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        let found: Vec<_> = words("Ünder-30 days, §5\u{301}").collect();
        assert_eq!(found, ["ünder", "30", "days", "5"]);
    }

    #[test]
    fn rarer_words_and_shorter_texts_score_higher() {
        let mut corpus = Corpus::default();
        for text in
            ["refund refund window", "refund of a very long and winding text", "other words"]
        {
            corpus.add(text);
        }
        let mut ranked = corpus.rank("Refund, refund!", &[0, 1, 2]);
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        assert_eq!(ranked.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [0, 1]);
        // ln(1 + 1.5/2.5) · 2·2.2 / (2 + 1.2·(0.25 + 0.75·3/(13/3)))
        assert_eq!(ranked[0].1, 0.7075);
        assert!(corpus.rank("absent", &[0, 1, 2]).is_empty());
        assert!(corpus.rank("refund", &[]).is_empty());
    }
}
