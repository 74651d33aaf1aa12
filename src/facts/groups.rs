//! Rows about groups and their members.

use super::Fact;
use crate::index::{Bridge, GroupShape};

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

/// A group.
#[derive(Default)]
pub(crate) struct GroupRow<'a> {
    pub(crate) group: u64,
    pub(crate) size: u64,
    /// Its distinct fingerprints; like what follows `None` for equal texts without words.
    pub(crate) distinct: Option<u64>,
    /// The distance of its farthest two, and whether that is exact.
    pub(crate) diameter: Option<(u64, bool)>,
    /// The longest link of its tree.
    pub(crate) weakest: Option<u64>,
    /// Members within k of the representative.
    pub(crate) covered: Option<u64>,
    /// The first document without which the group falls apart.
    pub(crate) bridge: Option<&'a str>,
    pub(crate) representative: &'a str,
}

impl<'a> GroupRow<'a> {
    /// The row of a group of this shape; `id` names the first document of an entry.
    pub(crate) fn new(group: u64, shape: &GroupShape, id: impl Fn(u32) -> &'a str) -> Self {
        Self {
            group,
            size: shape.documents.into(),
            distinct: Some(shape.distinct() as u64),
            diameter: Some((shape.farthest.distance.into(), shape.farthest.is_exact)),
            weakest: shape.weakest.map(u64::from),
            covered: Some(shape.covered.into()),
            bridge: match shape.bridge {
                Bridge::At { entry, .. } => Some(id(entry)),
                Bridge::None | Bridge::Unknown => None,
            },
            representative: id(shape.nodes[0].entry),
        }
    }
}

pub(crate) fn groups<'a>() -> Vec<Fact<GroupRow<'a>>> {
    vec![
        Fact::count("group", |it| Some(it.group)),
        Fact::count("size", |it| Some(it.size)),
        Fact::count("distinct", |it| it.distinct),
        Fact::at_least("diameter", |it| it.diameter),
        Fact::count("weakest", |it| it.weakest),
        Fact::count("covered", |it| it.covered),
        Fact::text("bridge", |it| it.bridge.map(Into::into)),
        Fact::text("representative", |it| Some(it.representative.into())),
    ]
}
