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

/// Wherever the damage lies, the records before it are read, and none behind it.
#[test]
fn the_records_before_damage_are_read() {
    let folder = Folder::new();
    let texts = texts();
    let mut n_left_out = 0;
    for (n_bytes, value) in [(40, 0xff_u8), (4, 0x55), (1, 0x10)] {
        for part in 1..12 {
            let mut members = packed(&texts);
            let at = members[1].len() * part / 12;
            members[1][at..at + n_bytes].iter_mut().for_each(|byte| *byte ^= value);
            let found = load_path(&folder.write("a.warc.gz", members.concat()));
            let messages = folder.messages(&found.corpus);
            let case = format!("{n_bytes} bytes with {value} in part {part}: {messages:?}");
            assert_eq!(found.texts()[0], texts[0], "{case}");
            assert!(found.texts().len() <= 2, "{case}");
            assert!(messages.iter().any(|it| it.starts_with("DIR/a.warc.gz: ")), "{case}");
            assert!(messages.iter().all(|it| it.contains("damaged")), "{case}");
            let of_the_text = |it: &String| it.starts_with("DIR/a.warc.gz/http://tide.example/1");
            let is_told = messages.iter().any(of_the_text);
            assert!(!is_told || found.texts().len() == 1, "{case}");
            n_left_out += usize::from(is_told);
        }
    }
    assert!(n_left_out > 0);
}

/// A record that claims to be longer than the file is named.
#[test]
fn a_record_with_a_false_length_is_told() {
    let folder = Folder::new();
    for claimed in ["1152921504606846976", "18446744073709551615", "20000000"] {
        let mut records: Vec<String> = ["the tide", "the ebb", "low"]
            .iter()
            .enumerate()
            .map(|(n, it)| record(n, it))
            .collect();
        records[1] = records[1].replace("Content-Length: 7", &format!("Content-Length: {claimed}"));
        let packed: Vec<Vec<u8>> = records.iter().map(|it| gzip(it.as_bytes())).collect();
        for path in
            [folder.write("a.wet", records.concat()), folder.write("a.wet.gz", packed.concat())]
        {
            let found = load_path(&path);
            assert_eq!(found.texts(), ["the tide"], "{claimed}");
            let said = folder.messages(&found.corpus).join("\n");
            let problem = "http://tide.example/1: damaged: it ends in the middle of a record";
            assert!(said.contains(problem), "{said}");
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

/// The first bytes of a packed file can be the damaged ones.
#[test]
fn nothing_is_read_behind_damage_at_the_beginning() {
    let folder = Folder::new();
    for (name, members) in [
        ("a.warc.gz", packed(&texts())),
        ("a.jsonl.gz", vec![gzip(b"{\"text\":\"the tide\"}\n"), gzip(b"{\"text\":\"the ebb\"}\n")]),
    ] {
        let mut bytes = members.concat();
        // A kind of block that there is not.
        bytes[10] = 7;
        let message = super::failure(&folder.write(name, bytes));
        assert!(message.contains(&format!("{name}: compressed data is damaged")), "{message}");
    }
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

/// A file of which something is left out is as it is, so an index keeps it.
#[test]
fn a_file_of_which_something_is_left_out_is_kept() {
    let folder = Folder::new();
    let mut damaged = packed(&texts());
    let middle = damaged[1].len() / 2;
    damaged[1][middle..middle + 4].fill(0xff);
    let large = [("a.txt", vec![b' '; 150 << 20]), ("b.txt", b"the ebb".to_vec())];
    for (name, bytes, n_documents) in [
        ("a.warc", (without_length(0) + &record(1, "the tide")).into_bytes(), 1),
        // Its checksum tells of the damage, behind the text.
        ("b.warc.gz", damaged.concat(), 2),
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
