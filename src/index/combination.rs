//! Choices of c of m: their number, and a list of them in order.
//!
//! A layout has one table for each choice of key blocks, so its tables are counted and listed here. Counting is
//! exact up to 2^128 - 1 and saturates there; listing costs O(c) for each choice.

/// The number of pairs of `n` items.
pub(super) fn n_pairs(n: usize) -> u64 {
    n as u64 * (n as u64).saturating_sub(1) / 2
}

/// The number of ways to choose `c` of `m`; `u128::MAX` if the number is larger than that.
pub fn binomial(m: u32, c: u32) -> u128 {
    if c > m {
        return 0;
    }
    let c = c.min(m - c);
    let mut ways: u128 = 1;
    for i in 0..c {
        // Exact at every step: `ways * (m - i)` is a product of i + 1 consecutive numbers.
        let Some(product) = ways.checked_mul(u128::from(m - i)) else {
            return u128::MAX;
        };
        ways = product / u128::from(i + 1);
    }
    ways
}

/// Every choice of `c` of the numbers `0..m`, ascending, in lexicographic order: 012, 013, 014, ..
///
/// There is one empty choice if `c` is 0, and no choice if `c` exceeds `m`.
pub(crate) fn combinations(m: usize, c: usize) -> impl Iterator<Item = Vec<usize>> {
    let first = (c <= m).then(|| (0..c).collect::<Vec<_>>());
    std::iter::successors(first, move |choice| next_choice(choice, m))
}

/// The choice after `choice`: increases the last number that can be increased, and sets the numbers after it to
/// their smallest values.
fn next_choice(choice: &[usize], m: usize) -> Option<Vec<usize>> {
    let c = choice.len();
    let place = (0..c).rev().find(|&place| choice[place] < m - c + place)?;
    let raised = choice[place] + 1;
    let mut next = choice[..place].to_vec();
    next.extend(raised..raised + c - place);
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_counted() {
        for (m, c, ways) in [(6, 3, 20), (4, 1, 4), (5, 2, 10), (9, 3, 84), (3, 0, 1), (2, 3, 0)] {
            assert_eq!(binomial(m, c), ways, "{m} choose {c}");
        }
        assert_eq!(binomial(64, 32), 1_832_624_140_942_590_534);
        assert!(binomial(128, 64) > 1 << 100, "saturated or exact, never small");
    }

    #[test]
    fn choices_are_listed_in_lexicographic_order_and_as_many_as_counted() {
        let listed: Vec<_> = combinations(4, 2).collect();
        assert_eq!(listed, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        for m in 0..8_u32 {
            for c in 0..=m + 1 {
                let listed: Vec<_> = combinations(m as usize, c as usize).collect();
                assert_eq!(listed.len() as u128, binomial(m, c), "{m} choose {c}");
                assert!(listed.is_sorted_by(|a, b| a < b));
            }
        }
    }
}
