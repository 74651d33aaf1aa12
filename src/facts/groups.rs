//! Rows about groups and their members.

use std::borrow::Cow;

use super::figures::dash;
use super::{Cell, Fact, Kind};
use crate::analysis::{Analysis, Containment, FolderShares};
use crate::id::DocId;
use crate::index::{Bridge, Farthest, GroupShape};

/// A document of a group.
pub(crate) struct MemberRow<'a> {
    pub(crate) group: usize,
    pub(crate) id: &'a str,
    pub(crate) is_representative: bool,
    pub(crate) distance: Option<u32>,
    pub(crate) title: Option<String>,
}

/// The columns of members, with titles if they are for people.
pub(crate) fn members<'a>(with_titles: bool) -> Vec<Fact<MemberRow<'a>>> {
    let mut facts = vec![
        Fact::count("group", |it: &MemberRow<'a>| Some(it.group as u64)),
        Fact::text("id", |it| Some(it.id.into())),
        Fact::flag("representative", |it| Some(it.is_representative)),
        Fact::count("distance", |it| it.distance.map(u64::from)),
    ];
    if with_titles {
        facts.push(Fact::text("title", |it| it.title.as_deref().map(Into::into)));
    }
    facts
}

/// How much of a folder another one has.
pub(crate) fn folders<'a>() -> Vec<Fact<(&'a FolderShares, &'a Containment)>> {
    vec![
        Fact::text("folder", |(shares, row): &(&'a FolderShares, &'a Containment)| {
            Some((&*shares.names[row.folder as usize]).into())
        }),
        Fact::count("documents", |(shares, row)| Some(shares.sizes[row.folder as usize])),
        Fact::text("other", |(shares, row)| Some((&*shares.names[row.other as usize]).into())),
        Fact::count("near", |(_, row)| Some(row.near)),
        Fact::cosine("share", |(shares, row)| Some(shares.share(row))),
    ]
}

/// A group.
pub(crate) struct GroupRow<'a> {
    pub(crate) group: usize,
    /// Its documents, starting with the representative.
    pub(crate) documents: &'a [DocId],
    /// Its shape, if it is known; `None` for equal texts without words.
    pub(crate) shape: Option<Cow<'a, GroupShape>>,
    pub(crate) analysis: &'a Analysis,
}

impl<'a> GroupRow<'a> {
    fn shape(&self) -> Option<&GroupShape> {
        self.shape.as_deref()
    }

    /// The id of the first document without which the group falls apart.
    fn bridge(&self) -> Option<&'a str> {
        let Bridge::At(entry) = self.shape()?.bridge else { return None };
        Some(self.analysis.corpus.id(self.analysis.index.as_ref()?.documents(entry)[0]))
    }
}

pub(crate) fn groups<'a>() -> Vec<Fact<GroupRow<'a>>> {
    type Of<'a> = Fact<GroupRow<'a>>;
    vec![
        Of::count("group", |it: &GroupRow<'a>| Some(it.group as u64)),
        Of::count("size", |it| Some(it.documents.len() as u64)).titled("documents"),
        Of::count("distinct", |it| Some(it.shape()?.distinct as u64)).titled("fingerprints"),
        Of::cell_of("diameter", Kind::Text, |it| match it.shape().map(|shape| shape.farthest) {
            Some(Farthest { distance, is_exact: true }) => Cell::Count(distance.into()),
            Some(Farthest { distance, .. }) => Cell::Text(format!(">={distance}").into()),
            None => Cell::Missing,
        })
        .shown(|it, room| match it.shape().map(|shape| shape.farthest) {
            Some(Farthest { distance, is_exact: true }) => distance.to_string(),
            Some(Farthest { distance, .. }) => format!("at least {distance}"),
            None => dash(room),
        }),
        Of::count("weakest", |it| it.shape()?.weakest.map(u64::from)).titled("weakest edge").shown(
            |it, _| match it.shape().and_then(|shape| shape.weakest) {
                Some(weakest) => weakest.to_string(),
                None => "none".to_owned(),
            },
        ),
        Of::count("covered", |it| Some(it.shape()?.covered.into())).titled("within k of the first"),
        Of::text("bridge", |it| it.bridge().map(Into::into)),
        Of::text("representative", |it| Some(it.analysis.corpus.id(it.documents[0]).into())),
    ]
}
