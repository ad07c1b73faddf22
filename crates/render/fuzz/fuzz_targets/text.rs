#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| render_fuzz::text(data));
