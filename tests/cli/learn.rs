//! `learn`: the explorer opens at a lesson.

use super::shell::Shell;

fn shell() -> Shell {
    Shell::with(&[])
}

fn screen(arguments: &[&str]) -> String {
    let output =
        shell().run_args(&[&["learn"], arguments, &["--print", "--size", "120x35"]].concat());
    assert_eq!(output.code, 0, "{}", output.err);
    output.out
}

#[test]
fn a_lesson_opens_at_a_page() {
    let page = screen(&["tables", "--page", "3"]);
    assert!(page.contains(" 3/4 "), "{page}");
    // Esc goes to the list, and Enter there back to the page.
    let list = screen(&["tables", "--page", "3", "--keys", "<esc>"]);
    assert!(list.contains("Enter resumes the lesson"), "{list}");
    let page = screen(&["tables", "--page", "3", "--keys", "<esc><enter>"]);
    assert!(page.contains(" 3/4 "), "{page}");
    // The list numbers its lessons.
    assert!(screen(&["2"]).contains(" lesson 2 "));
}

#[test]
fn what_there_is_not_is_refused_with_the_way_out() {
    for (arguments, says) in [
        (&["nothing"][..], "the lessons are neighbours, eight-bits"),
        (&["13"], "or 1 to 12"),
        (&["0"], "or 1 to 12"),
        (&["tables", "--page", "9"], "pages 1 to 4"),
        (&["--page", "2"], "WHAT"),
        (&["--lesson", "mine.txt"], "unexpected argument"),
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
