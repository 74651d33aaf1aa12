//! Rows about documents, as the screens list them and `X` writes them.

use crate::analysis::filter::{Mark, has};
use crate::app::App;
use crate::app::screen::groups::Member;
use crate::explain::figures::similarity;
use crate::explain::overlap::Similarity;
use crate::facts::figures::{dash, share_of};
use crate::facts::{Fact, Room};
use crate::id::DocId;
use crate::index::Neighbour;
use crate::number::grouped;
use crate::sign;

/// A row about a document of the corpus.
pub(super) type Of<'a, T> = Fact<(&'a App, T)>;
type OfText<'a> = Of<'a, DocId>;
type OfNeighbour<'a> = Of<'a, Neighbour>;
/// A text of a group, behind the number of the group.
type OfMember<'a> = Of<'a, (u32, Member)>;

/// The columns of all texts.
pub(super) fn documents(app: &App) -> Vec<OfText<'_>> {
    let cells = |least: usize| (app.analysis.len().max(1).ilog10() as usize + 1).max(least);
    let tokens = app.analysis.settings.recipe.features.tokens_short();
    let mut facts: Vec<OfText<'_>> = vec![
        OfText::count("number", |(_, it)| Some(u64::from(it.0) + 1)).listed("#", cells(3) + 1, 4),
        OfText::text("id", |(app, it)| Some(app.analysis.corpus.id(*it).into())),
        OfText::text("title", |(app, it)| Some(app.titles.get(*it)?.into())),
        OfText::count("tokens", |(app, it)| Some(app.analysis.record(*it)?.n_tokens.into()))
            .listed(tokens, 8, 3)
            .shown(|(app, it), _| words(app, *it)),
        OfText::count("features", |(app, it)| Some(app.analysis.record(*it)?.n_features.into())),
        OfText::count("near", |(app, it)| Some(app.analysis.near_count(*it)?.into()))
            .listed("near", cells(4) + 2, 0)
            .shown(|(app, it), _| known(app.analysis.near_count(*it))),
        OfText::count("group", |(app, it)| Some(app.linked_groups()?.group_of(*it)?.into()))
            .listed("group", cells(5) + 2, 5)
            .shown(|(app, it), _| known(app.linked_groups().and_then(|all| all.group_of(*it)))),
        OfText::count("distance", |(app, it)| {
            let groups = app.linked_groups()?;
            let first = groups.representative(groups.group_of(*it)?);
            let [one, other] = [*it, first].map(|it| app.analysis.fingerprint(it));
            Some(one?.distance(other?).into())
        }),
        OfText::words("flags", |(app, it)| {
            let flags = [Mark::Short, Mark::Tied, Mark::Dominated, Mark::Boilerplate, Mark::Lossy];
            let flags = flags.into_iter().filter(|&flag| has(&app.analysis, *it, flag));
            flags.map(|flag| flag.name().to_owned()).collect()
        }),
        OfText::text("review", |(app, it)| Some(app.review.rule.marks.get(*it)?.name().into())),
        OfText::fingerprint("fingerprint", |(app, it)| app.analysis.fingerprint(*it)),
    ];
    if app.has_reference() {
        facts.push(OfText::flag("reference", |(app, it)| {
            Some(app.analysis.corpus.is_reference(*it))
        }));
    }
    facts
}

/// A number that is blank until it is known.
fn known(number: Option<u32>) -> String {
    number.map_or_else(String::new, |number| grouped(number.into()))
}

/// The number of words of a document.
fn words(app: &App, document: DocId) -> String {
    let carried = app.analysis.corpus.flags(document).lacks_text();
    match app.analysis.record(document) {
        None => "..".to_owned(),
        Some(record) if carried || record.unreadable => sign::NONE.to_string(),
        Some(record) => grouped(record.n_tokens.into()),
    }
}

/// The columns of the neighbours of a document.
pub(super) fn neighbours<'a>() -> Vec<OfNeighbour<'a>> {
    fn difference(app: &App, it: DocId) -> Option<u128> {
        let [query, other] = [app.near.query?, it].map(|it| app.analysis.fingerprint(it));
        Some(query?.bits() ^ other?.bits())
    }
    vec![
        OfNeighbour::text("id", |(app, it)| Some(app.analysis.corpus.id(it.document).into())),
        OfNeighbour::text("title", |(app, it)| Some(app.titles.get(it.document)?.into())),
        OfNeighbour::count("distance", |(_, it)| Some(it.distance.into())).listed("d", 4, 0),
        OfNeighbour::cosine("cosine", |(app, it)| {
            Some(app.similar.to(app.near.query?, it.document)??.cosine)
        })
        .listed("cosine", 8, 3)
        .shown(|(app, it), room| figure((app, it), room, |it| Some(similarity(it.cosine)))),
        OfNeighbour::cosine("shared", |(app, it)| {
            of_the_query(app, *it).or_else(|| app.similar.to(app.near.query?, it.document)??.shared)
        })
        .listed("share", 6, 1)
        .shown(|(app, it), room| match of_the_query(app, *it) {
            Some(share) => share_of(share),
            None => figure((app, it), room, |it| it.shared.map(share_of)),
        }),
        OfNeighbour::count("tables_hit", |(app, it)| {
            Some(app.layout().tables_hit(difference(app, it.document)?).count() as u64)
        }),
        OfNeighbour::count("tables", |(app, _)| Some(app.layout().tables().len() as u64)),
    ]
}

/// The share of the query's text that a neighbour has, where the query goes for it: as on Docs and in the outcome.
fn of_the_query(app: &App, it: Neighbour) -> Option<f64> {
    let decision = app.decisions()?.of(app.near.query?)?;
    (decision.kept == it.document).then(|| decision.known_share())?
}

/// A figure of a neighbour and the query, which may still be compared.
fn figure(
    (app, it): (&App, &Neighbour),
    room: Room,
    of: fn(&Similarity) -> Option<String>,
) -> String {
    match app.near.query.and_then(|query| app.similar.to(query, it.document)) {
        None => "..".to_owned(),
        Some(known) => known.as_ref().and_then(of).unwrap_or_else(|| dash(room)),
    }
}

/// The columns of the texts of groups.
pub(super) fn members<'a>() -> Vec<OfMember<'a>> {
    vec![
        OfMember::count("group", |(_, (group, _))| Some(u64::from(*group))),
        OfMember::text("id", |(app, (_, it))| Some(app.analysis.corpus.id(it.document).into())),
        OfMember::text("title", |(app, (_, it))| Some(app.titles.get(it.document)?.into())),
        OfMember::text("decision", |(_, (_, it))| it.fate.name().map(Into::into)),
        OfMember::text("other", |(app, (_, it))| Some(app.analysis.corpus.id(it.other).into())),
        OfMember::count("distance", |(_, (_, it))| Some(it.distance.into())),
        OfMember::cosine("shared", |(_, (_, it))| it.shared)
            .listed("share", 6, 1)
            .shown(|(_, (_, it)), _| it.shared.map_or_else(String::new, share_of)),
    ]
}
