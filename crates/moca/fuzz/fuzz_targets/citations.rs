#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moca_fuzz::citations(data));
