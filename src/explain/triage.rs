//! Documents whose distances can mislead.
//!
//! The rule that a bit differs with chance theta / pi needs many features of similar weight. A document has a
//! fingerprint, but misleading neighbours, if it has few features, if votes tie, if one feature outweighs all
//! others, or if most of its features are in many documents. Each such finding has a figure and a sentence.

use statrs::distribution::{ContinuousCDF, Normal};

use super::bit_margins::{dominance, is_dominated};
use crate::choice::choice;
use crate::evaluate::angle;
use crate::feature::Shingling;
use crate::simhash::{FeatureVotes, Recipe};

choice! {
    /// The reason why a document's distances may mislead.
    pub enum Flag, "flag" {
        /// It has no features, so it has no fingerprint.
        #[default]
        Empty = "empty",
        /// It has few features: one changed word moves many bits.
        Short = "short",
        /// An eighth of its bits or more are ties, decided by the tie rule.
        Tied = "tied",
        /// One feature has most of the squared norm, or is the only feature.
        Dominated = "dominated",
        /// Most of the squared norm comes from features that many documents have.
        Boilerplate = "boilerplate",
    }
}

impl Flag {
    /// The statement of the flag about a document, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Empty => "no words to compare, so no fingerprint",
            Self::Short => "so few words that one changed word moves many bits",
            Self::Tied => "a rule decided many bits, not the text",
            Self::Dominated => "one word or run of words outweighs the rest",
            Self::Boilerplate => "most of it is text that many documents have (boilerplate)",
        }
    }
}

/// A document with fewer features than this is short.
pub const SHORT: u32 = 20;
/// More than this share of `||w||^2` is too much for one feature, or for all common features together.
pub const MOST_SHARE: f64 = 0.5;
/// A feature is common if more than this share of the documents have it, and at least ten.
pub const COMMON: f64 = 0.05;

/// A feature in more documents than this is common. A few copies make no feature common.
pub fn most_rare(n_documents: u64) -> u32 {
    ((n_documents as f64 * COMMON) as u32).max(9)
}

/// The figures by which a document is flagged. Shares are `None` if they were not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TriageFacts {
    /// Distinct features.
    pub n_features: u32,
    /// Bits whose votes tie.
    pub n_ties: u32,
    /// Bits of the fingerprint.
    pub width: u32,
    /// The shingling of its features.
    pub shingling: Shingling,
    /// Whether the heaviest feature outweighs all others together.
    pub is_dominated: bool,
    /// The share of the heaviest feature in `||w||^2`.
    pub dominance: Option<f64>,
    /// The share of common features in `||w||^2`.
    pub common: Option<f64>,
}

impl TriageFacts {
    /// The figures of a document, from its feature votes under a recipe. `common` is the share of common
    /// features in `||w||^2`, if known.
    pub fn of(feature_votes: &FeatureVotes, recipe: &Recipe, common: Option<f64>) -> Self {
        let mut weights = feature_votes.weights();
        weights.retain(|weight| weight.0 > 0);
        Self {
            n_features: weights.len() as u32,
            n_ties: feature_votes.votes.ties(),
            is_dominated: is_dominated(&weights),
            dominance: Some(dominance(&weights)),
            common,
            ..Self::empty(recipe.bits, recipe.features)
        }
    }

    /// The figures of a document without features.
    pub fn empty(width: u32, shingling: Shingling) -> Self {
        Self { width, shingling, ..Self::default() }
    }
}

/// A reason to mistrust a document's distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The flag.
    pub flag: Flag,
    /// Features, tied bits, or a share of `||w||^2` from 0 to 1.
    pub value: f64,
    /// The meaning, in a sentence.
    pub sentence: String,
}

/// The reasons why a document's distances may mislead, in the order of [`Flag::ALL`]; empty if there are none.
pub fn findings(facts: &TriageFacts) -> Vec<Finding> {
    if facts.n_features == 0 {
        let sentence =
            "no features: no fingerprint, so only an equal text is found for it".to_owned();
        return vec![Finding { flag: Flag::Empty, value: 0.0, sentence }];
    }
    let found = [short(facts), tied(facts), dominated(facts), common(facts)];
    found.into_iter().flatten().collect()
}

fn short(facts: &TriageFacts) -> Option<Finding> {
    (facts.n_features < SHORT).then(|| {
        let size = facts.shingling.size() as u32;
        let token = facts.shingling.tokens_name().trim_end_matches('s');
        let distance = angle::bits_moved(facts.n_features, size, facts.width);
        let moved =
            format!("one changed {token} moves about {distance:.0} of {} bits", facts.width);
        let s = if facts.n_features == 1 { "" } else { "s" };
        let sentence = format!("only {} feature{s}: {moved}", facts.n_features);
        Finding { flag: Flag::Short, value: f64::from(facts.n_features), sentence }
    })
}

/// Whether `n_ties` ties in `width` bits deserve a flag. One or two ties are usual in short texts; an eighth of
/// the bits means that few features voted.
pub fn is_tied(n_ties: u32, width: u32) -> bool {
    n_ties > 0 && n_ties * 8 >= width
}

