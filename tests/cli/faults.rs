//! Faults around the program: locks, full disks and pipes, names, threads, odd arguments.

use std::fs;

use super::shell::{BITS, Shell};

fn shell() -> Shell {
    Shell::with(&[
        ("bits.jsonl", BITS),
        ("good.jsonl", "{\"id\":\"x\",\"text\":\"one two three\"}\n"),
    ])
}

/// Fingerprints that differ in the same so many bits, all of them.
fn cube(bits: u32) -> String {
    let row = |n: u64| format!("d{n},{:016x}\n", 0xabcd_ef01_2340_0000_u64 ^ n);
    (0..1_u64 << bits).map(row).collect::<Vec<_>>().concat()
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_is_killed_leaves_no_file_behind() {
    let shell = shell();
    // 2^13 fingerprints near each other: more rows than are written while the test looks.
    let rows = cube(13);
    fs::write(shell.path("cube.csv"), format!("id,fingerprint\n{rows}")).unwrap();
    fs::write(shell.path("out.csv"), "before").unwrap();
    let names = || {
        let names = fs::read_dir(shell.path("")).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    for signal in ["INT", "TERM", "KILL"] {
        let mut command = shell.command();
        command.args(["pairs", "-k", "6", "-f", "csv", "-o", "out.csv", "cube.csv"]);
        let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
        // It writes when its file is open: a file without a name.
        let id = child.id().to_string();
        let opened = || {
            let links = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten();
            let mut links = links.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
            links.any(|link| link.to_string_lossy().contains("(deleted)"))
        };
        while !opened() {
            assert!(child.try_wait().unwrap().is_none(), "ended too early");
            std::thread::yield_now();
        }
        let kill = std::process::Command::new("kill").args(["-s", signal, &id]).status();
        assert!(kill.unwrap().success());
        assert!(!child.wait().unwrap().success());
        assert_eq!(
            (names(), shell.read("out.csv")),
            (before.clone(), "before".to_owned()),
            "{signal}"
        );
    }
}

#[test]
fn names_that_cannot_be_written_to_are_refused_before_anything_is() {
    let shell = shell();
    let long = "n".repeat(250);
    fs::write(shell.path(&long), "before").unwrap();
    let err = shell.run(&format!("fingerprint bits.jsonl -o {long}")).refused(2);
    assert!(err.contains("the name is too long for the recipe beside the rows"), "{err}");
    assert_eq!(shell.read(&long), "before");
    fs::create_dir(shell.path("folder")).unwrap();
    fs::write(shell.path("folder/a.txt"), "one").unwrap();
    for _ in 0..2 {
        let err = shell.run("fingerprint folder -o folder/out.jsonl").refused(2);
        assert!(
            err.contains("folder/out.jsonl: is in an input folder, so the next run would read it"),
            "{err}"
        );
    }
    #[cfg(unix)]
    for (link, to) in [("dangling", "nowhere"), ("loop", "loop")] {
        std::os::unix::fs::symlink(to, shell.path(link)).unwrap();
        for corpus in ["good.jsonl", ""] {
            let err = shell.run(&format!("fingerprint {corpus} -o {link}")).refused(2);
            assert!(err.contains(&format!("{link}: a link that leads nowhere")), "{err}");
        }
        assert!(shell.path(link).is_symlink());
    }
    // As everywhere.
    let rows = shell.run("fingerprint good.jsonl -o -").rows();
    assert!(rows.starts_with("{\"id\":\"x\"") && !shell.path("-").exists(), "{rows}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_takes_no_file_is_named_and_not_the_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let shell = shell();
    fs::create_dir(shell.path("sealed")).unwrap();
    fs::write(shell.path("sealed/out.jsonl"), "").unwrap();
    fs::set_permissions(shell.path("sealed"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(shell.path("sealed/probe"), "").is_ok() {
        eprintln!("skipped: this user writes everywhere");
        return;
    }
    let err = shell.run("fingerprint good.jsonl -o sealed/out.jsonl").refused(2);
    assert!(err.contains("cannot create a file in its folder: permission denied"), "{err}");
}

#[test]
fn a_lock_on_the_labels_is_waited_for_and_then_told() {
    let shell = shell();
    fs::write(shell.path("truth.csv"), "id1,id2,label\na,b,yes\n").unwrap();
    fs::write(
        shell.path("two.jsonl"),
        "{\"id\":\"a\",\"text\":\"x y\"}\n{\"id\":\"b\",\"text\":\"x z\"}\n",
    )
    .unwrap();
    let locked = fs::File::create(shell.path("labels.jsonl")).unwrap();
    locked.lock().unwrap();
    let line = "labels --labels labels.jsonl --import truth.csv two.jsonl";
    let err = shell.run(line).refused(2);
    assert!(err.contains("labels.jsonl: another program keeps it locked"), "{err}");
    assert_eq!(shell.read("labels.jsonl"), "");
    drop(locked);
    assert_eq!(shell.run(line).code, 0);
    assert_eq!(shell.run("labels --labels labels.jsonl -f csv").rows().lines().count(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_half_label() {
    let shell = shell();
    fs::write(shell.path("truth.csv"), "id1,id2,label\na,b,yes\n").unwrap();
    fs::write(
        shell.path("two.jsonl"),
        "{\"id\":\"a\",\"text\":\"x y\"}\n{\"id\":\"b\",\"text\":\"x z\"}\n",
    )
    .unwrap();
    let line = "labels --labels labels.jsonl --import truth.csv two.jsonl";
    assert_eq!(shell.run(line).code, 0);
    let whole = shell.read("labels.jsonl");
    fs::write(shell.path("truth.csv"), "id1,id2,label\na,a,yes\n").unwrap();
    // A file may grow to 1024 bytes and no further; the signal that says so is ignored.
    let filled = whole.repeat(1 + 1023 / whole.len());
    let filled = filled[..1023 - whole.len() / 2].rsplit_once('\n').unwrap().0.to_owned() + "\n";
    fs::write(shell.path("labels.jsonl"), &filled).unwrap();
    let script =
        format!("trap '' XFSZ; ulimit -f 1; exec {} {line}", env!("CARGO_BIN_EXE_simscope"));
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(shell.path(""))
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert_eq!(shell.read("labels.jsonl"), filled, "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_is_no_panic() {
    let shell = Shell::with(&[("empty.jsonl", "")]);
    for line in ["--print empty.jsonl", "pairs empty.jsonl", "pairs --nonsense"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = shell.command();
        let status = command.args(line.split_whitespace()).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(2), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let shell = Shell::with(&[]);
    for line in ["--help", "--version", "pairs --help", "help recipe"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = shell.command();
        let output = command.args(line.split_whitespace()).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.to_lowercase().contains("no space left"), "{line}: {err}");
    }
}

/// One letter of three bytes becomes 18 letters of 33 bytes.
#[test]
fn a_text_that_grows_under_nfkc_is_a_document_without_a_fingerprint() {
    let shell = Shell::with(&[("small.txt", "one two three four")]);
    fs::write(shell.path("grows.txt"), "\u{fdfa}".repeat(2_100_000)).unwrap();
    let done = shell.run("fingerprint --norm nfkc -f csv grows.txt small.txt");
    assert_eq!((done.code, done.out.lines().count()), (1, 3), "{}", done.err);
    let told = "its text grows beyond 64 MiB in the normal form nfkc; use another --norm";
    assert!(done.err.contains(told), "{}", done.err);
    assert!(done.err.contains("note: 1 of 2 documents fingerprinted"), "{}", done.err);
    let done = shell.run("pairs --norm nfkc grows.txt small.txt");
    assert!(done.err.contains("note: 0 pairs within 3 among 1 of 2 documents"), "{}", done.err);
}

#[test]
fn the_number_of_threads_is_that_of_the_option_or_of_the_machine() {
    let shell = Shell::with(&[("two.jsonl", "{\"text\":\"a b c\"}\n{\"text\":\"a b d\"}\n")]);
    let mut command = shell.command();
    let status = command.args(["pairs", "two.jsonl"]).env("RAYON_NUM_THREADS", "20000").status();
    assert_eq!(status.unwrap().code(), Some(0));
}

#[test]
fn a_printed_screen_of_less_than_all_names_what_is_missing() {
    let shell = Shell::with(&[("half.jsonl", "{\"text\":\"one two three\"}\nnot JSON\n")]);
    let done = shell.run("--print half.jsonl");
    assert_eq!(done.code, 1);
    assert!(done.out.contains("1 text ") && done.out.contains("1 problem"), "{}", done.out);
    assert!(done.err.starts_with("half.jsonl:2: broken JSON"), "{}", done.err);
}

#[test]
fn keys_that_begin_with_a_minus_are_keys() {
    let shell = shell();
    let done = shell.run_args(&["--print", "--keys", "-j"]);
    assert_eq!(done.code, 0, "{}", done.err);
}

#[test]
fn braces_nested_deep_are_no_panic() {
    let shell = shell();
    for command in ["fingerprint", "--print"] {
        let glob = format!("{}a{}", "{".repeat(300), "}".repeat(300));
        let done = shell.run_args(&[command, "--glob", &glob, "."]);
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains("error: --glob \"{{{"), "{}", done.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn where_no_threads_are_to_be_had_that_is_said() {
    let shell = shell();
    for line in ["pairs", "--print"] {
        // No system has a stack of a hundred terabytes to give to a thread.
        let mut command = shell.command();
        command.args([line, "good.jsonl"]).env("RUST_MIN_STACK", "100000000000000");
        let output = command.output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("error: the system gives no more threads"), "{err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_utf8_may_stand_second() {
    use std::os::unix::ffi::OsStrExt as _;
    let shell = shell();
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.jsonl");
    fs::copy(shell.path("good.jsonl"), shell.path("").join(name)).unwrap();
    let mut command = shell.command();
    let output = command.args(["explain", "x"]).arg(name).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_no_file_of_labels_is_called_so() {
    let shell = shell();
    fs::create_dir(shell.path("folder")).unwrap();
    let err = shell.run("labels --labels folder").refused(2);
    assert!(err.contains("folder: not a regular file, so it cannot hold labels"), "{err}");
}

#[test]
fn copies_are_paired_once_and_all_of_them_are_counted() {
    let rows = "{\"text\":\"the same five words here\"}\n".repeat(40);
    let shell = Shell::with(&[("equal.jsonl", &rows)]);
    let done = shell.run("check --disagreements equal.jsonl");
    let expected = "within k = 3: 39 (780 with every pair of equal fingerprints)";
    assert!(done.err.contains(expected), "{}", done.err);
}

#[test]
fn arguments_are_repeated_without_what_a_terminal_obeys() {
    let done = shell().run_args(&["pairs", "--\u{1b}]0;title\u{7}", "\u{202e}"]);
    assert_eq!(done.code, 2);
    assert!(!done.err.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{:?}", done.err);
    assert!(done.err.contains("unexpected argument"), "{:?}", done.err);
    let done = shell().run_args(&["pairs", "--recipe", "words:3 \u{1b}[31m"]);
    assert!(done.code == 2 && !done.err.contains('\u{1b}'), "{:?}", done.err);
}

#[test]
fn pairs_that_bands_bring_are_passed_on_and_grouped_as_by_any_layout() {
    // All 2^12 corners of a cube: every two of them share the upper bands.
    let rows = cube(12);
    let shell = Shell::with(&[("cube.csv", &format!("id,fingerprint\n{rows}"))]);
    for command in ["groups -f csv", "groups --linkage complete -k 1 -f csv", "pairs -k 2 -f csv"] {
        let by_plan = shell.run(&format!("{command} cube.csv")).rows();
        assert_eq!(shell.run(&format!("{command} --bands 4x16 cube.csv")).rows(), by_plan);
    }
}
