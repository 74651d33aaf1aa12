//! The tour: a first walk through the explorer, with the real keys on the real screens. Each card names a key to press;
//! the next card comes when that was done.

use super::key::KeyCode;
use super::keymap::Action;
use super::overlay::{Overlay, Purpose};
use super::screen::ViewId;
use super::screen::groups::Fate;
use super::{App, Screen};

/// A card of the tour.
struct Step {
    title: &'static str,
    /// The text; `{}` stands for the key.
    text: &'static str,
    key: Action,
    /// The screen where the key does that; `None` for all.
    on: Option<Screen>,
    /// Whether the card is done; the number is k when the card came.
    is_done: fn(&App, u32) -> bool,
}

/// The cards, in their order.
const STEPS: [Step; 7] = [
    Step {
        title: "pick a text",
        text: "A group lists what is kept and, below, what goes (l opens it). Press {} until a text that goes is selected.",
        key: Action::Step(1),
        on: Some(Screen::Docs),
        is_done: |app, _| app.groups.selected_member().is_some_and(|it| it.fate == Fate::Goes),
    },
    Step {
        title: "see its bits",
        text: "Its fingerprint is 64 bits; near-duplicates have nearly the same. Press {}: the votes that decide each bit.",
        key: Action::Votes,
        on: Some(Screen::Docs),
        is_done: |app, _| app.view() == ViewId::Bits,
    },
    Step {
        title: "find its near-duplicates",
        text: "The selected bit is the sum of the votes below it. Press {}: the documents with nearly the same bits.",
        key: Action::Enter,
        on: Some(Screen::Docs),
        is_done: |app, _| app.screen == Screen::Pair,
    },
    Step {
        title: "look into the tables",
        text: "d counts the bits that differ; below are both texts with their differences. Sorted tables bring near ones together. Press {} to see those of this pair.",
        key: Action::Enter,
        on: Some(Screen::Pair),
        is_done: |app, _| app.screen == Screen::Tables,
    },
    Step {
        title: "choose the threshold",
        text: "HIT: the two are neighbours in that table. Press {}: how near is near, and what each k finds and misses.",
        key: Action::Go(Screen::Tune),
        on: None,
        is_done: |app, _| app.screen == Screen::Tune,
    },
    Step {
        title: "move the threshold",
        text: "Two documents are near if at most k bits differ. Press {}: k is one more, and groups grow. Tune (4) shows each k.",
        key: Action::K(1),
        on: None,
        is_done: |app, k| app.settings.k != k,
    },
    Step {
        title: "take it with you",
        text: "Press {}: a line asks for a file. Its ending says how: .txt the screen, .tsv, .csv or .jsonl the rows. Esc writes nothing.",
        key: Action::Export,
        on: None,
        is_done: |app, _| matches!(&app.overlay, Some(Overlay::Prompt(it)) if it.purpose == Purpose::ViewFile),
    },
];

/// A tour that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tour {
    /// The shown card, from 0; the number of cards at the end.
    step: usize,
    /// k when the card came.
    k: u32,
}

/// A card as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourCard {
    /// Its title, with its number.
    pub title: String,
    /// Its text.
    pub text: String,
}

impl App {
    /// Begins the tour.
    pub fn begin_tour(&mut self) {
        self.tour = Some(Tour { step: 0, k: self.settings.k });
    }

    /// The card of the tour that shows.
    pub fn tour_card(&self) -> Option<TourCard> {
        let at = self.tour?.step;
        let Some(step) = STEPS.get(at) else {
            let key = |action| self.keymap.key_of(self.view(), action);
            let text = format!(
                "That was the tour. {} takes k back, {} lists the keys here, {} finds everything by name, {} has \
                 lessons. `simscope FILE` opens a corpus of yours. Esc closes this card.",
                key(Action::Undo),
                key(Action::Help),
                key(Action::Menu),
                key(Action::Go(Screen::Learn)),
            );
            return Some(TourCard { title: "tour: done".to_owned(), text });
        };
        let key = match step.on {
            Some(screen) if screen != self.screen => format!(
                "{} for {screen}, then {}",
                self.keymap.key_of(self.view(), Action::Go(screen)),
                self.keymap.key_of(self.shown(screen), step.key),
            ),
            _ => self.keymap.key_of(self.view(), step.key),
        };
        let title = format!("tour {} of {}: {}", at + 1, STEPS.len(), step.title);
        Some(TourCard { title, text: step.text.replace("{}", &key) })
    }
}

/// Goes on to the next card if the present one is done.
pub(super) fn go_on(app: &mut App) {
    let Some(tour) = app.tour else { return };
    if STEPS.get(tour.step).is_some_and(|step| (step.is_done)(app, tour.k)) {
        app.tour = Some(Tour { step: tour.step + 1, k: app.settings.k });
    }
}

/// Whether a key leaves the tour, and does nothing else.
pub(super) fn is_left_by(app: &mut App, code: KeyCode) -> bool {
    code == KeyCode::Esc && app.overlay.is_none() && app.tour.take().is_some()
}
