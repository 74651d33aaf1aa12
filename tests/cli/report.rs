//! The report: what it says, that it is bounded and the same every time, and that no document writes in it.

use std::fmt::Write as _;

use super::shell::{Shell, words};

/// Texts that would like to be more than texts; those of each pair are near-duplicates.
pub(crate) const HOSTILE: &[&str] = &[
    "<script>document.title = 'gone'</script> and <img src=http://HOST/a onerror=alert(1)>",
    "![see](http://HOST/b) [here](javascript:alert(1)) ]](javascript:alert(1)) <http://HOST/c> www.HOST.com a@HOST.com",
    "a | b | c ||| \\| `one` ``` two ```` three ````` | ~~~",
    "\u{202e}turned round\u{202c} \u{1b}[2J\u{9b}1m\u{7} \u{0} &lt;b&gt; &#60;i&#62; --> ]]> </style></td></table>",
    "# Not a heading\n\n- not a list\n\n    not code\n\n> not a quote\n\n<details open>\n\n---\n\n| a |\n|---|\n| b |",
];

/// A corpus in which ids, titles and texts are hostile, and every text has a near-duplicate.
pub(crate) fn hostile(host: &str) -> String {
    let mut rows = String::new();
    for (at, text) in HOSTILE.iter().enumerate() {
        let text = text.replace("HOST", host);
        let long =
            format!("{text} {}", "and so the tide came in over the harbour wall again ".repeat(9));
        for end in ["once", "twice"] {
            let id = format!("{at}{end}{text}\"><script>x</script>");
            let row =
                serde_json::json!({ "id": id, "title": text, "text": format!("{long}{end}") });
            let _ = writeln!(rows, "{row}");
        }
    }
    let line = "x".repeat(1 << 20);
    for end in ["y", "z"] {
        let _ = writeln!(
            rows,
            "{}",
            serde_json::json!({ "id": line, "text": format!("{line} {end}") })
        );
    }
    rows
}

#[test]
fn the_words_of_the_sample() {
    let text = words(&Shell::with(&[]).run("report -f html").rows());
    let text = text.replace(concat!("simscope ", env!("CARGO_PKG_VERSION")), "simscope VERSION");
    insta::assert_snapshot!("report_words", text);
}

#[test]
fn the_same_input_makes_the_same_bytes() {
    let shell = Shell::with(&[]);
    for (name, threads) in [("a.html", 1), ("b.HTML", 3)] {
        shell.run(&format!("report -q -k 6 -o {name} --threads {threads}")).rows();
    }
    assert!(shell.read("a.html") == shell.read("b.HTML"));
    let recipe = words(&shell.read("a.html"))
        .lines()
        .find(|line| line.starts_with("simscope report"))
        .unwrap()
        .to_owned();
    assert!(
        recipe.contains("--recipe 'words:3 log-tf siphash13 seed=0 bits=64")
            && recipe.contains(" -k 6"),
        "{recipe}"
    );
    assert!(!shell.path("a.html.recipe").exists(), "the recipe is in the report");
}

#[test]
fn the_format_is_the_endings_or_as_asked_for() {
    let shell = Shell::with(&[]);
    shell.run("report -q -o page.txt -f html").rows();
    assert!(shell.read("page.txt").starts_with("<!DOCTYPE html>"));
    for (line, message) in [
        ("report", "give -o FILE.html, or -f html to print it"),
        ("report -o page.pdf", "the file's ending is not .html; give -f html"),
        ("report -f csv", "--format csv is for rows; write a report as html"),
        ("report -o page.md", "a report is HTML, which prints"),
        ("report -f md", "a page is HTML, which prints: -f html"),
        ("pairs -f html", "--format html is for report; write rows as table, jsonl, csv or tsv"),
    ] {
        let err = shell.run(line).refused(2);
        assert!(err.contains(message), "{line}: {err}");
    }
}

#[test]
fn judged_pairs_have_a_section_of_their_own() {
    let truth = "id1,id2,label\ntide-log,tide-log-geese,1\nbridge-open,bridge-closed,0\nrumour-1,rumour-2,1\n";
    let shell = Shell::with(&[("truth.csv", truth)]);
    let text = words(&shell.run("report -f html -k 6 --truth truth.csv --target 0.8").rows());
    assert!(text.contains("How people judged pairs"), "{text}");
    assert!(text.contains("3 judgements: 3 count (pairs within 8 bits"), "{text}");
    assert!(
        text.contains("--truth truth.csv --target 0.8") && text.contains("truth.csv, judgements, ")
    );
    let plain = words(&shell.run("report -f html -k 6").rows());
    assert!(!plain.contains("How people judged"));
}

/// Groups and pairs lead to each other, and each link leads to one heading.
#[test]
fn links_lead_to_headings() {
    let truth = "id1,id2,label\ntide-log,tide-log-geese,1\n";
    let sample = include_str!("../../assets/sample.jsonl");
    let shell = Shell::with(&[("truth.csv", truth), ("t.jsonl", sample), ("u.jsonl", sample)]);
    for options in ["", "-k 6 --truth truth.csv", "-k 0", "t.jsonl --reference u.jsonl"] {
        let html = shell.run(&format!("report -q -f html {options}")).rows();
        let values = |start: &str| -> Vec<String> {
            let values = html.split(start).skip(1);
            values.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
        };
        let (mut ids, links) = (values(" id=\""), values("<a href=\"#"));
        assert!(links.iter().all(|link| ids.contains(link)), "{options}: {links:?} in {ids:?}");
        ids.sort();
        let n_ids = ids.len();
        ids.dedup();
        assert_eq!(ids.len(), n_ids, "{options}");
    }
    let html = shell.run("report -q -f html --weights tf").rows();
    for link in [
        "<th scope=\"row\"><a href=\"#group-0-7-documents\">0</a></th>",
        "side by side at <a href=\"#distance-0\">distance 0</a>",
        "Both are in <a href=\"#group-0-7-documents\">group 0</a>.",
        "are dropped: <a href=\"#documents-to-drop\">Documents to drop</a>.",
    ] {
        assert!(html.contains(link), "{link}");
    }
}

