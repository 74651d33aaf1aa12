//! Helpers that several test modules share.

use proptest::test_runner::Config;

/// Made fingerprints to search, those of the benchmarks.
#[expect(dead_code, reason = "the benchmarks use more of it")]
pub(crate) mod data;
pub(crate) mod fingerprints;

/// As many property cases as usual here, or as `PROPTEST_CASES` asks for.
pub(crate) fn cases(usual: u32) -> Config {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    Config { cases: asked.unwrap_or(usual), ..Config::default() }
}
