//! The computations that screens start, on a thread of their own. Each owns its input and names the state of the
//! program that it reads.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use super::arrangement::{self, Arrangement};
use super::changes::{ChangeSide, Changes};
use super::dedup::{self, DropRule};
use super::disagreement::Disagreements;
use super::explained_pair::{Comparison, ExplainedPair};
use super::filter::Filter;
use super::found::FilterMatches;
use super::grouping::GroupListing;
use super::inspection::{self, Inspection, MOST_FEATURES, TableWindow, neighbours};
use super::lab::EvaluationResult;
use super::labelling::{Assessment, PairWithTexts, ScannedTexts};
use super::offers::MeasuredLoad;
use super::sweep::{SweepPart, SweepTask};
use super::{Analysis, CorpusFlags, EqualTexts, Job, LayoutChoice, Stage, TextKind, deadline};
use crate::corpus;
use crate::evaluate::distances::{self, Chance};
use crate::evaluate::recommend::PrecisionGoal;
use crate::evaluate::sample::Pick;
use crate::explain::figures::quoted;
use crate::explain::overlap::Similarity;
use crate::id::DocId;
use crate::index::{self, Layout, Linkage};

/// The most features that each list of Why names.
pub const MOST_LISTED: usize = 20;

/// The state of the program that a query reads. An answer is outdated when that state has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateDependency {
    /// No state: the query holds everything that it needs.
    Nothing,
    /// The texts and the present recipe.
    Recipe,
    /// The fingerprints, independent of k and layout. The answers are dropped with the fingerprints.
    Fingerprints,
    /// The near pairs and their reach. The answers are dropped with the pairs.
    Pairs,
    /// The whole analysis, including k, layout and flags.
    Analysis,
}

/// A computation that takes too long for the thread of the screen.
///
/// It holds everything that its answer depends on, except the state named by [`Query::READS`]. Equal queries in the
/// same state have equal answers.
pub trait Query: Clone + Debug + PartialEq + Send + 'static {
    /// The answer. It is cheap to clone.
    type Answer: Debug + Send + 'static;
    /// Its name in messages, and the name of the thread that runs it.
    const NAME: &'static str;
    /// The state that it reads.
    const READS: StateDependency;
    /// The first stage of its job; `None` if it is so fast that the user need not cancel it.
    const STAGE: Option<Stage> = None;

    /// The first stage of this query; see [`Query::STAGE`].
    fn stage(&self) -> Option<Stage> {
        Self::STAGE
    }

    /// Computes the answer.
    ///
    /// # Errors
    /// A message: why there is no answer, or that the job was cancelled.
    fn run(self, analysis: &Analysis, job: &Job) -> Result<Self::Answer, String>;
}

/// An input that is not compared, because it is a function of the other inputs and the state that the query reads.
#[derive(Clone, Debug)]
pub struct DerivedInput<T>(pub T);

impl<T> PartialEq for DerivedInput<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Implements [`Query`] for a type, from its answer, its name, the state that it reads, its stage and its work.
macro_rules! query {
    ($query:ty => $answer:ty, $name:literal, $reads:ident $(, $stage:ident)?;
     |$this:ident, $analysis:pat_param, $job:pat_param| $work:expr) => {
        impl Query for $query {
            type Answer = $answer;
            const NAME: &'static str = $name;
            const READS: StateDependency = StateDependency::$reads;
            $( const STAGE: Option<Stage> = Some(Stage::$stage); )?

            fn run(self, $analysis: &Analysis, $job: &Job) -> Result<$answer, String> {
                let $this = self;
                $work
            }
        }
    };
}

/// The message of an error.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn text(error: impl ToString) -> String {
    error.to_string()
}

/// Reads a document again and counts its votes. The time depends on its length.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentQuery(pub DocId);

