//! The Learn screen: how SimHash works, hands on.
//!
//! ```text
//! Lessons     ten things to do, each with a check of what was done
//! Playground  two texts: features, votes and bits move with each key
//! Step        one feature after another, forwards and back
//! Tables      a pair against every table: damage bits and look which keys survive
//! Angle       random lines between two vectors, and the curve a layout makes of it
//! Wear        the selected document with some of its words changed, many times over
//! ```
//!
//! All views share two texts and a recipe of their own, so that playing changes nothing elsewhere.

pub mod angle;
pub mod facts;
pub mod game;
pub mod lesson;
pub mod lessons;
pub mod playground;
pub mod step;
pub mod wear;

pub use self::{
    angle::AngleState, game::GameState, lessons::LessonsState, playground::Playground,
    step::StepState, wear::WearState,
};
use crate::{
    app::{
        App,
        keymap::{Action, LearnAction},
    },
    choice::{choice, turned},
};

choice! {
    /// The views of the Learn screen.
    pub enum View, "view" {
        /// What to do, one after another.
        #[default]
        Lessons = "Lessons",
        /// Two texts and all that follows from them.
        Playground = "Playground",
        /// Feature by feature.
        Step = "Step",
        /// Damaged bits against tables.
        Tables = "Tables",
        /// Lines between two vectors.
        Angle = "Angle",
        /// A document wearing down.
        Wear = "Wear",
    }
}

/// What the Learn screen remembers.
#[derive(Debug, Default)]
pub struct LearnState {
    /// The view that shows.
    pub view: View,
    /// The lessons.
    pub lessons: LessonsState,
    /// The two texts.
    pub playground: Playground,
    /// The count of their features.
    pub step: StepState,
    /// The damaged pair.
    pub game: GameState,
    /// The two vectors.
    pub angle: AngleState,
    /// The worn document.
    pub wear: WearState,
}

/// Whether an action does something in the view that shows.
pub fn serves(app: &App, action: Action) -> bool {
    use LearnAction as L;
    let (learn, view) = (&app.learn, app.learn.view);
    let texts = matches!(view, View::Playground | View::Step);
    match action {
        Action::Learn(L::Answer) => learn.lessons.asks(),
        Action::Learn(L::Edit | L::Shingles | L::Weights | L::Width) => texts,
        Action::Learn(L::Layout(_)) => matches!(view, View::Tables | View::Angle),
        Action::Learn(L::Walk(_)) => view == View::Tables,
        Action::Learn(L::Take) => !matches!(view, View::Lessons | View::Angle),
        Action::Learn(L::Play) => matches!(view, View::Step | View::Angle),
        Action::Enter => view == View::Lessons || learn.lessons.passed,
        Action::Step(_) => matches!(view, View::Lessons | View::Playground),
        Action::Scroll(_) => view == View::Lessons,
        Action::Probe(_) | Action::Sideways(_) => {
            matches!(view, View::Step | View::Tables | View::Angle)
        }
        _ => true,
    }
}

/// What the footer calls an action in the view that shows, where that is not the keymap's word.
pub fn word(app: &App, action: Action) -> Option<&'static str> {
    Some(match (app.learn.view, action) {
        (View::Lessons, Action::Enter) => "begin",
        (_, Action::Enter) => "next lesson",
        (View::Playground, Action::Step(_)) => "text",
        (View::Step, Action::Probe(_)) => "vote",
        (View::Tables, Action::Probe(_)) => "flip",
        (View::Angle, Action::Probe(_)) => "line",
        (View::Angle, Action::Sideways(_)) => "turn",
        (View::Angle, Action::Learn(LearnAction::Layout(_))) => "curve",
        (View::Wear, Action::Learn(LearnAction::Take)) => "other words",
        _ => return None,
    })
}

impl LearnState {
    /// Turns `by` views on, round the end.
    pub fn turn(&mut self, by: isize) {
        self.view = turned(View::ALL, self.view, by);
        self.playground.editing = false;
    }
}
