//! Generated corpora: rows with a fingerprint each, or with a short text each, some nearly alike.

use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// One row in so many is nearly the row of an earlier document.
const ONE_IN: u64 = 50;
/// Words of a text.
const WORDS: u64 = 24;
/// Words there are.
const VOCABULARY: u64 = 4000;

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// Writes `n` rows of an id and a 64-bit fingerprint; planted ones differ from another in 0 to 8 bits.
pub(super) fn fingerprints(path: &Path, n: u64) -> Result<()> {
    let mut random = Random(1);
    let mut values: Vec<u64> = Vec::new();
    let mut file = BufWriter::new(File::create(path)?);
    for number in 0..n {
        let value = if number > 0 && random.below(ONE_IN) == 0 {
            let original = values[random.below(number) as usize];
            (0..random.below(9)).fold(original, |value, _| value ^ 1 << random.below(64))
        } else {
            random.next()
        };
        values.push(value);
        writeln!(file, "{{\"id\":\"doc-{number:07}\",\"fingerprint\":\"{value:016x}\"}}")?;
    }
    file.flush()
}

/// Writes `n` rows of an id and a text; planted ones differ from another in one word.
pub(super) fn texts(path: &Path, n: u64) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let mut random = Random(2);
    for number in 0..n {
        let planted = number > 0 && random.below(ONE_IN) == 0;
        // A text follows from its seed alone, so that it need not be kept to be copied.
        let seed = if planted { random.below(number) } else { number };
        let changed = if planted { random.below(WORDS) } else { WORDS };
        let mut words = Random(seed << 20);
        write!(file, "{{\"id\":\"doc-{number:07}\",\"text\":\"")?;
        for place in 0..WORDS {
            let word = words.below(VOCABULARY) + u64::from(place == changed);
            write!(file, "{}w{word:x}", if place == 0 { "" } else { " " })?;
        }
        writeln!(file, "\"}}")?;
    }
    file.flush()
}
