//! The Hashes view: the Playground's two texts under an ordinary hash, MinHash and SimHash.

use super::super::contract::View;
use crate::{
    app::{
        App, Effect,
        keymap::Action,
        pane::PaneLayout,
        screen::learn::hashes::{ComparedHashes, HIDDEN},
    },
    present::page::Section,
    text::visible,
};

/// The Hashes view: a page.
pub(in crate::app) struct HashesView;

impl View for HashesView {
    fn act(&self, app: &mut App, action: Action, _: &mut Vec<Effect>) -> bool {
        super::act(app, action)
    }

    fn leap(&self, app: &mut App) -> usize {
        app.page_cut().rows()
    }

    fn sections(&self, app: &App) -> Vec<Section<'static>> {
        let play = &app.learn.playground;
        let lessons = &app.learn.lessons;
        let known = |fact: &str, value: String| {
            if lessons.hides(fact) { format!("? ({HIDDEN})") } else { value }
        };
        let hashes = ComparedHashes::new(play);
        let mut all = Section::new("two texts");
        for (name, text) in ["one", "two"].into_iter().zip(&play.texts) {
            all.fact(name, visible(text.value()).into_owned());
        }
        let mut usual =
            Section::new("an ordinary hash: shows whether texts are equal, nothing else");
        let [one, two] = hashes.usual.map(|hash| format!("{hash:016x}"));
        usual.fact("one", one);
        usual.fact("two", known("hash.brittle", two));
        usual.fact("", known("hash.brittle", hashes.usual_result()));
        let mut min = Section::new("MinHash: the smallest hash of any feature, under 64 functions");
        if let Some(compared) = &hashes.min {
            let [one, two] = compared.first.clone();
            min.fact("one", one);
            min.fact("two", two);
            min.fact("", known("hash.minhash", compared.result()));
        } else {
            min.say("a text has no features");
        }
        let mut sim =
            Section::new(format!("SimHash: one bit for each direction, {}", play.recipe.short()));
        if let Some(compared) = &hashes.sim {
            let [one, two] = compared.fingerprints.map(|it| it.to_string());
            sim.fact("one", one);
            sim.fact("two", known("distance", two));
            sim.fact("", known("distance", compared.result()));
        } else {
            sim.say("a text has no features");
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
