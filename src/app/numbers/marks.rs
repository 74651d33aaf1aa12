//! The marks of each screen, explained beside its numbers.

use super::ExplainedNumber;
use crate::app::{App, Screen};

/// The marks of the screen that shows; none where it has no marks of its own.
pub(in crate::app) fn of_the_screen(app: &App) -> Option<ExplainedNumber> {
    let [print, unlike, partner, zero, one] =
        if app.ascii { ['c', '/', '%', 'o', '@'] } else { ['≡', '≠', '◆', '○', '●'] };
    let twins = format!("= same text; {print} same fingerprint, another text");
    let flags = "s short, t tied, d dominated, b boilerplate, ? not UTF-8";
    let (first, bar) = if app.ascii { ('*', '-') } else { ('●', '━') };
    let (within, k) = (if app.ascii { "d<=" } else { "d≤" }, app.analysis.settings.k);
    let bits = format!("{zero} {one} a 0 and a 1 where the two differ");
    let (marks, told) = match app.screen {
        Screen::Docs => (
            format!("= {print} s t d b ?"),
            format!(
                "{twins}; {flags}; {within}{k}, in boxes: bits to the first of the group: {first} the first, \
                 = none, {bar} within k, a number beyond k"
            ),
        ),
        Screen::Near => (
            format!("= {print} {unlike} {partner} {zero}{one}"),
            format!(
                "{twins}; {unlike} no duplicates, in texts words that differ; {partner} held; {bits}"
            ),
        ),
        Screen::Tables => (
            format!("=2 {print}3 {partner} {zero}{one}"),
            format!(
                "=2 two documents with one text; {print}3 three with that fingerprint; {partner} the pair; {bits}"
            ),
        ),
        Screen::Groups => (
            format!("=2 {print}3 ! {partner} *"),
            format!(
                "=2 two documents with one text; {print}3 three with that fingerprint; \
                 ! chain or spared; {partner} a bridge, which a smaller k cuts; * decided by hand"
            ),
        ),
        Screen::Tune | Screen::Learn => return None,
    };
    let meaning = "Marks stand in lists, in trees and in bits; the page `screens` of the manual tells more of them.";
    Some(ExplainedNumber::new("marks", marks, told, meaning))
}
