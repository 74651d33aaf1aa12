//! The numbers of the present screen, each with its formula, the values in it, and what it means.
//!
//! `?` lists the keys, Tab there the numbers. What is listed is computed by the functions that make the
//! screen's own numbers, so an explanation cannot say otherwise. Costs microseconds to a millisecond; it is
//! made when the list is opened or the screen below it changes.

mod corpus;
mod groups;
mod learn;
pub mod number;
mod pair;
mod tune;
mod votes;

pub use number::Number;

use super::{
    App, Screen,
    screen::{docs, learn as lessons, near, tune as tuning},
};

/// The numbers of the screen that shows, those of its selection first, then those of the status row.
pub fn numbers(app: &App) -> Vec<Number> {
    let mut numbers = match app.screen {
        Screen::Docs if app.docs.view == docs::View::Bits => votes::of_a_bit(app),
        Screen::Docs => corpus::of_a_document(app),
        Screen::Near => {
            let mut numbers = pair::of_the_pair(app);
            if app.near.view == near::View::Why {
                numbers.extend(pair::of_their_features(app));
            }
            numbers
        }
        Screen::Tables => pair::in_a_table(app),
        Screen::Groups => groups::of_the_group(app),
        Screen::Tune => match app.tune.view {
            tuning::View::Distances => tune::of_k(app),
            tuning::View::Layouts => tune::of_the_layout(app),
            tuning::View::Label => tune::of_the_labels(app),
            tuning::View::Lab => tune::of_the_trial(app),
            tuning::View::Sweep => tune::of_the_cell(app),
            tuning::View::Compare => tune::of_the_changes(app),
        },
        Screen::Learn => match app.learn.view {
            lessons::View::Lessons => Vec::new(),
            lessons::View::Playground => learn::of_the_playground(app),
            lessons::View::Step => learn::of_the_step(app),
            lessons::View::Tables => learn::of_the_game(app),
            lessons::View::Angle => learn::of_the_angle(app),
            lessons::View::Wear => learn::of_wear(app),
        },
    };
    // What the view itself tells is told once.
    for number in corpus::of_the_status(app) {
        if numbers.iter().all(|known| known.name != number.name) {
            numbers.push(number);
        }
    }
    numbers
}

/// A number with the digits that matter: `0.0023`, `12.5`, `1,142`.
fn digits(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        ..1e-4 => format!("{number:.1e}"),
        ..0.1 => format!("{number:.4}"),
        ..10.0 => format!("{number:.3}"),
        ..1000.0 => format!("{number:.1}"),
        _ if number < 0.0 => format!("-{}", crate::number::grouped(-number.round() as u64)),
        _ => crate::number::grouped(number.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_matter() {
        let table = [
            (0.0, "0"),
            (0.000_012, "1.2e-5"),
            (0.0123, "0.0123"),
            (0.989_2, "0.989"),
            (57.25, "57.2"),
            (1142.3, "1,142"),
            (-0.5, "-0.500"),
            (-1500.0, "-1,500"),
        ];
        for (number, text) in table {
            assert_eq!(digits(number), text);
        }
    }
}