query!(DocumentQuery => Arc<Inspection>, "inspect", Recipe; |query, analysis, _| {
    let parts = analysis.corpus.parts(query.0).map_err(text)?;
    let (text, feature_votes) = analysis.open(query.0).map_err(text)?;
    let recipe = analysis.settings.recipe.clone();
    let it = Inspection::new(query.0, recipe, text.as_deref(), feature_votes, MOST_FEATURES);
    Ok(Arc::new(it.with_names(&parts).with_ignored(&analysis.fingerprinter)))
});

/// Reads two documents again and compares them word by word. The time depends on their lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct Texts {
    /// The query and its neighbour.
    pub pair: [DocId; 2],
    /// The comparison takes about this time at most; after it the difference is coarser.
    pub within: Option<Duration>,
}

query!(Texts => Arc<Comparison>, "compare", Recipe; |query, analysis, _| compared(&query, analysis));

fn compared(query: &Texts, analysis: &Analysis) -> Result<Arc<Comparison>, String> {
    let read = |document| analysis.corpus.read(document).map_err(text);
    let [left, right] = query.pair;
    let (one, other) = (read(left)?, read(right)?);
    let texts = one.text().zip(other.text());
    let mut compared = Comparison::new(texts, query.within.map(deadline));
    compared.name_fields(&analysis.corpus, query.pair).map_err(text)?;
    Ok(Arc::new(compared))
}

/// Explains why two documents are near or not. The time depends on the length of their texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Why(pub [DocId; 2]);

query!(Why => Arc<ExplainedPair>, "why", Analysis; |query, analysis, _| {
    if analysis.index.is_none() {
        return Err("the fingerprints are not indexed yet; wait until the analysis has finished".to_owned());
    }
    let fingerprint = |document| {
        let id = quoted(analysis.corpus.id(document));
        analysis.fingerprint(document).ok_or_else(|| format!("{id} has no fingerprint"))
    };
    let open = |document| analysis.open(document).map_err(text);
    let [one, other] = query.0;
    let fingerprints = [fingerprint(one)?, fingerprint(other)?];
    let opened = [open(one)?, open(other)?];
    Ok(Arc::new(ExplainedPair::new(analysis, query.0, fingerprints, &opened, MOST_LISTED)))
});

/// The rows of the document list. Sorts the documents; reads them if the order is by fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The filter and the order of documents.
    pub arrangement: Arrangement,
    /// Whether the marks that the filter needs are known.
    pub knows_marks: bool,
    /// The number of documents that were scanned for the filter.
    pub n_looked_at: usize,
    /// The scanned documents.
    pub found: DerivedInput<Arc<FilterMatches>>,
    /// The groups that the filter needs.
    pub groups: DerivedInput<Option<Arc<index::Groups>>>,
    /// The number of all documents.
    pub n_documents: DerivedInput<usize>,
}

query!(Rows => Arc<arrangement::ListRows>, "rows", Analysis; |query, analysis, job| {
    let mut analysis = analysis.clone();
    analysis.groups = query.groups.0;
    let rows = arrangement::ListRows::new(query.arrangement, &query.found.0, &analysis, job);
    rows.map(Arc::new).map_err(text)
});

/// Searches all documents for words. Reads the corpus. It differs from [`FilterScan`] only in the state that it reads: a text does not
/// depend on the analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct TextSearch(pub DocumentScan);

query!(TextSearch => (), "search", Nothing, Search; |query, analysis, job| query.0.run(analysis, job));

/// Scans documents for the texts and fields that a filter needs. Reads these documents.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterScan(pub DocumentScan);

query!(FilterScan => (), "filter", Analysis, Search; |query, analysis, job| query.0.run(analysis, job));

/// A scan: the filter, and the documents that were found.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentScan {
    /// The filter.
    pub filter: Filter,
    /// The number of all documents.
    pub n_documents: usize,
    /// The document to start from.
    pub from: DerivedInput<DocId>,
    /// The documents scanned already; the scan adds to them.
    pub found: DerivedInput<Arc<FilterMatches>>,
}

impl DocumentScan {
    fn run(self, analysis: &Analysis, job: &Job) -> Result<(), String> {
        analysis.search(&self.filter, self.from.0, &self.found.0, job).map_err(text)
    }
}

