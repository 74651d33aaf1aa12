//! What the distances say, in words: the same sentences on the screen and beside the rows.

use super::Tuning;
use crate::{evaluate::valley::Valley, number::counted};

impl Tuning {
    /// The conclusion, a sentence an element, what matters most first. Empty where nothing is known yet.
    pub fn conclusion(&self) -> Vec<String> {
        if self.rows.is_empty() || self.n_pairs == 0 {
            return Vec::new();
        }
        [self.choice(), self.about_valley(), self.about_chance(), self.about_steadiness()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// The conclusion in some forty cells; empty where nothing is known yet.
    pub fn brief(&self) -> String {
        match (self.suggested(), self.valley, self.ceiling) {
            (Some(k), Some(Valley::At { first, last }), _) => {
                format!("take k = {k}: valley at {}", range(first, last))
            }
            (_, Some(_), Some(ceiling)) => format!("no valley; stay within {ceiling}"),
            (_, Some(_), None) => "chance brings pairs at any k".to_owned(),
            _ => String::new(),
        }
    }

    /// Which k to take, and why.
    fn choice(&self) -> Option<String> {
        let valley = self.valley?;
        let Some(k) = self.suggested() else {
            let Some(ceiling) = self.bounded_ceiling() else {
                return Some("distances alone favour no k; label pairs to choose one".to_owned());
            };
            return Some(format!(
                "distances alone favour no k; stay within {ceiling} and label pairs to choose one"
            ));
        };
        let gone = self.rows[k as usize].groups.map_or_else(
            || "; its groups are not known yet".to_owned(),
            |groups| format!("; {} would go", counted(u64::from(groups.redundant()), "document")),
        );
        let why = match valley {
            Valley::At { first, .. } if k + 1 == first => "all that lies before the valley",
            _ => "as far as chance brings no pairs",
        };
        let differ = counted(u64::from(k), "bit");
        Some(format!("take k = {k} (near is: at most {differ} differ), {why}{gone}"))
    }

    fn about_valley(&self) -> Option<String> {
        Some(match self.valley? {
            Valley::At { first, last } => {
                let range = range(first, last);
                format!(
                    "valley at {range}: what lies before it is no accident; texts that were edited more lie beyond, among strangers"
                )
            }
            Valley::None => {
                "no valley: near-duplicates, if any, run into unrelated texts without a gap"
                    .to_owned()
            }
            Valley::Beyond => {
                let reach = self.reach.map_or_else(String::new, |reach| format!(" to {reach}"));
                format!("no valley{reach}; farther out pairs are only sampled")
            }
        })
    }

    fn about_chance(&self) -> Option<String> {
        let Some(ceiling) = self.ceiling else {
            return Some("chance alone brings pairs at any k; use more bits".to_owned());
        };
        self.bounded_ceiling().map(|_| format!("above k = {ceiling} chance alone brings pairs"))
    }

    fn about_steadiness(&self) -> Option<String> {
        let (from, to) = self.steady?;
        Some(format!("from k = {from} to {to} almost no more documents are grouped"))
    }

    /// The ceiling, where it is one.
    fn bounded_ceiling(&self) -> Option<u32> {
        self.ceiling.filter(|&ceiling| (ceiling as usize) + 1 < self.rows.len())
    }
}

/// `7`, `7-15`.
fn range(first: u32, last: u32) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{analysis::KRow, index::GroupTotals};

    fn tuning(valley: Option<Valley>, ceiling: Option<u32>, steady: Option<(u32, u32)>) -> Tuning {
        let row = |k| KRow {
            k,
            at_k: None,
            at_k_by_chance: 0.0,
            pairs: None,
            pairs_by_chance: 0.0,
            groups: Some(GroupTotals { groups: 2, largest: 3, documents: 5 }),
            guaranteed: true,
        };
        let rows = (0..=64).map(row).collect();
        let (reach, method) = (Some(8), None);
        Tuning { rows, n_pairs: 10, valley, ceiling, steady, reach, method }
    }

    #[test]
    fn sentences_for_every_case() {
        let at = Some(Valley::At { first: 7, last: 15 });
        let table = [
            (
                tuning(at, Some(10), Some((3, 6))),
                "take k = 6 (near is: at most 6 bits differ), all that lies before the valley; 3 documents would go; valley at 7-15: what lies before it is no accident; texts that were edited more lie beyond, among strangers; above k = 10 chance alone brings pairs; from k = 3 to 6 almost no more documents are grouped",
            ),
            (
                tuning(at, Some(4), None),
                "take k = 4 (near is: at most 4 bits differ), as far as chance brings no pairs; 3 documents would go; valley at 7-15: what lies before it is no accident; texts that were edited more lie beyond, among strangers; above k = 4 chance alone brings pairs",
            ),
            (
                tuning(Some(Valley::None), Some(8), None),
                "distances alone favour no k; stay within 8 and label pairs to choose one; no valley: near-duplicates, if any, run into unrelated texts without a gap; above k = 8 chance alone brings pairs",
            ),
            (
                tuning(Some(Valley::Beyond), None, None),
                "distances alone favour no k; label pairs to choose one; no valley to 8; farther out pairs are only sampled; chance alone brings pairs at any k; use more bits",
            ),
            (tuning(None, Some(64), None), ""),
        ];
        for (tuning, expected) in table {
            assert_eq!(tuning.conclusion().join("; "), expected);
            assert!(tuning.brief().len() <= 38 && tuning.brief().is_empty() == expected.is_empty());
        }
    }
}
