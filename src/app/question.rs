//! What `update` must not find out itself: questions whose answer costs a walk over the corpus.
//!
//! A question holds all it needs, answers purely, and leaves as an effect; the answer returns as a
//! message with its number. Of each kind only the newest counts. Until it is answered the screen shows
//! what it showed before, and says that it is about to change.

use std::{collections::HashSet, sync::Arc};

use super::{
    arrangement::{Arrangement, List, Rows},
    filter::contains,
    message::JobNumber,
    screen::{
        docs::health::MOST_SPIKES,
        groups::Listing,
        learn::wear::Worn,
        near::{Neighbours, Why, neighbours},
        tables::TableWindow,
        tune::{
            compare::{Before, Found},
            lab::{Listed, Tried},
            label::{Assessed, Shown},
            layouts::Measured,
            sweep::{SweepPart, SweepTask},
        },
    },
};
use crate::{
    analysis::{
        Advice, Analysis, AnalysisError, DEFAULT_TAU, EqualTexts, Flags, Job, Lab, Labelling,
        LayoutChoice, Similarity, Trial, disagreement::Disagreements, health::CorpusHealth,
    },
    choice::choice,
    corpus::Labels,
    evaluate::{distances::Distances, null::Chance, recommend::Aim, sample::Pick},
    id::DocId,
    index::{Groups, Layout, Linkage, Shape},
    progress::Progress,
    text::Digest,
};

choice! {
    /// Kinds of questions; each is answered by a thread of its own.
    pub enum Kind, "kind" {
        /// Which documents the list shows, and in which order.
        #[default]
        Rows = "rows",
        /// The next row with a word.
        Match = "match",
        /// The neighbours of a document.
        Neighbours = "neighbours",
        /// A sorted table around a document.
        Window = "window",
        /// The groups at the present k.
        Groups = "groups",
        /// How far apart all pairs are.
        Distances = "distances",
        /// Which k to take.
        Advise = "advice on k",
        /// What the tables of a layout would hold.
        Load = "load",
        /// How far a document moves when words of it change.
        Wear = "wear",
        /// The groups of complete linkage at the present k.
        Complete = "complete linkage",
        /// How some groups hang together.
        Shapes = "shapes",
        /// The next group that is a chain.
        Chain = "chain",
        /// Pairs made ready to be judged.
        Prepare = "pairs to judge",
        /// What the labels say, and what to judge next.
        Assess = "labels",
        /// A pair to judge.
        Pair = "pair to judge",
        /// A layout tried.
        Try = "layout to try",
        /// True pairs that one layout finds and another does not.
        LabChanges = "pairs gained and lost",
        /// Why two documents are found, or are not.
        Why = "why",
        /// How well other recipes tell what is true.
        Sweep = "sweep",
        /// Which documents mislead.
        Flags = "flags",
        /// Which documents with equal fingerprints have equal texts.
        EqualTexts = "equal texts",
        /// The exact cosines of listed pairs.
        Similarities = "cosines",
        /// The corpus's fingerprints as a whole.
        Health = "health",
        /// Pairs whose fingerprints and texts do not say the same.
        Disagreements = "disagreements",
        /// The pairs gained and lost against the recipe before.
        Changes = "changes",
    }
}

