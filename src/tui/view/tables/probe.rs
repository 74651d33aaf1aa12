//! A comparison of the binary search, as a line of the rows that are still possible, and in words.

use std::ops::Range;

use ratatui::text::Span;

use crate::{
    index::{SearchStep, WindowEnd},
    number::grouped,
    tui::theme::Theme,
};

/// The rows that the line of each probe stands for: all rows, or those that were possible when the line would have less
/// than two cells for them, enlarged.
pub(super) fn pictured(steps: &[SearchStep], cells: usize) -> Vec<Range<usize>> {
    let mut rows = 0..0;
    let of_step = |step: &SearchStep| {
        let is_within = rows.start <= step.low && step.high <= rows.end;
        if !is_within || (step.high - step.low) * cells < 2 * rows.len() {
            rows = step.low..step.high;
        }
        rows.clone()
    };
    steps.iter().map(of_step).collect()
}

/// A line of the pictured rows at a probe: the possible ones, the compared one among them, and the others.
pub(super) fn probe(
    step: &SearchStep,
    rows: &Range<usize>,
    cells: usize,
    theme: Theme,
) -> Vec<Span<'static>> {
    let glyphs = theme.glyphs();
    let n_rows = rows.len().max(1);
    let cell = |row: usize| row.saturating_sub(rows.start) * cells / n_rows;
    let middle = cell(step.middle).min(cells - 1);
    let (low, high) = (cell(step.low).min(middle), cell(step.high).clamp(middle + 1, cells));
    let part = |range: Range<usize>, is_possible: bool| {
        let style = if is_possible { theme.strong() } else { theme.muted() };
        let glyph = glyphs.edges[usize::from(!is_possible)].to_string();
        Span::styled(glyph.repeat(range.len()), style)
    };
    vec![
        part(0..low, false),
        part(low..middle, true),
        Span::styled(glyphs.partner.to_string(), theme.strong()),
        part(middle + 1..high, true),
        part(high..cells, false),
    ]
}

/// The outcome of a comparison of a row's key with the key that is searched.
pub(super) fn finding(step: &SearchStep) -> String {
    let sign = match (step.end, step.goes_up) {
        (WindowEnd::First, true) => "<",
        (WindowEnd::First, false) => ">=",
        (WindowEnd::Past, true) => "<=",
        (WindowEnd::Past, false) => ">",
    };
    format!("row {} {sign} key", grouped(step.middle as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::Look;

    #[test]
    fn a_line_narrows_to_the_key_and_begins_anew_enlarged() {
        let step = |low, high, goes_up| {
            let middle = usize::midpoint(low, high);
            SearchStep { end: WindowEnd::First, low, middle, high, goes_up }
        };
        let steps = [
            step(0, 64, true),
            step(33, 64, false),
            step(33, 48, true),
            step(41, 48, true),
            step(45, 48, false),
        ];
        let rows = pictured(&steps, 8);
        assert_eq!(rows, [0..64, 0..64, 33..48, 33..48, 45..48]);
        let drawn = |at: usize| {
            let spans = probe(&steps[at], &rows[at], 8, Theme(Look::PLAIN));
            spans.iter().map(|span| &*span.content).collect::<String>()
        };
        assert_eq!(
            [0, 1, 2, 3, 4].map(drawn),
            ["────◆───", "┄┄┄┄──◆─", "───◆────", "┄┄┄┄─◆──", "──◆─────"]
        );
    }
}
