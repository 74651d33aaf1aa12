//! The top of every screen: the tabs, the way here, and the names of the views.

use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::analysis::arrangement::ListOrder;
use crate::analysis::inspection::reach;
use crate::app::layout::{self, NAME, before_tabs};
use crate::app::{Action, App, ClickTarget, Screen, ViewId};
use crate::number::{counted, grouped};
use crate::sign;
use crate::text::visible;
use crate::tui::theme::Theme;
use crate::tui::widget::canvas::{Canvas, clip, clip_start, fit_id};

/// The names of the screens, the active one in brackets, and the subject of the active one.
pub(super) fn tabs(app: &App, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let name = NAME.get(..before_tabs(app.size)).unwrap_or(NAME);
    canvas.row(0, Span::styled(name, theme.key()));
    let mut end = 0;
    for (screen, cells) in layout::tabs(app.size) {
        let name = format!("{} {screen}", screen as usize + 1);
        end = cells.end;
        if let Some(key) = app.keymap.first_key(app.view(), Action::Go(screen)) {
            canvas.target(cells.start, 0, cells.len(), ClickTarget::Key(key));
        }
        let tab = if screen == app.screen {
            Span::styled(format!("[{name}]"), theme.chosen())
        } else {
            Span::styled(format!(" {name} "), theme.muted())
        };
        canvas.at(cells.start, 0, tab);
    }
    if let Some(slider) = slider(app, canvas.width().saturating_sub(end + 2), theme) {
        canvas.right(0, slider);
    }
    let about = about(app, canvas.width().saturating_sub(8));
    let about = beside_the_way(app, about, canvas.width());
    let way = way(app, canvas.width().saturating_sub(about.width() + 8));
    way_targets(app, &way, canvas);
    canvas.rule(1, &way, &about);
    view_names(app, &about, canvas);
}

/// The cells of the slider of k.
const SLIDER: usize = 16;

/// k on a line from strict to loose, and in words; `None` where it has no room.
fn slider(app: &App, room: usize, theme: Theme) -> Option<Line<'static>> {
    let k = app.settings.k;
    let words = format!("{} ", counted(k.into(), "bit"));
    let at = (k as usize).min(SLIDER - 1);
    let rule = |cells: usize| sign::SLIDER.to_string().repeat(cells);
    let [before, behind] = [at, SLIDER - 1 - at].map(rule);
    let parts = |strict: &str, loose: &str| {
        Line::from(vec![
            Span::styled(strict.to_owned() + &before, theme.muted()),
            Span::styled(sign::NODE.to_string(), theme.key()),
            Span::styled(behind.clone() + loose, theme.muted()),
            Span::styled(words.clone(), theme.strong()),
        ])
    };
    let alone = Line::from(Span::styled(words.clone(), theme.strong()));
    let all = [parts("stricter ", " looser  "), parts("", "  "), alone];
    all.into_iter().find(|line| line.width() <= room)
}

/// Makes the views' names, which end the remark of the rule, answer to clicks; the shown one stands out.
fn view_names(app: &App, remark: &str, canvas: &mut Canvas) {
    let names = views(app);
    let alone = format!("[{}]", app.shown(app.screen));
    if remark == alone {
        let x = canvas.width().saturating_sub(alone.width() + 2);
        canvas.at(x, 1, Span::styled(alone, canvas.theme.key()));
    }
    if !remark.ends_with(&names) {
        return;
    }
    let mut x = canvas.width().saturating_sub(names.width() + 2);
    for (view, name) in ViewId::of(app.screen).zip(names.split(' ')) {
        if view == app.shown(app.screen) {
            canvas.at(x, 1, Span::styled(name.to_owned(), canvas.theme.key()));
        }
        canvas.target(x, 1, name.width(), ClickTarget::View(view));
        x += name.width() + 1;
    }
}

/// Notes the cells of the places on the way, which is in the row below the tabs: a click goes back to one.
fn way_targets(app: &App, way: &str, canvas: &Canvas) {
    let crumb = format!(" {} ", sign::CRUMB);
    let mut x = 2;
    let n_shown = way.split(&crumb).count();
    for (at, place) in way.split(&crumb).enumerate() {
        let back = (n_shown - 1 - at).min(app.places().len());
        canvas.target(x, 1, place.width(), ClickTarget::Place(back));
        x += place.width() + crumb.width();
    }
}

/// The remark of the rule; the name of the shown view in place of all, where the way here has no room beside it.
fn beside_the_way(app: &App, about: String, width: usize) -> String {
    let is_shortened = matches!(app.screen, Screen::Tune | Screen::Learn);
    let has_no_room = way(app, width.saturating_sub(about.width() + 8)).is_empty();
    if is_shortened && has_no_room && !app.places().is_empty() {
        return format!("[{}]", app.shown(app.screen));
    }
    about
}

