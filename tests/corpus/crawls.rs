//! Web crawls that are damaged, or of which something is left out.

use simscope::corpus::{Input, KeptCorpus, KeptInputs, LoadOptions, load};
use simscope::number::grouped;
use simscope::progress::Progress;

use super::archives::{record, zip};
use super::{Folder, gzip, load_path, rows, zstd};

/// A record that does not say where it ends.
fn without_length(n: usize) -> String {
    record(n, "low").replace("Content-Length", "Length")
}

/// Records packed one by one, as crawls are.
fn packed(texts: &[String]) -> Vec<Vec<u8>> {
    texts.iter().enumerate().map(|(n, text)| gzip(record(n, text).as_bytes())).collect()
}

/// Texts that pack badly, so that each has several blocks.
fn texts() -> Vec<String> {
    let mut state = 7_u32;
    let mut letter = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b"abcdefghij \n"[(state >> 24) as usize % 12])
    };
    (0..4).map(|_| (0..100_000).map(|_| letter()).collect()).collect()
}

/// Wherever its damage lies, a record takes none of the others with it, and a text that may be wrong is named.
#[test]
fn a_damaged_record_takes_no_other_with_it() {
    let folder = Folder::new();
    let texts = texts();
    let (mut n_kept, mut n_left_out) = (0, 0);
    for (n_bytes, value) in [(40, 0xff_u8), (4, 0x55), (1, 0x10)] {
        for part in 1..12 {
            let mut members = packed(&texts);
            let at = members[1].len() * part / 12;
            members[1][at..at + n_bytes].iter_mut().for_each(|byte| *byte ^= value);
            let found = load_path(&folder.write("a.warc.gz", members.concat()));
            let messages = folder.messages(&found.corpus);
            let whole = [0, 2, 3].map(|n| texts[n].as_str());
            let read: Vec<_> = found.texts().into_iter().filter(|it| whole.contains(it)).collect();
            let case = format!("{n_bytes} bytes with {value} in part {part}: {messages:?}");
            assert_eq!(read, whole, "{case}");
            assert!(!messages.is_empty(), "{case}");
            // Its text begins as it did, and is named. Bytes that are more than it says are not its text.
            if found.texts().len() > whole.len() {
                assert!(found.texts()[1].starts_with(&texts[1][..1000]), "{case}");
                assert!(messages[0].contains("at record 2 (http://tide.example/1)"), "{case}");
                n_kept += 1;
            }
            n_left_out +=
                usize::from(messages[0].starts_with("DIR/a.warc.gz/http://tide.example/1"));
            assert!(messages.iter().all(|it| it.contains("damaged")), "{case}");
        }
    }
    assert!(n_kept > 0 && n_left_out > 0, "{n_kept} {n_left_out}");
}

/// A record that claims to be very long is named, and those behind it are read, packed and plain.
#[test]
fn a_record_with_a_false_length_swallows_no_other() {
    let folder = Folder::new();
    for claimed in ["1152921504606846976", "18446744073709551615", "20000000"] {
        let texts =
            ["the tide\n\nWARC/ is no record", "WARC/1.0", "the ebb", "low"].map(str::to_owned);
        let mut records: Vec<String> =
            texts.iter().enumerate().map(|(n, it)| record(n, it)).collect();
        records[1] = records[1].replace("Content-Length: 8", &format!("Content-Length: {claimed}"));
        let packed: Vec<Vec<u8>> = records.iter().map(|it| gzip(it.as_bytes())).collect();
        for path in
            [folder.write("a.wet", records.concat()), folder.write("a.wet.gz", packed.concat())]
        {
            let found = load_path(&path);
            assert_eq!(found.texts(), [&texts[0], &texts[2], &texts[3]], "{claimed}");
            let said = folder.messages(&found.corpus).join("\n");
            assert!(said.contains("http://tide.example/1: damaged: it claims "), "{said}");
            assert!(said.contains("but the next record begins before"), "{said}");
        }
    }
}

/// A record directly behind junk is whole.
#[test]
fn a_record_directly_behind_junk_is_read() {
    let folder = Folder::new();
    let all = [&*record(0, "the tide"), "junk\r\n", &record(1, "the ebb"), &record(2, "low")];
    let found = load_path(&folder.write("a.warc", all.concat()));
    assert_eq!(found.texts(), ["the tide", "the ebb", "low"]);
    let said = "DIR/a.warc: at record 1 (http://tide.example/0): damaged: a record does not begin with its version; \
                the next record that begins is read; copy the file again";
    assert_eq!(folder.messages(&found.corpus), [said]);
}

