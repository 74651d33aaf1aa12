//! Output can be read back: recipes and fingerprints.

use std::process::Command;

use super::shell::{Shell, python_with};

#[test]
fn the_printed_recipe_gives_the_same_fingerprints() {
    let shell = Shell::with(&[("my words.txt", "the\nharbour\n")]);
    let args = [
        "fingerprint",
        "--features",
        "words:2",
        "--weights",
        "tf-idf",
        "--stop-words",
        "my words.txt",
        "--hash",
        "siphash24",
        "--seed",
        "7",
        "--bits",
        "90",
        "--tie",
        "zero",
        "--norm",
        "nfkc",
        "--case",
        "keep",
    ];
    let first = shell.run_args(&args);
    let line = first.err.lines().find_map(|line| line.strip_prefix("recipe: ")).unwrap();
    // The words are named by what they are, too.
    let expected =
        "words:2 tf-idf siphash24 seed=7 bits=90 tie=zero norm=nfkc case=keep stop=my%20words.txt#";
    let digest = line.strip_prefix(expected).unwrap_or_else(|| panic!("{line}")).to_owned();
    assert_eq!(digest.len(), 16);
    let second = shell.run_args(&["--recipe", line, "fingerprint"]);
    assert_eq!(first.out.lines().count(), 100);
    assert_eq!((second.code, &second.out), (0, &first.out));
    assert_ne!(shell.run("fingerprint").out, first.out);
    // Another list of the same name is not that list.
    std::fs::write(shell.path("my words.txt"), "harbour\nThe\n\n# a comment\n").unwrap();
    assert_eq!(shell.run_args(&["--recipe", line, "fingerprint"]).out, first.out);
    std::fs::write(shell.path("my words.txt"), "the\n").unwrap();
    let err = shell.run_args(&["--recipe", line, "fingerprint"]).refused(2);
    let said = "my words.txt: its words are not those that the recipe names (";
    assert!(err.contains(said) && err.contains(&format!("not {digest})")), "{err}");
    let line = line.strip_suffix(&format!("#{digest}")).unwrap();
    assert_eq!(shell.run_args(&["--recipe", line, "fingerprint"]).code, 0);
}

#[test]
fn exported_fingerprints_give_the_same_pairs() {
    for (format, bits) in [("jsonl", "64"), ("csv", "64"), ("tsv", "90")] {
        let shell = Shell::with(&[]);
        let file = format!("fingerprints.{format}");
        shell.run(&format!("fingerprint -f {format} -o {file} --bits {bits}")).rows();
        for command in ["pairs", "groups", "query --id tide-log", "explain tide-log tide-log-geese"]
        {
            let line = format!("{command} -k 8 --bits {bits}");
            let expected = shell.run(&line).rows();
            // Of texts an explanation says more, and behind what fingerprints tell.
            let expected = match expected.split_once(",\"exact_cosine\"") {
                Some((before, _)) => format!("{before}}}\n"),
                None => expected,
            };
            assert_eq!(shell.run(&format!("{line} {file}")).rows(), expected, "{line} {format}");
        }
    }
}

#[test]
fn threads_and_batches_change_no_byte() {
    let shell = Shell::with(&[]);
    for command in ["fingerprint", "pairs -k 8", "groups -k 8"] {
        let expected = shell.run(command).rows();
        for n_threads in [1, 3] {
            assert_eq!(shell.run(&format!("{command} --threads {n_threads}")).rows(), expected);
        }
    }
}

/// Twelve texts, of which four go.
const TEXTS: [&str; 12] = [
    "High water at the old wall, \"six\" feet",
    "Ebb; and flow, of the salt tide",
    "Grüße vom Hafen \u{1f980} am Morgen",
    "High water at the old wall, \"six\" feet",
    "a line\nand another, longer line",
    "Ebb; and flow, of the salt tide",
    "From here the tide comes in at noon",
    "the moon; the tide; the bell",
    "a line\nand another, longer line",
    ">From here the tide goes out again",
    "the moon; the tide; the bell",
    "a last text, of its own",
];

