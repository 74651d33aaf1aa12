//! Numbers of the selected bit.

use super::{corpus, number::ExplainedNumber};
use crate::{
    app::App,
    evaluate::angle,
    explain::{BitExplanation, figures::signed},
    facts::figures::digits,
};

/// Numbers of the bit under the cursor of Docs, Bits.
pub(in crate::app) fn of_a_bit(app: &App) -> Vec<ExplainedNumber> {
    let mut numbers = Vec::new();
    let width = app.analysis.settings.recipe.bits;
    let bit = app.docs.votes.bit(width);
    let Some(open) = app.open_document() else { return numbers };
    if let Some(feature_votes) =
        open.feature_votes.as_ref().filter(|feature_votes| feature_votes.votes.width() > bit)
    {
        let explained = BitExplanation::new(feature_votes, bit, open.recipe.tie);
        let (ones, zeros) = explained.sides();
        let value = u8::from(explained.bit.value);
        numbers.push(ExplainedNumber::new(
            format!("V of bit {bit}"),
            signed(explained.bit.votes),
            format!(
                "weights of features whose hash has a 1 there - weights of the others = {} - {} = {}; so the bit is {value}",
                crate::explain::figures::weight(ones),
                crate::explain::figures::weight(zeros),
                signed(explained.bit.votes)
            ),
            "The sum of the votes; its sign is the bit.",
        ));
        let (votes, norm) = (explained.bit.votes.to_f64().abs(), open.norm());
        numbers.push(ExplainedNumber::new(
            "margin",
            format!("{:.2}", explained.bit.margin),
            format!("|V| / ||w|| = {} / {} = {:.2}", digits(votes), digits(norm), explained.bit.margin),
            "How firmly the bit was decided; below 0.1 it is weak. By chance 5 bits of 64 are weak.",
        ));
        let cosine = app.docs.votes.cosine();
        let chance = angle::flips(explained.bit.margin, cosine);
        numbers.push(ExplainedNumber::new(
            "flip chance",
            digits(chance),
            format!(
                "Phi(-c z / sqrt(1 - c^2)) with c = {cosine}, z = {:.2}: {}",
                explained.bit.margin,
                digits(chance)
            ),
            "How likely this bit is to differ in a text at that cosine; c takes another cosine.",
        ));
    }
    if let Some(margins) = &open.margins {
        numbers.push(ExplainedNumber::new(
            "dominance",
            format!("{:.2}", margins.dominance),
            format!("w_max^2 / ||w||^2 = {:.2}", margins.dominance),
            "The heaviest feature's share; near 1 the fingerprint is that feature's hash.",
        ));
        let cosine = app.docs.votes.cosine();
        let flips = margins.expected_flips(cosine);
        numbers.push(ExplainedNumber::new(
            "bits to flip",
            digits(flips),
            format!(
                "sum of the flip chances of all {width} bits at cosine {cosine} = {}",
                digits(flips)
            ),
            "The expected distance of a text at that cosine, by the margins of this document.",
        ));
    }
    numbers.extend(corpus::of_a_document(app));
    numbers
}
