//! The designs to choose from: few tables or long keys.
//!
//! A table costs memory, a short key costs comparisons. [`designs`] lists the layouts in which neither can
//! improve without the other getting worse, as the paper does for eight billion pages.
//!
//! Source: Manku, Jain and Das Sarma (2007), section 3.1, "Design parameters" and example 3.1.
//!
//! The layout of the tables screen, unless the user sets another, has as few tables as the documents allow: of random
//! fingerprints about 64 rows share the shortest key. Real fingerprints are skewed and make more candidates than this;
//! the screens show both numbers.

use super::{Layout, LayoutError, MAX_TABLES, binomial};

/// A layout that guarantees a distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// The number of tables.
    pub tables: u64,
    /// The number of bits of its shortest key.
    pub key_bits_min: u32,
    /// The number of blocks at each level, one or two levels; the keys have all but k of them.
    pub levels: Vec<u32>,
    width: u32,
    distance: u32,
}

impl Design {
    /// The layout of this design.
    ///
    /// # Errors
    /// Never in practice: every listed design can be built.
    pub fn layout(&self) -> Result<Layout, LayoutError> {
        match self.levels[..] {
            [outer, inner] => {
                let k = self.distance;
                Layout::two_level(self.width, outer, outer - k, inner, inner - k)
            }
            _ => Layout::for_distance(self.width, self.levels[0], self.distance),
        }
    }
}

/// The designs worth choosing from for fingerprints of `width` bits, distance `k` and 2^`log2_n` documents:
/// sorted by the number of tables, each with a longer shortest key than the one before.
///
/// Constructions of one and two levels with at most [`MAX_TABLES`] tables. Designs whose shortest key is longer
/// than `log2_n` bits are left out, because a probe with such a key already returns less than one row; the first
/// design is always listed. Empty if `k >= width`.
///
/// ```
/// let designs = simscope::index::designs(64, 3, 34.0);
/// let manku: Vec<_> = designs.iter().map(|design| (design.tables, design.key_bits_min)).collect();
/// assert_eq!(manku, [(4, 16), (10, 25), (16, 28), (20, 31)]);
/// ```
pub fn designs(width: u32, k: u32, log2_n: f64) -> Vec<Design> {
    let mut all = Vec::new();
    for outer in levels(width, k) {
        all.push(design(width, k, &[outer]));
        let rest = width - longest_key(width, outer, outer - k);
        all.extend(levels(rest, k).map(|inner| design(width, k, &[outer, inner])));
    }
    all.retain(|design| design.tables <= u64::from(MAX_TABLES));
    all.sort_by_key(|design| {
        (design.tables, std::cmp::Reverse(design.key_bits_min), design.levels.len())
    });
    let mut longest = None;
    all.retain(|design| {
        let is_longer = longest < Some(design.key_bits_min);
        longest = longest.max(Some(design.key_bits_min));
        is_longer
    });
    // This must come last: a key that is longer than needed is still better than a shorter one in more tables.
    let wanted = all.partition_point(|design| f64::from(design.key_bits_min) <= log2_n);
    all.truncate(wanted.max(1));
    all
}

/// The numbers of blocks to try: more than `k`, up to the limit on tables.
fn levels(width: u32, k: u32) -> impl Iterator<Item = u32> {
    let most = if k == 0 { width.min(1) } else { width };
    (k + 1..=most).take_while(move |&blocks| binomial(blocks, k) <= u128::from(MAX_TABLES))
}

fn design(width: u32, k: u32, levels: &[u32]) -> Design {
    let tables: u128 = levels.iter().map(|&blocks| binomial(blocks, k)).product();
    let key_bits_min = shortest_key(width, k, levels);
    let levels = levels.to_vec();
    Design { tables: tables as u64, key_bits_min, levels, width, distance: k }
}

/// The number of bits of the shortest key over all choices at all levels. A shorter outer key leaves more bits
/// for the inner key, so the shortest key does not always have the shortest outer key.
fn shortest_key(width: u32, k: u32, levels: &[u32]) -> u32 {
    let Some((&blocks, inner)) = levels.split_first() else {
        return 0;
    };
    let key = blocks - k;
    (narrowest(width, blocks, key)..=longest_key(width, blocks, key))
        .map(|outer| outer + shortest_key(width - outer, k, inner))
        .min()
        .expect("a key has at least one length")
}

/// The number of bits of the `key` narrowest of `blocks` blocks.
fn narrowest(width: u32, blocks: u32, key: u32) -> u32 {
    let n_narrow = blocks - width % blocks;
    width / blocks * key + key.saturating_sub(n_narrow)
}

