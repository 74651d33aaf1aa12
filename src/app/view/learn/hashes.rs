//! The Hashes view: the Playground's two texts under an ordinary hash, MinHash and SimHash.

use super::super::contract::View;
use crate::{
    app::{App, Effect, keymap::Action, pane::PaneLayout},
    evaluate::angle,
    explain::minhash::{MinHash, brittle, jaccard},
    present::page::Section,
    text::visible,
};

/// Hash functions of a MinHash signature: as many as the bits of a fingerprint by default.
const N_VALUES: u64 = 64;
/// Shown values of a signature.
const SHOWN: usize = 4;

/// The Hashes view: a page.
pub(in crate::app) struct HashesView;

impl View for HashesView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        super::act(app, action)
    }

    fn page(&self, app: &mut App) -> usize {
        app.page_cut().rows()
    }

    fn sections(&self, app: &App) -> Vec<Section<'static>> {
        let play = &app.learn.playground;
        let lessons = &app.learn.lessons;
        let texts = [play.texts[0].value(), play.texts[1].value()];
        let known = |fact: &str, value: String| {
            if lessons.hides(fact) {
                "? (hidden until you have answered)".to_owned()
            } else {
                value
            }
        };
        let mut all = Section::new("two texts");
        for (name, text) in ["one", "two"].into_iter().zip(texts) {
            all.fact(name, visible(text).into_owned());
        }

        let hashes = texts.map(brittle);
        let mut usual =
            Section::new("an ordinary hash: shows whether texts are equal, nothing else");
        usual.fact("one", format!("{:016x}", hashes[0]));
        usual.fact("two", known("hash.brittle", format!("{:016x}", hashes[1])));
        let differing = (hashes[0] ^ hashes[1]).count_ones();
        usual.fact("differ in", known("hash.brittle", format!("{differing} of 64 bits")));
        usual.fact("shows", "whether the bytes are equal");

        let features = |side: usize| {
            play.feature_votes[side].features.iter().map(|feature| feature.shingle.as_str())
        };
        let mut min = Section::new("MinHash: the smallest hash of any feature, under 64 functions");
        let signatures = [0, 1].map(|side| MinHash::new(&features(side), N_VALUES));
        if let [Some(one), Some(two)] = &signatures {
            let first = |of: &MinHash| {
                let values = of.values().iter().take(SHOWN);
                let values: Vec<String> = values.map(|it| format!("{:04x}", it >> 48)).collect();
                format!("{} .. ({N_VALUES} values)", values.join(" "))
            };
            min.fact("one", first(one));
            min.fact("two", first(two));
            let equal = one.n_equal(two);
            let share = equal as f64 / N_VALUES as f64;
            let value = format!("{equal} of {N_VALUES} values: {share:.2}");
            min.fact("agree in", known("hash.minhash", value));
            let exact = jaccard(features(0), features(1)).unwrap_or(0.0);
            let value = format!("the Jaccard similarity, exactly {exact:.3}");
            min.fact("estimates", known("hash.minhash", value));
        } else {
            min.say("a text has no features");
        }

        let mut sim =
            Section::new(format!("SimHash: one bit for each direction, {}", play.recipe.short()));
        match (play.fingerprint(0), play.fingerprint(1), play.overlap().cosine) {
            (Some(one), Some(two), Some(cosine)) => {
                sim.fact("one", one.to_string());
                sim.fact("two", known("distance", two.to_string()));
                let (d, bits) = (one.distance(two), play.recipe.bits);
                sim.fact("differ in", known("distance", format!("{d} of {bits} bits")));
                let estimate = angle::estimate(d, bits);
                let value = format!("the cosine, {estimate:.2}; exactly {cosine:.3}");
                sim.fact("estimates", known("distance", value));
            }
            _ => sim.say("a text has no features"),
        }
        vec![all, usual, min, sim]
    }
}

impl App {
    /// The division of a picture of Learn that is a page, beside a lesson's text if one is shown.
    pub(in crate::app) fn beside_the_lesson(&self, cut: PaneLayout) -> PaneLayout {
        let lesson = crate::app::layout::lesson(self.size);
        let is_beside = self.screen == crate::app::Screen::Learn
            && self.learn.lessons.active.is_some()
            && lesson.is_beside;
        let taken = if is_beside { lesson.outer + 1 } else { 0 };
        PaneLayout { width: cut.width.saturating_sub(taken), ..cut }
    }
}
