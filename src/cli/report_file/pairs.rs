//! The section of a report that shows pairs side by side.

use rayon::prelude::*;

use super::groups;
use super::report::Report;
use crate::corpus::Content;
use crate::explain::figures::similarity;
use crate::explain::overlap::align;
use crate::explain::{Excerpt, Overlap};
use crate::index::DocumentPair;
use crate::number::{counted, grouped};
use crate::present::page::{PageBlock, PageLine};

/// The exact cosine of longer texts, in bytes, is not computed.
const MOST_WEIGHED: usize = 1 << 20;

/// Some pairs at each distance, their texts compared.
pub(super) fn side_by_side(report: &Report) -> Vec<PageBlock> {
    let Some(samples) = &report.samples else {
        let why = "This corpus has too many near pairs to keep them and draw some; a smaller k makes fewer.";
        return vec![PageBlock::Paragraph(why.into())];
    };
    let words = "These pairs are drawn at random from the pairs of documents with different texts at each distance, and are the same \
    in every report. A few pairs illustrate, and \
    estimate nothing: for the precision, judge pairs and pass the labels with --labels. Differences are marked; long \
    stretches that both texts have are left out.";
    let mut blocks = vec![PageBlock::Paragraph(words.into())];
    let compared = samples.pairs.par_iter().filter_map(|pair| one_pair(report, pair));
    let mut compared: Vec<ComparedPair> = compared.collect();
    for &(distance, n_pairs) in &samples.distances {
        let here: Vec<_> = compared.extract_if(.., |it| it.distance == distance).collect();
        blocks.push(PageBlock::Heading(title(distance, report.analysis.settings.k)));
        blocks.push(PageBlock::Paragraph(about(here.len() as u64, n_pairs)));
        blocks.extend(here.into_iter().flat_map(|it| it.blocks));
    }
    blocks
}

/// The heading of the pairs at a distance.
fn title(distance: u32, k: u32) -> PageLine {
    let beyond = if distance > k { ", beyond k" } else { "" };
    format!("Distance {distance}{beyond}").into()
}

/// Links to the pairs of a group that are shown side by side, if there are some.
pub(super) fn links(report: &Report, group: u32) -> Option<PageLine> {
    let k = report.analysis.settings.k;
    let samples = report.samples.iter().flat_map(|samples| &samples.pairs);
    let ours = samples.filter(|pair| report.listed_group(&[pair.a, pair.b]) == Some(group));
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

/// The number of pairs at a distance, and of those shown.
fn about(shown: u64, n_pairs: u64) -> PageLine {
    let shown = match (n_pairs, shown) {
        (0, _) => return "No pairs of documents with different texts.".into(),
        (_, 0) => "none with texts to show".to_owned(),
        (all, shown) if all == shown => "all shown".to_owned(),
        (_, shown) => format!("{shown} shown"),
    };
    format!("{} of documents with different texts, {shown}.", counted(n_pairs, "pair")).into()
}

/// A pair, its texts compared.
struct ComparedPair {
    distance: u32,
    blocks: Vec<PageBlock>,
}

/// Compares a pair; `None` if a text can no longer be read.
fn one_pair(report: &Report, pair: &DocumentPair) -> Option<ComparedPair> {
    let (analysis, documents) = (&report.analysis, [pair.a, pair.b]);
    let [one, other] = documents.map(|document| match analysis.corpus.read(document) {
        Ok(Content::Text(text)) => Some(text),
        _ => None,
    });
    let (one, other) = one.zip(other)?;
    let excerpt = Excerpt::new(&one, &other);
    let mut words = format!(": {}", in_words(&excerpt));
    if one.len().max(other.len()) <= MOST_WEIGHED {
        let [a, b] = [&one, &other].map(|text| analysis.fingerprinter.feature_votes(text));
        if let Some(cosine) = Overlap::new(&align(&a, &b)).cosine {
            words += &format!(" The exact cosine of their features is {}.", similarity(cosine));
        }
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
    let names = documents.map(|document| report.name(document));
    let mut words = PageLine::default().name(&names[0]).text(" and ").name(&names[1]).text(words);
    if let Some(group) = groups::link(report, &documents) {
        words.0.extend(PageLine::from(" Both are in ").0.into_iter().chain(group.text(".").0));
    }
    let blocks = vec![PageBlock::Paragraph(words), PageBlock::Texts(names, excerpt)];
    Some(ComparedPair { distance: pair.distance, blocks })
}

/// How many words two texts share.
fn in_words(excerpt: &Excerpt) -> String {
    // Round down, so that 99.9 % is never shown as 100 %.
    let shared = (100.0 * excerpt.shared).floor();
    let is_whole = excerpt.uncompared == [0, 0];
    match excerpt.n_edits {
        0 if is_whole => "The words are the same; only white space differs.".to_owned(),
        0 => {
            "The words are the same as far as they were compared; they differ beyond that, or in white space alone.".to_owned()
        }
        n => {
            let where_from = if is_whole { "They" } else { "As far as they were compared, they" };
            format!(
                "{where_from} differ in {}; {shared:.0} % of all their words and marks are unchanged in both, in the \
                same order.",
                counted(n as u64, "place"),
            )
        }
    }
}
