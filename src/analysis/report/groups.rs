//! The groups of a corpus in numbers, and the largest groups in detail.

use super::name;
use crate::{
    analysis::{
        Analysis, AnalysisError, Job,
        dedup::{Decisions, Dropped},
    },
    corpus::Content,
    explain::text_diff::opening,
    id::DocId,
    index::{Bridge, GroupShape, Groups, shape::farthest::WIDE_EXACT_UP_TO},
};

/// The most groups that are listed.
const MOST_GROUPS: usize = 20;
/// The most documents of a group that are listed.
const MOST_MEMBERS: usize = 12;
/// The most characters of a representative's text.
const OPENING: usize = 160;

/// The groups in numbers, with a list of the largest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupsInBrief {
    /// The k of the groups.
    pub k: u32,
    /// Pairs of documents within k.
    pub pairs: u64,
    /// The number of groups.
    pub n_groups: usize,
    /// Documents in groups.
    pub n_documents: usize,
    /// Groups with two members farther apart than k.
    pub n_chains: usize,
    /// Whether `n_chains` is exact: a group may be too large to compare all its members.
    pub is_exact: bool,
    /// The largest groups, the largest first.
    pub listed: Vec<ListedGroup>,
}

/// One group.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedGroup {
    /// Its number, from 0, the largest first.
    pub number: u32,
    /// The shape of the group.
    pub shape: GroupShape,
    /// A document whose removal would split the group, if there is one.
    pub bridge: Option<String>,
    /// The beginning of the representative's text; `None` if there is no text.
    pub opening: Option<String>,
    /// Whether a document of the group is near a kept one and stays, because their texts have too little in common.
    pub has_spared: bool,
    /// The first documents, starting with the representative.
    pub members: Vec<GroupMember>,
}

/// A document of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMember {
    /// Its shown id.
    pub name: String,
    /// The title in its row, if it has one.
    pub title: Option<String>,
    /// Differing bits from the representative.
    pub distance: u32,
    /// Whether it is kept or dropped.
    pub fate: MemberDecision,
}

/// The decision on a document.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberDecision {
    /// It is kept, and this many documents are dropped for it.
    Kept(u64),
    /// It is dropped; the shown id of the document that is kept for it, and the exact cosine if both texts are
    /// known.
    Dropped(String, Dropped),
    /// It is kept, because a single heavy feature may be the only reason that it is near the document with this
    /// shown id.
    Spared(String, Option<f64>),
}

impl GroupsInBrief {
    /// Summarises these groups at the analysis's k, with the decisions on the listed documents. `pairs` is the
    /// number of pairs of documents within k. Reads again those listed documents that are dropped.
    ///
    /// # Errors
    /// [`AnalysisError::Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If the analysis has no index.
    pub fn new(
        analysis: &Analysis,
        groups: &Groups,
        pairs: u64,
        decisions: &Decisions,
        job: &Job,
    ) -> Result<Self, AnalysisError> {
        let index = analysis.index.as_deref().expect("fingerprints come before groups");
        let k = analysis.settings.k;
        let n_chains = index.n_chains(groups, k, job)? as usize;
        let mut listed = Vec::new();
        for number in 0..groups.len().min(MOST_GROUPS) as u32 {
            job.progress.check()?;
            listed.push(ListedGroup::new(analysis, groups, number, decisions, job)?);
        }
        // The largest group that is not listed bounds the size of all others.
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
                return MemberDecision::Dropped(kept_for(one), *one);
            }
            match decisions.spared.iter().find(is(document)) {
                Some(one) => MemberDecision::Spared(kept_for(one), one.shared),
                None => MemberDecision::Kept(decisions.n_dropped_for(document)),
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
            has_spared: documents
                .iter()
                .any(|&it| decisions.spared.iter().any(|one| one.document == it)),
            members: listed.iter().zip(titles).map(member).collect(),
            shape,
        })
    }

    /// The number of documents of the group.
    pub fn n_documents(&self) -> usize {
        self.shape.documents as usize
    }
}