/// One file of each format with these texts.
fn files() -> Vec<(&'static str, String)> {
    let rows: Vec<serde_json::Value> = (0..12)
        .map(|n| serde_json::json!({"n": [n], "id": format!("d{n}"), "text": TEXTS[n]}))
        .collect();
    let lines = |end: &str| rows.iter().map(|row| row.to_string() + end).collect::<String>();
    let table = |mark: &str, delimiter: u8, end: csv::Terminator| {
        let mut out = csv::WriterBuilder::new();
        let mut out =
            out.delimiter(delimiter).terminator(end).from_writer(mark.as_bytes().to_vec());
        out.write_record(["id", "text", "n"]).unwrap();
        for (n, text) in TEXTS.iter().enumerate() {
            out.write_record([&format!("d{n}"), *text, "7"]).unwrap();
        }
        String::from_utf8(out.into_inner().unwrap()).unwrap()
    };
    let mail = |(n, text): (usize, &&str)| {
        let text = text.replace("\nFrom ", "\n>From ");
        let text = if text.starts_with("From ") { format!(">{text}") } else { text };
        format!(
            "From a@b Thu Jan  1 00:00:0{} 2026\nMessage-ID: <d{n}@x>\nSubject: s\nContent-Type: text/plain; \
             charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}\n\n",
            n % 10
        )
    };
    let one_line = TEXTS.map(|text| text.replace('\n', " ") + "\n").concat();
    vec![
        ("rows.jsonl", lines("\n")),
        ("crlf.jsonl", lines("\r\n")),
        ("array.json", serde_json::to_string(&rows).unwrap()),
        ("pretty.json", serde_json::to_string_pretty(&rows).unwrap() + "\n"),
        ("inside.json", serde_json::json!({"v": 1, "data": rows, "z": "]"}).to_string()),
        (
            "several.json",
            rows.iter().map(|it| serde_json::to_string_pretty(it).unwrap() + "\n").collect(),
        ),
        ("comma.csv", table("", b',', csv::Terminator::Any(b'\n'))),
        ("excel.csv", table("\u{feff}", b';', csv::Terminator::CRLF)),
        ("tabs.tsv", table("", b'\t', csv::Terminator::Any(b'\n'))),
        ("mails.mbox", TEXTS.iter().enumerate().map(mail).collect()),
        ("lines.txt", one_line),
    ]
}

/// A format comes back as it was: the same ids, texts and order, plain, packed, and as Python reads it.
#[test]
fn kept_documents_are_read_again_as_they_were() {
    for (name, content) in files() {
        let shell = Shell::with(&[(name, &content)]);
        let lines = if name == "lines.txt" { " --input-format lines" } else { "" };
        let rows = |file: &str| shell.run(&format!("fingerprint -q -f csv{lines} {file}")).rows();
        let kept = format!("kept-{name}");
        let dropped = format!("dedup -q -k 0 -f csv{lines} {name} --kept {kept}");
        let dropped = shell.run(&dropped).rows();
        let gone: Vec<&str> =
            dropped.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
        assert_eq!(gone.len(), 4, "{name}: {dropped}");
        let all = rows(name);
        let expected = all.lines().filter(|row| !gone.contains(&row.split(',').next().unwrap()));
        let found = rows(&kept);
        // Lines have no ids but their numbers.
        let print = |row: &str| row.split(',').nth(1).unwrap().to_owned();
        if lines.is_empty() {
            assert_eq!(found.lines().collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{name}");
        } else {
            assert!(found.lines().map(print).eq(expected.map(print)), "{name}");
        }
        // What is kept of the kept ones is all of it, to the byte; packed it is the same.
        let again = shell.run(&format!("dedup -q -k 0{lines} {kept} --kept again-{name}"));
        assert_eq!((again.code, again.out.as_str()), (0, ""), "{name}: {}", again.err);
        assert_eq!(shell.read(&kept), shell.read(&format!("again-{name}")), "{name}");
        let packed = shell.run(&format!("dedup -q -k 0{lines} {name} --kept {kept}.gz"));
        assert_eq!(packed.code, 0, "{name}: {}", packed.err);
        let mut unpacked = String::new();
        let file = std::fs::File::open(shell.path(&format!("{kept}.gz"))).unwrap();
        std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(file), &mut unpacked)
            .unwrap();
        assert_eq!(unpacked, shell.read(&kept), "{name}");
        as_python_reads(&shell, name, &kept, &gone);
    }
}

/// Python's readers of JSON, CSV and mail find in the copy what they find in the input, without the dropped ones.
fn as_python_reads(shell: &Shell, name: &str, kept: &str, gone: &[&str]) {
    let Some(python) = python_with("json, csv, mailbox") else { return };
    let read = match name.rsplit_once('.').unwrap().1 {
        "jsonl" => "[json.loads(row) for row in open(name, encoding='utf-8')]",
        "json" if name == "several.json" => "several(open(name).read())",
        "json" if name == "inside.json" => "json.load(open(name))['data']",
        "json" => "json.load(open(name))",
        "csv" | "tsv" => {
            "list(csv.DictReader(open(name, newline='', encoding='utf-8-sig'), delimiter=delimiter))"
        }
        "mbox" => {
            "[{'id': it['Message-ID'][1:-1], 'all': it.as_bytes()} for it in mailbox.mbox(name)]"
        }
        _ => return,
    };
    let delimiter = match name {
        "excel.csv" => ";",
        "tabs.tsv" => "\\t",
        _ => ",",
    };
    let code = format!(
        "import json, csv, mailbox\ndelimiter = '{delimiter}'\ndef several(text):\n    found = []\n    while text.strip():\n        \
         it, end = json.JSONDecoder().raw_decode(text.lstrip())\n        found.append(it)\n        text = text.lstrip()[end:]\n    \
         return found\ndef read(name):\n    return {read}\n\
         assert len(read('{name}')) == 12\nassert [it for it in read('{name}') if it['id'] not in {gone:?}] == read('{kept}')\n"
    );
    let done =
        Command::new(python).args(["-c", &code]).current_dir(shell.path("")).output().unwrap();
    assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
}
