//! Rows about groups and their members.

use super::{Fact, figures::dash};
use crate::{
    analysis::Analysis,
    index::{Bridge, GroupShape},
};

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
    /// The row of a group of this shape; its documents have fingerprints.
    pub(crate) fn new(group: u64, shape: &GroupShape, analysis: &'a Analysis) -> Self {
        let index = analysis.index.as_deref().expect("groups have fingerprints");
        let id = |entry| analysis.corpus.id(index.documents(entry)[0]);
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
    type Of<'a> = Fact<GroupRow<'a>>;
    vec![
        Of::count("group", |it: &GroupRow<'a>| Some(it.group)),
        Of::count("size", |it| Some(it.size)).titled("documents"),
        Of::count("distinct", |it| it.distinct).titled("fingerprints"),
        Of::at_least("diameter", |it| it.diameter).shown(|it, room| match it.diameter {
            Some((n, true)) => n.to_string(),
            Some((n, false)) => format!("at least {n}"),
            None => dash(room),
        }),
        Of::count("weakest", |it| it.weakest)
            .titled("weakest edge")
            .shown(|it, _| it.weakest.map_or_else(|| "none".to_owned(), |n| n.to_string())),
        Of::count("covered", |it| it.covered).titled("within k of the first"),
        Of::text("bridge", |it| it.bridge.map(Into::into)),
        Of::text("representative", |it| Some(it.representative.into())),
    ]
}
