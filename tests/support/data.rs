//! Made fingerprints to search: the two kinds that engines are compared on, and what hurts them.
//!
//! *Uniform*: random values; one in a hundred is a copy of another with 0 to 6 bits flipped.
//! *Topics*: what a corpus makes. A thousand random templates, chosen by Zipf's law, each bit flipped
//! with probability 0.2; then one value in twenty belongs to a cluster of 2 to 100 near-duplicates. The
//! first topic has 13 % of all values, and 16-bit blocks collide a hundred times more than chance.
//!
//! Everything comes from a seed, the same on every machine, 10 million values in seconds. Values fill
//! the word: 64 bits as `u64`, 128 as `u128`.

use std::iter::repeat_with;

use simscope::simhash::Bits;

/// Topics of a corpus.
const N_TOPICS: usize = 1000;
/// Probability that a bit differs from its topic's, in 1/65536.
const NOISE: u32 = 13_107;
/// Members of the largest cluster of near-duplicates.
const MAX_CLUSTER: usize = 100;

/// The kinds of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Random values, some near copies.
    Uniform,
    /// Topic templates and clusters: skewed blocks.
    Topics,
}

impl Kind {
    /// Both of them.
    pub(crate) const ALL: [Self; 2] = [Self::Uniform, Self::Topics];

    /// The word for tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Topics => "skewed",
        }
    }

    /// `n` values of this kind; the same ones each time.
    pub(crate) fn values<B: Bits>(self, n: usize) -> Vec<B> {
        match self {
            Self::Uniform => uniform(n),
            Self::Topics => topics(n),
        }
    }
}

/// A small generator with 64 bits of state: Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators" (2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub u64);

impl Random {
    /// The next 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        scramble(self.0)
    }

    /// A number below `n`, all but equally likely.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// A random fingerprint.
    pub(crate) fn value<B: Bits>(&mut self) -> B {
        B::from_wide(u128::from(self.next()) | u128::from(self.next()) << 64)
    }

    /// A word with `n` random bits set.
    pub(crate) fn bits<B: Bits>(&mut self, n: usize) -> B {
        let mut bits = 0_u128;
        while bits.count_ones() < n as u32 {
            bits |= 1 << self.below(B::CAPACITY as usize);
        }
        B::from_wide(bits)
    }

    /// A word whose bits are set with probability [`NOISE`], by its binary digits from the last.
    fn noise<B: Bits>(&mut self) -> B {
        let mut bits = 0_u128;
        for place in 0..16 {
            let random: u128 = self.value();
            bits = if NOISE >> place & 1 == 1 { bits | random } else { bits & random };
        }
        B::from_wide(bits)
    }
}

/// `SplitMix64`'s finisher: a bijection under which similar numbers become dissimilar.
pub(crate) fn scramble(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

/// Random values; `n / 100` places hold a copy of another with 0 to 6 bits flipped.
pub(crate) fn uniform<B: Bits>(n: usize) -> Vec<B> {
    let mut random = Random(1);
    let mut values: Vec<B> = repeat_with(|| random.value()).take(n).collect();
    for _ in 0..n / 100 {
        let original = values[random.below(n)];
        let n_flips = random.below(7);
        values[random.below(n)] = original ^ random.bits(n_flips);
    }
    values
}

/// Noisy topic templates; `n / 20` places hold clusters, members 0 to 3 bits from a value there was.
pub(crate) fn topics<B: Bits>(n: usize) -> Vec<B> {
    let mut random = Random(2);
    let templates: Vec<B> = repeat_with(|| random.value()).take(N_TOPICS).collect();
    let topic = Cumulative::new((1..=N_TOPICS).map(|rank| 1.0 / rank as f64));
    let mut values: Vec<B> =
        repeat_with(|| templates[topic.draw(&mut random)] ^ random.noise()).take(n).collect();
    let size = Cumulative::new((2..=MAX_CLUSTER).map(|size| (size as f64).powi(-2)));
    let mut left = n / 20;
    while left > 0 {
        let centre = values[random.below(n)];
        let members = left.min(size.draw(&mut random) + 2);
        for _ in 0..members {
            let n_flips = random.below(4);
            values[random.below(n)] = centre ^ random.bits(n_flips);
        }
        left -= members;
    }
    values
}

/// Each one or two bits from the same centre: documents that differ in a word.
pub(crate) fn ball(n: usize) -> Vec<u64> {
    let mut random = Random(3);
    let centre = random.next();
    (0..n).map(|i| centre ^ random.bits::<u64>(1 + i % 2)).collect()
}

/// Each one bit from the next, never the same bit twice running.
pub(crate) fn chain(n: usize) -> Vec<u64> {
    let mut random = Random(4);
    let (mut value, mut bit) = (random.next(), 0);
    repeat_with(|| {
        bit = (bit + 1 + random.below(63)) % 64;
        value ^= 1 << bit;
        value
    })
    .take(n)
    .collect()
}

/// Random but for their first 16 bits, which are the same: one bucket of one block.
pub(crate) fn bucket(n: usize) -> Vec<u64> {
    let mut random = Random(5);
    repeat_with(|| 0xabcd << 48 | random.next() >> 16).take(n).collect()
}

/// Places drawn with given weights.
struct Cumulative(Vec<f64>);

impl Cumulative {
    fn new(weights: impl Iterator<Item = f64>) -> Self {
        let mut total = 0.0;
        Self(
            weights
                .map(|weight| {
                    total += weight;
                    total
                })
                .collect(),
        )
    }

    fn draw(&self, random: &mut Random) -> usize {
        let total = self.0.last().expect("something to draw from");
        let point = random.next() as f64 / 2_f64.powi(64) * total;
        self.0.partition_point(|&sum| sum <= point).min(self.0.len() - 1)
    }
}
