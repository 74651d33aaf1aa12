//! Numbers of Learn's views.

use std::f64::consts::PI;

use super::{number::ExplainedNumber, pair::chance_to_be_a_candidate};
use crate::{
    app::App,
    evaluate::{angle, interval},
    explain::{PerturbationRow, figures::weight},
    facts::figures::digits,
    index::{LayoutKind, load::expected_tables_hit},
    number::counted,
    simhash::Votes,
};

/// Numbers of the Playground.
pub(in crate::app) fn of_the_playground(app: &App) -> Vec<ExplainedNumber> {
    let playground = &app.learn.playground;
    let mut numbers = Vec::new();
    let bits = playground.recipe.bits;
    if let (Some(a), Some(b)) = (playground.fingerprint(0), playground.fingerprint(1)) {
        let d = a.distance(b);
        let (low, high) = interval::cosine(d, bits);
        numbers.push(ExplainedNumber::new(
            "d",
            d.to_string(),
            format!("popcount({a} XOR {b}) = {d}"),
            "The Hamming distance: bits in which the two fingerprints differ.",
        ));
        numbers.push(ExplainedNumber::new(
            "cosine estimate",
            format!("{:.2}", angle::estimate(d, bits)),
            format!(
                "cos(pi x {d} / {bits}) = {:.3}; 95 %: {low:.3} to {high:.3}",
                angle::estimate(d, bits)
            ),
            "The estimate from the distance; with few bits and features it is rough.",
        ));
    }
    for (side, name) in ["one", "two"].into_iter().enumerate() {
        if playground.fingerprint(side).is_some() {
            numbers.push(of_margins(&playground.feature_votes[side].votes, name));
        }
    }
    let overlap = playground.overlap();
    if let Some(cosine) = overlap.cosine {
        numbers.push(ExplainedNumber::new(
            "exact cosine",
            format!("{cosine:.3}"),
            format!(
                "sum of w_a w_b over {} shared features / (||w_a|| ||w_b||) = {cosine:.3}; d to expect {bits} x acos({cosine:.3}) / pi = {}",
                overlap.shared.len(),
                digits(angle::expected_distance(cosine, bits))
            ),
            "The similarity of the two texts by their weighted features.",
        ));
    }
    numbers
}

/// The scale of the bars under a text's bits.
fn of_margins(votes: &Votes, name: &str) -> ExplainedNumber {
    let margin = |bit: u32| votes.margin(bit);
    let weakest = (0..votes.width()).min_by(|&a, &b| margin(a).total_cmp(&margin(b))).unwrap_or(0);
    ExplainedNumber::new(
        format!("|V| of {name}"),
        format!("{:.2} at bit {weakest}", margin(weakest)),
        format!(
            "|V| / ||w||, an eighth of the bar each 0.3; ! is below 0.1. Weakest: {:.2} at bit {weakest}",
            margin(weakest)
        ),
        "How firmly a bit was decided: a small edit can flip a weak bit.",
    )
}

/// Numbers of the Step view.
pub(in crate::app) fn of_the_step(app: &App) -> Vec<ExplainedNumber> {
    let (step, playground) = (&app.learn.step, &app.learn.playground);
    let (feature_votes, recipe) = step.subject(playground);
    let (tally, bit) = (step.tally(playground), step.bit(playground));
    let fixed = crate::feature::FixedWeight;
    let (total, left) = (weight(fixed(tally.votes.fixed(bit))), weight(fixed(tally.left)));
    let n_decided = (0..recipe.bits).filter(|&bit| tally.is_decided(bit)).count();
    vec![
        ExplainedNumber::new(
            format!("V of bit {bit}"),
            format!("{total:+}"),
            format!(
                "sum of +w or -w over the first {} of {} features = {total:+}",
                step.cast,
                feature_votes.features.len()
            ),
            "The running total; in the end its sign is the bit.",
        ),
        ExplainedNumber::new(
            "still to vote",
            left.to_string(),
            format!(
                "weights of the other {} features = {left}",
                feature_votes.features.len() - step.cast
            ),
            "A bit whose |V| is larger than this is decided: the other features cannot change it.",
        ),
        ExplainedNumber::new(
            "bits decided",
            n_decided.to_string(),
            format!("bits with |V| > {left}: {n_decided} of {}", recipe.bits),
            "Heavy features that vote early decide bits that light features never change.",
        ),
    ]
}

