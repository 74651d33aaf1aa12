//! The problems of what was not read, by kind.

use std::collections::HashMap;

use crate::corpus::Diagnostic;

/// A row of the list of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemRow<'a> {
    /// The number of its kind, from 0.
    pub kind: usize,
    /// The number of places with this problem; 1 in the row of a place.
    pub n: usize,
    /// Whether the row is a place of the kind above it.
    pub is_place: bool,
    /// The problem at its place; at the first place for a kind.
    pub first: &'a Diagnostic,
}

/// The rows of problems: kinds in the order of their first problems, and below the open kind its places. Costs a look
/// at each problem.
pub fn problem_rows<'a>(
    listed: impl Iterator<Item = &'a Diagnostic>,
    open: Option<usize>,
) -> Vec<ProblemRow<'a>> {
    let mut kinds: Vec<Vec<&Diagnostic>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for problem in listed {
        let kind = *known.entry(&problem.problem).or_insert(kinds.len());
        if kind == kinds.len() {
            kinds.push(Vec::new());
        }
        kinds[kind].push(problem);
    }
    let mut rows = Vec::new();
    for (kind, places) in kinds.into_iter().enumerate() {
        let n = places.len();
        rows.push(ProblemRow { kind, n, is_place: false, first: places[0] });
        if open == Some(kind) && n > 1 {
            let row = |first| ProblemRow { kind, n: 1, is_place: true, first };
            rows.extend(places.into_iter().map(row));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_problems_are_one_row_that_opens() {
        let problem = |place: &str, problem: &str| Diagnostic::new(place, problem, "");
        let all = [problem("a:1", "no text"), problem("b", "empty"), problem("a:7", "no text")];
        let shown = |open| -> Vec<(usize, String)> {
            problem_rows(all.iter(), open).iter().map(|it| (it.n, it.first.place.clone())).collect()
        };
        assert_eq!(shown(None), [(2, "a:1".into()), (1, "b".into())]);
        let opened = [(2, "a:1".into()), (1, "a:1".into()), (1, "a:7".into()), (1, "b".into())];
        assert_eq!(shown(Some(0)), opened);
        assert_eq!(shown(Some(1)), shown(None), "a single problem has nothing to open");
    }
}
