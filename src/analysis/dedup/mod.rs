//! Decides which documents to drop. Some documents of each group are kept. Each dropped document is within k of the
//! document that is kept for it.
//!
//! A policy orders the documents of a group (the module `policy`); [`cover`] makes the choice. Under complete
//! linkage one document of each group is kept; under single linkage more are kept if the group is a chain. The
//! distance and the cosine of a dropped document are those to the document that is kept for it.
//!
//! Fingerprints alone do not decide: a document is dropped only for one that has enough of its text ([`MinShared`]).
//! Others are spared. Texts are read again for that check, except equal ones, and if the policy needs them.
//!
//! Memory: some 40 bytes for each document in a group, and the fields that the policy compares.

mod mark;
mod marks;
mod policy;

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;

use super::alike::ShingleSets;
use super::field_value::{FieldValue, values_of};
use super::{Analysis, Job, Stage, batch};
use crate::choice::choice;
use crate::corpus::Content;
use crate::id::DocId;
use crate::index::{BitSetBuilder, DocumentPair, Groups, RankBitSet, cover};
use crate::progress::Cancelled;
pub use mark::{FIRST_DEFAULT, Mark, Marks, ReviewSettings};
pub(super) use mark::{TextId, texts_marked};
pub use marks::{AbsentMark, EarlierReview, policy_line, review_settings};
pub use policy::{Policy, Preference, PreferenceKind, UnknownPreference};
use policy::{PolicyFacts, PreferenceKind as Kind};

/// The preferences by the texts of documents.
const OF_TEXTS: [Kind; 2] = [Kind::Longest, Kind::Shortest];
/// The preferences by the values of a field.
const OF_FIELDS: [Kind; 2] = [Kind::Largest, Kind::Smallest];

/// The rule that decides which documents are dropped.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DropRule {
    /// The policy that chooses the document to keep.
    pub policy: Policy,
    /// The least share of the text of a dropped document that the kept one has; 0 for no check.
    pub min_shared: MinShared,
    /// Decisions of a person.
    pub marks: Marks,
}

/// The most kept documents whose texts are compared with that of one document. One that all of these refuse is spared:
/// in a group of strangers on one template the work would grow with the square of their number.
pub(super) const MOST_REFUSALS: u32 = 64;

/// The least share of the text of a dropped document that the one kept for it has, 0 to 1: |A and B| / |A| of their sets
/// of shingles, A being the dropped one. The recipe has no say in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MinShared {
    /// A share that the user gave: a document whose text is not known is not dropped.
    Given(f64),
    /// The usual half: a document whose text is not known is dropped unchecked, and counted.
    #[default]
    Usual,
}

impl MinShared {
    /// The share.
    pub fn share(self) -> f64 {
        match self {
            Self::Given(share) => share,
            Self::Usual => 0.5,
        }
    }

    /// Whether a document may go for one that has this share of its text; `None`: it is not known.
    pub(super) fn allows(self, shared: Option<f64>) -> bool {
        shared.map_or(self == Self::Usual, |shared| shared >= self.share())
    }
}

choice! {
    /// The reason why a document is dropped.
    pub enum Reason, "reason" {
        /// The kept document has the same text, as the recipe normalises it and white space aside.
        #[default]
        EqualText = "equal text",
        /// The kept document has the same fingerprint, and another text or an unknown one.
        EqualFingerprint = "equal fingerprint",
        /// The kept document is within k.
        Near = "near",
    }
}

impl Reason {
    /// The reason for a document at this distance from the document kept for it.
    pub(super) fn of(has_equal_text: bool, distance: u32) -> Self {
        match distance {
            _ if has_equal_text => Self::EqualText,
            0 => Self::EqualFingerprint,
            _ => Self::Near,
        }
    }
}

/// A document that is dropped, and the document that is kept for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dropped {
    /// The document.
    pub document: DocId,
    /// The document that is kept for it.
    pub kept: DocId,
    /// Bits in which their fingerprints differ.
    pub distance: u32,
    /// The exact cosine of their features; `None` if a text is not known or the cosine was not computed.
    pub cosine: Option<f64>,
    /// The reason.
    pub reason: Reason,
    /// The share of its text that the kept one has, 0 to 1; `None` if a text is not known or was not compared.
    pub shared: Option<f64>,
}

impl Dropped {
    /// The share of its text that the kept one has, as far as it is known: equal texts have all.
    pub fn known_share(&self) -> Option<f64> {
        self.shared.or_else(|| (self.reason == Reason::EqualText).then_some(1.0))
    }
}