/// Numbers of the damage game.
pub(in crate::app) fn of_the_game(app: &App) -> Vec<ExplainedNumber> {
    let game = &app.learn.game;
    let (layout, explanation) = (game.layout(), game.explanation());
    let (d, n_tables) = (explanation.distance, layout.tables().len());
    let (damaged, hits) = (explanation.differing_blocks().len(), explanation.hits().count());
    let (made, caught, one_each) = match layout.kind() {
        LayoutKind::Bands { bands, .. } => (
            format!("bands: {bands}"),
            format!("bands in which no bit differs = {hits}"),
            "One table for each band; left-over bits belong to no band.",
        ),
        LayoutKind::Blocks { blocks, key }
        | LayoutKind::TwoLevel { outer: blocks, outer_key: key, .. } => (
            format!("C({blocks}, {key}) = {n_tables}"),
            format!("C(blocks - damaged, lead) = C({blocks} - {damaged}, {key}) = {hits}"),
            "One table for each choice of key blocks.",
        ),
    };
    let sure = layout.guarantee();
    let mut numbers = vec![
        ExplainedNumber::new("tables here", n_tables.to_string(), made, one_each),
        ExplainedNumber::new(
            "tables that hit",
            hits.to_string(),
            caught,
            "Tables whose key is equal in both: there the pair is a candidate.",
        ),
        ExplainedNumber::new(
            "guaranteed to",
            format!("d = {sure}"),
            format!(
                "{}: any {sure} differing bits leave a key intact, {} may not",
                layout.name(),
                sure + 1
            ),
            "This many blocks or bands may differ while the pair is still a candidate in one table. It is found if d is at most k.",
        ),
        ExplainedNumber::new(
            "to expect",
            digits(expected_tables_hit(&layout, d)),
            format!(
                "mean over all places of {d} differing bits = {}",
                digits(expected_tables_hit(&layout, d))
            ),
            "Differing bits in one block do less harm than bits spread over several.",
        ),
    ];
    numbers.extend(chance_to_be_a_candidate(&layout, d));
    numbers
}

/// Numbers of the Angle view.
pub(in crate::app) fn of_the_angle(app: &App) -> Vec<ExplainedNumber> {
    let state = &app.learn.angle;
    let (cosine, planes) = (state.cosine(), state.planes());
    let share = angle::bit_differs(cosine);
    let (bits, k) = (app.learn_bits(), app.learn_k());
    let mut numbers = vec![
        ExplainedNumber::new(
            "angle",
            format!("{:.1} degrees", planes.theta.to_degrees()),
            format!(
                "acos({cosine:.2}) = {:.3} = {:.1} degrees",
                planes.theta,
                planes.theta * 180.0 / PI
            ),
            "Between the two feature vectors.",
        ),
        ExplainedNumber::new(
            "chance that a line separates them",
            format!("{share:.3}"),
            format!("theta / pi = {:.3} / {:.3} = {share:.3}", planes.theta, PI),
            "The share of lines that separate them is their angle divided by pi.",
        ),
        ExplainedNumber::new(
            "within k",
            digits(angle::within(cosine, k, bits)),
            format!(
                "P(d <= {k}) = sum of C({bits}, i) p^i (1-p)^({bits}-i), i = 0..{k}, p = {share:.3}: {}",
                digits(angle::within(cosine, k, bits))
            ),
            "The share of the pairs at this cosine that the program finds.",
        ),
    ];
    if planes.n() > 0 {
        let (low, high) = interval::jeffreys(planes.n_separating(), planes.n(), interval::LEVEL);
        numbers.push(ExplainedNumber::new(
            "share so far",
            format!("{:.3}", f64::from(planes.n_separating()) / f64::from(planes.n())),
            format!(
                "{} of {} lines separate them; 95 %: {low:.3} to {high:.3}",
                planes.n_separating(),
                planes.n()
            ),
            "Each line is a bit, so this is d / b: it closes in on theta / pi.",
        ));
    }
    numbers
}

/// Numbers of the Wear view.
pub(in crate::app) fn of_wear(app: &App) -> Vec<ExplainedNumber> {
    let query = app.query();
    let worn = app.learn.wear.worn.answer().filter(|worn| Some(worn.document) == query);
    let shares = worn.and_then(|worn| worn.wear.as_deref()).unwrap_or_default();
    let (bits, k) = (app.analysis.settings.recipe.bits, app.learn_k());
    shares.iter().flat_map(|wear| of_a_share(wear, bits, k)).collect()
}

/// The measured distance for a number of changed words, and the theoretical distance for the same trials.
fn of_a_share(wear: &PerturbationRow, bits: u32, k: u32) -> [ExplainedNumber; 2] {
    let n = wear.n_trials();
    let (low, high) = interval::jeffreys(wear.within(k), n, interval::LEVEL);
    let (from, to) = wear.mean_interval();
    let changed = format!("{} of {}", counted(wear.n_changed as u64, "word"), wear.n_words);
    [
        ExplainedNumber::new(
            format!("{changed} changed"),
            format!("mean d {:.1}", wear.mean()),
            format!(
                "sum of d over {n} trials / {n} = {:.1}, 95 %: {from:.1} to {to:.1}; within k = {k}: {} of {n}, {low:.2} to {high:.2}",
                wear.mean(),
                wear.within(k),
            ),
            "How far the text moves when that many of its words are replaced, over random edits and hash functions.",
        ),
        ExplainedNumber::new(
            format!("theory, {changed}"),
            format!("{:.1}", wear.expected),
            format!(
                "mean of {bits} x acos(c) / pi over the same {n} trials = {:.1}; c, the exact cosine of the changed text with the whole one, is {:.4} on average",
                wear.expected, wear.cosine
            ),
            "The mean for random hyperplanes. The recipe's own hash is one function; its mean may be 1 to 1.5 bits off.",
        ),
    ]
}
