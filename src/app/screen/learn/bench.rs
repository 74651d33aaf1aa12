//! Bench: two curves over the cosine, and below them the pairs of the corpus that each setting finds.

use crate::{
    analysis::pair_cosines::SearchMethod,
    app::{query, resource::Resource, screen::tune::layouts::TAUS},
    choice::cycled,
    evaluate::confusion::Confusion,
    index::{Design, LayoutKind, designs},
};

/// Numbers of documents for which the price is computed: the last is that of Manku, Jain and Das Sarma.
const SIZES: [u64; 6] = [10_000, 100_000, 1_000_000, 10_000_000, 1_000_000_000, 1 << 34];
/// Rows of the table before and after the present setting.
const AROUND: i32 = 3;

/// A setting with the pairs it finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BenchRow {
    /// The setting.
    pub finder: SearchMethod,
    /// The pairs found and missed.
    pub found: Confusion,
    /// The true pairs that are found on average over all hashes, by formula.
    pub expected: f64,
}

/// The state of the Bench view.
#[derive(Debug)]
pub struct BenchState {
    /// Bands, M.
    pub bands: u32,
    /// Bits of a band, K.
    pub bits: u32,
    /// The largest distance of a pair that is found, if bands are not used.
    pub k: u32,
    /// Whether bands are used instead of the distance.
    pub is_banded: bool,
    /// The curve that stays for comparison.
    pub pinned: Option<SearchMethod>,
    /// The cosine from which a pair is true.
    pub tau: f64,
    /// Whether the axis is the chance that a bit agrees, in place of the cosine.
    pub is_over_bits: bool,
    /// The number of documents for which the price is computed.
    pub n: u64,
    /// The pairs of the corpus.
    pub pairs: Resource<query::AllPairCosines>,
    /// The present setting and those around it, with the inputs that they were counted for.
    pub rows: (Option<RowsFor>, Vec<BenchRow>),
}

/// The inputs of the rows.
pub type RowsFor = (SearchMethod, u64, usize, u32);

impl Default for BenchState {
    fn default() -> Self {
        Self {
            bands: 3,
            bits: 18,
            k: 3,
            is_banded: true,
            pinned: None,
            tau: 0.8,
            is_over_bits: false,
            n: 1_000_000,
            pairs: Resource::default(),
            rows: (None, Vec::new()),
        }
    }
}

impl BenchState {
    /// The setting of the shown curve.
    pub fn finder(&self) -> SearchMethod {
        if self.is_banded {
            SearchMethod::Bands { bands: self.bands, bits: self.bits }
        } else {
            SearchMethod::Within(self.k)
        }
    }

    /// The present setting and those with a few bits more or less, for fingerprints of `width` bits.
    pub fn around(&self, width: u32) -> Vec<SearchMethod> {
        let near = |value: u32, least: u32, most: u32| {
            (-AROUND..=AROUND)
                .filter_map(move |by| value.checked_add_signed(by))
                .filter(move |value| (least..=most).contains(value))
        };
        if self.is_banded {
            let most = (width / self.bands).max(1);
            near(self.bits, 1, most)
                .map(|bits| SearchMethod::Bands { bands: self.bands, bits })
                .collect()
        } else {
            near(self.k, 0, width).map(SearchMethod::Within).collect()
        }
    }

    /// The row of the present setting.
    pub fn row(&self) -> Option<&BenchRow> {
        self.rows.1.iter().find(|row| row.finder == self.finder())
    }

    /// The layout and the distance that restore this setting.
    pub fn kind(&self) -> (Option<LayoutKind>, Option<u32>) {
        if self.is_banded {
            (Some(LayoutKind::Bands { bands: self.bands, bits: self.bits }), None)
        } else {
            (Some(LayoutKind::Blocks { blocks: self.k + 1, key: 1 }), Some(self.k))
        }
    }

    /// Begins with a layout.
    pub fn show(&mut self, kind: LayoutKind, width: u32) {
        if let LayoutKind::Bands { bands, bits } = kind {
            (self.bands, self.bits, self.is_banded) = (bands, bits, true);
        } else {
            self.is_banded = false;
        }
        self.fit(width);
    }

    /// Changes the bits of a band, or k.
    pub fn sideways(&mut self, by: isize, width: u32) {
        let value = if self.is_banded { &mut self.bits } else { &mut self.k };
        *value = value.saturating_add_signed(by as i32);
        self.fit(width);
    }

    /// Changes the number of bands; if a fingerprint has no room for more, the bands get narrower.
    pub fn step(&mut self, by: isize, width: u32) {
        if self.is_banded {
            self.bands = self.bands.saturating_add_signed(by as i32).clamp(1, width);
            self.fit(width);
        }
    }

    /// Keeps the setting within fingerprints of `width` bits.
    fn fit(&mut self, width: u32) {
        self.bands = self.bands.clamp(1, width);
        self.bits = self.bits.clamp(1, (width / self.bands).max(1));
        self.k = self.k.min(width);
    }

    /// Keeps the present curve beside others, or drops the kept one.
    pub fn pin(&mut self) {
        let finder = self.finder();
        self.pinned = (self.pinned != Some(finder)).then_some(finder);
    }

    /// The next cosine from which a pair is true.
    pub fn next_tau(&mut self) {
        self.tau = cycled(&TAUS, self.tau, 1);
    }

    /// Changes the number of documents for the price.
    pub fn next_size(&mut self, by: isize) {
        self.n = cycled(&SIZES, self.n, by);
    }

    /// The layouts to choose from, which find every pair within k among this number of documents; empty if k is the
    /// width of a fingerprint.
    pub fn designs(&self, width: u32) -> Vec<Design> {
        designs(width, self.k, (self.n as f64).log2())
    }

    /// The mean number of rows that a query reads in a table with keys of this number of bits.
    pub fn rows_read(&self, key_bits: u32) -> f64 {
        self.n as f64 * (-f64::from(key_bits)).exp2()
    }
}

/// The chance of an equal bit at which the S-curve of the bands is about steepest: (1/M)^(1/K).
pub fn steepest(bands: u32, bits: u32) -> f64 {
    (1.0 / f64::from(bands)).powf(1.0 / f64::from(bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_list_is_that_of_the_paper() {
        let bench = BenchState { n: 1 << 34, k: 3, is_banded: false, ..BenchState::default() };
        let designs = bench.designs(64);
        let found: Vec<_> =
            designs.iter().map(|it| (it.tables, bench.rows_read(it.key_bits_min) as u64)).collect();
        assert_eq!(found, [(4, 262_144), (10, 512), (16, 64), (20, 8)]);
    }

    #[test]
    fn a_setting_never_leaves_the_fingerprint() {
        for width in [1, 8, 64, 128] {
            let mut bench = BenchState::default();
            for by in [-99, -1, 1, 5, 99] {
                bench.step(by, width);
                bench.sideways(by, width);
                assert!(bench.bands * bench.bits <= width, "{} {}", bench.bands, bench.bits);
                assert!(bench.around(width).contains(&bench.finder()));
                bench.is_banded ^= true;
                bench.sideways(by, width);
                assert!(bench.k <= width);
            }
        }
    }
}
