//! `simscope figure`: one picture as SVG, for a paper or a slide.

use std::io::Write as _;

use anyhow::{Context as _, bail};

use super::{
    args::{FigureArgs, FigureName},
    evaluate::lab_evaluations,
    options::CommandRun,
    work::{finish, search, watched},
};
use crate::export::Output;
use crate::{
    analysis::{
        Analysis, AnalysisDepth, Job, LayoutChoice, Stage, Tuning, lab::bits_needed,
        pair_cosines::SearchMethod,
    },
    evaluate::{angle, distances::CountMethod, labels::Share, recommend::PrecisionGoal},
    explain::{Overlap, aligned_feature::align, seeds::distances_by_seed},
    present::{
        figure::{self, Plot, PlotSeries},
        lab::{self, Varied},
        page::{Bar, Histogram},
    },
    simhash::fingerprint::MAX_WIDTH,
};

/// Seeds of the figure about them.
const SEEDS: u64 = 200;
/// Points of a curve.
const POINTS: u32 = 200;

/// Writes the figure; the exit code.
pub(super) fn run(run: &CommandRun, args: &FigureArgs) -> anyhow::Result<u8> {
    let (picture, code) = match args.name {
        FigureName::SCurve => (s_curve(run)?, 0),
        FigureName::Histogram | FigureName::Thresholds => of_k(run, args)?,
        FigureName::LabBits => of_the_lab(run, args, Varied::Bits)?,
        FigureName::LabBands => of_the_lab(run, args, Varied::Bands)?,
        FigureName::Seeds => seeds(run, args)?,
    };
    let mut output = Output::new(&run.target, run.format);
    output.write_all(picture.as_bytes())?;
    output.finish()?;
    Ok(code)
}

/// The share of pairs found at each cosine, by formula: for each layout of bands, and for k.
fn s_curve(run: &CommandRun) -> anyhow::Result<String> {
    let needed = bits_needed(&run.layouts);
    if needed > MAX_WIDTH {
        bail!(
            "these bands need {needed} bits and a fingerprint has at most {MAX_WIDTH}; take fewer or narrower ones"
        );
    }
    let bits = run.settings.recipe.bits;
    let mut finders: Vec<SearchMethod> = run
        .layouts
        .iter()
        .filter_map(|layout| match *layout {
            LayoutChoice::Bands { bands, bits } => Some(SearchMethod::Bands { bands, bits }),
            _ => None,
        })
        .collect();
    if finders.is_empty() {
        let usual = [(3, 18), (4, 16), (8, 8)];
        finders.extend(usual.map(|(bands, bits)| SearchMethod::Bands { bands, bits }));
    }
    finders.push(SearchMethod::Within(run.settings.k.min(bits)));
    let line = |finder: SearchMethod| {
        let name = match finder {
            SearchMethod::Within(k) => format!("within k = {k} of {bits} bits"),
            SearchMethod::Bands { bands, bits } => format!("{bands} bands of {bits} bits"),
        };
        let point = |at: u32| {
            let cosine = f64::from(at) / f64::from(POINTS);
            (cosine, finder.chance(cosine, bits))
        };
        PlotSeries { name, points: (0..=POINTS).map(point).collect(), intervals: Vec::new() }
    };
    Ok(figure::plot(&Plot {
        title: "Share of pairs that are found, by formula".to_owned(),
        axis: "cosine of the pair".to_owned(),
        ends: (0.0, 1.0),
        top: 1.0,
        series: finders.into_iter().map(line).collect(),
    }))
}

/// The distances of all pairs, or precision and recall of each k.
fn of_k(run: &CommandRun, args: &FigureArgs) -> anyhow::Result<(String, u8)> {
    let (analysis, code) = finish(run, AnalysisDepth::PairsByDistance)?;
    let distances = search(run, &analysis, true, |index, job| Ok(index.distances(&job.progress)?))?;
    let index = analysis.index.as_deref().context("there are no fingerprints")?;
    let title = run.title();
    if args.name == FigureName::Histogram {
        let tuning = Tuning::new(index, analysis.near.as_deref(), Some(&distances), None);
        let bars = tuning.rows.iter().map(|row| {
            let at = row.at_k.unwrap_or_default();
            let interval = (at.method == CountMethod::Sampled).then_some((at.low, at.high));
            Bar { pairs: at.pairs, interval, by_chance: row.at_k_by_chance }
        });
        let it = Histogram { bars: bars.collect(), k: run.settings.k, in_words: String::new() };
        return Ok((figure::histogram(&it, &format!("Distances of all pairs in {title}")), code));
    }
    let job = Job::to_begin(Stage::Compare);
    let goal = PrecisionGoal::default();
    let advice = watched(run, &job, true, || analysis.advise(&distances, goal, &job))?;
    let tau = advice.evidence.alike.tau;
    let rows: Vec<_> = advice.evidence.rows.iter().filter(|row| row.k <= 32).collect();
    let share = |name: &str, of: &dyn Fn(usize) -> Share| {
        let known = (0..rows.len()).filter(|&at| of(at).value.is_some());
        let known: Vec<usize> = known.collect();
        PlotSeries {
            name: name.to_owned(),
            points: known
                .iter()
                .map(|&at| (f64::from(rows[at].k), of(at).value.unwrap_or(0.0)))
                .collect(),
            intervals: known.iter().map(|&at| (of(at).low, of(at).high)).collect(),
        }
    };
    let series = vec![
        share("precision: pairs within k that are true", &|at| rows[at].cumulative),
        share("recall: true pairs that are within k", &|at| rows[at].window_recall),
    ];
    if series.iter().all(|series| series.points.is_empty()) {
        bail!("no two texts here are near, so there is no precision and no recall to draw");
    }
    let last = rows.last().map_or(1.0, |row| f64::from(row.k).max(1.0));
    let picture = figure::plot(&Plot {
        title: format!("Precision and recall over k in {title} (true: cosine {tau} or more)"),
        axis: "k, differing bits at most".to_owned(),
        ends: (0.0, last),
        top: 1.0,
        series,
    });
    Ok((picture, code))
}

