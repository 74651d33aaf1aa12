//! Laws of recipes and fingerprints: what never changes them, and what reads back.

mod presets;

use std::sync::Arc;

use proptest::prelude::*;
use simscope::feature::{FixedWeight, FrequencyCounter, Shingling, ShortTexts, Weighting};
use simscope::progress::Progress;
use simscope::simhash::fingerprint::mask;
use simscope::simhash::{
    Features, Fingerprint, Fingerprinter, HashFunction, Recipe, Scratch, StopWordChoice,
    StopWordFile, TieRule, Votes,
};
use simscope::text::{Case, NormalForm, Split, Stem};

fn shingling() -> impl Strategy<Value = Shingling> {
    prop_oneof![
        (1..=100usize).prop_map(Shingling::Words),
        (1..=100usize).prop_map(Shingling::Chars)
    ]
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let one_of = proptest::sample::select::<Weighting>;
    (
        shingling(),
        one_of(Weighting::ALL.to_vec()),
        proptest::sample::select(HashFunction::ALL.to_vec()),
        any::<u64>(),
        1..=128u32,
        proptest::sample::select(TieRule::ALL.to_vec()),
        proptest::sample::select(NormalForm::ALL.to_vec()),
        proptest::sample::select(Case::ALL.to_vec()),
        prop_oneof![
            Just(StopWordChoice::None),
            Just(StopWordChoice::English),
            ("[a-z %#/\u{e9}\u{3000}]{1,12}\\.txt", any::<Option<u64>>())
                .prop_map(|(path, digest)| StopWordChoice::File(StopWordFile::new(path, digest))),
        ],
        (
            proptest::sample::select(Split::ALL.to_vec()),
            proptest::sample::select(Stem::ALL.to_vec()),
            prop_oneof![
                Just(ShortTexts::Whole),
                Just(ShortTexts::Empty),
                Just(ShortTexts::Drop),
                any::<u32>().prop_map(ShortTexts::DropBelow),
            ],
        ),
    )
        .prop_map(|(features, weights, hash, seed, bits, tie, form, case, stop, others)| {
            let (split, stem, short) = others;
            let of_words = Recipe {
                features,
                weights,
                hash,
                seed,
                bits,
                tie,
                form,
                case,
                stop,
                split,
                stem,
                short,
                ..Recipe::default()
            };
            let mut recipe = of_words;
            recipe.seed = seed.min(hash.largest_seed());
            recipe.bits = bits.min(hash.max_bits());
            if recipe.stem != Stem::None {
                recipe.case = Case::Lower;
            }
            let needs_words =
                hash == HashFunction::Gaoya || split.needs_words() || stem != Stem::None;
            match features {
                Shingling::Chars(n) if needs_words => recipe.features = Shingling::Words(n),
                Shingling::Chars(_) => recipe.stop = StopWordChoice::None,
                Shingling::Words(_) => {}
            }
            recipe
        })
}

proptest! {
    #[test]
    fn every_recipe_prints_and_reads_back(recipe in recipe()) {
        prop_assert_eq!(recipe.to_string().parse(), Ok(recipe.clone()));
        prop_assert_eq!(recipe.short().parse(), Ok(recipe));
    }

    #[test]
    fn every_fingerprint_prints_and_reads_back(bits in any::<u128>(), width in 1..=128u32) {
        let fingerprint = Fingerprint::new(bits, width);
        let hex = fingerprint.to_string();
        prop_assert_eq!(hex.len(), width.div_ceil(4) as usize);
        prop_assert_eq!(Fingerprint::parse(&hex, width), Ok(fingerprint));
        prop_assert_eq!(fingerprint.bits(), bits & mask(width));
    }

    #[test]
    fn no_text_makes_a_recipe_reader_panic(line in ".{0,80}") {
        let _ = line.parse::<Recipe>();
    }

    /// The order of features never changes a fingerprint, whatever their weights.
    #[test]
    fn features_vote_in_any_order(
        features in proptest::collection::vec((any::<u128>(), 0.0..1e6f64), 1..60),
        width in 1..=128u32,
        seed in any::<u64>(),
    ) {
        let vote = |features: &[(u128, f64)]| {
            let mut votes = Votes::new(width);
            for &(hash, weight) in features {
                votes.add(hash, FixedWeight::from_f64(weight));
            }
            (votes.fingerprint(TieRule::One), votes.fingerprint(TieRule::Zero))
        };
        let mut shuffled = features.clone();
        let mut state = seed;
        for at in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(at, (state >> 33) as usize % (at + 1));
        }
        prop_assert_eq!(vote(&shuffled), vote(&features));
    }

    /// Words as features: the order of sentences does not matter, and the named votes agree.
    #[test]
    fn words_in_any_order_have_one_fingerprint(
        words in proptest::collection::vec("[a-c]{1,2}", 0..40),
        weights in proptest::sample::select(Weighting::ALL.to_vec()),
        bits in 1..=128u32,
    ) {
        let recipe = Recipe { features: Shingling::Words(1), weights, bits, ..Recipe::default() };
        let fingerprinter = Fingerprinter::before_frequencies(&recipe).unwrap();
        let mut backwards = words.clone();
        backwards.reverse();
        let record = |words: &[String]| fingerprinter.record(&words.join(" "), &mut Scratch::default());
        prop_assert_eq!(record(&words), record(&backwards));
        prop_assert_eq!(fingerprinter.feature_votes(&words.join(" ")).fingerprint(&recipe), record(&words).fingerprint);
    }

    /// Any text at all has a fingerprint or none, and the fast path says what the named one says.
    #[test]
    fn the_fast_path_agrees_with_the_named_one(text in "\\PC{0,200}|.{0,200}", recipe in recipe()) {
        let recipe = Recipe { stop: StopWordChoice::None, ..recipe };
        let fingerprinter = Fingerprinter::before_frequencies(&recipe).unwrap();
        let feature_votes = fingerprinter.feature_votes(&text);
        let record = fingerprinter.record(&text, &mut Scratch::default());
        prop_assert_eq!(feature_votes.fingerprint(&recipe), record.fingerprint);
        prop_assert_eq!(feature_votes.n_tokens, record.n_tokens);
        prop_assert_eq!(feature_votes.features.len(), record.n_features as usize);
    }
}