/// The result of a drop rule: the dropped documents, the doubtful documents, and the counts.
#[derive(Clone, Debug)]
pub struct Decisions {
    /// The dropped documents: group by group, in corpus order inside a group.
    pub dropped: Vec<Dropped>,
    /// Spared documents: near a kept one, but with too little text in common.
    pub spared: Vec<Dropped>,
    /// Dropped documents whose text or that of the kept one is not known, so that nothing was checked.
    pub unchecked: Vec<Dropped>,
    /// With a reference, the number of documents of the first corpus that are near a document of the reference,
    /// dropped or not.
    pub shared: Option<u64>,
    /// Preferences of the policy that have no effect in any group: a field that no document has, or a name that no
    /// path contains.
    pub idle: Vec<String>,
    is_dropped: RankBitSet,
    /// For each dropped document, in corpus order, its position in `dropped`.
    places: Vec<u32>,
    /// For each kept document, the number of documents that are dropped for it.
    n_for: HashMap<DocId, u64>,
}

impl Decisions {
    /// These and others about documents that these keep, whose numbers `there` makes those of the whole.
    pub(super) fn and(
        self,
        others: Self,
        there: impl Fn(Dropped) -> Dropped,
        n_documents: usize,
    ) -> Self {
        let dropped = self.dropped.into_iter().chain(others.dropped.into_iter().map(&there));
        let spared = self.spared.into_iter().chain(others.spared.into_iter().map(&there));
        let mut all = Self::new(dropped.collect(), n_documents, spared.collect());
        all.spared.retain(|one| all.is_dropped.rank(one.document.0).is_none());
        Self { shared: self.shared, idle: others.idle, ..all }
    }

    fn new(dropped: Vec<Dropped>, n_documents: usize, spared: Vec<Dropped>) -> Self {
        let is_unchecked = |one: &&Dropped| one.known_share().is_none();
        let unchecked = dropped.iter().filter(is_unchecked).copied().collect();
        let mut dropped_set = BitSetBuilder::new(n_documents);
        let mut n_for = HashMap::new();
        for one in &dropped {
            dropped_set.insert(one.document.0);
            *n_for.entry(one.kept).or_insert(0) += 1;
        }
        let mut places: Vec<u32> = (0..dropped.len() as u32).collect();
        places.sort_unstable_by_key(|&place| dropped[place as usize].document);
        Self {
            dropped,
            spared,
            unchecked,
            shared: None,
            idle: Vec::new(),
            is_dropped: dropped_set.build(),
            places,
            n_for,
        }
    }

    /// Whether a document is kept.
    pub fn is_kept(&self, document: DocId) -> bool {
        self.is_dropped.rank(document.0).is_none()
    }

    /// The decision on a document that is dropped.
    pub fn of(&self, document: DocId) -> Option<&Dropped> {
        self.dropped.get(self.is_dropped.rank(document.0).map(|rank| self.places[rank])? as usize)
    }

    /// The number of documents that are dropped for this one.
    pub fn n_dropped_for(&self, kept: DocId) -> u64 {
        self.n_for.get(&kept).copied().unwrap_or(0)
    }

    /// The number of documents that are dropped for this reason.
    pub fn count(&self, reason: Reason) -> u64 {
        self.dropped.iter().filter(|one| one.reason == reason).count() as u64
    }
}

impl Analysis {
    /// Decides which documents of `groups` are dropped. Their cosines stay `None`: [`Analysis::compare`] fills them in.
    /// With a reference, groups and policy are not used: documents of the first corpus are dropped that are near a
    /// document of the reference.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    ///
    /// # Panics
    /// If the groups are not of this analysis.
    pub fn decide(
        &self,
        groups: &Groups,
        rule: &DropRule,
        job: &Job,
    ) -> Result<Decisions, Cancelled> {
        if self.corpus.reference().is_some() {
            return self.decide_across(rule, job);
        }
        let facts = self.facts(groups, &rule.policy, job)?;
        let sets = self.settings.alike.sets();
        job.enter(Stage::Compare, groups.n_documents() as u64);
        let decide = |group: u32| {
            job.progress.check()?;
            let sets = ShingleSets::new(self, &sets);
            let documents = groups.documents(group);
            let found = self.dropped_of_group(documents, rule, &facts, sets, job);
            job.progress.add(documents.len() as u64);
            job.progress.check().map(|()| found)
        };
        let found = (0..groups.len() as u32).into_par_iter().map(decide);
        let (dropped, spared): (Vec<_>, Vec<_>) =
            found.collect::<Result<Vec<_>, Cancelled>>()?.into_iter().unzip();
        let idle = if groups.is_empty() { Vec::new() } else { rule.policy.idle(&facts) };
        Ok(Decisions { idle, ..self.decided(dropped.concat(), spared.concat(), rule, job)? })
    }

