//! The Distances view: the distances of all pairs, their scale, and the position of each on the screen.

use crate::{
    analysis::Tuning,
    app::{
        geometry::above,
        layout::{Size, SizeClass},
        query,
        resource::{JobNumber, Resource},
    },
};

/// The state of the Distances view.
#[derive(Debug, Default)]
pub struct DistancesState {
    /// Whether the height of bars is linear in the counts instead of logarithmic.
    pub is_linear: bool,
    /// Whether only small distances are shown, on a wider scale.
    pub is_zoomed: bool,
    /// The row that was looked at without choosing it, in the middle of the list, and the k at that time.
    pub(in crate::app) looked_at: Option<(u32, usize)>,
    /// The distances of all pairs.
    pub measured: Resource<query::DistancesQuery>,
    /// The recommended k by cosines.
    pub advised: Resource<query::AdviceQuery>,
    /// The known rows, one for each k.
    pub tuning: Option<Tuning>,
    /// The inputs of these rows.
    pub(in crate::app) tuned: Option<TuningInputs>,
}

impl DistancesState {
    /// The row in the middle of the list: k, until another is looked at.
    pub fn middle(&self, k: u32) -> usize {
        self.looked_at.filter(|(at, _)| *at == k).map_or(k as usize, |(_, row)| row)
    }
}

/// The inputs of a tuning: a step of k changes none of them.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct TuningInputs {
    /// The version of the fingerprints.
    pub(in crate::app) fingerprints: u64,
    /// The version of the pairs.
    pub(in crate::app) pairs: Option<u64>,
    /// The version of the analysis, if there are no pairs.
    pub(in crate::app) analysis: Option<u64>,
    /// Whether the distances were known.
    pub(in crate::app) has_distances: bool,
    /// Whether only bands were searched.
    pub(in crate::app) is_bands: bool,
    /// The number of the answer that gave the advice.
    pub(in crate::app) advice: Option<JobNumber>,
}

/// The largest distance in a zoomed histogram.
const ZOOM: usize = 16;
/// Cells before the first bar, and after the last.
const MARGINS: [usize; 2] = [8, 0];
/// Rows of the axis and of the text below it.
pub const AXIS: usize = 2;

/// Rows and columns of the view. The histogram includes its sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistancesLayout {
    /// Rows of the conclusion, above the bars.
    pub sentences: usize,
    /// Rows of bars.
    pub bars: usize,
    /// Rows of the list without its header. Without bars the list has the rows of their axis, too.
    pub list: usize,
    /// The scale along the axis.
    pub scale: DistanceAxis,
}

impl DistancesLayout {
    /// Rows of the bars and their axis; none where no bar has room.
    pub fn picture(self) -> usize {
        if self.bars == 0 { 0 } else { self.bars + AXIS }
    }
}

/// The position of each distance along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistanceAxis {
    /// Distances shown.
    pub n_distances: usize,
    /// Cells of one distance.
    pub cells: usize,
    /// Distances in one cell, where there are more distances than cells.
    pub merged: usize,
}

impl DistanceAxis {
    /// The scale for `n_distances` distances in `width` cells, including margins.
    fn new(n_distances: usize, width: usize) -> Self {
        let room = width.saturating_sub(MARGINS[0] + MARGINS[1]).max(1);
        let cells = (room / n_distances.max(1)).clamp(1, 6);
        Self { n_distances, cells, merged: n_distances.div_ceil(room).max(1) }
    }

    /// The first cell of a distance, from the left edge of the histogram.
    pub fn column(self, distance: usize) -> usize {
        MARGINS[0] + distance / self.merged * self.cells
    }

    /// Cells from the first distance to the last.
    pub fn width(self) -> usize {
        self.n_distances.div_ceil(self.merged) * self.cells
    }

    /// The distance of a cell; the last one if several share the cell.
    pub fn distance(self, column: usize) -> Option<usize> {
        let cell = column.checked_sub(MARGINS[0]).filter(|&cell| cell < self.width())?;
        Some(((cell / self.cells + 1) * self.merged - 1).min(self.n_distances - 1))
    }
}

