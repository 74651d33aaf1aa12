//! Opens Learn at a place, and names the present place.

use super::lessons;
use crate::{
    app::{
        App,
        screen::{ViewId, learn::Playground, learn::place::LearnPlace},
    },
    id::DocId,
};

impl App {
    /// Opens Learn at a place; the parts that need the corpus follow when it is read.
    ///
    /// # Errors
    /// If there is no such place, with the reason.
    pub fn open_learn(&mut self, place: LearnPlace) -> Result<(), String> {
        self.show(ViewId::Lessons);
        if let Some(name) = &place.lesson {
            let all = &self.learn.lessons.all;
            let by_name = || all.iter().position(|lesson| lesson.name == *name);
            // As the list numbers them, from 1 on.
            let by_number = name.parse().ok().filter(|number| (1..=all.len()).contains(number));
            let number = by_name().or(by_number.map(|number: usize| number - 1));
            let names = || all.iter().map(|lesson| &*lesson.name).collect::<Vec<_>>().join(", ");
            let unknown = || {
                format!(
                    "no lesson {name:?}; the lessons are {}, or 1 to {}; a view is view:tables",
                    names(),
                    all.len()
                )
            };
            self.learn.lessons.cursor.selected = number.ok_or_else(unknown)?;
            lessons::begin(self);
            if let Some(page) = place.page {
                lessons::open_page(self, page)?;
            }
        }
        if let Some(view) = place.view {
            self.show(view);
        }
        let learn = &mut self.learn;
        if place.texts.iter().any(Option::is_some) {
            let [one, two] = [0, 1].map(|side| {
                place.texts[side].as_deref().unwrap_or_else(|| learn.playground.texts[side].value())
            });
            learn.playground = Playground::new(one, two, learn.playground.recipe.clone());
        }
        if let Some(kind) = place.layout {
            learn.game.kind = kind;
            let width = self.analysis.settings.recipe.bits;
            learn.bench.k = place.k.unwrap_or(learn.bench.k);
            learn.bench.show(kind, width);
        }
        if let Some(hundredths) = place.hundredths {
            learn.angle.hundredths = hundredths.clamp(-100, 100);
        }
        // A pair brings its own differing bits.
        let is_here = place.pair.is_none();
        learn.pending = Some(place);
        if is_here {
            settle(self);
        }
        Ok(())
    }

    /// The present place, if Learn is shown.
    pub(in crate::app) fn learn_place(&self) -> LearnPlace {
        let learn = &self.learn;
        let view = self.shown(crate::app::Screen::Learn);
        let id = |document: DocId| self.analysis.corpus.id(document).to_owned();
        let lesson = learn.lessons.active();
        let mut place = LearnPlace {
            lesson: lesson.map(|lesson| lesson.name.clone()),
            page: lesson.map(|_| learn.lessons.page + 1),
            view: Some(view).filter(|view| *view != ViewId::Lessons),
            ..LearnPlace::default()
        };
        match view {
            ViewId::Hashes | ViewId::Playground => place.texts = self.learn_texts(),
            ViewId::Step => {
                place.texts = self.learn_texts();
                place.step = Some(learn.step.cast);
            }
            ViewId::Angle => {
                place.hundredths = Some(learn.angle.hundredths);
                place.step = Some(learn.angle.n_lines);
            }
            ViewId::Blocks => {
                place.layout = Some(learn.game.kind);
                place.pair = learn.game.pair.map(|pair| pair.map(id));
                if place.pair.is_none() {
                    let bits = 0..learn.game.fingerprint.width();
                    place.flips = bits.filter(|bit| learn.game.damage >> bit & 1 == 1).collect();
                }
                place.table = Some(learn.game.table + 1);
                place.step = Some(learn.game.phase);
            }
            ViewId::Bench => {
                let bench = &learn.bench;
                (place.layout, place.k) = bench.kind();
            }
            _ => {}
        }
        place
    }

    fn learn_texts(&self) -> [Option<String>; 2] {
        [0, 1].map(|side| Some(self.learn.playground.texts[side].value().to_owned()))
    }
}

/// Opens a place that waits for the corpus, when the corpus is read.
pub(in crate::app) fn settle(app: &mut App) {
    let Some(place) = app.learn.pending.take() else { return };
    if let Some(ids) = &place.pair {
        if !app.analysis.is_complete() {
            app.learn.pending = Some(place);
            return;
        }
        let found = ids.clone().map(|id| app.analysis.corpus.find(&id).first().copied());
        let bits = |document: DocId| app.analysis.fingerprint(document);
        match found {
            [Some(one), Some(other)] if bits(one).is_some() && bits(other).is_some() => {
                if let (Some(a), Some(b)) = (bits(one), bits(other)) {
                    app.learn.game.take([one, other], a, b);
                }
            }
            _ => {
                let [one, other] = ids;
                app.say(format!("no pair {one}, {other} with fingerprints is here"));
            }
        }
    }
    let view = app.view();
    let learn = &mut app.learn;
    for &bit in place.flips.iter().filter(|bit| **bit < learn.game.fingerprint.width()) {
        learn.game.damage ^= 1 << bit;
    }
    if let Some(table) = place.table {
        learn.game.step(table.saturating_sub(1) as isize);
    }
    if let Some(step) = place.step {
        let step = step as isize;
        match view {
            ViewId::Step => learn.step.step(step, &learn.playground),
            ViewId::Angle => learn.angle.draw(step),
            ViewId::Blocks => learn.game.walk(step),
            _ => {}
        }
    }
}
