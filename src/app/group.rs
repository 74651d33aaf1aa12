//! The group of the selected document, as Docs shows it beside the list.

use super::App;
use crate::{id::DocId, index::GroupShape};

/// The most members of a group whose tree is made anew for each picture.
const SMALL: usize = 40;

/// The tree of the members of a shown group if it is small enough to be made at once, in less than a millisecond.
pub fn small_group(app: &App, members: &[DocId]) -> Option<GroupShape> {
    let index = app.analysis.index.as_ref().filter(|_| members.len() <= SMALL)?;
    Some(index.shape(members, app.analysis.settings.k))
}

/// The rows that the group of the selected document needs: one for each fingerprint, or for each document of a large
/// group, and one for the policy.
pub fn group_rows(app: &App) -> usize {
    let groups = app.linked_groups();
    let group = groups.and_then(|groups| groups.group_of(app.docs.selected()?).zip(Some(groups)));
    let Some((number, groups)) = group else { return 1 };
    let members = groups.documents(number);
    let mut n_rows = members.len();
    if n_rows <= SMALL
        && let Some(index) = &app.analysis.index
    {
        let mut entries: Vec<_> = members.iter().map(|&it| index.entry_of(it)).collect();
        entries.sort_unstable();
        entries.dedup();
        n_rows = entries.len();
    }
    n_rows + usize::from(app.decisions_on(groups).is_some())
}
