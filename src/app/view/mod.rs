//! The views: what the keys of each do, what each asks for, and its numbers.
//!
//! ```text
//! ViewId --view()--> &dyn View
//!   act, step, back, click   a key or the mouse: changes App, asks for work
//!   refresh                  after every message: asks for what shows and is not known, lays out what is
//!   documents, numbers       what is under the cursor; what `?` explains
//! ```
//!
//! The state of a view stands in [`App`], its keys in `keymap`, its drawing in `tui`. To add a view: a line in
//! `screen`, its keys, a file here with a line in [`view()`], a file in `tui` with a line in its `draw`.

mod arrivals;
mod contract;
pub(super) mod docs;
pub(super) mod go;
pub(super) mod groups;
pub(super) mod learn;
pub(super) mod near;
pub(super) mod preview;
pub(super) mod tables;
pub(super) mod tune;

use self::contract::View;
use super::{
    App,
    numbers::{self, Number},
    screen::ViewId,
};

/// The behaviour of a view.
pub(super) fn view(id: ViewId) -> &'static dyn View {
    match id {
        ViewId::Documents => &docs::documents::Documents,
        ViewId::Bits => &docs::bits::Bits,
        ViewId::Health => &docs::health::Health,
        ViewId::Disagreements => &docs::disagreements::Disagreements,
        ViewId::Texts => &near::texts::Texts,
        ViewId::Why => &near::why::Why,
        ViewId::Tables => &tables::Tables,
        ViewId::Groups => &groups::Groups,
        ViewId::Distances => &tune::distances::Distances,
        ViewId::Layouts => &tune::layouts::Layouts,
        ViewId::Label => &tune::label::Label,
        ViewId::Judging => &tune::label::Judging,
        ViewId::Lab => &tune::lab::Lab,
        ViewId::Sweep => &tune::sweep::Sweep,
        ViewId::Compare => &tune::compare::Compare,
        ViewId::Lessons => &learn::lessons::Lessons,
        ViewId::Playground => &learn::playground::Playground,
        ViewId::Step => &learn::step::Step,
        ViewId::Blocks => &learn::blocks::Blocks,
        ViewId::Angle => &learn::angle::Angle,
        ViewId::Wear => &learn::wear::Wear,
    }
}

impl App {
    /// The numbers of the view that shows, its own first, then those of the status row. Costs microseconds to
    /// a millisecond.
    pub fn numbers(&self) -> Vec<Number> {
        let mut numbers = view(self.view()).numbers(self);
        // A number that the view explains is explained once.
        for number in numbers::corpus::of_the_status(self) {
            if numbers.iter().all(|known| known.name != number.name) {
                numbers.push(number);
            }
        }
        numbers
    }
}