/// A question about an analysis.
#[derive(Clone, Debug)]
pub enum Question {
    /// The rows of the list.
    Rows(Arrangement),
    /// The next row of `list` whose id holds `word`, from `from` on in steps of `step`, round the end.
    Match {
        /// The list.
        list: List,
        /// The row before the first to look at.
        from: usize,
        /// 1 downwards, -1 upwards.
        step: isize,
        /// The word, in lower case.
        word: String,
    },
    /// The neighbours of a document.
    Neighbours {
        /// The document.
        query: DocId,
        /// Another that is listed with them, near or not.
        held: Option<DocId>,
    },
    /// So many rows of a table around a document.
    Window {
        /// The table.
        table: usize,
        /// The document.
        document: DocId,
        /// Rows.
        height: usize,
    },
    /// The groups at the analysis's k.
    Groups,
    /// How far apart all pairs are; shows how far it is, and can be stopped.
    Distances(Arc<Progress>),
    /// Which k to take, by the exact cosines of texts; shows how far it is, and can be stopped.
    Advise {
        /// How far apart all pairs are.
        distances: Arc<Distances>,
        /// What is asked of the precise k.
        aim: Aim,
        /// Where progress shows and a stop is asked for.
        job: Arc<Job>,
    },
    /// What the tables of this layout would hold, and what is in the fullest bucket; can be stopped.
    Load(Layout, Arc<Progress>),
    /// How far a document moves when words of it change.
    Wear {
        /// The document.
        document: DocId,
        /// Which trials.
        seed: u64,
    },
    /// The groups of complete linkage at the analysis's k.
    Complete,
    /// The shapes of some groups of a list.
    Shapes {
        /// The list.
        listing: Listing,
        /// Their numbers.
        wanted: Vec<u32>,
    },
    /// The next group of a list that is a chain, from `from` on in steps of `step`, round the end.
    Chain {
        /// The list.
        listing: Listing,
        /// The group before the first to look at.
        from: usize,
        /// 1 downwards, -1 upwards.
        step: isize,
    },
    /// The pairs made ready to be judged, and the texts of these names looked for; can be stopped.
    Prepare(HashSet<Digest>, Arc<Job>),
    /// What labels say, and what to judge next.
    Assess {
        /// The pairs.
        labelling: Arc<Labelling>,
        /// The labels.
        labels: Arc<Labels>,
        /// What is asked of a k.
        aim: Aim,
        /// What chance makes of unrelated pairs.
        chance: Chance,
        /// Pairs not to show.
        left_out: HashSet<Pick>,
    },
    /// A pair to judge.
    Pair {
        /// The pairs.
        labelling: Arc<Labelling>,
        /// Its place in its batch.
        at: usize,
        /// Which it is.
        pick: Pick,
    },
    /// A layout held against the truth; can be stopped.
    Try {
        /// The lab, if there is one already.
        lab: Option<Arc<Lab>>,
        /// The cosine from which a pair is true.
        tau: f64,
        /// The layout.
        layout: LayoutChoice,
        /// It and those asked for with it.
        wanted: Arc<[LayoutChoice]>,
        /// Where progress shows and a stop is asked for.
        job: Arc<Job>,
    },
    /// True pairs that one layout finds and another does not.
    LabChanges {
        /// The lab both were tried in.
        lab: Arc<Lab>,
        /// The one.
        before: Arc<Trial>,
        /// The other.
        after: Arc<Trial>,
    },
    /// Why two documents are found, or are not.
    Why([DocId; 2]),
    /// A step of a sweep over recipes; shows how far it is, and can be stopped.
    Sweep(SweepTask, Arc<Job>),
    /// Which documents mislead; shows how far it is, and can be stopped, like those below.
    Flags(Arc<Job>),
    /// Which documents with equal fingerprints have equal texts.
    EqualTexts(Arc<Job>),
    /// How alike a document is to some others, by their features.
    Similarities {
        /// The document.
        query: DocId,
        /// The others.
        others: Vec<DocId>,
        /// Where it is stopped when others are asked for.
        job: Arc<Job>,
    },
    /// The corpus's fingerprints as a whole.
    Health(Arc<Progress>),
    /// Pairs whose fingerprints and texts do not say the same.
    Disagreements(Arc<Job>),
    /// The pairs that only the recipe before or only the present one finds; can be stopped.
    Changes(Arc<Before>, Arc<Progress>),
}

/// How alike documents are to one, as far as both could be read.
pub type FoundSimilarities = Vec<(DocId, Option<Similarity>)>;

/// The answer to a question of the same name.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The rows of the list.
    Rows(Arc<Rows>),
    /// The row and its document, if there is one.
    Match(Option<(usize, DocId)>),
    /// The neighbours.
    Neighbours(Neighbours),
    /// The window; none for a document that stands in no table.
    Window(Option<TableWindow>),
    /// The groups; none without pairs.
    Groups(Option<Arc<Groups>>),
    /// The distances; none if it was stopped.
    Distances(Option<Arc<Distances>>),
    /// The advice, none if it was stopped; or why there is none.
    Advise(Result<Option<Arc<Advice>>, String>),
    /// The load; none if it was stopped.
    Load(Option<Arc<Measured>>),
    /// The document, worn; or why it cannot be read.
    Wear(Result<Arc<Worn>, String>),
    /// The groups of complete linkage, or why there are none.
    Complete(Result<Option<Arc<Groups>>, String>),
    /// The shapes, each with its group's number.
    Shapes(Vec<(u32, Arc<Shape>)>),
    /// The chain, if there is one.
    Chain(Option<u32>),
    /// The pairs, none if it was stopped; or why there are none.
    Prepare(Result<Option<Arc<Labelling>>, String>),
    /// What the labels say.
    Assess(Result<Arc<Assessed>, String>),
    /// The pair, or why it cannot be read.
    Pair(Result<Arc<Shown>, String>),
    /// What became of the layout.
    Try(Tried),
    /// What one finds and the other does not.
    LabChanges(Listed),
    /// The pair explained, or why it cannot be.
    Why(Result<Arc<Why>, String>),
    /// What a step of a sweep found, or why it found nothing.
    Sweep(Result<SweepPart, String>),
    /// The flags; none if it was stopped.
    Flags(Option<Arc<Flags>>),
    /// The texts compared; none if it was stopped.
    EqualTexts(Option<Arc<EqualTexts>>),
    /// The document, and how alike others are to it; none if it was stopped.
    Similarities(Option<(DocId, FoundSimilarities)>),
    /// The figures; none if it was stopped.
    Health(Option<Arc<CorpusHealth>>),
    /// The pairs, none if it was stopped; or why they cannot be looked for.
    Disagreements(Result<Option<Arc<Disagreements>>, String>),
    /// What changed, or why that cannot be told.
    Changes(Result<Arc<Found>, String>),
}

