//! Reading again: the same, vanished, changed, spooled. Every load in these tests reads all again too.

use std::fs;
use std::time::{Duration, SystemTime};

use simscope::corpus::{Content, ReadFault};
use simscope::id::DocId;

use super::{Folder, gzip, load_path};

#[test]
fn a_file_that_vanishes_says_so_and_the_others_are_read() {
    let folder = Folder::new();
    folder.write("a.txt", "one");
    let gone = folder.write("b.jsonl", "{\"text\":\"two\"}\n{\"text\":\"three\"}\n");
    folder.write("c.txt", "four");
    let corpus = load_path(folder.path()).corpus;
    fs::remove_file(gone).unwrap();
    let all = corpus.read_many(0..4);
    assert_eq!(all[0], Ok(Content::Text("one".into())));
    assert_eq!(all[3], Ok(Content::Text("four".into())));
    let error = all[2].clone().unwrap_err();
    assert_eq!(error.fault, ReadFault::Vanished);
    assert_eq!(
        folder.hide(&error.to_string()),
        "DIR/b.jsonl:2: no longer there; it was moved or deleted since it was loaded"
    );
}

#[test]
fn a_file_that_changes_says_so() {
    let folder = Folder::new();
    let longer = folder.write("longer.jsonl", "{\"text\":\"one\"}\n");
    let newer = folder.write("newer.txt", "one");
    let corpus = load_path(folder.path()).corpus;
    fs::write(longer, "{\"text\":\"one\"}\n{\"text\":\"two\"}\n").unwrap();
    fs::write(&newer, "two").unwrap();
    let later = SystemTime::now() + Duration::from_mins(1);
    fs::File::options().write(true).open(newer).unwrap().set_modified(later).unwrap();
    let told: Vec<_> = corpus
        .read_many(0..2)
        .into_iter()
        .map(|result| folder.hide(&result.unwrap_err().to_string()))
        .collect();
    assert_eq!(
        told,
        [
            "DIR/longer.jsonl:1: changed since it was loaded; load the corpus again to see it",
            "DIR/newer.txt: changed since it was loaded; load the corpus again to see it",
        ]
    );
}

#[test]
fn unpacked_rows_outlive_their_file() {
    let folder = Folder::new();
    let path = folder.write("a.jsonl.gz", gzip(b"{\"text\":\"one\"}\n{\"text\":\"two\"}\n"));
    let corpus = load_path(&path).corpus;
    fs::remove_file(path).unwrap();
    assert_eq!(corpus.read(DocId(1)), Ok(Content::Text("two".into())));
    assert_eq!(folder.hide(&corpus.place(DocId(1))), "DIR/a.jsonl.gz:2");
}

#[test]
fn runs_of_documents_read_ahead_over_many_sources() {
    let folder = Folder::new();
    for file in 0..20_usize {
        let rows =
            |row: usize| format!("{{\"text\":\"{file} {row} {}\"}}\n", "x".repeat(row * 97 % 3000));
        folder.write(&format!("{file:02}.jsonl"), (0..500).map(rows).collect::<String>());
        folder.write(&format!("{file:02}.txt"), format!("file {file}"));
    }
    let loaded = load_path(folder.path());
    assert_eq!(loaded.corpus.len(), 20 * 501);
    let middle = loaded.corpus.read_many(4000..4100);
    assert!(middle.iter().map(|result| result.as_ref().unwrap()).eq(&loaded.contents[4000..4100]));
    assert!(loaded.corpus.read_many(20_000..30_000).is_empty());
}

/// The temporary file has no name on Linux, so it is counted among the open files.
#[cfg(target_os = "linux")]
#[test]
fn the_temporary_file_disappears_with_the_last_snapshot() {
    fn deleted_files_open() -> usize {
        let links = fs::read_dir("/proc/self/fd").unwrap();
        let targets = links.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
        targets.filter(|target| target.to_string_lossy().contains(MARK)).count()
    }
    // Tests share a process; only this one spools into a folder of this name.
    const MARK: &str = "simscope-spool-test";
    if std::env::var_os("SIMSCOPE_SPOOL_CHILD").is_none() {
        let folder = tempfile::Builder::new().prefix(MARK).tempdir().unwrap();
        let status = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "corpus::rereading::the_temporary_file_disappears_with_the_last_snapshot",
            ])
            .env("TMPDIR", folder.path())
            .env("SIMSCOPE_SPOOL_CHILD", "1")
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        return;
    }
    let folder = Folder::new();
    let path = folder.write("a.jsonl.gz", gzip(b"{\"text\":\"one\"}\n"));
    let corpus = load_path(&path).corpus;
    let snapshot = corpus.clone();
    assert_eq!(deleted_files_open(), 1);
    drop(corpus);
    assert_eq!(snapshot.read(DocId(0)), Ok(Content::Text("one".into())));
    drop(snapshot);
    assert_eq!(deleted_files_open(), 0);
}
