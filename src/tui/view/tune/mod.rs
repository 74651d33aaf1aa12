//! The Tune screen: its views, one at a time or, where there is room, side by side.
//!
//! ```text
//! Distances   the histogram, and below it what each k would do
//! Layouts     the tables that could be built, their cost, their hottest bucket
//! Lab         layouts against exact cosines
//! Label       a pair to judge, or what the judgements say of each k
//! Sweep       recipes as a map of their F1, each at its best k
//! Compare     pairs gained and lost against the recipe before
//! ```

pub(super) mod compare;
pub(super) mod distances;
mod histogram;
pub(super) mod lab;
pub(super) mod label;
pub(super) mod layouts;
pub(super) mod sweep;

/// The first columns that fit in `room` cells, their header, and the cells left. A column is its name, its
/// cells and what it shows.
fn fitting<T: Copy>(
    columns: &[(&'static str, usize, T)],
    mut room: usize,
) -> (Vec<(&'static str, usize, T)>, String, usize) {
    let fits = |(_, cells, _): &&(&'static str, usize, T)| {
        let left = room.checked_sub(*cells);
        room = left.unwrap_or(room);
        left.is_some()
    };
    let shown: Vec<_> = columns.iter().take_while(fits).copied().collect();
    let names: Vec<String> =
        shown.iter().map(|(name, cells, _)| format!("{name:>cells$}")).collect();
    (shown, names.concat(), room)
}