/// The report drops what `dedup` drops, and its command does it.
#[test]
fn what_it_drops_dedup_drops() {
    let shell = Shell::with(&[("t.jsonl", include_str!("../../assets/sample.jsonl"))]);
    for k in [3, 8] {
        let html = shell.run(&format!("report -q -f html t.jsonl -k {k} --weights tf")).rows();
        let text = words(&html);
        let command = text.lines().find(|line| line.starts_with("simscope dedup ")).unwrap();
        let command = command.replace("simscope", env!("CARGO_BIN_EXE_simscope"));
        let mut sh = std::process::Command::new("sh");
        let done = sh.arg("-c").arg(command).current_dir(shell.path("")).output().unwrap();
        assert!(done.status.success());
        let rows = shell.read("dropped.jsonl");
        assert!(text.contains(&format!("{} of 100 documents are dropped", rows.lines().count())));
        assert_eq!(shell.read("kept.jsonl").lines().count(), 100 - rows.lines().count());
        // The listed groups are described as the rows have them.
        let said = text.lines().filter(|line| line.contains(", dropped for ")).count();
        assert_eq!(said, rows.lines().count(), "{text}");
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let of = |key: &str| row[key].as_str().unwrap().to_owned();
            let line = format!("{}, dropped for {}: ", of("id"), of("kept"));
            assert!(text.contains(&line), "{line}");
        }
        let doubtful =
            shell.run(&format!("dedup -q t.jsonl -k {k} --weights tf --doubtful d.jsonl"));
        assert_eq!(doubtful.code, 0);
        let n = shell.read("d.jsonl").lines().count();
        assert!(n > 0 && text.contains(&format!("{n} more are near a kept one")), "{n}");
    }
}

#[test]
fn what_was_skipped_is_said() {
    let shell = Shell::with(&[("some.jsonl", "{\"text\":\"one two three\"}\nnot JSON\n")]);
    let done = shell.run("report -f html some.jsonl");
    assert_eq!(done.code, 1, "{}", done.err);
    let text = words(&done.out);
    assert!(text.contains("1 problem came up while reading"), "{text}");
    assert!(text.contains("some.jsonl:2: broken JSON"), "{text}");
}

#[test]
fn no_document_writes_html() {
    let shell = Shell::with(&[("hostile.jsonl", &hostile("example.org"))]);
    let html = shell.run("report -f html -k 8 hostile.jsonl").rows();
    for markup in [
        "<script",
        "<img",
        "<http",
        "<details open",
        "onerror=\"",
        "</style></td>",
        "\u{202e}",
        "\u{1b}",
        "\u{9b}",
    ] {
        assert!(!html.contains(markup), "{markup}");
    }
    assert!(
        html.contains("&lt;script&gt;") && html.contains("&lt;U+202E&gt;") && html.contains("^[")
    );
    // All that links is the table of contents.
    assert_eq!(html.matches("href=").count(), html.matches("<a href=\"#").count());
    assert!(!html.contains(" src=\"") && !html.contains("url(") && !html.contains("@import"));
    assert!(html.len() < 200_000, "a line of a megabyte is cut: {}", html.len());
}

#[test]
fn a_large_group_is_listed_by_its_first_documents() {
    let mut rows = String::new();
    for id in 0..20_000 {
        let _ = writeln!(
            rows,
            "{{\"id\":\"d{id}\",\"fingerprint\":\"{:016x}\"}}",
            u64::from(id % 2 == 1)
        );
    }
    let shell = Shell::with(&[("many.jsonl", &rows)]);
    let text = words(&shell.run("report -f html many.jsonl").rows());
    assert!(text.contains("\nGroup 0: 20,000 documents"), "{text}");
    assert!(text.contains("\nand 19,988 more\n") && text.contains("199,990,000 pairs"));
    assert!(
        text.contains("No pairs of different texts") || text.contains("none with texts to show")
    );
    assert!(text.len() < 20_000, "{}", text.len());
}

/// All within 8 of each other: 112 million pairs of different fingerprints, which nobody keeps.
#[test]
fn pairs_too_many_to_keep_still_make_groups() {
    let mut rows = String::new();
    let values = (0..1_u64 << 26).filter(|n| n.count_ones() == 4).take(14_950);
    for (id, value) in values.enumerate() {
        let _ = writeln!(rows, "{{\"id\":\"d{id}\",\"fingerprint\":\"{value:016x}\"}}");
    }
    let shell = Shell::with(&[("alike.jsonl", &rows)]);
    let done = shell.run("report -f html -k 8 alike.jsonl");
    assert!(done.err.contains("the report leaves out the parts that need pairs"), "{}", done.err);
    let text = words(&done.out);
    assert!(text.contains("make 1 group of 14,950 documents"), "{}", done.err);
    assert!(text.contains("This corpus has too many near pairs"));
}