fn tied(facts: &TriageFacts) -> Option<Finding> {
    is_tied(facts.n_ties, facts.width).then(|| Finding {
        flag: Flag::Tied,
        value: f64::from(facts.n_ties),
        sentence: format!(
            "{} of {} bits are ties: the tie rule decided them, not the text",
            facts.n_ties, facts.width
        ),
    })
}

fn dominated(facts: &TriageFacts) -> Option<Finding> {
    let share = facts.dominance.unwrap_or(if facts.is_dominated { 1.0 } else { 0.0 });
    let sentence = if facts.n_features == 1 {
        "its only feature decides every bit: the fingerprint is that feature's hash".to_owned()
    } else if facts.is_dominated {
        "one feature outweighs all others together: the fingerprint is its hash, whatever else the \
         text says"
            .to_owned()
    } else if share > MOST_SHARE {
        format!(
            "one feature has {:.0} % of the squared weight: about {:.0} % of the bits are those of its hash",
            100.0 * share,
            100.0 * follows(share),
        )
    } else {
        return None;
    };
    Some(Finding { flag: Flag::Dominated, value: share, sentence })
}

fn common(facts: &TriageFacts) -> Option<Finding> {
    let share = facts.common.filter(|share| *share > MOST_SHARE)?;
    let sentence = format!(
        "{:.0} % of its squared weight comes from features that more than {:.0} % of the documents have: \
         it can be near others because of these alone",
        100.0 * share,
        100.0 * COMMON,
    );
    Some(Finding { flag: Flag::Boilerplate, value: share, sentence })
}

/// The probability that a bit equals the bit of the heaviest feature, if the sum of the other votes is normally
/// distributed.
fn follows(share: f64) -> f64 {
    if share >= 1.0 { 1.0 } else { Normal::standard().cdf((share / (1.0 - share)).sqrt()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> TriageFacts {
        TriageFacts {
            n_features: 200,
            n_ties: 0,
            width: 64,
            shingling: Shingling::Words(3),
            is_dominated: false,
            dominance: Some(0.1),
            common: Some(0.1),
        }
    }

    #[test]
    fn an_ordinary_document_has_no_flag() {
        assert!(findings(&facts()).is_empty());
        // Only known figures are judged.
        let unknown = TriageFacts { dominance: None, common: None, ..facts() };
        assert!(findings(&unknown).is_empty());
    }

    #[test]
    fn every_flag_comes_with_its_figure_and_a_sentence() {
        let table = [
            (TriageFacts { n_features: 0, ..facts() }, Flag::Empty, 0.0, "no fingerprint"),
            (
                TriageFacts { n_features: 18, ..facts() },
                Flag::Short,
                18.0,
                "one changed word moves about 10 of 64 bits",
            ),
            // Measured on texts of six words: 17.8.
            (
                TriageFacts { n_features: 4, ..facts() },
                Flag::Short,
                4.0,
                "one changed word moves about 18 of 64 bits",
            ),
            (TriageFacts { n_ties: 8, ..facts() }, Flag::Tied, 8.0, "8 of 64 bits are ties"),
            (
                TriageFacts { is_dominated: true, dominance: Some(0.82), ..facts() },
                Flag::Dominated,
                0.82,
                "is its hash",
            ),
            (
                TriageFacts { dominance: Some(0.6), ..facts() },
                Flag::Dominated,
                0.6,
                "about 89 % of the bits",
            ),
            (
                TriageFacts { n_features: 30, is_dominated: true, dominance: Some(0.4), ..facts() },
                Flag::Dominated,
                0.4,
                "one feature outweighs all others together",
            ),
            (
                TriageFacts { common: Some(0.75), ..facts() },
                Flag::Boilerplate,
                0.75,
                "75 % of its squared weight",
            ),
        ];
        for (facts, flag, value, words) in table {
            let found = findings(&facts);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!((found[0].flag, found[0].value), (flag, value));
            assert!(found[0].sentence.contains(words), "{}", found[0].sentence);
        }
        let only =
            TriageFacts { n_features: 1, is_dominated: true, dominance: Some(1.0), ..facts() };
        let found = findings(&only);
        let flags: Vec<Flag> = found.iter().map(|finding| finding.flag).collect();
        assert_eq!(flags, [Flag::Short, Flag::Dominated]);
        assert!(found[1].sentence.starts_with("its only feature decides every bit"));
        let both = TriageFacts { n_features: 4, n_ties: 24, ..facts() };
        let flags: Vec<Flag> = findings(&both).iter().map(|finding| finding.flag).collect();
        assert_eq!(flags, [Flag::Short, Flag::Tied]);
    }

    #[test]
    fn a_few_documents_make_no_feature_common() {
        assert_eq!([20, 100, 1000].map(most_rare), [9, 9, 50]);
    }

    #[test]
    fn bits_follow_a_heavy_feature_as_a_normal_distribution_says() {
        assert!((follows(0.5) - 0.841_345).abs() < 1e-5);
        assert!((follows(0.0) - 0.5).abs() < 1e-9);
        assert_eq!(follows(1.0), 1.0);
    }
}
