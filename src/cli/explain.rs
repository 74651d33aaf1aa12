//! `simscope explain`: why a pair is, or is not, found.

use super::{
    lookup,
    options::Run,
    report::{
        Cell, Format, Output, Report,
        explanation::{self, Explained},
    },
    work::finish,
};
use crate::{analysis::Depth, explain::pair::PairExplanation};

const COLUMNS: &[&str] = &["table", "key", "hit", "damaged"];

/// Runs the command; the exit code.
pub(super) fn run(run: &Run, a: &str, b: &str) -> anyhow::Result<u8> {
    let (analysis, code) = finish(run, Depth::Shelf)?;
    let [first, second] = [a, b].map(|id| lookup::document(run, &analysis, id));
    let (first, second) = (first?, second?);
    let fingerprint = |document| lookup::fingerprint(&analysis, document);
    let (one, other) = (fingerprint(first)?, fingerprint(second)?);
    let layout = analysis.shelf.as_deref().expect("depth is shelf").layout();
    let explained = Explained {
        ids: [first, second].map(|document| analysis.corpus.id(document)),
        fingerprints: [one, other],
        layout,
        explanation: &PairExplanation::new(one, other, layout),
        k: run.settings.k,
    };
    match run.format {
        Format::Table | Format::Jsonl => {
            let mut output = Output::new(&run.target);
            if run.format == Format::Table {
                explanation::write_text(&explained, run.ascii, &mut output)?;
            } else {
                explanation::write_json(&explained, &mut output)?;
            }
            output.finish()?;
        }
        Format::Csv | Format::Tsv => {
            let mut report = Report::new(COLUMNS, run.format, &run.target);
            for (number, (table, outcome)) in explained.tables().enumerate() {
                report.row(&[
                    Cell::Number(number as u64 + 1),
                    Cell::Text(&table.letters()),
                    Cell::Flag(outcome.hit),
                    Cell::Words(&explanation::letters(&outcome.damaged)),
                ])?;
            }
            report.finish()?;
        }
    }
    Ok(code)
}
