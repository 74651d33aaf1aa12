//! The user's editor and pager on the terminal: they get its keys and signals, and give it back.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::harness::{Pty, eventually};

const TIDES: &str = "{\"id\":\"noon\",\"text\":\"low tide at noon\"}\n{\"id\":\"dusk\",\"text\":\"high water \\u001b]0;x\\u0007 at dusk\"}\n";

/// A folder with a corpus and a program of this name and text.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(program: &str, script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("tides.jsonl"), TIDES).unwrap();
        let place = folder.path().join(program);
        let text = folder.path().join("script");
        fs::write(&text, format!("#!/bin/sh\n{script}\n")).unwrap();
        // Another process writes the program: were it open for writing here, a process that another test starts at this
        // moment would hold it open, and a file that is open for writing cannot be run.
        let copied = Command::new("sh")
            .args(["-c", "cat \"$0\" > \"$1\" && chmod 755 \"$1\""])
            .args([&text, &place])
            .status();
        assert!(copied.unwrap().success());
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    fn open(&self, variable: &str, program: &str) -> Pty {
        let (command, out) = (self.text(program), self.text("out"));
        let variables = [("NO_COLOR", "1"), ("OUT", &*out), (variable, &*command)];
        // An editor of whoever runs the tests would come first.
        let others = ["VISUAL", "EDITOR", "PAGER"].into_iter().filter(|it| *it != variable);
        let all: Vec<_> = others.map(|it| (it, "")).chain(variables).collect();
        Pty::open_with(&[&self.text("tides.jsonl")], &all)
    }
}

#[test]
fn the_editor_gets_the_line_and_all_keys_until_it_ends() {
    let script = r#"printf '%s\n' "$@" > "$OUT.args"
echo EDITING
IFS= read -r line
printf '%s' "$line" > "$OUT.keys""#;
    let folder = Folder::with("vim", script);
    let mut pty = folder.open("EDITOR", "vim");
    pty.shows("2 texts");
    pty.settles();
    pty.keys("j");
    pty.selects("dusk");
    pty.keys("e");
    pty.shows("EDITING");
    assert!(pty.has_old_settings(), "the editor has the terminal as the shell has it");
    pty.keys("kqqk and more\r");
    pty.selects("dusk");
    let kept = fs::read_to_string(folder.path("out.keys")).unwrap();
    assert_eq!(kept, "kqqk and more");
    let args = fs::read_to_string(folder.path("out.args")).unwrap();
    assert_eq!(args, format!("+2\n{}\n", folder.text("tides.jsonl")));
    // The keys are the explorer's again.
    pty.keys("k");
    pty.selects("noon");
    // The word of the first time is still below the explorer's screen: the file tells that the editor runs.
    fs::remove_file(folder.path("out.args")).unwrap();
    pty.keys("e");
    eventually("the editor again", || folder.path("out.args").exists());
    pty.keys("\r");
    pty.selects("noon");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
    assert_eq!(fs::read_to_string(folder.path("tides.jsonl")).unwrap(), TIDES);
}

#[test]
fn the_pager_reads_a_harmless_copy_that_is_gone_afterwards() {
    let script = "printf '%s' \"$1\" > \"$OUT.args\"\ncat \"$1\"\necho PAGING\nread -r line";
    let folder = Folder::with("less", script);
    let mut pty = folder.open("PAGER", "less");
    pty.shows("2 texts");
    pty.settles();
    pty.keys("jE");
    pty.shows("high water ^[]0;x^G at dusk");
    pty.wait("the pager alone", |screen| !screen.contents().contains("[1 Docs]"));
    pty.shows("PAGING");
    let copy = fs::read_to_string(folder.path("out.args")).unwrap();
    assert!(fs::metadata(&copy).is_ok());
    pty.keys("\r");
    pty.shows("[1 Docs]");
    eventually("the copy gone", || fs::metadata(&copy).is_err());
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn signals_of_the_keyboard_are_the_programs_and_its_failure_is_told() {
    let folder = Folder::with("vim", "echo EDITING; exec cat");
    let mut pty = folder.open("VISUAL", "vim");
    pty.shows("2 texts");
    pty.settles();
    pty.keys("e");
    pty.shows("EDITING");
    pty.keys("\x03");
    pty.shows("vim was ended by a signal");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let folder = Folder::with("vim", "");
    let mut pty = folder.open("EDITOR", "no-such-editor");
    pty.shows("2 texts");
    pty.settles();
    pty.keys("e");
    pty.shows("no-such-editor cannot be started");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn a_signal_that_asks_to_leave_ends_both() {
    let folder = Folder::with("vim", "echo $$ > \"$OUT.pid\"; echo EDITING; exec sleep 100");
    let mut pty = folder.open("EDITOR", "vim");
    pty.shows("2 texts");
    pty.settles();
    pty.keys("e");
    pty.shows("EDITING");
    pty.signal("TERM");
    assert_eq!(pty.ends().status, 128 + 15);
    let pid = fs::read_to_string(folder.path("out.pid")).unwrap();
    let is_alive = || {
        let status = Command::new("kill").args(["-0", pid.trim()]).output();
        status.unwrap().status.success()
    };
    eventually("the editor's end", || !is_alive());
}

#[test]
fn what_has_no_line_says_why() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("e");
    pty.shows("sample.jsonl:1: the sample is part of the program, no file");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
#[cfg(not(target_os = "macos"))]
fn a_program_of_the_desktop_gets_what_is_copied() {
    // The file has its name only when it is whole.
    let script =
        "cat > \"$OUT.part\"; ps -o pgid= -p $$ > \"$OUT.group\"; mv \"$OUT.part\" \"$OUT.copied\"";
    let folder = Folder::with("xclip", script);
    let path = format!("{}:{}", folder.0.path().display(), std::env::var("PATH").unwrap());
    let out = folder.text("out");
    let variables = [("DISPLAY", ":0"), ("PATH", &*path), ("OUT", &*out)];
    let mut pty = Pty::open_with(&[&folder.text("tides.jsonl")], &variables);
    pty.shows("2 texts");
    pty.settles();
    pty.keys("jy");
    let copied = folder.path("out.copied");
    eventually("the copy", || fs::read_to_string(&copied).is_ok_and(|it| it == "dusk"));
    // ^Z stops the group of simscope, and a program that serves the clipboard is not in it.
    let group = fs::read_to_string(folder.path("out.group")).unwrap();
    assert_ne!(group.trim(), pty.pid().to_string());
    // The last of two copies wins, also when the user leaves at once.
    pty.keys("ky");
    pty.keys("jkyq");
    assert_eq!(pty.ends().status, 0);
    assert_eq!(fs::read_to_string(&copied).unwrap(), "noon");
}
