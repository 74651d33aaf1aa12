//! Layouts before they are tried: what their numbers alone say, without a look at any text.

use crate::{
    analysis::{LayoutChoice, Settings, lab::width_of},
    evaluate::angle,
    number::counted,
};

/// The meaning of these chances.
pub const MEANING: &str = "at .8: the share of the pairs at this cosine that a layout is expected to find, if the \
                           bits of a fingerprint are independent";

/// A method of finding pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMethod {
    /// Pairs whose fingerprints differ in at most this many bits.
    Within(u32),
    /// Pairs that agree in all bits of at least one band.
    Bands {
        /// Bands, M.
        bands: u32,
        /// Bits of each, K; all bands together are no wider than a fingerprint.
        bits: u32,
    },
}

impl SearchMethod {
    /// The chance that it finds a pair at this cosine, for random hyperplanes and fingerprints of `width` bits.
    pub fn chance(self, cosine: f64, width: u32) -> f64 {
        match self {
            Self::Within(k) => angle::within(cosine, k.min(width), width),
            Self::Bands { bands, bits } => angle::candidate(bands, bits, cosine),
        }
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
    /// The pairs that it finds.
    pub method: SearchMethod,
}

impl PlannedLayout {
    /// These layouts, as the lab tries them in one request among `n` different fingerprints.
    pub fn all(choices: &[LayoutChoice], settings: &Settings, n: usize) -> Vec<Self> {
        let own = settings.recipe.bits;
        let of = |&choice: &LayoutChoice| {
            let bits = width_of(choice, choices, own);
            let name =
                choice.layout(n, bits, settings.k).map_or_else(|_| "-".to_owned(), |it| it.name());
            let method = match choice {
                LayoutChoice::Bands { bands, bits } => SearchMethod::Bands { bands, bits },
                _ => SearchMethod::Within(settings.k),
            };
            Self { choice, name, bits, method }
        };
        choices.iter().map(of).collect()
    }

    /// The chance that it finds a pair at this cosine.
    pub fn chance(&self, cosine: f64) -> f64 {
        self.method.chance(cosine, self.bits)
    }

    /// The largest distance up to which it finds every pair.
    pub fn guarantee(&self) -> u32 {
        match self.method {
            SearchMethod::Within(k) => k,
            SearchMethod::Bands { bands, .. } => bands.saturating_sub(1),
        }
    }

    /// The layout in a sentence.
    pub fn in_words(&self) -> String {
        match self.method {
            SearchMethod::Within(k) => {
                format!("{} finds every pair within k = {k}, and counts no other pair", self.name)
            }
            SearchMethod::Bands { bands, bits } => format!(
                "{}: {} of {} each; it finds a pair if all bits of one band are equal, however far apart the two are",
                self.name,
                counted(bands.into(), "band"),
                counted(bits.into(), "bit"),
            ),
        }
    }
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
