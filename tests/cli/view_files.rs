//! A view written to a file: text, rows, pictures; never over another file unasked.

use super::shell::Shell;

const TIDES: &str = r#"{"id":"7","title":"Low\ttide","text":"low tide at noon and the wall is dry"}
{"id":"8","text":"low tide at noon and the wall is wet"}
{"id":"9","text":"low tide at noon and the wall is dry"}
"#;

fn shell() -> Shell {
    Shell::with(&[("tides.jsonl", TIDES), ("taken.tsv", "mine\n")])
}

/// The last screen after these keys; what they write is in the shell's folder.
#[track_caller]
fn press(shell: &Shell, keys: &str) -> String {
    let done = shell.run_args(&["--keys", keys, "--size", "80x24", "--print", "tides.jsonl"]);
    assert_eq!(done.code, 0, "{}", done.err);
    done.out
}

#[test]
fn rows_are_all_of_the_list_with_whole_names() {
    let shell = shell();
    // A screen with room for two rows knows the titles of all.
    let args =
        ["--keys", "<tab>X<c-u>list.tsv<enter>", "--size", "40x10", "--print", "tides.jsonl"];
    let done = shell.run_args(&args);
    assert!(done.out.contains("3 rows written to list.tsv"), "{}", done.out);
    let rows = shell.read("list.tsv");
    let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    let expected = "number id title tokens features near group distance flags review fingerprint";
    assert_eq!(rows[0].join(" "), expected);
    assert_eq!((rows.len(), &rows[1][..2]), (4, &["1", "7"][..]));
    assert!(rows.iter().all(|row| row.len() == 11 && !row.contains(&"..")), "{rows:?}");
    assert_eq!(rows[1][10].len(), 16);
}

#[test]
fn more_rows_than_titles_are_kept_are_written_with_their_titles() {
    let row = |n: usize| {
        format!("{{\"id\":\"d{n}\",\"title\":\"Tide {n}\",\"text\":\"low tide {n}\"}}\n")
    };
    let rows: String = (0..5000).map(row).collect();
    let shell = Shell::with(&[("tides.jsonl", &*rows)]);
    let screen = press(&shell, "X<c-u>all.tsv<enter>");
    assert!(screen.contains("5,000 rows written to all.tsv"), "{screen}");
    let list = shell.read("all.tsv");
    assert!(list.lines().skip(1).all(|row| row.contains("\tTide ")), "a title is missing");
}

