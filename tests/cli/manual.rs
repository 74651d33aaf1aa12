//! The manual and the README: every page prints, and every example is what the program prints.

use std::fs;
use std::path::Path;

use simscope::manual::PAGES;

use super::shell::Shell;

/// Lines of a page at most.
const LINES: usize = 300;
/// Columns of a line at most, tables and code aside.
const COLUMNS: usize = 100;
/// Lines of the README at most.
const README_LINES: usize = 130;
/// A corpus that is not part of the project; examples over it take a minute.
#[cfg(unix)]
const LARGE: &str = "arxiv-feeds-dev";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every file of the manual, each with its name.
fn documents() -> Vec<(String, String)> {
    let mut paths = vec![root().join("README.md")];
    let pages = fs::read_dir(root().join("assets/manual")).unwrap();
    paths.extend(pages.map(|page| page.unwrap().path()));
    paths.sort();
    let named = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    paths.iter().map(|path| (named(path), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn every_page_is_listed_and_prints() {
    let shell = Shell::with(&[]);
    let list = shell.run("help").rows();
    let files: Vec<String> = documents().into_iter().map(|(name, _)| name).collect();
    assert_eq!(files.len(), PAGES.len() + 1, "a page of each file, and the README: {files:?}");
    for page in PAGES {
        assert!(files.contains(&format!("{}.md", page.topic)), "{}", page.topic);
        let line = format!("  {:<13} {}\n", page.topic, page.summary());
        assert!(list.contains(&line), "{line:?} in\n{list}");
        let printed = shell.run(&format!("help {}", page.topic)).rows();
        assert!(
            printed.starts_with(&format!("# {}: {}\n", page.topic, page.summary())),
            "{printed}"
        );
        let none = ["```", "\x1b", "<!--", "!["];
        assert!(none.iter().all(|it| !printed.contains(it)), "{printed}");
    }
    assert!(shell.run("help start").rows().contains("\n(picture: The groups of the sample"));
}

#[test]
fn a_command_has_its_own_help_printed() {
    let shell = Shell::with(&[]);
    for command in ["pairs", "tune", "explain", "help"] {
        let help = shell.run(&format!("help {command}")).rows();
        assert_eq!(help, shell.run(&format!("{command} --help")).rows());
    }
}

#[test]
fn an_unknown_topic_is_refused_with_the_nearest_and_all() {
    let shell = Shell::with(&[]);
    let err = shell.run("help recipes").refused(2);
    assert!(
        err.starts_with("error: no page or command is called recipes; did you mean recipe?\n"),
        "{err}"
    );
    for name in PAGES.iter().map(|page| page.topic).chain(["pairs", "completions"]) {
        assert!(err.contains(&format!(" {name}")), "{name}: {err}");
    }
    assert!(shell.run("help pars").refused(2).contains("did you mean pairs?"));
    let err = shell.run_args(&["help", "\x1b[31m"]).refused(2);
    assert!(err.starts_with("error: no page or command is called ^[[31m\n"), "{err}");
}

#[test]
fn pages_fit_a_terminal() {
    for (name, text) in documents() {
        let most = if name == "README.md" { README_LINES } else { LINES };
        assert!(text.lines().count() <= most, "{name} has {} lines", text.lines().count());
        let mut is_code = false;
        for line in text.lines() {
            is_code ^= line.trim_start().starts_with("```");
            let is_prose = !is_code && !line.trim_start().starts_with('|');
            assert!(!is_prose || line.chars().count() <= COLUMNS, "{name}: {line}");
        }
    }
}

#[test]
fn files_that_are_named_exist() {
    for (name, text) in documents() {
        let quoted = text.split('`').skip(1).step_by(2);
        let is_path =
            |it: &&str| ["src/", "tests/", "assets/"].iter().any(|top| it.starts_with(top));
        for path in quoted.filter(is_path) {
            assert!(root().join(path).exists(), "{name}: {path}");
        }
    }
}

#[cfg(unix)]
#[test]
fn examples_are_true() {
    check(|line| !line.contains(LARGE));
}

#[cfg(unix)]
#[test]
#[ignore = "a minute, over a corpus that is not part of the project"]
fn examples_over_a_large_corpus_are_true() {
    if super::arxiv::shared(LARGE).is_some() {
        check(|line| line.contains(LARGE));
    }
}

/// Runs those examples of all documents whose command is `wanted`.
#[cfg(unix)]
fn check(wanted: impl Fn(&str) -> bool) {
    let mut wrong = Vec::new();
    for (name, text) in documents() {
        let shell = Shell::with(&[("corpus.jsonl", include_str!("../../assets/sample.jsonl"))]);
        for (line, expected) in examples(&text).into_iter().filter(|(line, _)| wanted(line)) {
            if let Err(why) = holds(&shell, line, &expected) {
                wrong.push(format!("{name}: $ {line}\n{why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// The command lines of the console blocks, each with the lines printed below it.
#[cfg(unix)]
fn examples(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut examples: Vec<(&str, Vec<&str>)> = Vec::new();
    let blocks = text.split("```console\n").skip(1);
    for line in blocks.flat_map(|block| block.split("```").next().unwrap().lines()) {
        match line.strip_prefix("$ ") {
            Some(command) => examples.push((command, Vec::new())),
            None => examples.last_mut().expect("a block begins with a command").1.push(line),
        }
    }
    examples
}

/// Runs a line in a shell. Its output is as expected: `..` alone stands for some lines, within a line for some
/// words. Messages are looked for in standard error; an error is expected if one is shown.
#[cfg(unix)]
fn holds(shell: &Shell, line: &str, expected: &[&str]) -> Result<(), String> {
    let program = Path::new(env!("CARGO_BIN_EXE_simscope"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut command = std::process::Command::new("sh");
    command.args(["-c", line]).current_dir(shell.path(".")).env("PATH", path);
    command
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm")
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR");
    command.env("XDG_DATA_HOME", shell.path("data")).env("XDG_STATE_HOME", shell.path("state"));
    if let Some(corpus) = super::arxiv::shared(LARGE).filter(|_| line.contains(LARGE)) {
        // It is there already from the second example on.
        let _ = std::os::unix::fs::symlink(
            fs::canonicalize(corpus.parent().unwrap()).unwrap(),
            shell.path(LARGE),
        );
    }
    let done = command.stdin(std::process::Stdio::null()).output().unwrap();
    let (out, err) =
        (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    let is_message = |line: &&str| {
        ["note: ", "warning: ", "error: ", "recipe: "].iter().any(|kind| line.starts_with(kind))
    };
    let (messages, mut rows): (Vec<&str>, Vec<&str>) =
        expected.iter().partition(|line| is_message(line));
    while rows.last().is_some_and(|row| row.is_empty()) {
        rows.pop();
    }
    let is_refused = messages.iter().any(|message| message.starts_with("error: "));
    if done.status.success() == is_refused {
        return Err(format!("{}\n{out}{err}", done.status));
    }
    for message in messages {
        if !err.lines().any(|line| is_like(message, line)) {
            return Err(format!("{message}\nis not in\n{err}"));
        }
    }
    let printed: Vec<&str> = out.trim_end().lines().collect();
    if !rows.is_empty() && !follow(&rows, &printed) {
        return Err(format!("{}\nis not\n{out}", rows.join("\n")));
    }
    Ok(())
}

/// Whether the printed lines are the expected ones, `..` standing for any.
#[cfg(unix)]
fn follow(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        [".."] => true,
        ["..", rest @ ..] => (0..printed.len()).any(|at| follow(rest, &printed[at..])),
        [line, rest @ ..] => printed
            .split_first()
            .is_some_and(|(first, others)| is_like(line, first) && follow(rest, others)),
    }
}

/// Whether a printed line is the expected one: all of it or, where words are left out by a `..`, the others.
#[cfg(unix)]
fn is_like(expected: &str, printed: &str) -> bool {
    let words: Vec<&str> = expected.split_whitespace().collect();
    if !words.contains(&"..") {
        return expected.trim_end() == printed.trim_end();
    }
    follow_words(&words, &printed.split_whitespace().collect::<Vec<_>>())
}

#[cfg(unix)]
fn follow_words(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        ["..", rest @ ..] => (0..=printed.len()).any(|at| follow_words(rest, &printed[at..])),
        [word, rest @ ..] => printed.first() == Some(word) && follow_words(rest, &printed[1..]),
    }
}

#[cfg(unix)]
#[test]
fn an_untrue_example_is_noticed() {
    let shell = Shell::with(&[]);
    let holds =
        |expected: &[&str]| holds(&shell, "printf 'a  b  c\\nsecond\\nlast\\n'", expected).is_ok();
    assert!(holds(&["a  b  c", "second", "last", ""]));
    assert!(holds(&["a .. c", "..", "last"]));
    assert!(holds(&["a ..", ".."]));
    for wrong in
        [&["a  b  c", "second"] as &[_], &["a b  c", ".."], &["a .. b", ".."], &["..", "lost"]]
    {
        assert!(!holds(wrong), "{wrong:?}");
    }
    assert!(!holds(&["a  b  c", "..", "note: nothing"]));
}
