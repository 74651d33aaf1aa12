//! Queries about a whole corpus, and about the decisions on it.

use std::sync::Arc;

use super::{DerivedInput, Query, StateDependency, text};
use crate::{
    analysis::{
        Analysis, CorpusFlags, EqualTexts, Job, LayoutChoice, Similarity, Stage, TextKind,
        changes::{Changes, PreviousFingerprints},
        dedup::{self, DropRule},
        disagreement::Disagreements,
        grouping::GroupListing,
        health::CorpusHealth,
        sweep::{SweepPart, SweepTask},
    },
    id::DocId,
    index::Linkage,
};

/// The most crowded buckets whose contents Health shows.
const MOST_HOT_PREFIXES: usize = 8;

/// A step of a sweep over recipes. Takes as long as an analysis or a join of all texts.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepStep {
    /// Its number.
    pub number: usize,
    /// The step.
    pub task: DerivedInput<SweepTask>,
}

impl Query for SweepStep {
    type Answer = SweepPart;
    const NAME: &'static str = "sweep";
    const READS: StateDependency = StateDependency::Nothing;
    const STAGE: Option<Stage> = Some(Stage::Fingerprint);

    fn stage(&self) -> Option<Stage> {
        // The first step finds the true pairs.
        if self.number == 0 { Some(Stage::Count) } else { Self::STAGE }
    }

    fn run(self, analysis: &Analysis, job: &Job) -> Result<SweepPart, String> {
        self.task.0.answer(&analysis.corpus, job)
    }
}

/// The flags of documents whose distances may mislead. Two passes over the corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Flags;

query!(Flags => Arc<CorpusFlags>, "flags", Fingerprints, Count; |_query, analysis, job| {
    analysis.flag(job).map(Arc::new).map_err(text)
});

/// The documents with equal fingerprints, divided by equal texts. Reads these documents again.
#[derive(Clone, Debug, PartialEq)]
pub struct EqualTextsQuery;

query!(EqualTextsQuery => Arc<EqualTexts>, "equal texts", Fingerprints, Compare; |_query, analysis, job| {
    analysis.compare_texts(job).map(Arc::new).map_err(text)
});

/// The exact cosines of a document with some others; `None` for documents without a text. Reads all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilaritiesQuery {
    /// The document.
    pub query: DocId,
    /// The others.
    pub others: Vec<DocId>,
}

query!(SimilaritiesQuery => Vec<(DocId, Option<Similarity>)>, "cosines", Recipe, Compare; |query, analysis, job| {
    let found = analysis.similarities(query.query, &query.others, job).map_err(text)?;
    Ok(query.others.into_iter().zip(found).collect())
});

/// The documents that a rule drops. Reads the texts that the rule needs.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionsQuery {
    /// The groups, which follow from the analysis and the linkage.
    pub listing: DerivedInput<GroupListing>,
    /// The linkage.
    pub linkage: Linkage,
    /// The rule that decides.
    pub rule: DropRule,
    /// Whether equal texts are known.
    pub knows_texts: bool,
}

query!(DecisionsQuery => Arc<dedup::Decisions>, "decisions", Analysis, Compare; |query, analysis, job| {
    analysis.decide(&query.listing.0.groups, &query.rule, job).map(Arc::new).map_err(text)
});

/// Restores the marks of an earlier review. One pass over the addresses of the corpus, and one over its texts if a
/// marked text has moved.
#[derive(Clone, Debug, PartialEq)]
pub enum MarksQuery {
    /// The review of this corpus.
    Own(ReviewFile),
    /// The first of these reviews of other paths whose texts are in this corpus, if there is one.
    FirstWithSameTexts(Vec<ReviewFile>),
}

/// A saved review.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewFile {
    /// The name of its file.
    pub name: String,
    /// Its text.
    pub text: String,
}

query!(MarksQuery => dedup::EarlierReview, "marks", Nothing, Read; |query, analysis, job| {
    let review = match query {
        MarksQuery::Own(review) => Some(review),
        MarksQuery::FirstWithSameTexts(reviews) => {
            let texts: Vec<&str> = reviews.iter().map(|review| &*review.text).collect();
            let found = analysis.review_of_same_texts(&texts, job).map_err(text)?;
            found.and_then(|at| reviews.into_iter().nth(at))
        }
    };
    let Some(ReviewFile { name, text }) = review else { return Ok(dedup::EarlierReview::default()) };
    let problem = |error| format!("{name}:{error}; no mark is restored");
    analysis.earlier_review(&text, job).map_err(problem)
});

/// The titles of some documents. Reads these documents.
#[derive(Clone, Debug, PartialEq)]
pub struct TitlesQuery(pub Vec<DocId>);

query!(TitlesQuery => Vec<(DocId, Option<String>)>, "titles", Nothing; |query, analysis, _| {
    let found = analysis.corpus.titles(&query.0);
    Ok(query.0.into_iter().zip(found).collect())
});

/// The values of some fields of some documents. Reads the documents.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldValues {
    /// The documents.
    pub documents: Vec<DocId>,
    /// The fields.
    pub names: Vec<String>,
}

query!(FieldValues => Vec<(DocId, Vec<Option<String>>)>, "fields", Nothing; |query, analysis, _| {
    let found = analysis.field_values(&query.documents, &query.names);
    Ok(query.documents.into_iter().zip(found).collect())
});

/// The names of the fields of the first documents. Reads these documents.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldNamesQuery;

query!(FieldNamesQuery => Vec<String>, "field names", Nothing; |_query, analysis, _| {
    Ok(analysis.field_names())
});

/// The kind of text, from a sample of documents. Takes tens of milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct TextKindQuery;

query!(TextKindQuery => TextKind, "kind of text", Recipe; |_query, analysis, job| {
    analysis.text_kind(job).map_err(text)
});

/// Statistics of all fingerprints of the corpus. Takes seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct HealthQuery;

query!(HealthQuery => Arc<CorpusHealth>, "health", Fingerprints, Count; |_query, analysis, job| {
    analysis.corpus_health(MOST_HOT_PREFIXES, &job.progress).map(Arc::new).map_err(text)
});

/// Pairs whose fingerprints and texts disagree. Takes as long as an analysis or a join.
#[derive(Clone, Debug, PartialEq)]
pub struct DisagreementsQuery {
    /// The distance within which pairs are near.
    pub k: u32,
    /// The layout of the tables.
    pub layout: LayoutChoice,
}

query!(DisagreementsQuery => Arc<Disagreements>, "disagreements", Fingerprints, Fingerprint;
    |_query, analysis, job| analysis.disagreements(job).map(Arc::new).map_err(text)
);

/// The pairs that only the earlier settings or only the present settings find.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangesQuery(pub DerivedInput<Arc<PreviousFingerprints>>);

query!(ChangesQuery => Arc<Changes>, "changes", Analysis, Pair; |query, analysis, job| {
    query.0.0.compare(analysis, &job.progress).map(Arc::new).map_err(text)
});