/// The places to which Esc goes back, as many of the last ones as fit; nothing if there are none.
fn way(app: &App, room: usize) -> String {
    let places = app.places();
    let joined = |(from, cells): (usize, usize)| {
        let before = if from > 0 { ".. ".to_owned() } else { String::new() };
        let short = |place: &String| fit_id(place, cells.min(place.width()));
        let names: Vec<String> = places[from..].iter().map(short).collect();
        before + &names.join(&format!(" {} ", sign::CRUMB))
    };
    // Rather long names are cut than a place is left out.
    let ways =
        (0..places.len()).flat_map(|from| [usize::MAX, 24, 16, 9, 6].map(|cells| (from, cells)));
    ways.map(joined).find(|way| way.width() <= room).unwrap_or_default()
}

/// Both ids of the pair, cut in the middle if necessary, and their distance.
fn pair_title(app: &App, room: usize) -> Option<String> {
    let (explanation, (a, b)) = (app.tables.explanation.as_ref()?, app.tables.pair?);
    let distance = format!("   d={}", explanation.distance);
    let [a, b] = [a, b?].map(|document| visible(app.analysis.corpus.id(document)).into_owned());
    let both = room.saturating_sub(distance.width() + 3);
    let (left, right) = match (a.width(), b.width()) {
        (left, right) if left + right <= both => (left, right),
        (left, _) if left < both / 2 => (left, both - left),
        (_, right) if right < both / 2 => (both - right, right),
        _ => (both / 2, both / 2),
    };
    let (a, b) = (fit_id(&a, left), fit_id(&b, right));
    Some(format!("{} {} {}{distance}", a.trim_end(), sign::PAIR, b.trim_end()))
}

/// The subject of the screen, cut for a room.
fn about(app: &App, room: usize) -> String {
    let id = |document| visible(app.analysis.corpus.id(document)).into_owned();
    match app.screen {
        // The end of a path is more useful than its beginning, and the views are at the end.
        Screen::Docs => clip_start(&about_list(app), room),
        Screen::Pair => clip_start(&about_near(app), room),
        Screen::Tables => pair_title(app, room)
            .unwrap_or_else(|| clip(&app.near.query.map(id).unwrap_or_default(), room)),
        Screen::Tune | Screen::Check | Screen::Learn => views(app),
    }
}

/// The corpus, the order, the filter with the number of documents that pass, and the views: where not all fit, the first
/// ones go.
fn about_list(app: &App) -> String {
    let docs = &app.docs;
    let arranging = docs.rows.is_running();
    let title = visible(app.title.rsplit('/').next().unwrap_or_default()).into_owned();
    let filter = (!docs.filter_text.is_empty()).then(|| {
        let shown = grouped(docs.len() as u64);
        let partly =
            docs.filter.needs_flags() && app.analysis.flags.is_none() || docs.is_admitting();
        let shown = if partly { shown + " so far" } else { shown };
        let arranging = arranging && !docs.admission.is_running();
        let shown = if arranging { " ..".to_owned() } else { format!(" ({shown})") };
        format!("filter: {}{shown}", docs.filter_text)
    });
    let has_order = docs.order != ListOrder::Corpus || docs.reversed;
    let order = has_order.then(|| {
        let reversed = if docs.reversed { " reversed" } else { "" };
        let behind = if arranging { " .." } else { "" };
        format!("by {}{reversed}{behind}", docs.order)
    });
    let find = docs.find.as_ref().filter(|_| docs.searching.is_running());
    let find = find.map(|find| format!("searching for {} ..", visible(&find.words)));
    let parts = [Some(title), order, filter, find, Some(views(app))];
    parts.into_iter().flatten().collect::<Vec<_>>().join("   ")
}

/// The number of neighbours by distance.
fn about_near(app: &App) -> String {
    let Some(query) = app.near.query else { return String::new() };
    if app.analysis.index.is_none() || app.analysis.fingerprint(query).is_none() {
        return String::new();
    }
    if app.near.listing.is_running() {
        return "searching ..".to_owned();
    }
    let within = app.near.n_within(app.settings.k);
    let beyond = app.near.neighbours.len() - within + app.near.n_hidden;
    let beyond = beyond.saturating_sub(usize::from(app.near.guest.is_some()));
    let guest = app.near.guest.map_or_else(String::new, |_| format!(" and {}", sign::PARTNER));
    let (k, to) = (app.settings.k, app.near.reach);
    let is_far = to > reach(k, app.analysis.settings.recipe.bits) && beyond > 0;
    let how = if app.layout().guarantees(k) { "" } else { " by scan" };
    let within = format!("{} within {}{how}", grouped(within as u64), counted(k.into(), "bit"));
    let beyond = grouped(beyond as u64);
    if is_far {
        format!("{within}, the nearest {beyond}{guest} beyond")
    } else {
        format!("{within}, {beyond} more up to {to}{guest}")
    }
}

/// The names of the screen's views, the shown one in brackets.
fn views(app: &App) -> String {
    let shown = app.shown(app.screen);
    let name = |view: ViewId| if view == shown { format!("[{view}]") } else { view.to_string() };
    ViewId::of(app.screen).map(name).collect::<Vec<_>>().join(" ")
}
