//! Rows about pairs of documents.

use std::sync::Arc;

use super::Fact;
use crate::analysis::Changes;
use crate::analysis::disagreement::Disagreement;
use crate::corpus::Corpus;

/// Two documents, the nearer comes first in the corpus.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairRow<'a> {
    /// The layout that brings them together or misses them.
    pub(crate) layout: Option<Arc<str>>,
    pub(crate) a: &'a str,
    pub(crate) b: &'a str,
    pub(crate) distance: u32,
    pub(crate) cosine: Option<f64>,
    /// The share of the text of `b` that `a` has.
    pub(crate) shared: Option<f64>,
    /// The cosine by which texts are alike.
    pub(crate) similarity: Option<f64>,
}

/// The figures of pairs besides their distance, which are computed from the texts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairFigures {
    pub(crate) cosine: bool,
    pub(crate) shared: bool,
    pub(crate) similarity: bool,
}

/// The columns of pairs, with the figures that are asked for.
pub(crate) fn pairs<'a>(with: PairFigures) -> Vec<Fact<PairRow<'a>>> {
    let mut facts = vec![
        Fact::text("a", |it: &PairRow<'a>| Some(it.a.into())),
        Fact::text("b", |it| Some(it.b.into())),
        Fact::count("distance", |it| Some(it.distance.into())),
    ];
    if with.cosine {
        facts.push(Fact::cosine("cosine", |it| it.cosine));
    }
    if with.shared {
        facts.push(Fact::cosine("shared", |it| it.shared));
    }
    if with.similarity {
        facts.push(Fact::cosine("similarity", |it| it.similarity));
    }
    facts
}

/// The columns of pairs that layouts bring together or miss.
pub(crate) fn evaluated_pairs<'a>() -> Vec<Fact<PairRow<'a>>> {
    let layout = Fact::text("layout", |it: &PairRow<'a>| it.layout.as_deref().map(Into::into));
    let mut facts = vec![layout];
    facts.extend(pairs(PairFigures { cosine: true, ..PairFigures::default() }));
    facts
}

/// A pair whose fingerprints and texts disagree, with the ids of its documents.
pub(crate) fn disagreements<'a>() -> Vec<Fact<(&'a Disagreement, [&'a str; 2])>> {
    vec![
        Fact::text("kind", |(it, _)| Some(it.kind.name().into())),
        Fact::text("a", |(_, ids)| Some(ids[0].into())),
        Fact::text("b", |(_, ids)| Some(ids[1].into())),
        Fact::count("distance", |(it, _)| Some(it.pair.distance.into())),
        Fact::number("cosine", |(it, _)| Some(it.cosine)),
        Fact::number("low", |(it, _)| Some(it.interval.0)),
        Fact::number("high", |(it, _)| Some(it.interval.1)),
        Fact::number("expected", |(it, _)| Some(it.expected)),
        Fact::number("chance", |(it, _)| Some(it.chance)),
    ]
}

/// A pair that only one of two recipes finds.
pub(crate) struct ChangeRow<'a> {
    pub(crate) ids: [&'a str; 2],
    pub(crate) distance: Option<u32>,
    /// The distance under the other recipe.
    pub(crate) other: Option<u32>,
    /// `gained` or `lost`.
    pub(crate) change: &'static str,
}

impl<'a> ChangeRow<'a> {
    /// Each pair of documents that was gained, then each that was lost.
    pub(crate) fn all(found: &'a Changes, corpus: &'a Corpus) -> impl Iterator<Item = Self> {
        let both = [(&found.gained, "gained"), (&found.lost, "lost")];
        let listed = both
            .into_iter()
            .flat_map(|(some, change)| some.list.iter().map(move |changed| (changed, change)));
        listed.flat_map(move |(changed, change)| {
            found.document_pairs(changed).map(move |(a, b)| Self {
                ids: [a, b].map(|document| corpus.id(document)),
                distance: changed.after,
                other: changed.before,
                change,
            })
        })
    }
}

pub(crate) fn changes<'a>() -> Vec<Fact<ChangeRow<'a>>> {
    vec![
        Fact::text("a", |it| Some(it.ids[0].into())),
        Fact::text("b", |it| Some(it.ids[1].into())),
        Fact::count("distance", |it| it.distance.map(u64::from)),
        Fact::count("other", |it| it.other.map(u64::from)),
        Fact::text("change", |it| Some(it.change.into())),
    ]
}
