//! The words of Layouts, about the selected layout.

use super::{Row, selected};
use crate::analysis::LayoutOffer;
use crate::app::App;
use crate::app::page::{Tinted, Tone};
use crate::facts::figures::many;
use crate::number::{counted, grouped};
use crate::present::lab;
use crate::present::planned::MEANING;
use crate::text::visible;

/// The most documents of a full bucket that are named.
const MOST_NAMED: usize = 4;

/// The running work, the selected layout, and the layouts that are best in something.
pub(super) fn about(app: &App) -> Vec<Tinted> {
    let state = &app.tune.layouts;
    let mut texts: Vec<Tinted> = Vec::new();
    texts.extend(state.problems.iter().map(|it| (visible(it).into_owned(), Tone::Warn).into()));
    texts.extend(state.progress().map(|it| (it, Tone::Strong).into()));
    let Some(row) = selected(app) else { return texts };
    if let Some(it) = row.evaluation {
        texts.push((format!("{}.", lab::about(&it.evaluation, it.k)), Tone::Strong).into());
        texts.extend(state.lab.as_ref().map(|lab| lab.truth.describe().into()));
        texts.extend(app.running.is_some().then(|| "documents are read ..".into()));
    } else {
        if app.running.is_some() && !state.queue.is_empty() {
            texts.push("waits until the documents are read ..".into());
        } else if state.progress().is_none() {
            let what = if state.rows.is_empty() { "six usual layouts" } else { "it" };
            texts.push(
                    format!(
                        "Enter measures {what} with the texts: how many true pairs are found. True is a {}; t changes \
                         that.",
                        app.truth_of_layouts()
                    )
                    .into(),
                );
        }
        texts.push(format!("{}.", row.planned.in_words()).into());
    }
    texts.extend(fullest_bucket(app, &row).into_iter().map(Tinted::from));
    texts.extend(best(app).map(Tinted::from));
    texts.push((format!("{MEANING}."), Tone::Muted).into());
    texts
}

/// The features that the fingerprints of the fullest bucket share.
fn fullest_bucket(app: &App, row: &Row<'_>) -> Vec<String> {
    let Some(offer) = row.offer else { return Vec::new() };
    let Some(known) = row.load else {
        let stopped = app.tune.layouts.load.is_cancelled();
        let words = if stopped {
            "counting stopped; Enter resumes it"
        } else {
            "counting the pairs that share a key .."
        };
        return vec![words.to_owned()];
    };
    let Some(bucket) = &known.load.fullest_bucket else {
        return vec!["No two fingerprints share a key.".to_owned()];
    };
    let table = &offer.layout.tables()[bucket.table];
    let mut texts = vec![format!(
        "{} of {} fingerprints share the key of table {} ({}, {} bits).",
        grouped(bucket.size as u64),
        grouped(known.load.n_entries as u64),
        bucket.table + 1,
        table.letters(),
        table.key_bits,
    )];
    let Some(fullest) = &known.fullest_bucket else { return texts };
    let n = fullest.documents.len();
    let ids = fullest.documents.iter().take(MOST_NAMED);
    let ids: Vec<_> = ids.map(|&it| app.shown_id(it)).collect();
    let more = match n - ids.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    // Of a full bucket only the first documents are read.
    let named = match n {
        _ if n < bucket.size => format!("The first {n} of them"),
        2 => "Both".to_owned(),
        n => format!("All {n}"),
    };
    let shared: Vec<_> = fullest.shared.iter().map(|it| visible(it).into_owned()).collect();
    texts.push(match fullest.n_shared {
        0 => format!("No feature is in all of {}{more}.", ids.join(", ")),
        n => format!(
            "{named} share {}: {}. They are {}{more}.",
            counted(n as u64, "feature"),
            shared.join(" / "),
            ids.join(", ")
        ),
    });
    texts
}

/// The layouts that find every pair and are best in something, once all are counted.
fn best(app: &App) -> Option<String> {
    let (state, k) = (&app.tune.layouts, app.settings.k);
    let sure = || state.offers.iter().filter(|offer| offer.layout.guarantees(k));
    let matches = |offer: &&LayoutOffer| state.load_of(&offer.layout).map(|it| it.load.candidates);
    if sure().any(|offer| matches(&offer).is_none()) {
        return None;
    }
    let fewest = sure().min_by_key(|offer| offer.layout.tables().len())?;
    let lightest = sure().min_by_key(matches)?;
    let about = |offer: &LayoutOffer| {
        let tables = counted(offer.layout.tables().len() as u64, "table");
        let matches = many(matches(&offer).unwrap_or(0));
        format!("{} ({tables}, {matches} key matches)", offer.layout.name())
    };
    let all = format!("Of the layouts that find every pair within k = {k},");
    Some(if fewest.choice == lightest.choice {
        format!("{all} {} has the fewest tables and the fewest key matches.", about(fewest))
    } else {
        format!(
            "{all} {} has the fewest tables, {} the fewest key matches.",
            about(fewest),
            about(lightest)
        )
    })
}
