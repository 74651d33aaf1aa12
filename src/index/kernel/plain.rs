//! The loops as anyone would write them: the portable way, and what the others are tested against.

use super::{Counts, Hit, Runs};

/// Columns whose distances are taken before the first comparison with k.
const LANES: usize = 16;

/// See [`super::tile`].
#[inline]
pub(super) fn tile(rows: &[u64], columns: &[u64], k: u32, hits: &mut Vec<Hit>) {
    for (row, &value) in rows.iter().enumerate() {
        near(value, columns, k, |column| hits.push((row as u32, column)));
    }
}

/// See [`super::triangle`].
#[inline]
pub(super) fn triangle(values: &[u64], k: u32, hits: &mut Vec<Hit>) {
    for (row, &value) in values.iter().enumerate() {
        let first = row as u32 + 1;
        near(value, &values[row + 1..], k, |column| hits.push((row as u32, first + column)));
    }
}

/// See [`super::probe`].
#[inline]
pub(super) fn probe(
    value: u64,
    runs: Runs<'_>,
    key: u32,
    masks: &[u32],
    k: u32,
    hits: &mut Vec<u32>,
) {
    for mask in masks {
        let run = runs.run(key ^ mask);
        let first = run.start as u32;
        near(value, &runs.words[run], k, |place| hits.push(first + place));
    }
}

/// See [`super::count`].
#[inline]
pub(super) fn count(rows: &[u64], columns: &[u64], counts: &mut Counts) {
    for row in rows {
        for column in columns {
            counts[(row ^ column).count_ones() as usize] += 1;
        }
    }
}

/// Calls `found` for the positions of `others` within `k` bits of `value`, ascending.
///
/// No branch between the distances of a lane-full, which the compiler turns into vector code.
#[inline]
fn near(value: u64, others: &[u64], k: u32, mut found: impl FnMut(u32)) {
    let (chunks, rest) = others.as_chunks::<LANES>();
    for (at, chunk) in chunks.iter().enumerate() {
        let distances = chunk.map(|other| (value ^ other).count_ones());
        if distances.iter().fold(u32::MAX, |nearest, &distance| nearest.min(distance)) <= k {
            for (lane, distance) in distances.into_iter().enumerate() {
                if distance <= k {
                    found((at * LANES + lane) as u32);
                }
            }
        }
    }
    for (at, other) in rest.iter().enumerate() {
        if (value ^ other).count_ones() <= k {
            found((chunks.len() * LANES + at) as u32);
        }
    }
}
