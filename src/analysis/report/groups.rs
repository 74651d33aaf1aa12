//! The groups of a corpus in numbers, and the largest of them one by one.

use rayon::prelude::*;

use super::name;
use crate::{
    analysis::{
        Analysis, AnalysisError, Job,
        dedup::{Decisions, Dropped},
    },
    corpus::Content,
    explain::excerpt::opening,
    id::DocId,
    index::{Bridge, GroupShape, Groups, shape::farthest::WIDE_EXACT_UP_TO},
};

/// Groups that are listed.
const MOST_GROUPS: usize = 20;
/// Documents that are listed of each.
const MOST_MEMBERS: usize = 12;
/// Characters of a representative's text.
const OPENING: usize = 160;
/// Groups between two looks at the cancel flag.
const AT_ONCE: usize = 1 << 10;

/// Groups in numbers, the largest listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupsInBrief {
    /// The k they are made with.
    pub k: u32,
    /// Pairs of documents within it.
    pub pairs: u64,
    /// The number of groups.
    pub n_groups: usize,
    /// Documents in them.
    pub n_documents: usize,
    /// Groups with two members farther apart than k.
    pub n_chains: usize,
    /// Whether the number is exact: a group may be too large to compare all of its members.
    pub is_exact: bool,
    /// The largest, largest first.
    pub listed: Vec<ListedGroup>,
}

/// One group.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGroup {
    /// Its number, from 0, the largest first.
    pub number: u32,
    /// The shape of the group.
    pub shape: GroupShape,
    /// The document without which it falls apart, if there is one.
    pub bridge: Option<String>,
    /// The beginning of the representative's text; `None` where there is no text.
    pub opening: Option<String>,
    /// Whether different texts in it have one fingerprint because one feature outweighs all others.
    pub is_dominated: bool,
    /// The first documents, the representative before all.
    pub members: Vec<GroupMember>,
}

/// A document of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMember {
    /// Its name.
    pub name: String,
    /// The title that its row names, if it has one.
    pub title: Option<String>,
    /// Differing bits from the representative.
    pub distance: u32,
    /// Whether it is kept.
    pub fate: Fate,
}

/// The fate of a document where its near-duplicates are dropped.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate {
    /// It is kept, and so many are dropped for it.
    Kept(u64),
    /// It is dropped for the document of this name; with its exact cosine, if both texts are known.
    Dropped(String, Dropped),
    /// It is kept because one feature alone may bring it near the document of this name.
    Doubtful(String),
}

impl GroupsInBrief {
    /// Sums up these groups at the analysis's k, and what these decisions drop of the largest. `pairs` is the
    /// number of pairs of documents within k. Reads the listed documents that are dropped again.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If the analysis has no fingerprints yet.
    pub fn new(
        analysis: &Analysis,
        groups: &Groups,
        pairs: u64,
        decisions: &Decisions,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let index = analysis.index.as_deref().expect("fingerprints come before groups");
        let k = analysis.settings.k;
        let mut n_chains = 0;
        let numbers: Vec<u32> = (0..groups.len() as u32).collect();
        for some in numbers.chunks(AT_ONCE) {
            job.progress.check()?;
            let is_chain = |&group: &u32| index.is_chain(groups.documents(group), k);
            // Two members of a group are within k.
            let may_be = |group: &&u32| groups.documents(**group).len() > 2;
            n_chains += some.par_iter().filter(may_be).filter(|group| is_chain(group)).count();
        }
        let mut listed = Vec::new();
        for number in 0..groups.len().min(MOST_GROUPS) as u32 {
            job.progress.check()?;
            listed.push(ListedGroup::new(analysis, groups, number, decisions, job)?);
        }
        // The largest that is not listed bounds all the others.
        let next = groups.iter().nth(MOST_GROUPS).map_or(0, <[DocId]>::len);
        let is_exact = next <= WIDE_EXACT_UP_TO
            && listed.iter().all(|group: &ListedGroup| group.shape.farthest.is_exact);
        Ok(Self {
            k,
            pairs,
            n_groups: groups.len(),
            n_documents: groups.n_documents(),
            n_chains,
            is_exact,
            listed,
        })
    }
}

impl ListedGroup {
    fn new(
        analysis: &Analysis,
        groups: &Groups,
        number: u32,
        decisions: &Decisions,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let index = analysis.index.as_deref().expect("looked at before");
        let documents = groups.documents(number);
        let first = documents[0];
        let shape = index.shape(documents, analysis.settings.k);
        let fingerprint =
            |document| analysis.fingerprint(document).expect("grouped, so it has one");
        let listed = &documents[..documents.len().min(MOST_MEMBERS)];
        let titles = analysis.corpus.named_titles(listed);
        let mut dropped: Vec<Dropped> =
            listed.iter().filter_map(|&document| decisions.of(document)).copied().collect();
        analysis.compare(&mut dropped, job)?;
        let is = |document: DocId| move |one: &&Dropped| one.document == document;
        let fate = |document: DocId| {
            let kept_for = |one: &Dropped| name(&analysis.corpus, one.kept);
            if let Some(one) = dropped.iter().find(is(document)) {
                return Fate::Dropped(kept_for(one), *one);
            }
            match decisions.doubtful.iter().find(is(document)) {
                Some(one) => Fate::Doubtful(kept_for(one)),
                None => Fate::Kept(decisions.n_dropped_for(document)),
            }
        };
        let member = |(&document, title): (&DocId, Option<String>)| GroupMember {
            name: name(&analysis.corpus, document),
            title,
            distance: fingerprint(document).distance(fingerprint(first)),
            fate: fate(document),
        };
        let text = analysis.corpus.read(first);
        let text = text.as_ref().ok().and_then(Content::text);
        Ok(Self {
            number,
            bridge: match shape.bridge {
                Bridge::At { entry, .. } => Some(name(&analysis.corpus, index.documents(entry)[0])),
                Bridge::None | Bridge::Unknown => None,
            },
            opening: text.map(|text| opening(text, OPENING)),
            is_dominated: analysis.dominated_in(&shape).is_some(),
            members: listed.iter().zip(titles).map(member).collect(),
            shape,
        })
    }

    /// Documents of the group.
    pub fn n_documents(&self) -> usize {
        self.shape.documents as usize
    }
}
