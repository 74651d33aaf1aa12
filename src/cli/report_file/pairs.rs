//! The section of a report that shows pairs side by side.

use crate::{
    analysis::report::{CorpusReport, PairSample, PairSamples},
    explain::figures::similarity,
    number::{counted, grouped},
    present::page::{PageBlock, PageLine},
};

/// Some pairs at each distance, their texts compared.
pub(super) fn side_by_side(report: &CorpusReport) -> Vec<PageBlock<'_>> {
    let Some(samples) = &report.samples else {
        let why = "There are too many near pairs in this corpus to keep them and draw from them; a smaller k makes fewer.";
        return vec![PageBlock::Paragraph(why.into())];
    };
    let settings = &report.analysis.settings;
    let k = settings.k;
    let said = "Drawn at random, the same ones every time, from the pairs of documents with different texts at each distance; where one group has \
                many of them, others are drawn beside it. A few pairs show the kind of pair, and estimate nothing: for the precision, judge pairs \
                and pass them with --labels. Differences are marked; long stretches that both have are left out.";
    let mut blocks = vec![PageBlock::Paragraph(said.into())];
    for &(distance, n_pairs) in &samples.distances {
        let beyond = if distance > k { ", beyond k" } else { "" };
        blocks.push(PageBlock::Heading(3, format!("Distance {distance}{beyond}").into()));
        blocks.push(PageBlock::Paragraph(about(samples, distance, n_pairs)));
        for sample in samples.pairs.iter().filter(|sample| sample.distance == distance) {
            blocks.extend(one_pair(sample));
        }
    }
    blocks
}

/// The number of pairs at a distance, and the exact cosines of the ones shown. The bits say nothing more
/// about pairs that were drawn by their distance.
fn about(samples: &PairSamples, distance: u32, n_pairs: u64) -> PageLine {
    let here = || samples.pairs.iter().filter(|sample| sample.distance == distance);
    let n_shown = here().count();
    let mut cosines: Vec<f64> = here().filter_map(|sample| sample.cosine).collect();
    cosines.sort_by(f64::total_cmp);
    let cosines = match cosines[..] {
        [] => String::new(),
        [one] => format!(" Exact cosine of the pair shown: {}.", similarity(one)),
        [low, .., high] => {
            format!(
                " Exact cosines of the pairs shown: {} to {}.",
                similarity(low),
                similarity(high)
            )
        }
    };
    let shown = match (n_pairs, n_shown) {
        (0, _) => return "No pairs of documents with different texts.".into(),
        (_, 0) => "none with texts to show".to_owned(),
        (all, shown) if all == shown as u64 => "all shown".to_owned(),
        (_, shown) => format!("{shown} shown"),
    };
    format!("{} of documents with different texts, {shown}.{cosines}", counted(n_pairs, "pair"))
        .into()
}

fn one_pair(sample: &PairSample) -> Vec<PageBlock<'_>> {
    let [one, other] = &sample.names;
    let excerpt = &sample.excerpt;
    let title = PageLine::default().name(one).text(" and ").name(other);
    // Round down, so that 99.9 % is never shown as 100 %.
    let shared = (100.0 * excerpt.shared).floor();
    let mut said = match excerpt.n_edits {
        0 if excerpt.uncompared != [0, 0] => {
            "The words are the same as far as compared; they part beyond that, or in white space alone.".to_owned()
        }
        0 => "The words are the same; what differs is white space.".to_owned(),
        n => {
            let where_from = if excerpt.uncompared == [0, 0] { "They" } else { "As far as compared they" };
            format!(
                "{where_from} part in {}; {shared:.0} % of all their words and marks stand unchanged in both, in the \
                 same order.",
                counted(n as u64, "place"),
            )
        }
    };
    if let Some(cosine) = sample.cosine {
        said += &format!(" The exact cosine of their features is {}.", similarity(cosine));
    }
    if excerpt.n_hidden > 0 {
        said += &format!(" The last {} are not shown.", counted(excerpt.n_hidden as u64, "place"));
    }
    let cut = excerpt.uncompared;
    if cut != [0, 0] {
        said += &format!(
            " The texts are long: the last {} and {} bytes were not compared.",
            grouped(cut[0] as u64),
            grouped(cut[1] as u64),
        );
    }
    vec![
        PageBlock::Heading(4, title),
        PageBlock::Paragraph(said.into()),
        PageBlock::Texts([one, other], excerpt),
    ]
}
