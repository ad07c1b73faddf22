#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| moca_reader_fuzz::trust_root(data));
