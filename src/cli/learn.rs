//! `learn`: the explorer on a lesson, or on a view of Learn in a given state. `quiz`: exercises in the explorer or on a
//! sheet. `tour`: a first walk through the explorer.

use anyhow::{Context as _, bail};

use super::{
    Outcome,
    args::{Args, LearnArgs, QuizArgs, TourArgs},
    explore::{self, ExploreRequest},
    stdout,
};
use crate::{
    app::screen::learn::{
        blind::{self, BlindCorpus},
        facts::{all_names, is_known},
        lesson::Lesson,
        lessons,
        place::{LearnPlace, layout_named, view_named},
        quiz::{quiz, sheet},
    },
    corpus::{Input, read_text_file},
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
    (request.start.learn, request.start.lesson) = (Some(place), lesson);
    Ok(request)
}

/// Turns the arguments into the data that the tour is opened with.
pub(super) fn run_tour(mut args: Args, given: TourArgs) -> anyhow::Result<ExploreRequest> {
    args.explorer.refuse()?;
    args.explorer = given.explorer;
    let mut request = explore::run(args)?;
    request.start.tour = true;
    Ok(request)
}

/// Prints the sheet, or turns the arguments into the data that the explorer is opened with.
pub(super) fn run_quiz(mut args: Args, given: QuizArgs) -> anyhow::Result<Outcome> {
    args.explorer.refuse()?;
    if given.sheet {
        if given.scores.is_some() || given.explorer.print.is_some() {
            bail!("--sheet prints the exercises; leave --scores and --print out");
        }
        stdout::print(sheet(given.seed).as_bytes())?;
        return Ok(Outcome::Done(0));
    }
    let blind = given.blind.then(|| blind::corpus(given.seed));
    let (own, truth) = match blind {
        // A run makes one corpus at most, so it may live as long as the program.
        Some(BlindCorpus { jsonl, truth }) => {
            let bytes = jsonl.into_bytes().leak();
            (Some(Input::Bundled { name: "blind.jsonl", bytes }), Some(truth))
        }
        None => (None, None),
    };
    // The option has the name of the hash's key, which stays as it is.
    args.recipe.seed = None;
    let lesson = if given.blind { lessons::blind(given.seed) } else { quiz(given.seed) };
    let place = LearnPlace { lesson: Some(lesson.name.clone()), ..LearnPlace::default() };
    let user = || std::env::var("USER").or_else(|_| std::env::var("USERNAME")).ok();
    let scored_as = given.scores.is_some().then(|| given.name.or_else(user).unwrap_or_default());
    args.explorer = given.explorer;
    args.paths.extend(given.paths);
    let mut request = explore::run_on(args, own)?;
    if let Some(scores) = &given.scores {
        let same = |input: &Input| match input {
            Input::Path(path) => path.canonicalize().ok().is_some_and(|path| {
                scores.canonicalize().is_ok_and(|scores| scores.starts_with(path))
            }),
            Input::Stdin | Input::Bundled { .. } => false,
        };
        if request.start.inputs.iter().any(same) {
            bail!("--scores {}: this is part of the corpus; name another file", scores.display());
        }
    }
    let start = &mut request.start;
    (start.learn, start.lesson, start.truth) = (Some(place), Some(lesson), truth);
    (start.scores, start.scored_as) = (given.scores, scored_as);
    Ok(Outcome::Explore(Box::new(request)))
}
