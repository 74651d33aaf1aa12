//! Fingerprints worth searching. Random ones are never near each other, so nothing would be found.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use simscope::index::Pair;
use simscope::simhash::Bits;
use simscope::simhash::fingerprint::mask;

mod all_pairs;

pub(crate) use all_pairs::all_pairs;

/// Sizes of 0 to `max`, values of `width` bits anywhere.
pub(crate) fn random(width: u32, max: usize) -> impl Strategy<Value = Vec<u128>> {
    vec(any::<u128>().prop_map(move |value| value & mask(width)), 0..=max)
}

/// A few centres, and around them values with at most eight bits flipped; copies happen.
pub(crate) fn planted(width: u32, max: usize) -> impl Strategy<Value = Vec<u128>> {
    let centres = vec(any::<u128>(), 1..6);
    let members = vec((any::<Index>(), vec(0..width, 0..=8)), 0..=max);
    (centres, members).prop_map(move |(centres, members)| {
        let member = |(centre, flips): (Index, Vec<u32>)| {
            flips
                .into_iter()
                .fold(centre.get(&centres) & mask(width), |value, bit| value ^ 1 << bit)
        };
        members.into_iter().map(member).collect()
    })
}

/// The fingerprints of a corpus of few topics: topic templates with a fifth of the bits flipped, and the top
/// quarter of the bits the same nearly everywhere, so that one block puts everything in one bucket.
pub(crate) fn skewed(width: u32, max: usize) -> impl Strategy<Value = Vec<u128>> {
    let flips = || (any::<[u128; 6]>(), any::<bool>());
    (vec(any::<u128>(), 1..4), vec((any::<Index>(), flips()), 0..=max)).prop_map(
        move |(topics, members)| {
            let quiet = mask(width) ^ mask(width - width / 4);
            let member = |(topic, (random, keeps_quiet)): (Index, ([u128; 6], bool))| {
                // A bit of this noise is set with probability 1/4 * 13/16, about a fifth.
                let noise = random[0] & random[1] & (random[2] | random[3] | random[4] & random[5]);
                let noise = noise & if keeps_quiet { !quiet } else { u128::MAX };
                (topic.get(&topics) & !quiet ^ noise) & mask(width)
            };
            members.into_iter().map(member).collect()
        },
    )
}

/// Any of these kinds of data.
pub(crate) fn any_kind(width: u32, max: usize) -> impl Strategy<Value = Vec<u128>> {
    prop_oneof![random(width, max / 4), planted(width, max), skewed(width, max)]
}
