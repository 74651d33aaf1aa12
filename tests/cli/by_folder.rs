//! `groups --by-folder`: how much of a folder another one has, counted again from the rows of `groups`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::shell::Shell;

const TEXTS: [&str; 4] = [
    "the tide log of the harbour wall as it was kept by hester tench",
    "a recipe for bread that needs flour, water, salt and a warm place",
    "seven lists of birds, seen from the lighthouse in a single winter",
    "the minutes of the parish council, signed and read to all present",
];

#[test]
fn a_copied_folder_is_contained_in_the_whole_one() {
    let shell = Shell::with(&[]);
    let write = |name: &str, text: &str| {
        fs::create_dir_all(shell.path(name).parent().unwrap()).unwrap();
        fs::write(shell.path(name), text).unwrap();
    };
    for (at, text) in TEXTS.iter().enumerate() {
        write(&format!("c/all/deep/{at}.txt"), text);
    }
    write("c/part/0.txt", TEXTS[0]);
    write("c/part/1.txt", TEXTS[1]);
    write("c/part/own.txt", "something that only this folder has, and nobody else");
    write("c/copy/0.txt", TEXTS[0]);
    let done = shell.run("groups --by-folder -f csv c");
    assert_eq!(done.code, 0, "{}", done.err);
    let rows: Vec<&str> = done.out.lines().collect();
    assert_eq!(
        rows,
        [
            "folder,documents,other,near,share",
            "c/copy,1,c/all/deep,1,1.0000",
            "c/copy,1,c/part,1,1.0000",
            "c/part,3,c/all/deep,2,0.6666",
            "c/all/deep,4,c/part,2,0.5000",
            "c/part,3,c/copy,1,0.3333",
            "c/all/deep,4,c/copy,1,0.2500",
        ]
    );
    assert!(done.err.contains("1 of 3 folders contained in another one"), "{}", done.err);
}

#[test]
fn a_file_of_rows_is_a_unit_and_the_counts_are_those_of_the_groups() {
    let mut rows = [String::new(), String::new(), String::new()];
    for (file, rows) in rows.iter_mut().enumerate() {
        for at in 0..40 {
            // Two of three files share every other text.
            let is_shared = at % 2 == 0 && (file + at) % 3 != 2;
            let theme = if is_shared { at } else { 1000 * (file + 1) + at };
            let text: Vec<String> = (0..30).map(|word| format!("w{theme}x{word}")).collect();
            *rows += &format!("{{\"id\": \"{file}-{at}\", \"text\": \"{}\"}}\n", text.join(" "));
        }
    }
    let names = ["0.jsonl", "1.jsonl", "2.jsonl"];
    let shell = Shell::with(&[0, 1, 2].map(|file| (names[file], &*rows[file])));
    let groups = shell.run("groups -f csv 0.jsonl 1.jsonl 2.jsonl");
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in groups.out.lines().skip(1) {
        let (group, rest) = row.split_once(',').unwrap();
        files.entry(group).or_default().push(&rest[..1]);
    }
    let mut expected = BTreeSet::new();
    for file in ["0", "1", "2"] {
        for other in ["0", "1", "2"] {
            let in_both = files.values().filter(|it| file != other && it.contains(&other));
            let near = in_both.flatten().filter(|it| **it == file).count();
            if near > 0 {
                expected.insert(format!("{file}.jsonl,40,{other}.jsonl,{near}"));
            }
        }
    }
    let done = shell.run(&format!("groups --by-folder -f csv {}", names.join(" ")));
    let told = |row: &str| row.rsplit_once(',').unwrap().0.to_owned();
    assert_eq!(done.out.lines().skip(1).map(told).collect::<BTreeSet<_>>(), expected);
    assert_eq!(expected.len(), 6);
}

#[test]
fn it_stands_alone() {
    let shell = Shell::with(&[]);
    assert_eq!(shell.run("groups --by-folder --summary").code, 2);
}