/// The view's rows and columns on a screen of this size, for fingerprints of `width` bits.
pub fn distances_layout(size: Size, width: u32, is_zoomed: bool) -> DistancesLayout {
    let n_distances = width as usize + 1;
    let n_distances = if is_zoomed { n_distances.min(ZOOM + 1) } else { n_distances };
    let (cells, body) = (size.width as usize, size.body());
    let (sentences, list, frame) = match size.shape() {
        SizeClass::TooSmall => (0, 0, 0),
        SizeClass::Small => (1, 3, 1),
        SizeClass::Medium => (3, 3, 2),
        SizeClass::Standard => (4, 6 + (body - 20) / 3, 2),
        SizeClass::Wide => (if cells < 180 { 3 } else { 2 }, (body / 3).max(11), 5),
    };
    let bars = body.saturating_sub(sentences + AXIS + list + frame);
    let inside = if size.shape() == SizeClass::Wide { cells - 2 } else { cells };
    DistancesLayout { sentences, bars, list, scale: DistanceAxis::new(n_distances, inside) }
}

/// The distance under a cell of the screen, if it is one of the histogram's.
pub fn distance_at(
    size: Size,
    layout: DistancesLayout,
    (column, row): (usize, usize),
) -> Option<u32> {
    let edge = usize::from(size.shape() == SizeClass::Wide);
    let top = above(size) + edge + layout.sentences;
    let inside = (top..top + layout.picture()).contains(&row);
    let distance = layout.scale.distance(column.checked_sub(edge)?)?;
    inside.then_some(distance as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(width: u16, height: u16, bits: u32, is_zoomed: bool) -> DistancesLayout {
        distances_layout(Size { width, height }, bits, is_zoomed)
    }

    #[test]
    fn rows_fill_the_screen() {
        let standard = layout(80, 24, 64, false);
        assert_eq!((standard.sentences, standard.bars, standard.list), (4, 6, 6));
        let wide = layout(140, 40, 64, false);
        assert_eq!((wide.sentences, wide.bars, wide.list), (3, 14, 12));
        let small = layout(40, 12, 64, false);
        assert_eq!((small.sentences, small.bars, small.list), (1, 2, 3));
    }

    #[test]
    fn distances_share_cells_or_have_several() {
        let scale = |width, bits, zoomed| {
            let DistanceAxis { cells, merged, .. } = layout(width, 40, bits, zoomed).scale;
            (cells, merged)
        };
        // (screen width, bits, zoomed), (cells a distance, distances a cell)
        let table = [
            ((80, 64, false), (1, 1)),
            ((140, 64, false), (2, 1)),
            ((80, 64, true), (4, 1)),
            ((80, 128, false), (1, 2)),
            ((40, 64, false), (1, 3)),
            ((80, 8, false), (6, 1)),
        ];
        for ((width, bits, zoomed), expected) in table {
            assert_eq!(scale(width, bits, zoomed), expected, "{width} {bits} {zoomed}");
        }
    }

    #[test]
    fn a_click_finds_the_distance_drawn_there() {
        for (width, height, bits, zoomed) in
            [(80, 24, 64, false), (140, 40, 64, true), (40, 12, 128, false), (80, 24, 128, false)]
        {
            let size = Size { width, height };
            let layout = distances_layout(size, bits, zoomed);
            let edge = usize::from(size.shape() == SizeClass::Wide);
            let row = above(size) + edge + layout.sentences;
            for distance in 0..layout.scale.n_distances {
                let column = layout.scale.column(distance) + edge;
                let found = distance_at(size, layout, (column, row)).unwrap() as usize;
                assert_eq!(found / layout.scale.merged, distance / layout.scale.merged);
            }
            assert_eq!(distance_at(size, layout, (0, row)), None);
            assert_eq!(distance_at(size, layout, (10, 0)), None);
        }
    }
}