/// The first bytes of a crawl can be the damaged ones.
#[test]
fn a_crawl_whose_first_record_is_damaged_is_read_from_the_second_on() {
    let folder = Folder::new();
    let texts = texts();
    let mut members = packed(&texts);
    // A kind of block that there is not.
    members[0][10] = 7;
    let found = load_path(&folder.write("a.warc.gz", members.concat()));
    assert_eq!(found.texts(), texts[1..]);
    let messages = folder.messages(&found.corpus);
    assert_eq!(messages.len(), 1, "{messages:?}");
    let said = "DIR/a.warc.gz: before the first record: compressed data is damaged";
    assert!(messages[0].starts_with(said), "{messages:?}");
    // Rows that were packed whole have no second beginning.
    let rows = gzip(b"{\"text\":\"the tide\"}\n");
    let mut first = rows.clone();
    first[10] = 7;
    let message = super::failure(&folder.write("a.jsonl.gz", [first, rows].concat()));
    assert!(message.contains("a.jsonl.gz: compressed data is damaged"), "{message}");
}

/// Behind the limit, nothing is read, and the limit is told once.
#[test]
fn a_crawl_that_unpacks_to_too_much_ends_at_the_limit() {
    let folder = Folder::new();
    let large = "a".repeat(60 << 20);
    let members = [&large, &large, &large, "low"]
        .into_iter()
        .enumerate()
        .map(|(n, it)| zstd(record(n, it).as_bytes()));
    let found = load_path(&folder.write("a.warc.zst", members.collect::<Vec<_>>().concat()));
    assert_eq!(found.texts().len(), 2);
    let said = "DIR/a.warc.zst/http://tide.example/2: unpacks to more than 200 times its size, so the rest is not read; \
                if that is right, allow more with `max-expansion`";
    assert_eq!(folder.messages(&found.corpus), [said]);
}

/// Messages about records come in their order, and the first of them are listed.
#[test]
fn many_messages_about_records_come_in_order() {
    let folder = Folder::new();
    folder.write("a.warc", rows(1200, without_length) + &record(0, "the tide"));
    // A message about a whole input is listed, too, however many there are about records.
    folder.write("b.jsonl.gz", &gzip(&b"{\"text\":\"the ebb\"}\n".repeat(9))[..30]);
    let found = load_path(folder.path());
    let messages = folder.messages(&found.corpus);
    assert_eq!(messages.len(), 1001);
    for (n, message) in messages[..1000].iter().enumerate() {
        let place =
            format!("DIR/a.warc: at record {} (http://tide.example/{n}): ", grouped(n as u64 + 1));
        assert!(message.starts_with(&place), "{message}");
    }
    assert!(messages[1000].starts_with("DIR/b.jsonl.gz: compressed data"), "{}", messages[1000]);
    assert_eq!(found.corpus.summary().unlisted, 200);
}

/// A file of which something is left out was read to its end all the same, so an index keeps it.
#[test]
fn a_file_of_which_something_is_left_out_is_kept() {
    let folder = Folder::new();
    let mut damaged = packed(&texts());
    let middle = damaged[1].len() / 2;
    damaged[1][middle..middle + 4].fill(0xff);
    let large = [("a.txt", vec![b' '; 150 << 20]), ("b.txt", b"the ebb".to_vec())];
    for (name, bytes, n_documents) in [
        ("a.warc", (without_length(0) + &record(1, "the tide")).into_bytes(), 1),
        ("b.warc.gz", damaged.concat(), 3),
        ("c.zip", zip(&large), 1),
    ] {
        let path = folder.write(name, bytes);
        let options = LoadOptions::default();
        let inputs = [Input::Path(path.clone())];
        let loaded = load(&inputs, &options, &Progress::new(), &mut |_| {}).unwrap();
        assert_eq!(loaded.diagnostics().len(), 1, "{name}: {:?}", loaded.diagnostics());
        let (paths, recipe, problems) = (vec![path.clone()], None, Vec::new());
        let of = KeptInputs { paths, options, recipe, bits: 64, found: 0, problems };
        let mut index = Vec::new();
        loaded.keep(of, &|_, _| Vec::new(), &mut index).unwrap();
        let index = folder.write(&format!("{name}.idx"), index);
        assert_eq!(KeptCorpus::open(&index, None).unwrap().corpus.len(), n_documents, "{name}");
    }
}
