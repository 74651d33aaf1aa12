#![no_main]

#[allow(dead_code, reason = "each target calls one of them")]
#[path = "../../parsers/mod.rs"]
mod parsers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| parsers::answer(bytes));
