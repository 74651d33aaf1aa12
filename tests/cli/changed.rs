//! A file that changes while a command runs: every second reading is accounted for.
//!
//! The corpus is a file and, after it, a pipe. When the program opens the pipe it has read the file; the test
//! then changes the file and lets the pipe end, so that what follows reads a file that is not what it was.

use std::io::Write as _;
use std::process::Stdio;
use std::{fs, thread};

use super::shell::{Done, Shell};

const SAMPLE: &str = include_str!("../../assets/sample.jsonl");

/// Runs a command over the sample and a pipe, the sample changed by `change` once it was read.
fn run(line: &str, change: fn(&std::path::Path)) -> Option<Done> {
    let shell = Shell::with(&[
        ("sample.jsonl", SAMPLE),
        ("truth.csv", "id1,id2,label\ntide-log,tide-log-copy,yes\ntide-log,rumour-1,no\n"),
    ]);
    let pipe = shell.path("pipe");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|it| it.success()) {
        eprintln!("skipped: no mkfifo on this machine");
        return None;
    }
    let mut command = shell.command();
    command.args(line.split_whitespace()).args(["sample.jsonl", "pipe"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let sample = shell.path("sample.jsonl");
    let writer = thread::spawn(move || {
        // Waits until the program opens the other end.
        let mut pipe = fs::File::options().write(true).open(pipe).unwrap();
        change(&sample);
        pipe.write_all(b"{\"id\":\"last\",\"text\":\"a b c d e f\"}\n").unwrap();
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Some(Done {
        code: output.status.code().unwrap(),
        out: text(output.stdout),
        err: text(output.stderr),
    })
}

fn append(path: &std::path::Path) {
    fs::File::options().append(true).open(path).unwrap().write_all(b"\n").unwrap();
}

fn remove(path: &std::path::Path) {
    fs::remove_file(path).unwrap();
}

fn nothing(_: &std::path::Path) {}

#[test]
fn what_holds_two_readings_against_each_other_is_refused() {
    for line in [
        "compare --against words:2",
        "check --disagreements",
        "sweep --features words:2 --weights tf --bits 64",
        "tune --layouts --measure --bands 4x16",
        "tune",
        "tune --truth truth.csv",
        "report -f html",
    ] {
        let Some(done) = run(line, append) else { return };
        let err = done.refused(2);
        assert!(
            err.contains(
                "error: 100 documents cannot be read a second time (sample.jsonl: changed since it was \
                 loaded, 100 documents affected), so figures would be wrong; "
            ),
            "{line}\n{err}"
        );
    }
    let Some(done) = run("compare --against words:2", remove) else { return };
    assert!(done.refused(2).contains("(sample.jsonl: no longer there, 100 documents affected)"));
}

#[test]
fn what_is_said_of_each_document_is_said_of_the_others_and_the_rest_is_named() {
    let told = "sample.jsonl: changed since it was loaded, ";
    let Some(checked) = run("check", append) else { return };
    assert_eq!((checked.code, checked.out.lines().count()), (1, 2), "{}", checked.out);
    let counted = "note: 1 of 1 document flagged, 100 more could not be read again, so they were not checked: 1 short, 1 tied";
    assert!(checked.err.contains(counted), "{}", checked.err);
    assert!(checked.err.ends_with(&format!("{told}100 documents affected\n")), "{}", checked.err);
    let Some(groups) = run("groups -f table", append) else { return };
    assert!(groups.code == 1 && groups.out.contains("tide-log"), "{}", groups.out);
    assert!(groups.err.ends_with(&format!("{told}42 documents affected\n")), "{}", groups.err);
    let Some(labels) = run("labels --labels labels.jsonl --import truth.csv", append) else {
        return;
    };
    let expected =
        "0 labels added to labels.jsonl, 2 name documents that cannot be read a second time";
    assert!(labels.code == 1 && labels.err.contains(expected), "{}", labels.err);
    assert!(labels.err.ends_with(&format!("{told}3 documents affected\n")), "{}", labels.err);
}

#[test]
fn what_does_not_change_is_read_as_ever() {
    for line in ["compare --against words:2", "check", "tune --layouts --measure --bands 4x16"] {
        let Some(done) = run(line, nothing) else { return };
        assert!(done.code == 0 && !done.err.contains("second time"), "{line}\n{}", done.err);
    }
}