proptest! {
    /// Two passes over a small corpus, with document frequencies that differ: the features kept from the
    /// first pass, the text read again and the named votes all say the same, in one and the same scratch.
    #[test]
    fn two_passes_agree_with_one_and_with_the_named_one(
        texts in proptest::collection::vec("([a-d\u{e9}\u{6f22}] ?){0,30}", 1..12),
        recipe in recipe(),
        other_bits in 1..=128u32,
    ) {
        let features = match recipe.features {
            Shingling::Words(n) => Shingling::Words(n % 3 + 1),
            Shingling::Chars(n) => Shingling::Chars(n % 3 + 1),
        };
        let (weights, stop) = (Weighting::TfIdf, StopWordChoice::None);
        let recipe = Recipe { features, weights, stop, ..recipe };
        let first = Fingerprinter::before_frequencies(&recipe).unwrap();
        let other_bits = other_bits.min(recipe.hash.max_bits());
        let other = Recipe { bits: other_bits, ..recipe.clone() };
        let other = Fingerprinter::before_frequencies(&other).unwrap();
        let mut scratch = Scratch::default();
        let kept: Vec<Features> = texts
            .iter()
            .map(|text| first.try_features(text, &mut scratch, &Progress::new()).unwrap())
            .collect();
        let keys: Vec<&[u64]> = kept.iter().map(Features::keys).collect();
        let (early, late) = keys.split_at(keys.len() / 2);
        let mut counter = FrequencyCounter::new();
        counter.count(early, &Progress::new());
        counter.count(late, &Progress::new());
        let frequencies = counter.finish();
        for &key in keys.iter().copied().flatten() {
            let holds = |features: &&Features| features.keys().contains(&key);
            prop_assert_eq!(frequencies.of(key) as usize, kept.iter().filter(holds).count());
        }
        let second = first.with_frequencies(Arc::new(frequencies));
        for (text, features) in texts.iter().zip(&kept) {
            other.record(text, &mut scratch);
            let record = second.record(text, &mut scratch);
            prop_assert_eq!(second.record_features(features, &Progress::new()), Ok(record));
            let feature_votes = second.feature_votes(text);
            prop_assert_eq!(feature_votes.fingerprint(&recipe), record.fingerprint);
            prop_assert_eq!(feature_votes.features.len(), record.n_features as usize);
            let heaviest = feature_votes.features.iter().map(|feature| feature.weight.0).max().unwrap_or(0);
            let total: i64 = feature_votes.features.iter().map(|feature| feature.weight.0).sum();
            let dominated = heaviest > total - heaviest;
            prop_assert_eq!(record.dominated, dominated);
        }
    }
}

/// The contract's default, recomputed step by step with nothing of ours but the hash's key.
#[test]
fn anyone_can_recompute_the_default() {
    use siphasher::sip::SipHasher13;
    use unicode_normalization::UnicodeNormalization;
    use unicode_segmentation::UnicodeSegmentation;
    let text = "Caf\u{65}\u{301} au Lait, CAFÉ au lait: the tide's\u{a0}in. 3.14 東京";
    let lower = text.nfc().collect::<String>().to_lowercase();
    let words: Vec<&str> = lower.unicode_words().collect();
    let mut votes = [0i64; 64];
    let mut counts = std::collections::BTreeMap::new();
    for shingle in words.windows(3) {
        *counts.entry(shingle.join(" ")).or_insert(0_u32) += 1;
    }
    for (shingle, count) in counts {
        let hash = SipHasher13::new_with_keys(0, 0).hash(shingle.as_bytes());
        let weight = ((1.0 + f64::from(count).ln()) * f64::from(1 << 20)).round_ties_even() as i64;
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    let expected = (0..64).fold(0u128, |bits, bit| bits | u128::from(votes[bit] >= 0) << bit);
    let fingerprinter = Fingerprinter::before_frequencies(&Recipe::default()).unwrap();
    assert_eq!(fingerprinter.fingerprint(text), Some(Fingerprint::new(expected, 64)));
}

/// The table of the manual's page about recipes, which another implementation made.
#[test]
fn the_test_vectors_of_the_manual_hold() {
    let page = include_str!("../../assets/manual/recipe.md");
    let (_, rest) = page.split_once("Test vectors, from another implementation").unwrap();
    let (_, rest) = rest.split_once("T is `").unwrap();
    let (t, rest) = rest.split_once('`').unwrap();
    let rows: Vec<Vec<&str>> = rest
        .lines()
        .skip_while(|line| !line.starts_with("|---"))
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    assert_eq!(rows.len(), 12);
    for row in rows {
        let text = if row[1] == "T" { t.to_owned() } else { row[1].replace("\\u{301}", "\u{301}") };
        let recipe: Recipe = row[2].parse().unwrap();
        let fingerprinter = Fingerprinter::before_frequencies(&recipe).unwrap();
        let found = fingerprinter.fingerprint(&text).unwrap().to_string();
        assert_eq!(found, row[3], "{} of {text:?}", row[2]);
    }
}