    /// The decisions that drop these documents, and of equal texts without words all but the one that is kept.
    pub(super) fn decided(
        &self,
        mut dropped: Vec<Dropped>,
        spared: Vec<Dropped>,
        rule: &DropRule,
        job: &Job,
    ) -> Result<Decisions, Cancelled> {
        for equal in self.equal_without_words(job)? {
            dropped.extend(self.dropped_without_words(&equal, rule));
        }
        Ok(Decisions::new(dropped, self.len(), spared))
    }

    /// The dropped ones of documents that have the same text without words, for the one that the policy keeps, or for the
    /// first of the reference.
    fn dropped_without_words(&self, equal: &[DocId], rule: &DropRule) -> Vec<Dropped> {
        let fact = |document: DocId| {
            self.facts_of(document.index()..document.index() + 1, &rule.policy).swap_remove(0)
        };
        let mut members: Vec<PolicyFacts> = equal.iter().map(|&document| fact(document)).collect();
        members.sort_by(|a, b| preference(rule, a, b));
        let has_reference = self.corpus.reference().is_some();
        let of_reference = |document: &DocId| self.corpus.is_reference(*document);
        let kept = if has_reference {
            equal.iter().copied().find(of_reference)
        } else {
            members.first().map(|fact| fact.document)
        };
        let Some(kept) = kept else { return Vec::new() };
        let is_dropped = |document: &DocId| {
            *document != kept
                && !of_reference(document)
                && rule.marks.get(*document) != Some(Mark::Keep)
                && !rule.marks.are_not_duplicates(*document, kept)
        };
        let reason = Reason::EqualText;
        let drop =
            |document| Dropped { document, kept, distance: 0, cosine: None, reason, shared: None };
        equal.iter().copied().filter(is_dropped).map(drop).collect()
    }

    /// The facts that the policy needs about each document in a group, in corpus order; empty if it needs nothing
    /// that must be read.
    fn facts(
        &self,
        groups: &Groups,
        policy: &Policy,
        job: &Job,
    ) -> Result<Vec<PolicyFacts>, Cancelled> {
        let is_needed =
            policy.has(&OF_TEXTS) || policy.has(&OF_FIELDS) || policy.has(&[Kind::Source]);
        if !is_needed {
            return Ok(Vec::new());
        }
        let is_grouped = |document| groups.group_of(document).is_some();
        batch::read_ranges(&self.corpus, is_grouped, job, |range| self.facts_of(range, policy))
    }

    fn facts_of(&self, range: Range<usize>, policy: &Policy) -> Vec<PolicyFacts> {
        let is_in = |file: &str, preference: &Preference| {
            preference.kind == Kind::Source && file.contains(&preference.name)
        };
        let mut facts: Vec<PolicyFacts> =
            range.clone().map(|at| PolicyFacts::unknown(DocId::from(at))).collect();
        if policy.has(&[Kind::Source]) {
            for fact in &mut facts {
                let file = self.corpus.address(fact.document).file;
                fact.is_in = policy.0.iter().map(|it| is_in(&file, it)).collect();
            }
        }
        if policy.has(&OF_TEXTS) {
            for (fact, content) in facts.iter_mut().zip(self.corpus.read_many(range.clone())) {
                let text = content.as_ref().ok().and_then(Content::text);
                fact.length = text.map(|text| text.chars().count() as u64);
            }
        }
        if policy.has(&OF_FIELDS) {
            for (fact, fields) in facts.iter_mut().zip(self.corpus.fields(range)) {
                let names = policy.0.iter().map(|it| &*it.name);
                let values = values_of(&fields.unwrap_or_default(), names);
                fact.values = values.into_iter().map(|it| it.map(FieldValue::new)).collect();
            }
        }
        facts
    }

