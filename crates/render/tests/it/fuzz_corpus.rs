//! The fuzz targets over their committed corpus: what a fuzzer once found stays found.

use std::fs;
use std::path::Path;

#[allow(
    unreachable_pub,
    clippy::allow_attributes,
    reason = "the targets are public in the fuzz crate"
)]
#[path = "../../fuzz/src/lib.rs"]
mod targets;

type Parse = fn(&[u8]);

#[test]
fn committed_corpus_runs_through_every_target() {
    let targets: [(&str, Parse); 2] = [("answer", targets::answer_html), ("text", targets::text)];
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in targets {
        let mut count = 0;
        for input in fs::read_dir(corpus.join(name)).unwrap() {
            target(&fs::read(input.unwrap().path()).unwrap());
            count += 1;
        }
        assert!(count > 0, "no input for {name}");
    }
}