/// The number of bits of the `key` widest of `blocks` blocks.
fn longest_key(width: u32, blocks: u32, key: u32) -> u32 {
    width / blocks * key + key.min(width % blocks)
}

/// The logarithm of the rows that may share a key by chance: to compare them costs as much as to sort a row into one
/// table more (0.4 and 16 ns, measured on two cores).
const LOG2_ROWS: f64 = 6.0;
/// The most tables of the default layout, unless k needs more.
const MOST_TABLES: u128 = 50;

/// The default layout of the tables screen: the fewest blocks that guarantee `k` with keys of which few random
/// fingerprints share one, or the most blocks with at most 50 tables.
///
/// If `k >= width`, no layout guarantees it; the result then guarantees the most possible, `width - 1`.
///
/// # Panics
/// If the width is not 1 to 128.
pub fn default_layout(n: usize, width: u32, k: u32) -> Layout {
    let k = k.min(width.saturating_sub(1));
    let wanted = (n.max(1) as f64).log2() - LOG2_ROWS;
    let is_short = |blocks: &u32| f64::from(narrowest(width, *blocks, blocks - k)) < wanted;
    let may_be = (k + 2..=width).take_while(|blocks| binomial(*blocks, k) <= MOST_TABLES);
    // More blocks never mean fewer tables.
    let blocks = may_be.fold(k + 1, |fewer, more| if is_short(&fewer) { more } else { fewer });
    Layout::for_distance(width, blocks, k).expect("a width of 1 to 128 bits has a layout")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(width: u32, k: u32, log2_n: f64) -> Vec<(u64, u32)> {
        let designs = designs(width, k, log2_n);
        designs.iter().map(|design| (design.tables, design.key_bits_min)).collect()
    }

    #[test]
    fn eight_billion_pages_have_manku_s_four_designs() {
        let designs = designs(64, 3, 34.0);
        let levels: Vec<&[u32]> = designs.iter().map(|design| &design.levels[..]).collect();
        assert_eq!(levels, [&[4][..], &[5], &[4, 4], &[6]]);
    }

    #[test]
    fn the_list_goes_on_for_more_documents_and_larger_distances() {
        let k3 = listed(64, 3, 64.0);
        assert!([(35, 36), (56, 40), (84, 42)].iter().all(|design| k3.contains(design)), "{k3:?}");
        assert!(!k3.contains(&(40, 34)), "two levels of 4 and 5 are worse than 7 blocks");
        let k6 = listed(64, 6, 64.0);
        for design in [(7, 9), (28, 16), (84, 21), (210, 24), (462, 28)] {
            assert!(k6.contains(&design), "{design:?} in {k6:?}");
        }
    }

    #[test]
    fn a_design_s_layout_is_what_it_says() {
        for (width, k) in [(64, 3), (64, 6), (64, 0), (37, 2), (128, 4), (9, 8), (1, 0)] {
            let designs = designs(width, k, 40.0);
            assert!(!designs.is_empty());
            for design in designs.iter().filter(|design| design.tables < 300) {
                let layout = design.layout().unwrap();
                let shortest = layout.tables().iter().map(|table| table.key_bits).min();
                assert!(layout.tables().len() as u64 <= design.tables);
                assert!(shortest >= Some(design.key_bits_min), "{design:?}");
                assert!(layout.guarantees(k));
            }
        }
        assert!(designs(8, 8, 20.0).is_empty());
    }

    #[test]
    fn the_screen_s_layout_guarantees_k_where_one_can() {
        for n in [0, 1000, 10_788, 1_000_000] {
            assert_eq!(default_layout(n, 64, 3).name(), "4c1k3");
        }
        for width in [1, 2, 9, 64, 90, 128] {
            for k in 0..=width {
                let layout = default_layout(100_000, width, k);
                assert!(layout.guarantees(k.min(width - 1)), "{width} bits, k={k}: {layout}");
            }
        }
    }

    #[test]
    fn more_documents_have_longer_keys_up_to_fifty_tables() {
        for (n, k, name) in [
            (10_000_000, 3, "5c2k3"),
            (58_000, 8, "10c2k8"),
            (10_000_000, 6, "8c2k6"),
            (58_000, 14, "15c1k14"),
            (1 << 40, 0, "1c1k0"),
        ] {
            assert_eq!(default_layout(n, 64, k).name(), name, "{n} documents, k = {k}");
        }
    }

    #[test]
    fn four_tables_of_16_bits_have_6_rows_a_query_at_100_000_fingerprints() {
        let layout = Layout::for_distance(64, 4, 3).unwrap();
        assert!((layout.expected_shared_tables() * 100_000.0 - 6.1).abs() < 0.01);
    }
}
