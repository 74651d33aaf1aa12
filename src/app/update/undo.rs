//! Undo and redo of the user's choices.
//!
//! After every message the choices are compared with the choices before, so actions need not note that they can be
//! undone.

use super::super::history::{Choices, History};
use crate::app::{App, change_recipe, follow_settings, refuse};
use crate::id::DocId;
use crate::number::counted;
use crate::text::visible;

/// The most earlier choices that are kept.
const MOST: usize = 100;

impl Choices {
    fn of(app: &App) -> Self {
        Self {
            settings: app.settings.clone(),
            filter: app.docs.filter.clone(),
            filter_text: app.docs.filter_text.clone(),
            order: (app.docs.order, app.docs.reversed),
            fields: app.docs.fields.names.clone(),
            rule: app.review.rule.clone(),
            linkage: app.groups.linkage,
        }
    }

    /// The differences from other choices, in words.
    fn unlike(&self, other: &Self) -> String {
        let filter = if self.filter.is_empty() {
            "no filter".to_owned()
        } else {
            format!("filter {}", self.filter_text)
        };
        let (order, is_reversed) = self.order;
        let reversed = if is_reversed { " reversed" } else { "" };
        let (now, was) = (&self.settings, &other.settings);
        let (marks, before) = (&self.rule.marks, &other.rule.marks);
        let n_pairs = counted(marks.not_duplicates.len() as u64, "pair");
        let parts = [
            (now.k != was.k, format!("k={}", now.k)),
            (now.recipe != was.recipe, format!("recipe {}", now.recipe.short())),
            (now.layout != was.layout, "other tables".to_owned()),
            (self.filter != other.filter, filter),
            (self.order != other.order, format!("order by {order}{reversed}")),
            (self.fields != other.fields, format!("fields {}", self.fields.join(", "))),
            (self.linkage != other.linkage, format!("{} linkage", self.linkage)),
            (self.rule.policy != other.rule.policy, format!("policy {}", self.rule.policy)),
            (marks.documents != before.documents, counted(marks.documents.len() as u64, "mark")),
            (
                marks.not_duplicates != before.not_duplicates,
                format!("{n_pairs} marked as no duplicates"),
            ),
        ];
        let parts = parts.into_iter().filter(|(differs, _)| *differs);
        visible(&parts.map(|(_, part)| part).collect::<Vec<_>>().join(", ")).into_owned()
    }
}

impl History {
    /// Marks two documents as no duplicates in all choices, or removes that mark: a judgement is kept in a file, so only
    /// Label takes it back. Costs a step for each kept choice.
    pub(in crate::app) fn judge(&mut self, [one, other]: [DocId; 2], are_no_duplicates: bool) {
        let earlier = self.before.iter_mut().chain(&mut self.after);
        for choices in earlier.chain([&mut self.present]) {
            choices.rule.marks.set_pair(one, other, are_no_duplicates);
        }
        // Choices that differed in this pair alone are equal now.
        let is_same = |one: &Choices, other: &Choices| one.unlike(other).is_empty();
        for earlier in [&mut self.before, &mut self.after] {
            earlier.dedup_by(|one, other| is_same(one, other));
            earlier.pop_if(|last| is_same(last, &self.present));
        }
    }
}

/// Keeps the choices before the present ones, if they differ.
pub(super) fn record(app: &mut App) {
    let choices = Choices::of(app);
    let history = &mut app.history;
    if choices.unlike(&history.present).is_empty() {
        return;
    }
    history.before.push(std::mem::replace(&mut history.present, choices));
    history.after.clear();
    if history.before.len() > MOST {
        history.before.remove(0);
    }
}

/// Goes back to the choices before the present ones, or forward to choices that were undone.
pub(super) fn undo(app: &mut App, is_redo: bool) {
    let History { present, before, after } = &mut app.history;
    let (from, to, none, way) = if is_redo {
        (after, before, "nothing to redo", "again:")
    } else {
        (before, after, "nothing to undo", "back to")
    };
    let Some(choices) = from.pop() else { return app.say(none) };
    let left = std::mem::replace(present, choices.clone());
    let differences = choices.unlike(&left);
    to.push(left);
    app.say(format!("{way} {differences}"));
    take(app, choices);
}

/// Makes these the present choices.
fn take(app: &mut App, choices: Choices) {
    let Choices { settings, filter, filter_text, order, fields, rule, linkage } = choices;
    if filter != app.docs.filter {
        app.docs.set_filter(filter, filter_text);
    }
    (app.docs.order, app.docs.reversed) = order;
    if fields != app.docs.fields.names {
        app.docs.fields.show(fields);
    }
    (app.review.rule, app.groups.linkage) = (rule, linkage);
    if let Some(why) = refuse(app, &settings) {
        app.say(why);
    } else if settings.recipe != app.settings.recipe {
        change_recipe(app, settings);
    } else if (settings.k, settings.layout) != (app.settings.k, app.settings.layout) {
        app.settings = settings;
        follow_settings(app);
    }
}