/// The figures of the lab: bands against exact cosines.
fn of_the_lab(run: &CommandRun, args: &FigureArgs, varied: Varied) -> anyhow::Result<(String, u8)> {
    let bands = |bands, bits| LayoutChoice::Bands { bands, bits };
    let usual: Vec<LayoutChoice> = match varied {
        Varied::Bits => (12..=24).step_by(2).map(|bits| bands(3, bits)).collect(),
        Varied::Bands => (1..=5).map(|m| bands(m, 18)).collect(),
    };
    let mut run = run.clone();
    if run.layouts.is_empty() {
        run.layouts = usual;
    }
    let (evaluations, code) = lab_evaluations(&run, &args.truth)?;
    let all: Vec<_> = evaluations.iter().collect();
    let Some(series) = lab::series(&all).into_iter().find(|series| series.varied == varied) else {
        bail!("these layouts do not differ in this alone; name some with --bands 3x12,3x18,3x24");
    };
    let title = match varied {
        Varied::Bits => format!("{} bands over their bits, in {}", series.fixed, run.title()),
        Varied::Bands => {
            format!("Bands of {} bits over their number, in {}", series.fixed, run.title())
        }
    };
    Ok((figure::curves(&lab::curves(&series), &title), code))
}

/// A pair under many hash functions.
fn seeds(run: &CommandRun, args: &FigureArgs) -> anyhow::Result<(String, u8)> {
    let Some((one, other)) = args.pair.as_deref().and_then(|pair| pair.split_once(',')) else {
        bail!("name two documents: --pair doc-17,doc-42");
    };
    let (analysis, code) = finish(run, AnalysisDepth::Fingerprints)?;
    let votes = |id: &str| -> anyhow::Result<_> {
        let found = analysis.corpus.find(id);
        let document = *found.first().with_context(|| format!("no document has the id {id}"))?;
        let (_, votes) = Analysis::open(&analysis, document)?;
        votes
            .filter(|votes| !votes.features.is_empty())
            .with_context(|| format!("{id} has no features"))
    };
    let (a, b) = (votes(one)?, votes(other)?);
    let recipe = &analysis.settings.recipe;
    let cosine = Overlap::new(&align(&a, &b)).cosine.unwrap_or(0.0);
    let all = distances_by_seed(&a, &b, recipe, SEEDS);
    let mean = angle::expected_distance(cosine, recipe.bits);
    let last = all.iter().copied().max().unwrap_or(0).max(mean as u32) + 4;
    let last = last.min(recipe.bits);
    let share = |d: u32| all.iter().filter(|found| **found == d).count() as f64 / SEEDS as f64;
    let line = |name: String, of: &dyn Fn(u32) -> f64| PlotSeries {
        name,
        points: (0..=last).map(|d| (f64::from(d), of(d))).collect(),
        intervals: Vec::new(),
    };
    let series = vec![
        line(format!("{SEEDS} hash functions"), &share),
        line(format!("{} coins that fall with theta / pi", recipe.bits), &|d| {
            angle::exactly(cosine, d, recipe.bits)
        }),
    ];
    let highest =
        series.iter().flat_map(|line| &line.points).map(|point| point.1).fold(0.0, f64::max);
    let picture = figure::plot(&Plot {
        title: format!("One pair under {SEEDS} hash functions: {one}, {other}"),
        axis: format!(
            "distance; the cosine is {cosine:.3}, so {mean:.1} on average; under the recipe's own hash {}",
            all[0]
        ),
        ends: (0.0, f64::from(last)),
        top: (highest * 10.0).ceil() / 10.0,
        series,
    });
    Ok((picture, code))
}
