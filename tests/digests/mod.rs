//! Whether an answer moved: digests of what each command writes in each format, and of each view, beside those in the
//! file `answers.txt`. A line is a command line, the digest of its rows, and that of its messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::Hasher;
use std::path::Path;

use rayon::prelude::*;
use regex::Regex;
use simscope::app::screen::ViewId;
use siphasher::sip::SipHasher13;

use crate::cli::arxiv::shared;
use crate::cli::shell::Shell;

/// The formats of rows that every build writes.
const FORMATS: &[&str] = &["table", "jsonl", "csv", "tsv"];

/// The commands that each corpus is asked.
const OF_ANY: &[&str] = &[
    "fingerprint",
    "pairs",
    "groups",
    "groups --summary",
    "dedup",
    "dedup --keep longest --linkage complete",
    "tune",
    "tune --layouts",
    "tune --layouts --measure",
    "fingerprint --document-frequencies",
    "compare --against words:2",
    "check",
];

/// The commands that only the sample is asked.
const OF_THE_SAMPLE: &[&str] = &[
    "pairs -k 12 --min-cosine 0.8",
    "query -k 10 --id tide-log",
    "explain tide-log tide-log-thirteen",
    "explain tide-log",
    "explain tide-log --bit 3",
    "labels --labels judged.jsonl",
    "tune --labels judged.jsonl",
    "sweep",
    "cluster plan --documents 2e9",
];

/// The commands that write a text and no rows.
const TEXTS: &[&str] = &[
    "report -f html",
    "report -f html --labels judged.jsonl",
    "cluster sql --dialect spark",
    "cluster sql --dialect duckdb",
    "cluster sql --dialect clickhouse",
    "learn --sheet",
];

/// Two pairs of the sample, judged.
const JUDGED: &str = "id1,id2,label\ntide-log,tide-log-thirteen,1\nbridge-open,tide-log,0\n";

/// The command lines that are asked in the folder of `shell`, and the corpora that are not here.
fn questions(shell: &Shell) -> (Vec<String>, Vec<&'static str>) {
    let (mut asked, mut absent) = (Vec::new(), Vec::new());
    let mut rows = |line: &str, formats: &[&str], corpus: &str| {
        asked.extend(formats.iter().map(|format| format!("{line} -f {format}{corpus}")));
    };
    for line in [OF_ANY, OF_THE_SAMPLE].concat() {
        rows(line, FORMATS, "");
    }
    // A slice of long texts in one format, and one of short texts in another script in all.
    for (name, most, formats) in
        [("license-texts", 1_300, &["jsonl"][..]), ("poems-zh", 2_000, FORMATS)]
    {
        let Some(corpus) = shared(name) else {
            absent.push(name);
            continue;
        };
        let text = fs::read_to_string(corpus).unwrap();
        let slice: String = text.split_inclusive('\n').take(most).collect();
        fs::write(shell.path(&format!("{name}.jsonl")), slice).unwrap();
        for line in OF_ANY {
            rows(line, formats, &format!(" {name}.jsonl"));
        }
    }
    asked.extend(TEXTS.iter().map(ToString::to_string));
    let opened = |keys: &str| format!("--fresh --keys {keys} --size 120x35 --print");
    for &view in ViewId::ALL.iter().filter(|view| view.is_listed()) {
        let place = ViewId::of(view.screen()).position(|it| it == view).unwrap();
        let keys = if view == ViewId::Bits { "b".to_owned() } else { "v".repeat(place) };
        asked.push(opened(&format!("{}{keys}", view.screen() as usize + 1)));
    }
    asked.extend(["4b", "4t", "4tt", "4vv<enter>", "rj1<enter>4vv<tab>"].map(opened));
    (asked, absent)
}

/// The digests of what a command line writes, and of its messages.
fn digests(shell: &Shell, line: &str) -> String {
    let mut command = shell.command();
    for folder in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        command.env(folder, shell.path("nothing"));
    }
    command.args(line.split_whitespace());
    let mut done = Shell::finish(command, "");
    assert!(done.code == 0, "{line}: {}", done.err);
    // Their rows, and bars, say how long each recipe or layout took.
    let seconds = match line {
        _ if line.starts_with("sweep") => r#"exact[",\t ]+(seconds":)?[0-9.]+"#,
        _ if line.contains("--measure") => r"(?-u:\b)[0-9]+\.[0-9]{3}(?-u:\b)( [█-▏]+)?",
        _ => "$^",
    };
    done.out = Regex::new(seconds).unwrap().replace_all(&done.out, "").into_owned();
    let digest = |text: &str| {
        let mut hasher = SipHasher13::new();
        hasher.write(text.as_bytes());
        hasher.finish()
    };
    format!("{:016x} {:016x}", digest(&done.out), digest(&done.err))
}

#[test]
fn no_answer_moved() {
    let shell = Shell::with(&[("judged.csv", JUDGED)]);
    shell.run("labels --import judged.csv --labels judged.jsonl").rows();
    let (asked, absent) = questions(&shell);
    let answered = asked.into_par_iter().map(|line| (line.clone(), digests(&shell, &line)));
    let now: BTreeMap<String, String> = answered.collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/digests/answers.txt");
    let file = fs::read_to_string(&path).unwrap_or_default();
    let lines = file.lines().filter_map(|line| line.split_once("  "));
    let mut before: BTreeMap<String, String> =
        lines.map(|(line, digests)| (line.into(), digests.into())).collect();
    let is_here = |line: &String| !absent.iter().any(|name| line.contains(name));
    if std::env::var("SIMSCOPE_DIGESTS").is_ok_and(|it| it == "write") {
        before.retain(|line, _| !is_here(line));
        before.extend(now);
        let lines = before.iter().map(|(line, digests)| format!("{line}  {digests}\n"));
        fs::write(&path, lines.collect::<String>()).unwrap();
        return;
    }
    before.retain(|line, _| is_here(line));
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let moved: Vec<&str> = names
        .into_iter()
        .filter(|&line| before.get(line) != now.get(line))
        .map(String::as_str)
        .collect();
    let (some, all) = (moved.len(), now.len());
    let list = moved.join("\n");
    assert!(moved.is_empty(), "{some} of {all} answers moved (SIMSCOPE_DIGESTS=write):\n{list}");
}
