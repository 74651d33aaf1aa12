//! `learn`: the explorer opens at a lesson.

use super::shell::Shell;

/// A lesson of one's own.
const MINE: &str = "title: Mine
---
view: Votes
check: features.a > 2

Vote.

> Press e and type.
";

/// A lesson that names a fact that there is not.
const ODD: &str =
    "title: Odd\n---\nview: Votes\ncheck: distance = 0\n\n{nothing} here.\n\n> Vote.\n";

fn shell() -> Shell {
    let bad = "title: Bad\n---\nview: Stop\n";
    Shell::with(&[("mine.txt", MINE), ("odd.txt", ODD), ("bad.txt", bad)])
}

fn screen(arguments: &[&str]) -> String {
    let output =
        shell().run_args(&[&["learn"], arguments, &["--print", "--size", "120x35"]].concat());
    assert_eq!(output.code, 0, "{}", output.err);
    output.out
}

#[test]
fn a_lesson_opens_at_a_page_and_one_of_your_own_is_a_file() {
    let page = screen(&["tables", "--page", "3"]);
    assert!(page.contains(" 3/4 "), "{page}");
    // Esc goes to the list, and Enter there back to the page.
    let list = screen(&["tables", "--page", "3", "--keys", "<esc>"]);
    assert!(list.contains("Enter resumes the lesson"), "{list}");
    let page = screen(&["tables", "--page", "3", "--keys", "<esc><enter>"]);
    assert!(page.contains(" 3/4 "), "{page}");
    // The list numbers its lessons.
    assert!(screen(&["2"]).contains(" lesson 2 "));
    let mine = screen(&["--lesson", "mine.txt"]);
    assert!(mine.contains("13 Mine") && mine.contains("Press e and type."), "{mine}");
}

#[test]
fn what_there_is_not_is_refused_with_the_way_out() {
    for (arguments, says) in [
        (&["nothing"][..], "the lessons are neighbours, eight-bits"),
        (&["13"], "or 1 to 12"),
        (&["0"], "or 1 to 12"),
        (&["tables", "--page", "9"], "pages 1 to 4"),
        (&["--page", "2"], "name the lesson"),
        (
            &["--lesson", "bad.txt"],
            "lesson line 3: view \"Stop\" is unknown; choose one of Playground, Hashes, MinHash",
        ),
        (&["--lesson", "odd.txt"], "odd.txt: there is no fact \"nothing\"; the facts are sums"),
        (&["tables", "--lesson", "mine.txt"], "leave out the name of the other lesson"),
    ] {
        let output = shell().run_args(&[&["learn"], arguments, &["--print"]].concat());
        assert_eq!(output.code, 2, "{arguments:?}");
        assert!(output.err.contains(says), "{arguments:?}: {}", output.err);
    }
}

#[test]
fn exercises_are_a_sheet_of_its_seed() {
    let sheet = |seed| shell().run_args(&["learn", "--sheet", "--seed", seed]).out;
    assert!(sheet("42").starts_with("# SimHash: exercises (seed 42)\n"), "{}", sheet("42"));
    assert_eq!(sheet("42"), sheet("42"));
    assert_ne!(sheet("42").replace("42", "43"), sheet("43"));
}
