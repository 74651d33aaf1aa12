//! Layouts in words, before they are tried, when only their numbers are known, and measured.

use std::collections::BTreeSet;

use crate::analysis::lab::width_of;
use crate::analysis::{LayoutChoice, LayoutEvaluation, Settings};
use crate::evaluate::angle;
use crate::evaluate::labels::Share;
use crate::number::{counted, grouped, rounded};

/// The meaning of these chances.
pub const MEANING: &str = "at .8: the share of the pairs at this cosine that a layout is expected to find, if the \
                           bits of a fingerprint are independent";

/// The chance that a layout finds a pair at this cosine, for random hyperplanes and fingerprints of `width` bits: bands
/// find the pairs that agree in all bits of at least one, all other layouts those within `k`.
pub fn chance(layout: LayoutChoice, k: u32, cosine: f64, width: u32) -> f64 {
    match layout {
        LayoutChoice::Bands { bands, bits } => angle::candidate(bands, bits, cosine),
        _ => angle::within(cosine, k.min(width), width),
    }
}

/// A layout that is not tried yet.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedLayout {
    /// The setting that selects it.
    pub choice: LayoutChoice,
    /// Its name.
    pub name: String,
    /// Bits of the fingerprints on which it will be tried.
    pub bits: u32,
    /// The largest distance that is near.
    pub k: u32,
}

impl PlannedLayout {
    /// These layouts, as the lab tries them in one request among `n` different fingerprints.
    pub fn all(choices: &[LayoutChoice], settings: &Settings, n: usize) -> Vec<Self> {
        let own = settings.recipe.bits;
        let of = |&choice: &LayoutChoice| {
            let bits = width_of(choice, choices, own);
            let name =
                choice.layout(n, bits, settings.k).map_or_else(|_| "-".to_owned(), |it| it.name());
            Self { choice, name, bits, k: settings.k }
        };
        choices.iter().map(of).collect()
    }

    /// The chance that it finds a pair at this cosine.
    pub fn chance(&self, cosine: f64) -> f64 {
        chance(self.choice, self.k, cosine, self.bits)
    }

    /// The largest distance up to which it finds every pair.
    pub fn guarantee(&self) -> u32 {
        match self.choice {
            LayoutChoice::Bands { bands, .. } => bands.saturating_sub(1),
            _ => self.k,
        }
    }

    /// The layout in a sentence.
    pub fn in_words(&self) -> String {
        match self.choice {
            LayoutChoice::Bands { bands, bits } => format!(
                "{}: {} of {} each; it finds a pair if all bits of one band are equal, however far apart the two are",
                self.name,
                counted(bands.into(), "band"),
                counted(bits.into(), "bit"),
            ),
            _ => format!(
                "{} finds every pair within k = {}, and counts no other pair",
                self.name, self.k
            ),
        }
    }
}

/// The fingerprints that layouts were tried on: wider ones than the recipe's where a layout needs them.
pub fn widths<'t>(evaluations: impl Iterator<Item = &'t LayoutEvaluation>) -> String {
    let widths: BTreeSet<u32> = evaluations.map(|evaluation| evaluation.layout.width()).collect();
    let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
    format!("fingerprints of {} bits", widths.join(" and "))
}

/// A layout in a sentence; blocks were evaluated within `k`.
pub fn measured(evaluation: &LayoutEvaluation, k: u32) -> String {
    let layout = &evaluation.layout;
    let how = if layout.is_bands() { String::new() } else { format!(" within k={k}") };
    let mut text = format!(
        "{}{how}: {} to look at, {} of them true",
        layout.name(),
        counted(evaluation.candidates, "pair"),
        grouped(evaluation.true_positives)
    );
    let percent = |share: f64| rounded((share * 1000.0).round() / 10.0);
    match (evaluation.recall(), evaluation.recall_distinct) {
        (Some(recall), distinct) => {
            text += &format!("; finds {} % of the true pairs", percent(recall));
            if let Some(distinct) = distinct.and_then(|it| it.value) {
                text += &format!(", {} % of those of different texts", percent(distinct));
            }
        }
        (None, Some(Share { value: Some(distinct), low, high })) => {
            text += &format!(
                "; finds about {} % of the true pairs of different texts (95 %: {} to {})",
                percent(distinct),
                percent(low),
                percent(high)
            );
        }
        _ => {}
    }
    if let Some(skew) = evaluation.skew() {
        text += &format!("; {skew:.1} times the candidates predicted");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::lab::USUAL_LAYOUTS;

    #[test]
    fn a_planned_layout_has_the_name_the_bits_and_the_chance_of_its_row() {
        let planned = PlannedLayout::all(&USUAL_LAYOUTS, &Settings::default(), 100);
        let names: Vec<(&str, u32, u32)> =
            planned.iter().map(|it| (it.name.as_str(), it.bits, it.guarantee())).collect();
        assert_eq!(names[1], ("3x18", 90, 2));
        assert_eq!(names[5], ("4c1k3", 64, 3));
        // Golden point of the S-curve.
        assert!((planned[1].chance(0.9) - 0.1732).abs() < 6e-4);
        assert_eq!(planned[5].chance(1.0), 1.0);
    }
}
