//! The help as it is printed, and what is made from the same definitions.

use super::shell::Shell;

#[test]
fn help_reads_well() {
    let shell = Shell::with(&[]);
    insta::assert_snapshot!("help_short", shell.run("-h").rows());
    insta::assert_snapshot!("help_query", shell.run("query --help").rows());
    insta::assert_snapshot!("help_groups", shell.run("groups --help").rows());
    insta::assert_snapshot!("help_tune", shell.run("tune --help").rows());
    insta::assert_snapshot!("help_compare", shell.run("compare --help").rows());
    insta::assert_snapshot!("help_report", shell.run("report --help").rows());
    insta::assert_snapshot!("help_sweep", shell.run("sweep --help").rows());
}

/// The program's own help fits a screen or two, and a command's first help is about that command.
#[test]
fn the_first_help_is_short() {
    let shell = Shell::with(&[]);
    let whole = shell.run("--help").rows();
    assert!(whole.lines().count() <= 60, "{} lines\n{whole}", whole.lines().count());
    assert_eq!(whole, shell.run("-h").rows());
    let list = whole.split_once("Commands:\n").unwrap().1.lines();
    let commands = list.map_while(|line| line.split_whitespace().next());
    let is_option = |line: &&str| line.starts_with("  -") || line.starts_with("      --");
    for command in commands.chain(["cluster plan", "cluster open"]) {
        let first = shell.run(&format!("{command} -h")).rows();
        let n = first.lines().filter(is_option).count();
        assert!((1..=25).contains(&n), "{command}: {n} options\n{first}");
        assert!(first.ends_with("of recipe, reading, search and output, too.\n"), "{first}");
        let all = shell.run(&format!("{command} --help")).rows();
        assert!(all.contains("--max-spool") && !first.contains("--max-spool"), "{all}");
    }
}

#[test]
fn completions_and_the_manual_know_every_command() {
    let shell = Shell::with(&[]);
    for line in ["completions bash", "completions zsh", "completions fish", "man"] {
        let out = shell.run(line).rows();
        for word in [
            "fingerprint",
            "query",
            "pairs",
            "groups",
            "tune",
            "explain",
            "measure",
            "sweep",
            "compare",
            "report",
            "recipe",
            "text-file",
        ] {
            // The manual writes a hyphen as `\-`, and its titles in capitals.
            assert!(out.replace('\\', "").to_lowercase().contains(word), "{line}: {word}");
        }
    }
}

#[test]
fn the_man_page_has_the_usual_sections_and_names_no_other_page() {
    let page = Shell::with(&[]).run("man").rows().replace('\\', "");
    for section in ["NAME", "SYNOPSIS", "KEYS", "FILES", "ENVIRONMENT", "EXAMPLES", "EXIT STATUS"] {
        let quoted = [format!("\n.SH {section}\n"), format!("\n.SH \"{section}\"\n")];
        assert!(quoted.iter().any(|head| page.contains(head)), "{section}\n{page}");
    }
    assert!(!page.contains("EXTRA") && !page.contains("-fingerprint(1)"), "{page}");
    let examples = page.split(".SH EXAMPLES").nth(1).unwrap();
    assert!(
        examples.contains("\nzcat crawl.gz | simscope pairs -") && page.contains("j<down>"),
        "{page}"
    );
}

#[test]
fn the_version_is_the_packages() {
    let out = Shell::with(&[]).run("--version").rows();
    assert_eq!(out, format!("simscope {}\n", env!("CARGO_PKG_VERSION")));
}