/// All positions of a list of `n` items, with wrap-around: those after `from` if `step` is positive, else those before it,
/// backwards.
pub fn others(from: usize, step: isize, n: usize) -> impl Iterator<Item = usize> {
    let (n, step) = (n as isize, step.signum());
    (1..=n).map(move |away| (from as isize + step * away).rem_euclid(n) as usize)
}

/// The neighbours of a document. Takes one or a few scans of all fingerprints.
#[derive(Clone, Debug, PartialEq)]
pub struct NeighboursQuery {
    /// The document.
    pub query: DocId,
    /// The pinned document, which is listed near or not.
    pub held: Option<DocId>,
}

query!(NeighboursQuery => inspection::Neighbours, "neighbours", Analysis; |query, analysis, _| {
    Ok(neighbours(analysis, query.query, query.held))
});

/// Some rows of a table around a document; `None` for a document without a fingerprint. Takes a scan.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The document.
    pub document: DocId,
    /// The table.
    pub table: usize,
    /// The number of rows.
    pub height: usize,
}

query!(Window => Option<TableWindow>, "window", Analysis; |query, analysis, _| {
    let known = analysis.index.as_ref().zip(analysis.fingerprint(query.document));
    let around = |(index, bits)| TableWindow::around(index, query.table, bits, query.height);
    Ok(known.map(around))
});

/// The groups at the present k by single linkage; `None` without pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupsQuery;

query!(GroupsQuery => Option<Arc<index::Groups>>, "groups", Analysis; |_query, analysis, _| {
    let known = analysis.index.as_ref().zip(analysis.near.as_ref());
    Ok(known.map(|(index, near)| Arc::new(index.groups(near, analysis.settings.k))))
});

/// The groups at the present k by this linkage, without pairs that are not duplicates; `None` without pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedGroups {
    /// The linkage.
    pub linkage: Linkage,
    /// The pairs that are marked as not duplicates.
    pub not_duplicates: BTreeSet<[DocId; 2]>,
    /// Whether equal texts are known.
    pub knows_texts: bool,
}

query!(LinkedGroups => Option<Arc<index::Groups>>, "groups by linkage", Analysis; |query, analysis, _| {
    let known = analysis.index.as_ref().zip(analysis.near.as_ref());
    let ignored = analysis.ignored_pairs(&query.not_duplicates);
    let linked = known.map(|(index, near)| {
        index.linked(near, analysis.settings.k, query.linkage, &ignored).map(Arc::new)
    });
    linked.transpose().map_err(text)
});

/// The distribution of the distances of all pairs. Takes seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct DistancesQuery;

query!(DistancesQuery => Arc<distances::Distances>, "distances", Fingerprints, Pair; |_query, analysis, job| {
    let index = analysis.index.as_ref().ok_or("there are no fingerprints yet")?;
    index.distances(&job.progress).map(Arc::new).map_err(text)
});

/// The recommended k, by the exact cosines of texts. Takes seconds to a minute.
#[derive(Clone, Debug, PartialEq)]
pub struct AdviceQuery {
    /// The precision goal for the precise k.
    pub aim: PrecisionGoal,
    /// The distances of all pairs.
    pub distances: DerivedInput<Arc<distances::Distances>>,
}

query!(AdviceQuery => Arc<super::Advice>, "advice on k", Fingerprints, Compare; |query, analysis, job| {
    analysis.advise(&query.distances.0, query.aim, job).map(Arc::new).map_err(text)
});

/// The load of a layout's tables.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadQuery(pub Layout);

query!(LoadQuery => Arc<MeasuredLoad>, "load", Fingerprints, Index; |query, analysis, job| {
    let index = analysis.index.as_ref().ok_or("there are no fingerprints yet")?;
    let load = index.load(&query.0, &job.progress).map_err(text)?;
    Ok(Arc::new(MeasuredLoad { layout: query.0, load }))
});