impl Question {
    /// Its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Rows(_) => Kind::Rows,
            Self::Match { .. } => Kind::Match,
            Self::Neighbours { .. } => Kind::Neighbours,
            Self::Window { .. } => Kind::Window,
            Self::Groups => Kind::Groups,
            Self::Distances(_) => Kind::Distances,
            Self::Advise { .. } => Kind::Advise,
            Self::Load(..) => Kind::Load,
            Self::Wear { .. } => Kind::Wear,
            Self::Complete => Kind::Complete,
            Self::Shapes { .. } => Kind::Shapes,
            Self::Chain { .. } => Kind::Chain,
            Self::Prepare(..) => Kind::Prepare,
            Self::Assess { .. } => Kind::Assess,
            Self::Pair { .. } => Kind::Pair,
            Self::Try { .. } => Kind::Try,
            Self::LabChanges { .. } => Kind::LabChanges,
            Self::Why(_) => Kind::Why,
            Self::Sweep(..) => Kind::Sweep,
            Self::Flags(_) => Kind::Flags,
            Self::EqualTexts(_) => Kind::EqualTexts,
            Self::Similarities { .. } => Kind::Similarities,
            Self::Health(_) => Kind::Health,
            Self::Disagreements(_) => Kind::Disagreements,
            Self::Changes(..) => Kind::Changes,
        }
    }

    /// Answers it. Costs up to a second for a million documents, distances some seconds; those that read the
    /// texts again take minutes: a step of a sweep as much as an analysis, flags two passes over the corpus,
    /// equal texts one over the documents whose fingerprint another has, cosines the documents on the screen,
    /// disagreements an exact join or an analysis, a layout to try the join where there is no lab yet, pairs
    /// to judge those texts that are near. Each of these can be stopped.
    pub fn answer(self, analysis: &Analysis) -> Answer {
        match self {
            Self::Rows(arrangement) => Answer::Rows(Arc::new(Rows::new(arrangement, analysis))),
            Self::Match { list, from, step, word } => {
                Answer::Match(next_match(analysis, &list, from, step, &word))
            }
            Self::Neighbours { query, held } => {
                Answer::Neighbours(neighbours(analysis, query, held))
            }
            Self::Window { table, document, height } => {
                let known = analysis.shelf.as_ref().zip(analysis.fingerprint(document));
                Answer::Window(known.map(|(shelf, fingerprint)| {
                    TableWindow::around(shelf, table, fingerprint, height)
                }))
            }
            Self::Groups => {
                let known = analysis.shelf.as_ref().zip(analysis.near.as_ref());
                let k = analysis.settings.k;
                Answer::Groups(known.map(|(shelf, near)| Arc::new(shelf.groups(near, k))))
            }
            Self::Load(layout, progress) => {
                let load = analysis.shelf.as_ref().map(|shelf| shelf.load(&layout, &progress));
                Answer::Load(load.and_then(Result::ok).map(|load| {
                    let hottest = analysis.hottest(&load);
                    Arc::new(Measured { layout, load, hottest })
                }))
            }
            Self::Wear { document, seed } => {
                Answer::Wear(Worn::new(analysis, document, seed).map(Arc::new))
            }
            Self::Distances(progress) => {
                let shelf = analysis.shelf.as_ref();
                let distances = shelf.and_then(|shelf| shelf.distances(&progress).ok());
                Answer::Distances(distances.map(Arc::new))
            }
            Self::Complete => {
                let (shelf, near) = (analysis.shelf.as_ref(), analysis.near.as_ref());
                let linked = shelf.zip(near).map(|(shelf, near)| {
                    shelf.linked(near, analysis.settings.k, Linkage::Complete).map(Arc::new)
                });
                Answer::Complete(linked.transpose().map_err(|error| error.to_string()))
            }
            Self::Shapes { listing: Listing { groups, shelf, k, .. }, wanted } => {
                let shape = |group| Arc::new(shelf.shape(groups.documents(group), k));
                Answer::Shapes(wanted.into_iter().map(|group| (group, shape(group))).collect())
            }
            Self::Chain { listing: Listing { groups, shelf, k, .. }, from, step } => {
                let is_chain = |group: &u32| shelf.is_chain(groups.documents(*group), k);
                let others = (1..=groups.len() as isize).map(|away| {
                    (from as isize + step * away).rem_euclid(groups.len() as isize) as u32
                });
                Answer::Chain(others.into_iter().find(is_chain))
            }
            Self::Prepare(names, job) => {
                let labelling = Labelling::new(Arc::new(analysis.clone()), &names, &job);
                Answer::Prepare(unless_stopped(labelling, &job))
            }
            Self::Advise { distances, aim, job } => {
                let advice = analysis.advise(&distances, DEFAULT_TAU, aim, &job);
                Answer::Advise(unless_stopped(advice, &job))
            }
            Self::Assess { labelling, labels, aim, chance, left_out } => {
                let assessed = Assessed::new(&labelling, &labels, aim, chance, &left_out);
                Answer::Assess(assessed.map(Arc::new).map_err(|error| error.to_string()))
            }
            Self::Pair { labelling, at, pick } => {
                Answer::Pair(Shown::new(analysis, &labelling, at, pick).map(Arc::new))
            }
            Self::Try { lab, tau, layout, wanted, job } => {
                Answer::Try(Tried::new(analysis, lab, tau, layout, &wanted, &job))
            }
            Self::LabChanges { lab, before, after } => {
                Answer::LabChanges(Listed::new(&lab, &before, &after))
            }
            Self::Why(pair) => Answer::Why(Why::new(analysis, pair).map(Arc::new)),
            Self::Changes(before, progress) => {
                let found = before.compare(analysis, &progress).map(Arc::new);
                Answer::Changes(found.map_err(|error| error.to_string()))
            }
            Self::Sweep(task, job) => Answer::Sweep(task.answer(&analysis.corpus, &job)),
            Self::Flags(job) => Answer::Flags(analysis.flag(&job).ok().map(Arc::new)),
            Self::EqualTexts(job) => {
                Answer::EqualTexts(analysis.compare_texts(&job).ok().map(Arc::new))
            }
            Self::Similarities { query, others, job } => {
                let found = analysis.similarities(query, &others, &job).ok();
                Answer::Similarities(
                    found.map(|found| (query, others.into_iter().zip(found).collect())),
                )
            }
            Self::Health(progress) => {
                Answer::Health(analysis.corpus_health(MOST_SPIKES, &progress).ok().map(Arc::new))
            }
            Self::Disagreements(job) => {
                Answer::Disagreements(unless_stopped(analysis.disagreements(&job), &job))
            }
        }
    }
}

