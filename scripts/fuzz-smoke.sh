#!/usr/bin/env bash
# Runs every fuzz target of every crate for a short while, from its committed corpus.
#
#   scripts/fuzz-smoke.sh [seconds per target, 30] [crate/target …]
#
# The targets are in cargo-fuzz's layout (crates/*/fuzz); this script needs no cargo-fuzz. Coverage
# and the address sanitiser are unstable compiler flags, hence RUSTC_BOOTSTRAP. Inputs that fail are
# left in crates/*/fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-30}
shift || true
only=("$@")
host=$(rustc -vV | sed -n 's/^host: //p')
target_dir=${CARGO_TARGET_DIR:-$PWD/target}/fuzz
failed=0

for manifest in crates/*/fuzz/Cargo.toml; do
    fuzz=$(dirname "$manifest")
    crate=$(basename "$(dirname "$fuzz")")
    if [ ${#only[@]} -gt 0 ] && [[ " ${only[*]}" != *" $crate/"* ]]; then
        continue
    fi
    echo "== $crate: building"
    RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$target_dir RUSTFLAGS="--cfg fuzzing \
        -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Ccodegen-units=1" \
        cargo build --quiet --release --manifest-path "$manifest" --target "$host"
    for source in "$fuzz"/fuzz_targets/*.rs; do
        name=$(basename "$source" .rs)
        if [ ${#only[@]} -gt 0 ] && [[ " ${only[*]} " != *" $crate/$name "* ]]; then
            continue
        fi
        scratch=$(mktemp -d)
        mkdir -p "$fuzz/artifacts/$name"
        echo "== $crate/$name: $seconds s"
        # New inputs go to the scratch folder: the committed corpus stays as it is.
        if ! ASAN_OPTIONS=detect_leaks=0 "$target_dir/$host/release/$name" \
            -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
            -print_final_stats=1 -artifact_prefix="$fuzz/artifacts/$name/" \
            "$scratch" "$fuzz/corpus/$name" >"$scratch.log" 2>&1; then
            echo "!! $crate/$name failed:"
            tail -n 40 "$scratch.log"
            failed=1
        fi
        grep -E "number_of_executed_units|peak_rss_mb" "$scratch.log" || true
        rm -rf "$scratch" "$scratch.log"
    done
done
exit "$failed"
