//! `simscope pairs`: writes every near-duplicate pair when it is found; no pair is kept in memory.

use std::io;
use std::ops::ControlFlow;

use super::args::PairsArgs;
use super::options::CommandRun;
use super::similarity;
use super::work::{
    finish, has_room_for_a_bar, is_filter_without_rows, report_no_rows, report_share,
    report_wordless, search, searched,
};
use crate::analysis::{Analysis, AnalysisDepth, AnalysisError, Job};
use crate::evaluate::angle;
use crate::export::Report;
use crate::facts::pairs::{PairFigures, PairRow, pairs as columns};
use crate::index::DocumentPair;
use crate::number::{counted, grouped};

/// The share of the pairs at the least cosine that a named k finds.
const REACH: f64 = 0.95;
/// The most pairs whose texts are compared at once: the more there are, the less often a text is read.
const AT_ONCE: u64 = 1 << 17;
/// As many are compared at once even if fewer are to be written.
const LEAST_AT_ONCE: u64 = 1 << 13;

/// Runs the command; the exit code.
pub(super) fn run(run: &CommandRun, asked: &PairsArgs) -> anyhow::Result<u8> {
    let figures = PairFigures {
        cosine: asked.cosine || asked.min_cosine.is_some(),
        shared: asked.shared,
        similarity: run.similarity.is_some(),
    };
    let compares = figures.cosine || figures.shared || figures.similarity;
    let (analysis, code) = match finish(run, AnalysisDepth::Index) {
        Err(AnalysisError::Corpus(error)) if is_filter_without_rows(run, &error) => {
            run.report(columns(figures)).finish()?;
            return Ok(report_no_rows(run, &error));
        }
        finished => finished?,
    };
    let mut rows = Rows {
        analysis: &analysis,
        report: run.report(columns(figures)),
        figures,
        least: asked.min_cosine,
        n_looked_at: 0,
        n_written: 0,
        most: asked.max_pairs.unwrap_or(u64::MAX),
    };
    let mut failed = None;
    let found = search(run, &analysis, has_room_for_a_bar(run), |index, job| {
        index.stream_pairs(&run.settings, job, &mut |pairs| match if compares {
            rows.compare(pairs, job)
        } else {
            rows.write(pairs)
        } {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    let Rows { report, n_looked_at, n_written, most, .. } = rows;
    report.finish()?;
    report_share(run, &analysis, found.shared);
    run.notes.note(&format_args!(
        "{} within {} among {}, {}",
        counted(found.pairs, "pair"),
        run.settings.k,
        searched(&analysis),
        counted(found.groups as u64, "group"),
    ));
    if let Some(least) = asked.min_cosine {
        note_least(run, least, n_written);
    }
    if let Some(similarity) = run.similarity {
        run.notes.note(&format_args!(
            "{} of {} are at {similarity} or more by their texts; the others are left out",
            grouped(n_written),
            counted(n_looked_at, "pair"),
        ));
    }
    report_wordless(run, &analysis);
    run.notes.cost(&found);
    similarity::note_cost(run, &found);
    let n_left_out = found.pairs.saturating_sub(n_looked_at);
    if n_left_out == 0 {
        return Ok(code);
    }
    run.notes.warning(&format_args!(
        "the rows end after {}, because of --max-pairs; {} within {} left out",
        grouped(most),
        counted(n_left_out, "pair"),
        run.settings.k,
    ));
    Ok(code.max(1))
}

/// Notes how many pairs have the least cosine, and which k finds most of such pairs.
fn note_least(run: &CommandRun, least: f64, n_written: u64) {
    run.notes.note(&format_args!(
        "{} within {} of an exact cosine of {least} or more; the others, and those whose texts are not known, are \
         left out",
        counted(n_written, "pair"),
        run.settings.k,
    ));
    let width = run.settings.recipe.bits;
    let reach = (run.settings.k..width)
        .find(|&k| angle::within(least, k, width) >= REACH)
        .filter(|&k| k > run.settings.k);
    if let Some(reach) = reach {
        run.notes.note(&format_args!(
            "pairs of this cosine can lie farther apart: -k {reach} finds 95 in 100 pairs at {least}, and more of the \
             more similar ones"
        ));
    }
}

/// The rows that are being written.
struct Rows<'a> {
    analysis: &'a Analysis,
    report: Report<PairRow<'a>>,
    figures: PairFigures,
    /// The least exact cosine, if `--min-cosine` is given.
    least: Option<f64>,
    /// Pairs that were written, or left out because of their cosines.
    n_looked_at: u64,
    n_written: u64,
    /// The largest number of pairs to write.
    most: u64,
}

impl Rows<'_> {
    fn row(
        &mut self,
        pair: DocumentPair,
        [cosine, shared, similarity]: [Option<f64>; 3],
    ) -> io::Result<()> {
        let [a, b] = [pair.a, pair.b].map(|document| self.analysis.corpus.id(document));
        let distance = pair.distance;
        self.report.row(&PairRow { layout: None, a, b, distance, cosine, shared, similarity })
    }

    fn write(&mut self, pairs: &mut dyn Iterator<Item = DocumentPair>) -> anyhow::Result<()> {
        // The search counts the other pairs without expanding copies.
        let room = self.most - self.n_written;
        for pair in pairs.take(usize::try_from(room).unwrap_or(usize::MAX)) {
            self.n_looked_at += 1;
            self.n_written += 1;
            self.row(pair, [None; 3])?;
        }
        Ok(())
    }

    /// Writes pairs with their exact cosines and shares of text, some at a time.
    fn compare(
        &mut self,
        pairs: &mut dyn Iterator<Item = DocumentPair>,
        job: &Job,
    ) -> anyhow::Result<()> {
        while self.n_written < self.most {
            let n = (self.most - self.n_written).clamp(LEAST_AT_ONCE, AT_ONCE);
            let some: Vec<DocumentPair> = pairs.take(n as usize).collect();
            if some.is_empty() {
                return Ok(());
            }
            // The bar goes on showing the search.
            let quiet = Job::new();
            let none = || vec![None; some.len()];
            let (mut cosines, mut shares, mut similar) = (none(), none(), none());
            if self.figures.cosine {
                cosines = self.analysis.cosines(&some, &quiet)?;
            }
            if self.figures.shared {
                shares = self.analysis.shares(&some, &quiet)?;
            }
            if let Some(texts) = &self.analysis.similar_texts {
                similar = texts.cosines(self.analysis, &some, &quiet)?;
            }
            job.progress.check()?;
            let all = some.into_iter().zip(cosines).zip(shares).zip(similar);
            for (((pair, cosine), shared), similarity) in all {
                if self.n_written == self.most {
                    return Ok(());
                }
                self.n_looked_at += 1;
                if self.least.is_some_and(|least| cosine.is_none_or(|cosine| cosine < least)) {
                    continue;
                }
                if self.figures.similarity && !self.analysis.is_similar(similarity) {
                    continue;
                }
                self.n_written += 1;
                self.row(pair, [cosine, shared, similarity])?;
            }
        }
        Ok(())
    }
}
