//! The explorer line by line: keys in, changes out, nothing that a terminal would obey.

use super::shell::Shell;

const TIDES: &str = "{\"id\":\"noon\",\"text\":\"low tide at noon and the wall is dry\"}\n{\"id\":\"dusk\",\"text\":\"high \\u001b[2J water\"}\n{\"id\":\"dawn\",\"text\":\"low tide at noon and the wall is dry\"}\n";

fn shell() -> Shell {
    Shell::with(&[("tides.jsonl", TIDES)])
}

/// The answers to some lines, the one to the opening first.
#[track_caller]
fn answers(shell: &Shell, lines: &str) -> Vec<String> {
    let mut command = shell.command();
    command.env("XDG_DATA_HOME", shell.path("data")).env("XDG_STATE_HOME", shell.path("state"));
    command.args(["--plain", "tides.jsonl"]);
    let done = Shell::finish(command, lines);
    assert_eq!(done.code, 0, "{}", done.err);
    let is_text =
        |c: char| c == '\n' || (!c.is_control() && !('\u{2500}'..'\u{25a0}').contains(&c));
    assert!(done.out.chars().all(is_text), "{:?}", done.out);
    done.out.trim_end().split("\n\n").map(str::to_owned).collect()
}

#[test]
fn the_selected_row_comes_first_and_then_what_changed() {
    let mut answers = answers(&shell(), "<tab>\nj\ndown\nj\n");
    let first = answers.remove(0);
    assert!(first.starts_with("reading tides.jsonl ..\nselected: ▾ noon"), "{first}");
    assert!(first.contains("simscope") && first.contains("groups, largest first"), "{first}");
    assert!(answers[0].starts_with("selected: 1  noon"), "{}", answers[0]);
    assert!(answers[0].contains("2  high ^[[2J water"), "{}", answers[0]);
    assert!(answers[1].starts_with("selected: 2  high ^[[2J water"), "{}", answers[1]);
    assert!(answers[1].contains("high ^[[2J water"), "{}", answers[1]);
    // A row that stays is not said again.
    assert!(!answers[1].contains("[1 Docs]") && !answers[1].contains("3  dawn"), "{}", answers[1]);
    assert!(answers[2].starts_with("selected: 3  dawn"), "{}", answers[2]);
    assert_eq!(answers[3], "nothing changed");
}

/// The configuration names fields as columns; `u` does not take them back, since no key has shown them.
#[test]
fn fields_of_the_configuration_are_columns_from_the_beginning() {
    let rows = "{\"id\":\"noon\",\"text\":\"low tide at noon\",\"wind\":\"north-west\"}\n";
    let config = "fields = [\"wind\"]\n";
    let shell = Shell::with(&[("tides.jsonl", rows)]);
    std::fs::create_dir(shell.path("simscope")).unwrap();
    std::fs::write(shell.path("simscope/config.toml"), config).unwrap();
    let mut command = shell.command();
    command.env("XDG_CONFIG_HOME", shell.path("")).env("XDG_STATE_HOME", shell.path("state"));
    command.env("XDG_DATA_HOME", shell.path("data")).args(["--plain", "tides.jsonl"]);
    let done = Shell::finish(command, "u\n");
    assert!(done.out.contains("wind") && done.out.contains("north-west"), "{}", done.out);
    assert!(done.out.contains("nothing to undo"), "{}", done.out);
}

#[test]
fn a_line_is_keys_an_action_or_the_text_asked_for() {
    let answers = answers(&shell(), "pair\n\n/\n<esc>\n1\nfilter\nis:near\n<bogus>\nE\nq\nj\n");
    assert!(answers[1].contains("neighbours of noon"), "{}", answers[1]);
    assert!(answers[2].contains("[3 Tables]"), "{}", answers[2]);
    let last = answers.join("\n\n");
    assert!(last.contains("filter: is:near (2)"), "{last}");
    assert!(last.contains("names no key"), "{last}");
    // The text of the document under the cursor; after q nothing is read.
    assert!(answers[answers.len() - 1].ends_with("low tide at noon and the wall is dry"), "{last}");
}

#[test]
fn a_line_of_other_bytes_is_a_mistake() {
    let shell = shell();
    let mut command = shell.command();
    command.env("XDG_DATA_HOME", shell.path("data")).env("XDG_STATE_HOME", shell.path("state"));
    command.arg("--plain");
    let done = Shell::finish(command, b"\xff\nq\n");
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("does nothing here"), "{}", done.out);
}

/// A folder of state that is none is told, and what is in its place stays.
#[test]
fn a_state_folder_that_cannot_be_used_is_a_notice() {
    let shell = shell();
    std::fs::write(shell.path("state"), "a file").unwrap();
    let answers = answers(&shell, "<tab>j\n");
    let told = "choices and marks are not kept in this session:";
    assert!(answers[0].contains(told) && answers[0].contains("low tide at noon"), "{}", answers[0]);
    assert!(answers[1].starts_with("selected: 2  high ^[[2J water"), "{}", answers[1]);
    assert_eq!(shell.read("state"), "a file");
}

#[test]
fn a_corpus_on_standard_input_is_refused() {
    let err = shell().run("--plain -").refused(2);
    assert!(err.contains("--plain reads keys from standard input; name the corpus"), "{err}");
}
