//! The layout of the tables screen, unless the user sets another: as few tables as the documents allow, of random
//! fingerprints about 64 rows share the shortest key. Real fingerprints are skewed and make more candidates than this;
//! the screens show both numbers.
//!
//! A table costs memory, a short key costs comparisons: Manku, Jain and Das Sarma (2007), section 3.1.

use super::{Layout, binomial};

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
    let is_short = |blocks: &u32| f64::from(shortest_key(width, *blocks, k)) < wanted;
    let may_be = (k + 2..=width).take_while(|blocks| binomial(*blocks, k) <= MOST_TABLES);
    // More blocks never mean fewer tables.
    let blocks = may_be.fold(k + 1, |fewer, more| if is_short(&fewer) { more } else { fewer });
    Layout::for_distance(width, blocks, k).expect("a width of 1 to 128 bits has a layout")
}

/// The number of bits of the shortest key: of all but k of the blocks, the narrowest.
fn shortest_key(width: u32, blocks: u32, k: u32) -> u32 {
    let key = blocks - k;
    width / blocks * key + key.saturating_sub(blocks - width % blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_key_is_that_of_the_layout() {
        for (width, blocks, k) in [(64, 4, 3), (64, 6, 3), (64, 9, 6), (37, 5, 2), (128, 7, 4)] {
            let layout = Layout::for_distance(width, blocks, k).unwrap();
            let shortest = layout.tables().iter().map(|table| table.key_bits).min();
            assert_eq!(shortest, Some(shortest_key(width, blocks, k)), "{layout}");
        }
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
