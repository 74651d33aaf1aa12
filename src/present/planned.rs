//! Layouts before they are tried: what their numbers alone say, without a look at any text.

use super::{
    curves::{Curves, Measure, Unit, Value},
    page::{PageBlock, Section},
};
use crate::{
    analysis::{LayoutChoice, Settings, lab::width_of, pair_cosines::SearchMethod},
    number::counted,
};

/// The cosines at which the chance to find a pair is shown, with their names.
pub const COSINES: [(f64, &str); 3] = [(0.8, "at 0.8"), (0.9, "at 0.9"), (0.95, "at 0.95")];

/// The meaning of these chances.
pub const MEANING: &str = "at 0.8: the share of the pairs at this cosine that a layout is expected to find, if the \
                           bits of a fingerprint are independent. by chance: the pairs of distinct fingerprints that \
                           it is expected to bring if all are unrelated";

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

/// Series of bands over their bits and over their number; `unlike` is the number of pairs that can be near by chance.
pub fn sections(planned: &[PlannedLayout], unlike: u64) -> Vec<Section<'static>> {
    let series = |title, over, point: fn(u32, u32) -> Option<u32>| {
        let mut rows: Vec<(u32, &PlannedLayout)> = planned
            .iter()
            .filter_map(|it| match it.method {
                SearchMethod::Bands { bands, bits } => Some((point(bands, bits)?, it)),
                SearchMethod::Within(_) => None,
            })
            .collect();
        rows.sort_by_key(|(at, _)| *at);
        let measure = |name, unit, of: &dyn Fn(&PlannedLayout) -> f64| {
            let values = rows.iter().map(|(_, it)| Some(Value::exact(of(it)))).collect();
            Measure { name, unit, values }
        };
        let mut measures: Vec<Measure> = COSINES
            .into_iter()
            .map(|(cosine, name)| measure(name, Unit::Share, &|it| it.chance(cosine)))
            .collect();
        measures.push(measure("by chance", Unit::Count, &|it| unlike as f64 * it.chance(0.0)));
        let points = rows.iter().map(|(at, _)| *at).collect();
        let mut section = Section::new(title);
        section.blocks.push(PageBlock::Curves(Curves {
            over,
            points,
            measures,
            ..Curves::default()
        }));
        section
    };
    let over_bits = series("3 bands, over the bits of each", "bits", |bands, bits| {
        (bands == 3).then_some(bits)
    });
    let mut over_bands = series("bands of 18 bits, over their number", "bands", |bands, bits| {
        (bits == 18).then_some(bands)
    });
    over_bands.say(format!("{MEANING}."));
    vec![over_bits, over_bands]
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

    #[test]
    fn a_series_has_a_point_for_each_of_its_layouts() {
        let sections = sections(&PlannedLayout::all(&USUAL_LAYOUTS, &Settings::default(), 9), 4950);
        let points = sections.iter().map(|section| match &section.blocks[0] {
            PageBlock::Curves(curves) => curves.points.clone(),
            other => panic!("{other:?}"),
        });
        assert_eq!(points.collect::<Vec<_>>(), [vec![12, 18, 22], vec![3, 4, 5]]);
    }
}
