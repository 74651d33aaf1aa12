//! Texts that recur in others, and are left out.

use super::shell::Shell;

const MENU: &str = "Home, products, prices and service, about us, contact, jobs, press, imprint, terms of use and \
                    privacy, cookies, sitemap, all rights reserved by the harbour of Quillhaven since 1871";

/// Two pages of one site on other things, and one text on two sites.
fn pages() -> Shell {
    let page = |id: &str, menu: &str, text: &str| {
        format!("{{\"id\":\"{id}\",\"text\":\"{menu}\\n{text}\"}}\n")
    };
    let [tide, crab] = ["the tide log of the night", "crabs of the eastern pool"];
    let other =
        "Start, shop, cart, help, returns, sizes, gift cards, our stores, newsletter, follow us";
    let rows = [page("a", MENU, tide), page("b", MENU, crab), page("c", other, tide)];
    Shell::with(&[("pages.jsonl", &rows.concat()), ("menus.txt", &format!("{MENU}\n\n{other}\n"))])
}

fn found(shell: &Shell, options: &str) -> Vec<String> {
    let rows = shell.run(&format!("pairs -q -k 12 -f tsv pages.jsonl {options}")).rows();
    let ids = rows.lines().skip(1).map(|row| row.split('\t').take(2).collect::<Vec<_>>().join(" "));
    ids.collect()
}

#[test]
fn what_templates_share_makes_no_pair() {
    let shell = pages();
    assert_eq!(found(&shell, ""), ["a b"]);
    assert_eq!(found(&shell, "--ignore menus.txt"), ["a c"]);
    // A drop is judged by whole texts.
    let dropped = shell.run("dedup -k 12 pages.jsonl --ignore menus.txt -f csv");
    assert!(dropped.err.contains("1 document spared"), "{}", dropped.err);
    shell.run("fingerprint pages.jsonl --ignore menus.txt -o prints.jsonl").rows();
    let line = shell.read("prints.jsonl.recipe");
    assert!(line.contains(" ignore=menus.txt#"), "{line}");
    let again = [
        "pairs",
        "-q",
        "-k",
        "12",
        "-f",
        "tsv",
        "pages.jsonl",
        "--recipe",
        line.lines().next().unwrap(),
    ];
    assert!(shell.run_args(&again).rows().contains("a\tc"));
    std::fs::write(shell.path("menus.txt"), "another menu").unwrap();
    let told = shell.run_args(&again).refused(2);
    assert!(told.contains("--ignore: menus.txt: its words are not those"), "{told}");
    let told = shell.run("pairs pages.jsonl --ignore none.txt").refused(2);
    assert!(told.contains("--ignore: none.txt: not found"), "{told}");
    let told = shell.run("pairs pages.jsonl --ignore menus.txt -o menus.txt").refused(2);
    assert!(told.contains("menus.txt"), "{told}");
}

#[test]
fn lines_that_are_left_out_are_pale() {
    let shell = pages();
    let pale = |options: &[&str]| {
        let args =
            [&["pages.jsonl", "--fresh", "--size", "120x35", "--print=svg"], options].concat();
        let picture = shell.run_args(&args).out;
        let words = picture.lines().filter(|line| line.ends_with(">prices</text>"));
        let fill = |line: &str| line.split("fill=\"").nth(1).map(|it| it[..7].to_owned());
        words.map(fill).collect::<Vec<_>>()
    };
    let [usual, ignored] = [pale(&[]), pale(&["--ignore", "menus.txt"])];
    // A row of the list and the text itself.
    assert!(usual.iter().all(|it| *it == usual[0]), "{usual:?}");
    assert!(ignored.last() != Some(&ignored[0]), "{ignored:?}");
}