    /// The dropped documents of a group in corpus order, and the spared ones.
    fn dropped_of_group(
        &self,
        group: &[DocId],
        rule: &DropRule,
        facts: &[PolicyFacts],
        mut sets: ShingleSets<'_>,
        job: &Job,
    ) -> (Vec<Dropped>, Vec<Dropped>) {
        let k = self.settings.k;
        let fingerprint = |document| self.fingerprint(document).expect("grouped, so it has one");
        let fact = |document: &DocId| {
            let at = facts.binary_search_by_key(document, |fact| fact.document);
            at.map_or_else(|_| PolicyFacts::unknown(*document), |at| facts[at].clone())
        };
        let mut members: Vec<PolicyFacts> = group.iter().map(fact).collect();
        if rule.policy.has(&[Kind::Central]) {
            for member in &mut members {
                let own = fingerprint(member.document);
                let near = group.iter().filter(|&&other| own.distance(fingerprint(other)) <= k);
                member.n_near = near.count() as u32;
            }
        }
        members.sort_by(|a, b| preference(rule, a, b));
        let n_forced =
            members.partition_point(|member| rule.marks.get(member.document) == Some(Mark::Keep));
        let fingerprints: Vec<_> =
            members.iter().map(|member| fingerprint(member.document)).collect();
        let is_near = |a: usize, b: usize| fingerprints[a].distance(fingerprints[b]) <= k;
        let numbers = self.text_numbers(group);
        let has_equal_text = |a: DocId, b: DocId| {
            numbers.get(&a).is_some_and(|number| numbers.get(&b) == Some(number))
        };
        let not_duplicates = rule.marks.not_duplicates_among(group, &numbers);
        let text = |at: usize| TextId::new(members[at].document, &numbers);
        let is_duplicate = |a: usize, b: usize| {
            is_near(a, b)
                && (not_duplicates.is_empty() || !not_duplicates.contains(&[text(a), text(b)]))
        };
        let mut refused: Vec<Option<(usize, Option<f64>)>> = vec![None; members.len()];
        let mut n_refused = vec![0_u32; members.len()];
        let mut found = vec![None; members.len()];
        // The check is part of near: a document that one kept text refuses may go for another.
        let may_drop = |kept: usize, member: usize| {
            // Whoever asked looks at the cancel flag again.
            if !is_duplicate(kept, member) || job.progress.is_cancelled() {
                return false;
            }
            let [a, b] = [kept, member].map(|at| members[at].document);
            let is_settled = has_equal_text(a, b) || rule.min_shared.share() == 0.0;
            if !is_settled && n_refused[member] == MOST_REFUSALS {
                return false;
            }
            if !has_equal_text(a, b) && !self.are_similar([a, b]) {
                // A measured similarity costs nothing; for the others both texts were read.
                n_refused[member] += u32::from(!self.has_measured_similarity());
                return false;
            }
            let shared = if is_settled { None } else { sets.shared(a, b) };
            let is_dropped = is_settled
                || rule.min_shared.allows(shared)
                || rule.marks.get(b) == Some(Mark::Drop);
            if is_dropped {
                found[member] = shared;
            } else {
                refused[member].get_or_insert((kept, shared));
                n_refused[member] += 1;
            }
            is_dropped
        };
        let kept_for = cover(members.len(), n_forced, may_drop);
        let decided = |member: usize, kept: usize, shared: Option<f64>| {
            let distance = fingerprints[member].distance(fingerprints[kept]);
            let [document, kept] = [member, kept].map(|at| members[at].document);
            let reason = Reason::of(has_equal_text(document, kept), distance);
            Dropped { document, kept, distance, cosine: None, reason, shared }
        };
        let (mut dropped, mut spared) = (Vec::new(), Vec::new());
        for (member, kept) in kept_for.into_iter().enumerate() {
            match (kept, refused[member]) {
                (Some(kept), _) => dropped.push(decided(member, kept, found[member])),
                (None, Some((kept, shared))) => spared.push(decided(member, kept, shared)),
                (None, None) => {}
            }
        }
        for list in [&mut dropped, &mut spared] {
            list.sort_unstable_by_key(|one| one.document);
        }
        (dropped, spared)
    }

    /// Computes the exact cosine of each of these documents with the document kept for it. Reads both again.
    ///
    /// # Errors
    /// [`Cancelled`] if cancelled.
    pub fn compare(&self, dropped: &mut [Dropped], job: &Job) -> Result<(), Cancelled> {
        let pair = |one: &Dropped| DocumentPair {
            a: one.document.min(one.kept),
            b: one.document.max(one.kept),
            distance: one.distance,
        };
        let pairs: Vec<DocumentPair> = dropped.iter().map(pair).collect();
        for (one, cosine) in dropped.iter_mut().zip(self.cosines(&pairs, job)?) {
            one.cosine = cosine;
        }
        Ok(())
    }
}

/// The order in which documents are kept: marks first, then the policy.
fn preference(rule: &DropRule, a: &PolicyFacts, b: &PolicyFacts) -> Ordering {
    let mark = |fact: &PolicyFacts| match rule.marks.get(fact.document) {
        Some(Mark::Keep) => 0,
        None => 1,
        Some(Mark::Drop) => 2,
    };
    mark(a).cmp(&mark(b)).then_with(|| rule.policy.compare(a, b))
}

#[cfg(test)]
mod tests;