/// Prepares the pairs for judgement. Reads the corpus once, unless its texts are known.
#[derive(Clone, Debug, PartialEq)]
pub struct LabellingQuery {
    /// The labels; the texts that they name are searched.
    pub labels: DerivedInput<Arc<corpus::Labels>>,
    /// The texts, if they are known from the same fingerprints.
    pub known: DerivedInput<Option<ScannedTexts>>,
}

query!(LabellingQuery => Arc<super::Labelling>, "pairs to judge", Pairs, Compare; |query, analysis, job| {
    let analysis = Arc::new(analysis.clone());
    let names = query.labels.0.iter().flat_map(|label| label.pair.digests()).collect();
    super::Labelling::new(analysis, &names, query.known.0, job).map(Arc::new).map_err(text)
});

/// The assessment of all labels, and the next pairs to judge.
#[derive(Clone, Debug, PartialEq)]
pub struct AssessmentQuery {
    /// A counter that grows with each label that counts.
    pub entered: u64,
    /// The distances of unrelated pairs.
    pub chance: Chance,
    /// The precision goal.
    pub aim: PrecisionGoal,
    /// The pairs.
    pub labelling: DerivedInput<Arc<super::Labelling>>,
    /// The labels.
    pub labels: DerivedInput<Arc<corpus::Labels>>,
}

query!(AssessmentQuery => Arc<Assessment>, "labels", Pairs; |query, _, _| {
    let Self { chance, aim, labelling: DerivedInput(labelling), labels, .. } = query;
    let judged = labelling.judge_by_text(&labels.0);
    let found = Assessment::new(&labelling.analysis, judged, chance, aim, &Job::new());
    found.map(Arc::new).map_err(text)
});

/// A batch of pairs to judge. Takes milliseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct PairsToJudge {
    /// A counter that grows with each finished batch.
    pub round: u64,
    /// The distance of all pairs; `None` for pairs at all distances.
    pub distance: Option<u32>,
    /// The pairs.
    pub labelling: DerivedInput<Arc<super::Labelling>>,
    /// The labels.
    pub labels: DerivedInput<Arc<corpus::Labels>>,
    /// Pairs not to show.
    pub left_out: DerivedInput<HashSet<Pick>>,
}

query!(PairsToJudge => Vec<Pick>, "batch of pairs", Pairs; |query, _, _| {
    Ok(query.labelling.0.next(&query.labels.0, query.distance, &query.left_out.0))
});

/// A pair to judge, with its texts. The time depends on their lengths.
#[derive(Clone, Debug, PartialEq)]
pub struct PairToJudge {
    /// The counter of the batch.
    pub round: u64,
    /// Its position in its batch.
    pub at: usize,
    /// The pick of the pair.
    pub pick: Pick,
    /// The pairs.
    pub labelling: DerivedInput<Arc<super::Labelling>>,
}

query!(PairToJudge => Arc<PairWithTexts>, "pair to judge", Pairs; |query, analysis, _| {
    PairWithTexts::new(analysis, &query.labelling.0, query.pick).map(Arc::new)
});

/// Evaluates a layout against the true pairs. Takes seconds to minutes.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutEvaluationQuery {
    /// The layout.
    pub layout: LayoutChoice,
    /// All layouts of the request, including this one.
    pub wanted: Arc<[LayoutChoice]>,
    /// The least cosine of a true pair.
    pub tau: f64,
    /// The true pairs, if they are known already.
    pub lab: DerivedInput<Option<Arc<super::Lab>>>,
}

query!(LayoutEvaluationQuery => EvaluationResult, "layout to try", Recipe, Count; |query, analysis, job| {
    Ok(EvaluationResult::new(analysis, query.lab.0, query.tau, query.layout, &query.wanted, job))
});

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
pub struct ChangesQuery(pub DerivedInput<Arc<ChangeSide>>);

query!(ChangesQuery => Arc<Changes>, "changes", Analysis, Pair; |query, analysis, job| {
    query.0.0.compare(analysis, &job.progress).map(Arc::new).map_err(text)
});