fn next_match(
    analysis: &Analysis,
    list: &List,
    from: usize,
    step: isize,
    word: &str,
) -> Option<(usize, DocId)> {
    let n_rows = list.len() as isize;
    let rows = (1..=n_rows).map(|away| (from as isize + step * away).rem_euclid(n_rows) as usize);
    rows.filter_map(|row| Some((row, list.document(row)?)))
        .find(|&(_, document)| contains(analysis.corpus.id(document), word))
}

/// The questions not answered yet: the newest of each kind.
#[derive(Clone, Debug, Default)]
pub struct Asked([Option<JobNumber>; Kind::ALL.len()]);

impl Asked {
    /// Notes a question; those of its kind before it no longer count.
    pub(super) fn note(&mut self, kind: Kind, number: JobNumber) {
        self.0[kind as usize] = Some(number);
    }

    /// Forgets the question of a kind; whether there was one.
    pub(super) fn forget(&mut self, kind: Kind) -> bool {
        self.0[kind as usize].take().is_some()
    }

    /// Whether this answers the newest question of its kind, which is then no longer open.
    pub(super) fn settle(&mut self, kind: Kind, number: JobNumber) -> bool {
        self.0[kind as usize].take_if(|newest| *newest == number).is_some()
    }

    /// Whether a question of this kind is open.
    pub fn awaits(&self, kind: Kind) -> bool {
        self.0[kind as usize].is_some()
    }

    /// Whether any question is open.
    pub fn awaits_any(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }
}

/// What was found, nothing if the job was stopped, or why there is nothing.
fn unless_stopped<T>(found: Result<T, AnalysisError>, job: &Job) -> Result<Option<Arc<T>>, String> {
    match found {
        Ok(found) => Ok(Some(Arc::new(found))),
        Err(_) if job.progress.is_cancelled() => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
