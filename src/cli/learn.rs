//! `simscope learn`: the explorer on a lesson, on a view of Learn in a given state, or on the tour.

use anyhow::{Context as _, bail};

use super::{
    args::{Args, LearnArgs},
    explore::{self, ExploreRequest},
};
use crate::{
    app::screen::learn::{
        facts::{all_names, is_known},
        lesson::Lesson,
        place::{LearnPlace, layout_named, view_named},
    },
    corpus::read_text_file,
    text::visible::visible,
};

/// The word before the name of a view.
const VIEW: &str = "view:";

/// Turns the arguments into the data that the explorer is opened with.
pub(super) fn run(mut args: Args, given: LearnArgs) -> anyhow::Result<ExploreRequest> {
    args.explorer.refuse()?;
    let mut place = LearnPlace {
        page: given.page,
        texts: [given.one, given.two],
        flips: given.flip,
        table: given.table,
        step: given.step,
        hundredths: given.cosine.map(|cosine| (100.0 * cosine.clamp(-1.0, 1.0)).round() as i32),
        ..LearnPlace::default()
    };
    if let Some(pair) = given.pair {
        let Some((one, other)) = pair.split_once(',') else {
            bail!(
                "--pair {pair}: write two ids with a comma between, such as --pair doc-17,doc-42"
            );
        };
        place.pair = Some([one.to_owned(), other.to_owned()]);
    }
    if let Some(layout) = given.layout {
        let read = layout_named(&layout).map_err(anyhow::Error::msg).context("--layout")?;
        place.layout = Some(read.0);
        place.k = read.1;
    }
    match given.what.as_deref().map(|what| what.strip_prefix(VIEW).ok_or(what)) {
        Some(Ok(name)) => {
            let view = view_named(name);
            place.view = Some(view.with_context(|| {
                format!(
                    "{VIEW}{name}: Learn has no such view; `simscope help teaching` lists its views"
                )
            })?);
        }
        Some(Err(lesson)) => place.lesson = Some(lesson.to_owned()),
        None => {}
    }
    let lesson = given.lesson.map(|path| -> anyhow::Result<Lesson> {
        let shown = visible(&path.to_string_lossy()).into_owned();
        let text = read_text_file(&path).context("--lesson")?;
        // The file may hold control characters, which a terminal would obey.
        let lines: Vec<_> = text.lines().map(visible).collect();
        let text = lines.join("\n");
        let lesson: Lesson = text.parse().with_context(|| shown.clone())?;
        if let Some(fact) = lesson.facts().find(|fact| !is_known(fact)) {
            bail!("{shown}: there is no fact {fact:?}; the facts are {}", all_names());
        }
        Ok(Lesson { name: shown, ..lesson })
    });
    let lesson = lesson.transpose()?;
    if let Some(lesson) = &lesson {
        if place.lesson.is_some() {
            bail!("--lesson opens a lesson of your own; leave out the name of the other lesson");
        }
        place.lesson = Some(lesson.name.clone());
    }
    if place.page.is_some() && place.lesson.is_none() {
        bail!("--page is a page of a lesson; name the lesson");
    }
    args.explorer = given.explorer;
    args.paths.extend(given.paths);
    let mut request = explore::run(args)?;
    request.start.tour = given.tour;
    (request.start.learn, request.start.lesson) = ((!given.tour).then_some(place), lesson);
    Ok(request)
}
