//! A place in Learn: a lesson or a view, and the state of its picture. It is written as the options of the command
//! that opens it, so that a teacher can put it on a slide.

use std::fmt::Write as _;

use crate::{
    app::screen::ViewId,
    index::{LayoutKind, MAX_TABLES, binomial},
};

/// A lesson or a view of Learn, and the given parts of its state; tables and pages are counted from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearnPlace {
    /// The lesson by its name or its number in the list; `None` for no lesson.
    pub lesson: Option<String>,
    /// The page of the lesson.
    pub page: Option<usize>,
    /// The view; `None` for the view of the lesson, or the list.
    pub view: Option<ViewId>,
    /// The texts of the Playground.
    pub texts: [Option<String>; 2],
    /// The documents whose fingerprints Tables shows, by their ids.
    pub pair: Option<[String; 2]>,
    /// The layout of Tables and Bench.
    pub layout: Option<LayoutKind>,
    /// The distance of Bench, if pairs are found by it.
    pub k: Option<u32>,
    /// The bits of Tables that are flipped, bit 0 the lowest.
    pub flips: Vec<u32>,
    /// The table whose lookup is shown.
    pub table: Option<usize>,
    /// Features that have voted, lines that are drawn, or the step of the lookup.
    pub step: Option<usize>,
    /// The cosine of the vectors, in hundredths.
    pub hundredths: Option<i32>,
}

impl LearnPlace {
    /// The arguments of `simscope learn` that open this place.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        match (&self.lesson, self.view) {
            (Some(lesson), _) => words.push(lesson.clone()),
            (None, Some(view)) => words.push(format!("view:{}", view.name().to_lowercase())),
            (None, None) => {}
        }
        let mut option = |name: &str, value: Option<String>| {
            words.extend(value.into_iter().flat_map(|value| [name.to_owned(), value]));
        };
        option("--page", self.page.map(|page| page.to_string()));
        let [one, two] = &self.texts;
        option("--one", one.clone());
        option("--two", two.clone());
        option("--pair", self.pair.as_ref().map(|[one, other]| format!("{one},{other}")));
        option("--layout", self.layout.map(|kind| named(kind, self.k)));
        option("--flip", (!self.flips.is_empty()).then(|| listed(&self.flips)));
        option("--table", self.table.map(|table| table.to_string()));
        option("--step", self.step.map(|step| step.to_string()));
        option(
            "--cosine",
            self.hundredths.map(|cosine| format!("{:.2}", f64::from(cosine) / 100.0)),
        );
        words
    }
}

/// The view of Learn whose name begins with `name`, in upper or lower case.
pub fn view_named(name: &str) -> Option<ViewId> {
    let name = name.to_lowercase();
    let views = ViewId::of(crate::app::Screen::Learn);
    let mut named = views.filter(|view| view.name().to_lowercase().starts_with(&name));
    named.next().filter(|_| !name.is_empty())
}

/// A layout as it is typed: `3x18` bands, `6c3` for 6 blocks of which 3 are the key, `6c3k3` with a distance.
fn named(kind: LayoutKind, k: Option<u32>) -> String {
    let mut name = match kind {
        LayoutKind::Bands { bands, bits } => format!("{bands}x{bits}"),
        LayoutKind::Blocks { blocks, key }
        | LayoutKind::TwoLevel { outer: blocks, outer_key: key, .. } => format!("{blocks}c{key}"),
    };
    if let Some(k) = k {
        let _ = write!(name, "k{k}");
    }
    name
}

/// Reads a layout and perhaps a distance: see [`LearnPlace::words`].
///
/// # Errors
/// If it is not a layout; the message names the possible forms.
pub fn layout_named(name: &str) -> Result<(LayoutKind, Option<u32>), String> {
    let problem =
        || format!("{name:?} is not a layout; write 3x18 bands, 6c3 or 6c3k3 blocks, or 4");
    let number = |text: &str| {
        text.parse().ok().filter(|number| (1..=128).contains(number)).ok_or_else(problem)
    };
    if let Some((bands, bits)) = name.split_once('x') {
        return Ok((LayoutKind::Bands { bands: number(bands)?, bits: number(bits)? }, None));
    }
    let (layout, k) = match name.split_once('k') {
        Some((layout, k)) => (layout, Some(number(k)?)),
        None => (name, None),
    };
    let (blocks, key) = if let Some((blocks, key)) = layout.split_once('c') {
        (number(blocks)?, number(key)?)
    } else {
        let blocks = number(layout)?;
        (blocks, blocks.saturating_sub(k.unwrap_or(3)).max(1))
    };
    if key > blocks || k.is_some_and(|k| k + key > blocks) {
        return Err(format!("{name:?}: of {blocks} blocks at most {blocks} less k can be the key"));
    }
    if binomial(blocks, key) > u128::from(MAX_TABLES) {
        return Err(format!("{name:?} makes more than {MAX_TABLES} tables; take fewer blocks"));
    }
    Ok((LayoutKind::Blocks { blocks, key }, k))
}

fn listed(numbers: &[u32]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_comes_back_as_it_was_written() {
        for name in ["3x18", "6c3", "6c3k3", "4c1k3", "10c1"] {
            let (kind, k) = layout_named(name).unwrap();
            assert_eq!(named(kind, k), name);
        }
        assert_eq!(layout_named("4").unwrap(), (LayoutKind::Blocks { blocks: 4, key: 1 }, None));
        for name in ["", "x", "3x", "0c1", "3c4", "4c3k3", "200", "6c3k", "64c32"] {
            assert!(layout_named(name).is_err(), "{name}");
        }
    }

    #[test]
    fn the_words_are_those_of_the_command() {
        let place = LearnPlace {
            view: Some(ViewId::Blocks),
            pair: Some(["a b".into(), "c".into()]),
            layout: Some(LayoutKind::Blocks { blocks: 6, key: 3 }),
            flips: vec![3, 17],
            table: Some(8),
            step: Some(3),
            ..LearnPlace::default()
        };
        let words = "view:tables --pair|a b,c|--layout|6c3|--flip|3,17|--table|8|--step|3";
        assert_eq!(place.words(), words.replacen(' ', "|", 1).split('|').collect::<Vec<_>>());
        assert_eq!(view_named("play"), Some(ViewId::Playground));
        assert_eq!((view_named("x"), view_named("")), (None, None));
    }
}
