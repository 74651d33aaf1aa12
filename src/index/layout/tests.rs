//! Layouts of the literature, their guarantees, and what is refused.

use super::*;

const README_XOR: u128 = 0x4bbb_22fb_bc29_d9b5 ^ 0x4bbb_62fb_9c29_c9b5;

#[test]
fn the_readme_pair_meets_in_one_table_of_twenty() {
    let layout = Layout::for_distance(64, 6, 3).unwrap();
    assert_eq!(layout.tables().len(), 20);
    let hit: Vec<_> = layout.tables_hit(README_XOR).collect();
    let [table] = hit[..] else { panic!("{hit:?}") };
    assert_eq!(layout.tables()[table].letters(), "ACF");
    assert_eq!(layout.tables()[table].order, [0, 2, 5, 1, 3, 4]);
    assert_eq!(layout.differing_blocks(README_XOR), [1, 3, 4]);
    assert_eq!(layout.differing_bits_per_block(README_XOR), [0, 1, 0, 1, 1, 0]);
}

#[test]
fn dirty_blocks_leave_the_predicted_number_of_tables() {
    for (r, k) in [(4, 3), (5, 3), (6, 3), (7, 3), (9, 6)] {
        let layout = Layout::for_distance(64, r, k).unwrap();
        for dirty in 0..1_u32 << r {
            let low_bits = (0..r).filter(|block| dirty >> block & 1 == 1);
            let xor = low_bits
                .map(|block| 1_u128 << layout.block_list()[block as usize].low)
                .fold(0, |xor, bit| xor | bit);
            let n_dirty = dirty.count_ones();
            let expected = if n_dirty > k { 0 } else { binomial(r - n_dirty, r - k) };
            assert_eq!(layout.tables_hit(xor).count() as u128, expected);
        }
    }
}

#[test]
fn manku_s_four_designs() {
    let one_level = |blocks| Layout::for_distance(64, blocks, 3).unwrap();
    let two_level = Layout::two_level(64, 4, 1, 4, 1).unwrap();
    let designs = [one_level(4), one_level(5), two_level, one_level(6)];
    let shape = designs.map(|layout| {
        let key_bits = layout.tables().iter().map(|table| table.key_bits);
        (layout.name(), layout.tables().len(), key_bits.clone().min(), key_bits.max())
    });
    let expected = [
        ("4c1k3", 4, Some(16), Some(16)),
        ("5c2k3", 10, Some(25), Some(26)),
        ("4c1/4c1k3", 16, Some(28), Some(28)),
        ("6c3k3", 20, Some(31), Some(33)),
    ];
    assert_eq!(shape, expected.map(|(name, n, low, high)| (name.to_owned(), n, low, high)));
}

#[test]
fn keys_are_unions_of_blocks_and_orders_are_permutations() {
    let layouts = [
        Layout::two_level(64, 4, 1, 4, 1),
        Layout::two_level(37, 5, 2, 4, 2),
        Layout::bands(64, 3, 18),
        Layout::blocks(128, 7, 2),
    ];
    for layout in layouts.map(Result::unwrap) {
        for table in layout.tables() {
            assert_eq!(union(layout.block_list(), &table.key_blocks), table.mask);
            assert_eq!(table.mask.count_ones(), table.key_bits);
            let mut sorted = table.order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..layout.block_list().len()));
        }
    }
}

#[test]
fn guarantees_hold_and_those_of_one_level_are_tight() {
    // All xors of 12 bits: the nearest that escapes every table is just beyond the guarantee.
    let nearest_escape = |layout: &Layout| {
        let escaped =
            (0..1_u128 << 12).filter(|&xor| layout.first_table_with_shared_key(xor).is_none());
        escaped.map(u128::count_ones).min()
    };
    for blocks in 1..=6 {
        for key in 1..=blocks {
            let layout = Layout::blocks(12, blocks, key).unwrap();
            assert_eq!(nearest_escape(&layout), Some(layout.guarantee + 1), "{layout}");
        }
    }
    for (outer, outer_key, inner, inner_key) in
        [(4, 1, 4, 1), (3, 1, 4, 1), (4, 2, 3, 1), (6, 1, 3, 1), (5, 2, 3, 1)]
    {
        let layout = Layout::two_level(12, outer, outer_key, inner, inner_key).unwrap();
        assert!(nearest_escape(&layout) > Some(layout.guarantee), "{layout}");
    }
    let bands = Layout::bands(12, 3, 3).unwrap();
    assert_eq!((nearest_escape(&bands), bands.guarantee()), (Some(3), 2));
}

#[test]
fn bands_leave_spare_low_bits_to_a_last_block() {
    let layout = Layout::bands(64, 3, 18).unwrap();
    let lows: Vec<_> = layout.block_list().iter().map(|b| (b.low, b.width)).collect();
    assert_eq!(lows, [(46, 18), (28, 18), (10, 18), (0, 10)]);
    assert_eq!(layout.tables().len(), 3);
    assert_eq!((layout.name().as_str(), layout.is_bands()), ("3x18", true));
}

#[test]
fn impossible_layouts_say_what_to_change() {
    let messages = [
        (
            Layout::for_distance(64, 6, 6),
            "6 blocks cannot guarantee distance 6; use at least 7 blocks (`blocks` 7) or a smaller `k`",
        ),
        (
            Layout::for_distance(64, 1, 3),
            "1 block cannot guarantee distance 3; use at least 4 blocks (`blocks` 4) or a smaller `k`",
        ),
        (
            Layout::for_distance(8, 8, 8),
            "any two 8-bit fingerprints are within distance 8; use `k` 7 or less",
        ),
        (
            Layout::for_distance(0, 4, 3),
            "a fingerprint has 1 to 128 bits, not 0; set the width with `bits`",
        ),
        (
            Layout::for_distance(129, 4, 3),
            "a fingerprint has 1 to 128 bits, not 129; set the width with `bits`",
        ),
        (
            Layout::for_distance(8, 9, 3),
            "8 bits cannot be cut into 9 blocks; use at most 8 (`blocks`)",
        ),
        (
            Layout::for_distance(64, 20, 8),
            "this layout has 125970 tables and 5000 is the limit; use fewer blocks (`blocks`)",
        ),
        (
            Layout::blocks(64, 4, 5),
            "a key needs 1 to 4 of 4 blocks, not 5; use more blocks (`blocks`)",
        ),
        (Layout::blocks(64, 0, 0), "a layout needs at least one block; use `blocks` 1 or more"),
        (
            Layout::bands(64, 5, 18),
            "5 bands of 18 bits need 90 bits and a fingerprint has 64; widen it with `bits` or use smaller `bands`",
        ),
        (Layout::bands(64, 0, 18), "0x18 has no band to compare; use at least 1x1 (`bands`)"),
        (
            Layout::two_level(64, 4, 4, 4, 1),
            "an outer key of all 4 blocks leaves nothing to cut; use fewer outer key blocks",
        ),
    ];
    for (layout, message) in messages {
        assert_eq!(layout.unwrap_err().to_string(), message);
    }
}
