//! Two texts under an ordinary hash, MinHash and SimHash.

use super::Playground;
use crate::{
    evaluate::angle,
    explain::hyperplane::{brittle, jaccard, min_hash},
    simhash::Fingerprint,
};

/// Hash functions of a MinHash signature: as many as the bits of a fingerprint by default.
const N_VALUES: u64 = 64;
/// Shown values of a signature.
const SHOWN: usize = 4;
/// A value that a lesson asks for.
pub(crate) const HIDDEN: &str = "hidden until you have answered";

/// Two texts under the three hashes.
pub(crate) struct ComparedHashes {
    /// The values of the ordinary hash.
    pub(crate) usual: [u64; 2],
    /// Without features, there is none.
    pub(crate) min: Option<ComparedSignatures>,
    /// Without features, there is none.
    pub(crate) sim: Option<ComparedFingerprints>,
}

impl ComparedHashes {
    pub(crate) fn new(play: &Playground) -> Self {
        let usual = [0, 1].map(|side: usize| brittle(play.texts[side].value()));
        let features = |side: usize| {
            play.feature_votes[side].features.iter().map(|feature| feature.shingle.as_str())
        };
        let signatures = [0, 1].map(|side| min_hash(&features(side), N_VALUES));
        let min = if let [Some(one), Some(two)] = signatures {
            let first = |of: &[u64]| {
                let values = of.iter().take(SHOWN);
                let values: Vec<String> = values.map(|it| format!("{:04x}", it >> 48)).collect();
                format!("{} .. ({N_VALUES} values)", values.join(" "))
            };
            let agree = one.iter().zip(&two).map(|(one, two)| one == two);
            let exact = jaccard(features(0), features(1)).unwrap_or(0.0);
            let (first, agree) = ([first(&one), first(&two)], agree.collect());
            Some(ComparedSignatures { first, agree, exact })
        } else {
            None
        };
        let sim = match (play.fingerprint(0), play.fingerprint(1), play.overlap().cosine) {
            (Some(one), Some(two), Some(cosine)) => {
                Some(ComparedFingerprints { fingerprints: [one, two], cosine })
            }
            _ => None,
        };
        Self { usual, min, sim }
    }

    pub(crate) fn usual_result(&self) -> String {
        match (self.usual[0] ^ self.usual[1]).count_ones() {
            0 => "no bit differs: the texts are equal".to_owned(),
            n => format!("{n} of 64 bits differ; of any two different texts about half do"),
        }
    }
}

/// Two signatures of MinHash.
pub(crate) struct ComparedSignatures {
    /// The first values of each, in words.
    pub(crate) first: [String; 2],
    /// Whether the texts agree in each value.
    pub(crate) agree: Vec<bool>,
    /// The Jaccard similarity of the features.
    exact: f64,
}

impl ComparedSignatures {
    pub(crate) fn result(&self) -> String {
        let (equal, n) = (self.agree.iter().filter(|agree| **agree).count(), self.agree.len());
        let estimate = equal as f64 / n as f64;
        let exact = self.exact;
        format!(
            "{equal} of {n} values agree: Jaccard similarity {estimate:.2} by them, {exact:.3} exactly"
        )
    }
}

/// Two fingerprints, and the exact cosine of their texts.
pub(crate) struct ComparedFingerprints {
    pub(crate) fingerprints: [Fingerprint; 2],
    cosine: f64,
}

impl ComparedFingerprints {
    pub(crate) fn result(&self) -> String {
        let [one, two] = self.fingerprints;
        let (d, bits) = (one.distance(two), one.width());
        let estimate = angle::estimate(d, bits);
        format!(
            "{d} of {bits} bits differ: cosine {estimate:.2} by them, {:.3} exactly",
            self.cosine
        )
    }
}
