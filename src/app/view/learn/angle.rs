//! The Angle view: random lines between two vectors.

use std::f64::consts::PI;

use super::super::contract::View;
use crate::app::App;
use crate::app::keymap::Action;
use crate::app::layout::Size;
use crate::app::page::{Block, Page, Part, Place, SHOWN_LINES, Tinted, Tone};
use crate::app::screen::ViewId;
use crate::app::screen::learn::facts::with_facts;
use crate::evaluate::{angle, interval};
use crate::explain::Hyperplanes;
use crate::facts::ExplainedNumber;
use crate::facts::figures::digits;
use crate::number::counted;
use crate::sign;

/// The Angle view.
pub(in crate::app) struct AngleView;

impl View for AngleView {
    fn act(&self, app: &mut App, action: Action) -> bool {
        let angle = &mut app.learn.angle;
        match action {
            Action::Probe(by) => angle.draw(by),
            Action::Sideways(by) => angle.turn(by),
            _ => return super::act(app, action),
        }
        true
    }

    /// Draws lines, or removes them.
    fn step(&self, app: &mut App, rows: isize) {
        let bits = app.learn_bits() as isize;
        app.learn.angle.draw(if rows.abs() > 100 { rows.signum() * bits } else { rows });
    }

    /// The picture, what it tells, and the bits of the lines.
    fn page<'a>(&self, app: &'a App, size: Size) -> Page<'a> {
        let planes = app.learn.angle.planes();
        let said =
            Part::text("what the lines tell", sentences(app, &planes), 0, Place::Right, size);
        // The lines, their share and the cosine that follows stay, whatever else goes.
        let most = *said.rows.end();
        let mut parts = vec![Part { rows: most.min(3)..=most, ..said }];
        let has_bits = planes.n() > 0 && !app.learn.lessons.hides("lines.parting");
        if has_bits {
            let [a, b] = bits(&planes, Place::Across.cells(size).saturating_sub(5));
            parts.push(Part {
                rows: 2..=2,
                ..Part::text("their bits", vec![a, b], 1, Place::Across, size)
            });
        }
        let rows = (size.body() / 2).clamp(4, 8)..=if size.width < 110 { 17 } else { 39 };
        parts.insert(
            1,
            Part::new("two texts as directions", rows, Block::Angle(planes)).at(Place::Wide, 2),
        );
        Page { parts }
    }

    fn numbers(&self, app: &App) -> Vec<ExplainedNumber> {
        let state = &app.learn.angle;
        let (cosine, planes) = (state.cosine(), state.planes());
        let (bits, k, theta) = (app.learn_bits(), app.learn_k(), planes.theta);
        let degrees = format!("{:.1} degrees", theta.to_degrees());
        let (share, within) = (angle::bit_differs(cosine), digits(angle::within(cosine, k, bits)));
        let mut numbers = vec![
            ExplainedNumber::new("angle", &degrees).explained(
                format!("acos({cosine:.2}) = {theta:.3} = {degrees}"),
                "Between the two feature vectors.",
            ),
            ExplainedNumber::new("chance that a line separates them", format!("{share:.3}"))
                .explained(
                    format!("theta / pi = {theta:.3} / {PI:.3} = {share:.3}"),
                    "The share of lines that separate them is their angle divided by pi.",
                ),
            ExplainedNumber::new("within k", &within).explained(
                format!(
                    "P(d <= {k}) = sum of C({bits}, i) p^i (1-p)^({bits}-i), i = 0..{k}, p = {share:.3}: {within}"
                ),
                "The share of the pairs at this cosine that the program finds.",
            ),
        ];
        let (separating, n) = (planes.n_separating(), planes.n());
        if n > 0 {
            let (low, high) = interval::jeffreys(separating, n, interval::LEVEL);
            let share = f64::from(separating) / f64::from(n);
            numbers.push(ExplainedNumber::new("share so far", format!("{share:.3}")).explained(
                format!("{separating} of {n} lines separate them; 95 %: {low:.3} to {high:.3}"),
                "Each line is a bit, so this is d / b: it closes in on theta / pi.",
            ));
        }
        numbers
    }
}

// The page.

/// The sentences about the picture, those about the lines first.
fn sentences(app: &App, planes: &Hyperplanes) -> Vec<Tinted> {
    let cosine = app.learn.angle.cosine();
    let (n, parting, bits, k) =
        (planes.n(), planes.n_separating(), app.learn_bits(), app.learn_k());
    let lessons = &app.learn.lessons;
    let lines = counted(u64::from(n), "line");
    let hides_lines = lessons.hides("lines.parting");
    let first = match n {
        0 => {
            let key = |action| app.keymap.key_of(ViewId::Angle, action);
            let (one, many) = (key(Action::Probe(1)), key(Action::Last));
            format!("no line is drawn yet: {one} draws one, {many} many")
        }
        _ if hides_lines => format!("{lines} drawn"),
        _ => format!("{lines} drawn, {parting} separate them"),
    };
    let shown = if n > SHOWN_LINES {
        format!("; the picture has the last {SHOWN_LINES}")
    } else {
        String::new()
    };
    let mut text = vec![first + &shown];
    if n > 0 && !hides_lines {
        let (low, high) = interval::jeffreys(parting, n, interval::LEVEL);
        let found = f64::from(parting) / f64::from(n);
        text.push(format!("that is {found:.3}, 95 %: {low:.3} to {high:.3}"));
        let (low, high) = interval::cosine(parting, n);
        let estimate = angle::estimate(parting, n);
        text.push(format!("so cosine {estimate:.2} ({low:.2} to {high:.2})"));
    }
    text.push(format!("cosine {cosine:.2}, angle {:.1} degrees", planes.theta.to_degrees()));
    if !lessons.hides("angle.expected") {
        let share = angle::bit_differs(cosine);
        text.push(format!("a random line separates them with probability theta/pi = {share:.3}"));
    }
    let expected = with_facts(app, "{angle.expected:1} differ on average");
    text.push(format!("of {bits} bits {expected}"));
    let found = with_facts(app, "finds {angle.found%} of such pairs");
    text.push(format!("k={k} {found}"));
    let tone = |at: usize| if at == 0 { Tone::Strong } else { Tone::Text };
    text.into_iter().enumerate().map(|(at, words)| (words, tone(at)).into()).collect()
}

/// The last bits that the lines make of both vectors; those that differ are marked.
fn bits(planes: &Hyperplanes, room: usize) -> [Tinted; 2] {
    let sides: Vec<[bool; 2]> = planes.lines().map(|(_, sides)| sides).collect();
    let last = &sides[sides.len().saturating_sub(room)..];
    [(0, "A  "), (1, "B  ")].map(|(row, name)| {
        let bit = |bits: &[bool; 2]| {
            let (differs, one) = (bits[0] != bits[1], usize::from(bits[row]));
            let signs = if differs { sign::OTHER } else { [sign::ZERO, sign::ONE] };
            let tone = if differs { Tone::Warn } else { Tone::Text };
            (signs[one].to_string(), tone)
        };
        let name = (name.to_owned(), Tone::Strong);
        Tinted(std::iter::once(name).chain(last.iter().map(bit)).collect())
    })
}
