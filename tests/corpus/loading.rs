//! Batches, snapshots, progress and cancel.

use std::time::{Duration, Instant};

use simscope::corpus::{Content, CorpusError, Input, LoadOptions, TextEncoding, load};
use simscope::id::DocId;
use simscope::progress::Progress;

use super::{Folder, gzip, rows};

fn some(count: usize) -> String {
    rows(count, |row| format!("{{\"id\":\"r{row}\",\"text\":\"text {row}\"}}\n"))
}

#[test]
fn the_first_batch_is_small_and_snapshots_stay_what_they_were() {
    let folder = Folder::new();
    for (name, bytes) in
        [("a.jsonl", some(20_000).into_bytes()), ("a.jsonl.gz", gzip(some(20_000).as_bytes()))]
    {
        let input = Input::Path(folder.write(name, bytes));
        let mut snapshots = Vec::new();
        let mut sizes = Vec::new();
        load(&[input], &LoadOptions::default(), &Progress::new(), &mut |batch| {
            sizes.push(batch.contents.len());
            // A document can be read again as soon as it is handed out.
            let last = DocId::from(batch.corpus.len() - 1);
            assert_eq!(batch.corpus.read(last).as_ref(), Ok(batch.contents.last().unwrap()));
            assert!(!batch.corpus.is_complete());
            snapshots.push(batch.corpus);
        })
        .unwrap();
        assert!(sizes[0] <= 128 && sizes.iter().all(|size| *size <= 4096), "{sizes:?}");
        assert_eq!(sizes.iter().sum::<usize>(), 20_000);
        let mut expected = 0;
        for (snapshot, size) in snapshots.iter().zip(sizes) {
            expected += size;
            assert_eq!(snapshot.len(), expected);
            assert_eq!(snapshot.summary().documents, expected as u64);
            assert_eq!(snapshot.id(DocId::from(expected - 1)), format!("r{}", expected - 1));
        }
    }
}

#[test]
fn progress_ends_at_the_bytes_there_are() {
    let folder = Folder::new();
    let mut bytes = 0;
    for (name, content) in [
        ("a.jsonl", some(1000).into_bytes()),
        ("b.jsonl.gz", gzip(some(1000).as_bytes())),
        ("c.bin", vec![0; 100_000]),
        ("d.txt", b"text".to_vec()),
        (".hidden", b"text".to_vec()),
    ] {
        bytes += if name == ".hidden" { 0 } else { content.len() as u64 };
        folder.write(name, content);
    }
    let progress = Progress::new();
    let input = Input::Path(folder.path().to_owned());
    load(&[input], &LoadOptions::default(), &progress, &mut |_| {}).unwrap();
    assert_eq!(progress.get(), (bytes, bytes));
}

#[test]
fn a_cancel_stops_at_the_next_record() {
    let folder = Folder::new();
    for (name, bytes) in [
        ("a.jsonl", some(50_000).into_bytes()),
        ("a.jsonl.gz", gzip(some(50_000).as_bytes())),
        ("a.csv", format!("id,text\n{}", "1,some text\n".repeat(50_000)).into_bytes()),
    ] {
        let input = Input::Path(folder.write(name, bytes));
        let progress = Progress::new();
        let mut batches = 0;
        let outcome = load(&[input], &LoadOptions::default(), &progress, &mut |_| {
            batches += 1;
            progress.cancel();
        });
        assert!(matches!(outcome, Err(CorpusError::Cancelled(_))), "{name}");
        assert_eq!(batches, 1, "{name}");
    }
}

#[test]
fn a_cancel_stops_inside_one_endless_line() {
    // A hundred megabytes unpacked, without a record to check at.
    let folder = Folder::new();
    let path = folder.write("bomb.jsonl.gz", gzip(&vec![b' '; 100 << 20]));
    let progress = Progress::new();
    let outcome = std::thread::scope(|scope| {
        let job = scope
            .spawn(|| load(&[Input::Path(path)], &LoadOptions::default(), &progress, &mut |_| {}));
        while progress.get().0 == 0 {
            std::thread::yield_now();
        }
        progress.cancel();
        job.join().unwrap()
    });
    assert!(matches!(outcome, Err(CorpusError::Cancelled(_))));
}

/// The search for bytes that are not UTF-8 can take minutes, too.
#[cfg(unix)]
#[test]
fn a_cancel_stops_the_search_for_a_character_set() {
    let folder = Folder::new();
    let path = folder.write("a.jsonl", "");
    // It takes no room on the disk.
    std::fs::File::options().write(true).open(&path).unwrap().set_len(64 << 30).unwrap();
    let options = LoadOptions { encoding: TextEncoding::Auto, ..LoadOptions::default() };
    let progress = Progress::new();
    let (outcome, took) = std::thread::scope(|scope| {
        let job = scope.spawn(|| load(&[Input::Path(path)], &options, &progress, &mut |_| {}));
        while progress.get().0 == 0 {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(100));
        progress.cancel();
        let begin = Instant::now();
        (job.join().unwrap(), begin.elapsed())
    });
    assert!(matches!(outcome, Err(CorpusError::Cancelled(_))));
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn contents_know_their_text() {
    assert_eq!(Content::Text("a".into()).text(), Some("a"));
    assert_eq!(Content::Fingerprint(None).text(), None);
}