#[test]
fn rows_have_all_columns_while_another_part_is_alone() {
    let shell = shell();
    for (screen, list) in [("1<tab>", "docs.tsv"), ("1<enter>", "near.tsv"), ("1", "groups.tsv")] {
        let heads = ["", "Jz"].map(|keys| {
            let list = &format!("{keys}{list}");
            let done = shell.run_args(&[
                "--keys",
                &format!("{screen}{keys}X<c-u>{list}<enter>"),
                "--size",
                "120x35",
                "--print",
                "tides.jsonl",
            ]);
            assert!(done.out.contains(&format!("written to {list}")), "{}", done.out);
            shell.read(list)
        });
        assert_eq!(heads[0], heads[1], "{list}");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_or_a_pipe_is_refused_at_once() {
    let shell = shell();
    std::fs::create_dir(shell.path("folder.tsv")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(shell.path("pipe.tsv")).status();
    assert!(made.unwrap().success());
    for name in ["folder.tsv", "pipe.tsv"] {
        let screen = press(&shell, &format!("X<c-u>{name}<enter><enter>"));
        assert!(screen.contains(&format!("{name} is no ordinary file")), "{screen}");
    }
}

#[test]
fn json_has_numbers_and_ids_are_text() {
    let shell = shell();
    let screen = press(&shell, "<enter>X<c-u>near.jsonl<enter>");
    assert!(screen.contains("2 rows written to near.jsonl"), "{screen}");
    let row: serde_json::Value =
        serde_json::from_str(shell.read("near.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!((row["id"].as_str(), row["distance"].as_u64()), (Some("9"), Some(0)));
    assert_eq!((row["cosine"].as_f64(), row["tables_hit"].as_u64()), (Some(1.0), Some(4)));
}

#[test]
fn the_screen_is_written_as_text_or_as_a_picture() {
    let shell = shell();
    press(&shell, "X<enter>");
    assert!(shell.read("docs.txt").contains("[1 Docs]"));
    assert!(!shell.read("docs.txt").contains("write to file"));
    press(&shell, "X<c-u>groups.svg<enter>");
    let picture = shell.read("groups.svg");
    assert!(picture.starts_with("<svg ") && picture.contains("fill=\"#"), "{picture}");
}

#[test]
fn a_file_that_is_there_is_replaced_only_when_that_was_asked() {
    let shell = shell();
    let screen = press(&shell, "X<c-u>taken.tsv<enter>");
    assert!(screen.contains("taken.tsv exists; press Enter again to replace it"), "{screen}");
    assert_eq!(shell.read("taken.tsv"), "mine\n");
    // Another letter takes the leave back.
    press(&shell, "X<c-u>taken.tsv<enter>x<bs><enter><esc>");
    assert_eq!(shell.read("taken.tsv"), "mine\n");
    press(&shell, "X<c-u>taken.tsv<enter><enter>");
    assert!(shell.read("taken.tsv").starts_with("group\tid\t"));
}

#[test]
fn pictures_of_bits_and_tables_are_rows_too() {
    let shell = shell();
    let rows = |keys: &str, name: &str| -> Vec<Vec<String>> {
        let screen = press(&shell, &format!("{keys}X<c-u>{name}<enter>"));
        assert!(screen.contains(&format!("written to {name}")), "{screen}");
        let rows = shell.read(name);
        rows.lines().map(|row| row.split('\t').map(str::to_owned).collect()).collect()
    };
    // Every bit of the document; the sums of its votes decide the values.
    let bits = rows("b", "bits.tsv");
    assert_eq!((bits.len(), bits[0].join(" ")), (65, "bit value votes margin flips".to_owned()));
    assert_eq!((&*bits[1][0], &*bits[64][0]), ("63", "0"));
    for bit in &bits[1..] {
        assert_eq!(bit[1] == "1", bit[2].parse::<f64>().unwrap() >= 0.0, "{bit:?}");
    }
    // The rows of `check --disagreements`.
    let found = rows("5", "found.tsv");
    let written = shell.run_args(&["check", "--disagreements", "-f", "tsv", "tides.jsonl"]);
    let written = written.rows().lines().map(|row| row.replace('\t', " ")).collect::<Vec<_>>();
    assert_eq!(found.iter().map(|row| row.join(" ")).collect::<Vec<_>>(), written);
    // The pair of equal texts is a hit everywhere.
    let tables = rows("3", "tables.tsv");
    let hits: Vec<&str> = tables[1..].iter().map(|table| &*table[2]).collect();
    assert_eq!(
        (tables[0].join(" "), hits),
        ("table key hit damaged mask".to_owned(), vec!["true"; 4])
    );
}

/// Of groups each text is a row, in folded ones too, with what it goes for.
#[test]
fn texts_of_groups_are_rows() {
    let shell = Shell::with(&[("t.jsonl", include_str!("../../assets/sample.jsonl"))]);
    let args = ["--keys", "X<c-u>g.tsv<enter>", "--print", "--size", "80x24", "-k", "3", "t.jsonl"];
    let screen = shell.run_args(&args).out;
    assert!(screen.contains("38 rows written to g.tsv"), "{screen}");
    let rows = shell.read("g.tsv");
    assert!(rows.starts_with("group\tid\ttitle\tdecision\tother\tdistance\tshared\n"), "{rows}");
    let goes = rows.lines().filter(|row| row.split('\t').nth(3) == Some("goes")).count();
    assert_eq!((rows.lines().count(), goes), (39, 20), "{rows}");
}

/// The views with a list, by their keys, and its number of rows; Sweep has rows when it has run.
#[test]
fn every_list_is_rows() {
    let shell = shell();
    for (keys, expected) in [
        ("1", 2),
        ("1<tab>", 3),
        ("1b", 64),
        ("1<enter>", 2),
        ("1<enter><enter>", 4),
        ("4", 65),
        ("6v", 7),
    ] {
        let name = format!("{}.tsv", keys.replace(['<', '>'], "-"));
        let screen = press(&shell, &format!("{keys}X<c-u>{name}<enter>"));
        assert!(screen.contains(&format!("written to {name}")), "{screen}");
        let rows = shell.read(&name);
        let rows: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
        assert_eq!(rows.len() - 1, expected, "{keys}: {rows:?}\n{screen}");
        assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{keys}: {rows:?}");
    }
}

/// The recipes of a sweep at their best k.
#[test]
fn a_sweep_is_its_recipes() {
    let shell = Shell::with(&[]);
    let press = |keys: &str| shell.run_args(&["--keys", keys, "--size", "120x35", "--print"]).out;
    let screen = press("4vv<enter>X<c-u>sweep.tsv<enter>");
    assert!(screen.contains("72 rows written to sweep.tsv"), "{screen}");
    let rows = shell.read("sweep.tsv");
    assert!(rows.starts_with("recipe\tk\tpairs\tprecision\trecall\tf1\trecall_method\t"), "{rows}");
    // No recall without its method.
    let first = rows.lines().nth(1).unwrap_or_default();
    assert!(first.starts_with("words:1 ") && first.contains("\texact\t"), "{rows}");
}

#[test]
fn names_and_places_that_cannot_be_are_refused() {
    let shell = shell();
    let says = |keys: &str, problem: &str| {
        let screen = press(&shell, keys).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(screen.contains(problem), "{screen}");
    };
    says("X<c-u>near.json<enter>", "end the name with .txt (the screen)");
    says("X<c-u>~/near.txt<enter>", "~ stands for no folder here");
    says("X<c-u>no/such/near.txt<enter>", "no/such/near.txt: cannot be written");
    says("4vvX<c-u>sweep.tsv<enter>", "has no list of rows; end the name with .txt or .svg");
    // The corpus itself is never written over, whatever is pressed.
    let args = ["--keys", "X<c-u>all/1.txt<enter><enter>", "--size", "80x24", "--print", "all"];
    let folder = shell.path("all");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("1.txt"), "low tide").unwrap();
    let screen = shell.run_args(&args).out;
    assert!(screen.contains("all/1.txt: is an input of this run; name another"), "{screen}");
    assert_eq!(shell.read("all/1.txt"), "low tide");
    // Nor is anything that the next run would read, and no link makes a file elsewhere.
    let press = |name: &str| {
        let keys = format!("X<c-u>{name}<enter><enter>");
        shell.run_args(&["--keys", &keys, "--size", "80x24", "--print", "all"]).out
    };
    let screen = press("all/2.txt");
    assert!(screen.contains("is in an input folder, so the next run would read it"), "{screen}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("elsewhere.txt", shell.path("link.txt")).unwrap();
        let screen = press("link.txt");
        assert!(screen.contains("link.txt: a link that leads nowhere; name another"), "{screen}");
        assert!(!shell.path("elsewhere.txt").exists() && shell.path("link.txt").is_symlink());
    }
    assert!(!folder.join("2.txt").exists());
}
