//! The section of a report that shows pairs side by side.

use super::groups;
use crate::{
    analysis::report::{CorpusReport, PairSample, PairSamples},
    explain::figures::similarity,
    number::{counted, grouped},
    present::page::{PageBlock, PageLine},
};

/// Some pairs at each distance, their texts compared.
pub(super) fn side_by_side(report: &CorpusReport) -> Vec<PageBlock<'_>> {
    let Some(samples) = &report.samples else {
        let why = "This corpus has too many near pairs to keep them and draw some; a smaller k makes fewer.";
        return vec![PageBlock::Paragraph(why.into())];
    };
    let settings = &report.analysis.settings;
    let k = settings.k;
    let words = "These pairs are drawn at random from the pairs of documents with different texts at each distance, and are the same \
    in every report; if one group has many of the pairs, pairs of other groups are added. A few pairs illustrate, and \
    estimate nothing: for the precision, judge pairs and pass the labels with --labels. Differences are marked; long \
    stretches that both texts have are left out.";
    let mut blocks = vec![PageBlock::Paragraph(words.into())];
    for &(distance, n_pairs) in &samples.distances {
        blocks.push(PageBlock::Heading(3, title(distance, k)));
        blocks.push(PageBlock::Paragraph(about(samples, distance, n_pairs)));
        for sample in samples.pairs.iter().filter(|sample| sample.distance == distance) {
            blocks.extend(one_pair(report, sample));
        }
    }
    blocks
}

/// The heading of the pairs at a distance.
fn title(distance: u32, k: u32) -> PageLine {
    let beyond = if distance > k { ", beyond k" } else { "" };
    format!("Distance {distance}{beyond}").into()
}

/// Links to the pairs of a group that are shown side by side, if there are some.
pub(super) fn links(report: &CorpusReport, group: u32) -> Option<PageLine> {
    let k = report.analysis.settings.k;
    let samples = report.samples.iter().flat_map(|samples| &samples.pairs);
    let ours = samples.filter(|pair| report.listed_group(&pair.documents) == Some(group));
    let mut distances: Vec<u32> = ours.map(|pair| pair.distance).collect();
    distances.dedup();
    let (first, rest) = distances.split_first()?;
    let link = |line: PageLine, distance: u32| {
        line.link(format!("distance {distance}"), title(distance, k).anchor())
    };
    let begun = link(PageLine::from("Pairs of this group are shown side by side at "), *first);
    let line = rest.iter().fold(begun, |line, &distance| link(line.text(", "), distance));
    Some(line.text("."))
}

/// The number of pairs at a distance, and the exact cosines of the shown pairs. Their bits are not described, because
/// the pairs were drawn by their distance.
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

fn one_pair<'a>(report: &'a CorpusReport, sample: &'a PairSample) -> Vec<PageBlock<'a>> {
    let [one, other] = &sample.names;
    let excerpt = &sample.excerpt;
    let title = PageLine::default().name(one).text(" and ").name(other);
    // Round down, so that 99.9 % is never shown as 100 %.
    let shared = (100.0 * excerpt.shared).floor();
    let mut words = match excerpt.n_edits {
        0 if excerpt.uncompared != [0, 0] => {
            "The words are the same as far as they were compared; they differ beyond that, or in white space alone.".to_owned()
        }
        0 => "The words are the same; only white space differs.".to_owned(),
        n => {
            let where_from = if excerpt.uncompared == [0, 0] { "They" } else { "As far as they were compared, they" };
            format!(
                "{where_from} differ in {}; {shared:.0} % of all their words and marks are unchanged in both, in the \
                same order.",
                counted(n as u64, "place"),
            )
        }
    };
    if let Some(cosine) = sample.cosine {
        words += &format!(" The exact cosine of their features is {}.", similarity(cosine));
    }
    if let Some(spread) = sample.by_seed {
        let [low, high] = spread.middle;
        words += &format!(
            " Under {} hash functions it is {:.1} bits apart on average",
            spread.n, spread.mean
        );
        words += &if low == high {
            ".".to_owned()
        } else {
            format!(", and {low} to {high} under 95 of 100.")
        };
    }
    if excerpt.n_hidden > 0 {
        words += &format!(" The last {} are not shown.", counted(excerpt.n_hidden as u64, "place"));
    }
    let cut = excerpt.uncompared;
    if cut != [0, 0] {
        words += &format!(
            " The texts are long: the last {} and {} bytes were not compared.",
            grouped(cut[0] as u64),
            grouped(cut[1] as u64),
        );
    }
    let mut words = PageLine::from(words);
    if let Some(group) = groups::link(report, &sample.documents) {
        words.0.extend(PageLine::from(" Both are in ").0.into_iter().chain(group.text(".").0));
    }
    vec![
        PageBlock::Heading(4, title),
        PageBlock::Paragraph(words),
        PageBlock::Texts([one, other], excerpt),
    ]
}
