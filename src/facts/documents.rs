//! Rows about documents: fingerprints, neighbours, what misleads, what is dropped, and the bits of one.

use super::Fact;
use crate::analysis::dedup::Dropped;
use crate::corpus::{Address, Label};
use crate::explain::bit::BitPush;
use crate::explain::bit_margins::BitMargin;
use crate::explain::triage::Finding;
use crate::simhash::{FingerprintRecord, WeightedFeature};

/// A document with its fingerprint.
pub(crate) struct FingerprintRow {
    pub(crate) id: String,
    pub(crate) record: FingerprintRecord,
    pub(crate) has_text: bool,
}

pub(crate) fn fingerprints() -> Vec<Fact<FingerprintRow>> {
    vec![
        Fact::text("id", |it| Some((&*it.id).into())),
        Fact::fingerprint("fingerprint", |it| it.record.fingerprint),
        Fact::count("features", |it| it.has_text.then_some(it.record.n_features.into())),
    ]
}

/// A document near another one: its id and the distance.
pub(crate) fn neighbours<'a>() -> Vec<Fact<(&'a str, u32)>> {
    vec![
        Fact::text("id", |(id, _)| Some((*id).into())),
        Fact::count("distance", |(_, distance)| Some((*distance).into())),
    ]
}

/// A feature by the hexadecimal digits of its key, and the documents that have it.
pub(crate) fn frequencies() -> Vec<Fact<(String, u64)>> {
    vec![
        Fact::text("feature", |(feature, _)| Some((&**feature).into())),
        Fact::count("documents", |(_, documents)| Some(*documents)),
    ]
}

pub(crate) fn labels() -> Vec<Fact<Label>> {
    vec![
        Fact::text("id1", |it| Some((&*it.ids[0]).into())),
        Fact::text("id2", |it| Some((&*it.ids[1]).into())),
        Fact::text("label", |it| Some(it.verdict.name().into())),
        Fact::text("source", |it| Some((&*it.source).into())),
    ]
}

/// A reason why the distances of a document may mislead, after its id.
pub(crate) fn findings<'a>() -> Vec<Fact<(&'a str, Finding)>> {
    vec![
        Fact::text("id", |(id, _)| Some((*id).into())),
        Fact::text("flag", |(_, it)| Some(it.flag.name().into())),
        Fact::number("value", |(_, it)| Some(it.value)),
        Fact::text("sentence", |(_, it)| Some((&*it.sentence).into())),
    ]
}

/// A document that goes, and the one that is kept for it.
pub(crate) struct DroppedRow<'a> {
    pub(crate) document: Address<'a>,
    pub(crate) kept: Address<'a>,
    pub(crate) dropped: Dropped,
    pub(crate) has_fingerprint: bool,
    /// Whether it is dropped; otherwise it is spared.
    pub(crate) goes: bool,
}

pub(crate) fn dropped<'a>() -> Vec<Fact<DroppedRow<'a>>> {
    vec![
        Fact::text("id", |it| Some(it.document.id.into())),
        Fact::text("file", |it| Some((&*it.document.file).into())),
        Fact::count("line", |it| it.document.line),
        Fact::text("kept", |it| Some(it.kept.id.into())),
        Fact::text("kept_file", |it| Some((&*it.kept.file).into())),
        Fact::count("kept_line", |it| it.kept.line),
        Fact::count("distance", |it| it.has_fingerprint.then_some(it.dropped.distance.into())),
        Fact::cosine("cosine", |it| it.dropped.cosine),
        Fact::text("reason", |it| Some(it.dropped.reason.name().into())),
        Fact::cosine("shared", |it| it.dropped.known_share()),
    ]
}

/// The columns of documents that are spared, or dropped unchecked.
pub(crate) fn doubtful<'a>() -> Vec<Fact<DroppedRow<'a>>> {
    let mut facts = dropped();
    facts.push(Fact::flag("dropped", |it| Some(it.goes)));
    facts
}

/// A bit of a fingerprint, and the cosine for which its chance to flip is asked.
pub(crate) fn bits<'a>() -> Vec<Fact<(&'a BitMargin, f64)>> {
    vec![
        Fact::count("bit", |(bit, _)| Some(bit.bit.into())),
        Fact::count("value", |(bit, _)| Some(bit.value.into())),
        Fact::number("votes", |(bit, _)| Some(bit.votes.to_f64())),
        Fact::number("margin", |(bit, _)| Some(bit.margin)),
        Fact::number("flips", |(bit, cosine)| Some(bit.flips(*cosine))),
    ]
}

/// The vote of a feature on a bit.
pub(crate) fn votes<'a>() -> Vec<Fact<(&'a WeightedFeature, &'a BitPush)>> {
    vec![
        Fact::text("feature", |(feature, _)| Some((&*feature.shingle).into())),
        Fact::count("count", |(feature, _)| Some(feature.count.into())),
        Fact::number("push", |(_, step)| Some(step.push.to_f64())),
        Fact::number("sum", |(_, step)| Some(step.sum.to_f64())),
    ]
}
