//! The terminal is asked for its ground once, and its answer chooses the colours.

use std::thread;
use std::time::Duration;

use portable_pty::CommandBuilder;

use super::harness::{PROGRAM, Pty, mode};

/// The end of the queries, which nearly every terminal answers.
const QUERY: &str = "\x1b[c";
/// The answer of a terminal with a white ground.
const LIGHT: &str = "\x1b]11;rgb:ffff/ffff/ffff\x1b\\";
const ATTRIBUTES: &str = "\x1b[?62;22c";
/// Muted text on a light ground and on a dark one.
const MUTED: [&str; 2] = ["38;5;240", "38;5;248"];

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The program on a terminal that it asks for its ground.
fn coloured() -> Pty {
    let pty = Pty::open_with(&[], &[("COLORTERM", "truecolor"), ("COLORFGBG", "")]);
    pty.wait_for_bytes(QUERY);
    pty
}

/// Shows Layouts, leaves, and returns whether the colours were for a light and for a dark ground.
fn grounds(mut pty: Pty) -> [bool; 2] {
    pty.settles();
    pty.keys("4v");
    pty.shows("[Layouts]");
    pty.keys("q");
    let ended = pty.ends();
    assert_eq!(ended.status, 0);
    let n_asked = ended.bytes.windows(5).filter(|it| *it == b"\x1b]11;").count();
    assert_eq!(n_asked, 1, "it asks once");
    MUTED.map(|colour| has(&ended.bytes, colour))
}

#[test]
fn an_answer_chooses_the_colours_even_in_pieces() {
    let mut pty = coloured();
    pty.keys(&format!("{LIGHT}{ATTRIBUTES}"));
    assert_eq!(grounds(pty), [true, false]);
    let mut pty = coloured();
    for piece in format!("{LIGHT}{ATTRIBUTES}").split_inclusive('/') {
        pty.keys(piece);
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(grounds(pty), [true, false]);
}

#[test]
fn what_was_typed_before_the_question_does_not_spoil_the_answer() {
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "sleep 1; exec \"$0\"", PROGRAM]);
    let mut pty = Pty::run(command, &[("COLORTERM", "truecolor"), ("COLORFGBG", "")]);
    pty.keys("jj");
    pty.wait_for_bytes(QUERY);
    pty.keys(&format!("{LIGHT}{ATTRIBUTES}"));
    assert_eq!(grounds(pty), [true, false]);
}

#[test]
fn a_terminal_that_knows_no_colour_answers_at_once_and_is_dark() {
    let mut pty = coloured();
    pty.keys(ATTRIBUTES);
    assert_eq!(grounds(pty), [false, true]);
}

#[test]
fn a_terminal_that_does_not_answer_is_dark() {
    assert_eq!(grounds(coloured()), [false, true]);
}

#[test]
fn nobody_is_asked_where_the_answer_would_be_of_no_use() {
    for (name, value) in [
        ("NO_COLOR", "1"),
        ("COLORFGBG", "15;0"),
        ("TERM", "linux"),
        ("TERM", "screen"),
        ("TERM", "Eterm"),
        ("TERM", "dumb"),
    ] {
        let mut pty = Pty::open_with(&[], &[("COLORFGBG", ""), (name, value)]);
        pty.settles();
        pty.keys("q");
        assert!(!has(&pty.ends().bytes, "\x1b]11"), "{name}={value}");
    }
    let mut pty = Pty::open_with(&["--theme", "dark"], &[("COLORFGBG", "")]);
    pty.settles();
    pty.keys("q");
    assert!(!has(&pty.ends().bytes, "\x1b]11"));
}

#[test]
fn motion_is_reported_while_a_button_is_down_alone() {
    let mut pty = Pty::open(&["--keys", "4"]);
    pty.shows("[4 Tune]");
    pty.settles();
    // A press on the axis, motion, release: k follows.
    pty.keys("\x1b[<0;20;12M\x1b[<32;25;12M\x1b[<0;25;12m");
    pty.wait("another k", |screen| !screen.contents().contains("k=3 "));
    pty.keys("q");
    let bytes = pty.ends().bytes;
    assert!(has(&bytes, "\x1b[?1002h"), "motion is asked for");
    assert_eq!((mode(&bytes, 1002), mode(&bytes, 1003)), (Some(false), Some(false)));
}
