//! Labels on disk: kept, taken back, never lost; truth files read.

use std::fs;

use simscope::corpus::{Label, LabelEntry, LabelFile, TextPair, read_truth};
use simscope::text::digest;
use simscope::verdict::Verdict;

use super::Folder;

fn said(one: &str, other: &str, verdict: Verdict) -> LabelEntry {
    let pair = TextPair::new(digest(one), digest(other));
    let ids = [one.to_owned(), other.to_owned()];
    LabelEntry::Added(Label { pair, verdict, ids, source: "eye".to_owned(), is_repeat: false })
}

fn pair(one: &str, other: &str) -> TextPair {
    TextPair::new(digest(one), digest(other))
}

#[test]
fn what_was_said_is_there_in_the_next_session_and_can_be_taken_back() {
    let folder = Folder::new();
    let path = folder.path().join("labels.jsonl");
    let (mut file, problems) = LabelFile::open(&path).unwrap();
    assert!(problems.is_empty() && !path.exists(), "nothing is written before something is said");
    file.add([said("tide", "tides", Verdict::Yes)]).unwrap();
    file.add([said("tide", "time", Verdict::No), said("tides", "tide", Verdict::Unsure)]).unwrap();
    drop(file);

    let (mut file, problems) = LabelFile::open(&path).unwrap();
    assert!(problems.is_empty());
    let verdict = |file: &LabelFile, one, other| {
        file.labels().get(pair(one, other)).map(|label| label.verdict)
    };
    assert_eq!(verdict(&file, "Tide ", "tides"), Some(Verdict::Unsure), "the last word wins");
    file.add([LabelEntry::Undone(pair("tide", "tides"))]).unwrap();
    assert_eq!(verdict(&file, "tide", "tides"), Some(Verdict::Yes));
    let (again, _) = LabelFile::open(&path).unwrap();
    assert_eq!(verdict(&again, "tide", "tides"), Some(Verdict::Yes));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 4, "nothing is rewritten");
}

#[test]
fn two_sessions_add_to_one_file() {
    let folder = Folder::new();
    let path = folder.path().join("labels.jsonl");
    let (mut one, _) = LabelFile::open(&path).unwrap();
    let (mut other, _) = LabelFile::open(&path).unwrap();
    for n in 0..50 {
        one.add([said("a", &format!("b{n}"), Verdict::Yes)]).unwrap();
        other.add([said("c", &format!("b{n}"), Verdict::No)]).unwrap();
    }
    assert_eq!(LabelFile::open(&path).unwrap().0.labels().count(), 100);
}

#[test]
fn a_bad_line_is_told_and_the_others_hold() {
    let folder = Folder::new();
    let path = folder.path().join("labels.jsonl");
    let (mut file, _) = LabelFile::open(&path).unwrap();
    file.add([said("tide", "tides", Verdict::Yes)]).unwrap();
    // A crash in the middle of a line, then a second session.
    let mut bytes = fs::read(&path).unwrap();
    let cut = bytes[..40].to_vec();
    bytes.extend_from_slice(b"\xff\n\n");
    bytes.extend_from_slice(&cut);
    fs::write(&path, &bytes).unwrap();
    let (mut file, problems) = LabelFile::open(&path).unwrap();
    assert_eq!((file.labels().count(), problems.len()), (1, 2));
    file.add([said("tide", "time", Verdict::No)]).unwrap();
    assert!(fs::read(&path).unwrap().starts_with(&bytes), "what was there stays");
    let (file, problems) = LabelFile::open(&path).unwrap();
    let messages: Vec<String> =
        problems.iter().map(|problem| folder.hide(&problem.to_string())).collect();
    assert_eq!(file.labels().count(), 2);
    assert!(
        messages[0].starts_with("DIR/labels.jsonl:2: not a label (expected value)"),
        "{messages:?}"
    );
    assert!(messages[1].starts_with("DIR/labels.jsonl:4: not a label (EOF while"), "{messages:?}");
    assert!(messages[1].ends_with("; the line is ignored; correct or delete it"), "{messages:?}");
}

#[test]
fn a_file_of_something_else_is_refused_before_it_is_added_to() {
    let folder = Folder::new();
    let corpus = folder.write("corpus.jsonl", "{\"id\": \"a\", \"text\": \"tide\"}\n");
    let error = LabelFile::open(&corpus).unwrap_err();
    assert_eq!(
        folder.hide(&error.to_string()),
        "DIR/corpus.jsonl: has lines, but no label; name a file of labels, or one that does not exist yet, with `labels`"
    );
    assert!(LabelFile::open(folder.path()).is_err(), "a folder");
    if cfg!(unix) {
        let error = LabelFile::open(&corpus.join("labels.jsonl")).unwrap_err();
        let said = "DIR/corpus.jsonl/labels.jsonl: not a directory; a part of the path is a file; name another path";
        assert_eq!(folder.hide(&error.to_string()), said);
    }
    let (mut file, _) = LabelFile::open(&folder.path().join("none/labels.jsonl")).unwrap();
    let error = file.add([said("a", "b", Verdict::Yes)]).unwrap_err();
    assert_eq!(folder.hide(&error.to_string()), "DIR/none/labels.jsonl: not found; check the path");
    assert_eq!(file.labels().count(), 0, "what is not on disk does not count");
}

#[test]
fn truth_files_are_read_by_column_and_unknown_words_told() {
    let folder = Folder::new();
    let path = folder.write(
        "pairs.csv",
        "label,id2,note,id1\nmatch,R1,,L0\n0,\"R,2\",x,L0\nperhaps,R3,,L0\nno\nunsure,R4,,L0\n",
    );
    let (judgements, problems) = read_truth(&path).unwrap();
    let found: Vec<_> =
        judgements.iter().map(|it| (it.ids[0].as_str(), it.ids[1].as_str(), it.verdict)).collect();
    let expected =
        [("L0", "R1", Verdict::Yes), ("L0", "R,2", Verdict::No), ("L0", "R4", Verdict::Unsure)];
    assert_eq!(found, expected);
    let messages: Vec<String> =
        problems.iter().map(|problem| folder.hide(&problem.to_string())).collect();
    assert_eq!(
        messages,
        [
            "DIR/pairs.csv:4: label \"perhaps\" is unknown; write 1 or yes, 0 or no, or unsure",
            "DIR/pairs.csv:5: 1 fields, so an id or the label is missing; complete the row or delete it",
        ]
    );
    let tsv = folder.write("pairs.tsv", "id1\tid2\tlabel\nL0\tR1\t1\n");
    assert_eq!(read_truth(&tsv).unwrap().0, judgements[..1]);
}

#[test]
fn a_truth_file_without_its_columns_or_words_is_refused() {
    let folder = Folder::new();
    for (name, text, expected) in [
        (
            "a.csv",
            "a,b\n1,2\n",
            "DIR/a.csv:1: no column \"id1\" in its first line; a truth file has the columns id1, id2 and label",
        ),
        (
            "b.csv",
            "id1,id2,label\n1,2,3\n",
            "DIR/b.csv:2: label \"3\" is unknown; write 1 or yes, 0 or no, or unsure",
        ),
        (
            "c.csv",
            "",
            "DIR/c.csv:1: no column \"id1\" in its first line; a truth file has the columns id1, id2 and label",
        ),
    ] {
        let error = read_truth(&folder.write(name, text)).unwrap_err();
        assert_eq!(folder.hide(&error.to_string()), expected);
    }
    assert_eq!(read_truth(&folder.write("d.csv", "id1,id2,label\n")).unwrap().0, []);
}
