//! Where rows go: files, pipes, closed pipes; and where they come from.

use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use super::shell::{BITS, Shell};

#[test]
fn a_file_appears_when_it_is_complete() {
    let shell = Shell::with(&[("bits.jsonl", BITS), ("bits.jsonl.recipe", "bits=8\n")]);
    let done = shell.run("pairs bits.jsonl --bits 8 -k 1 -f csv -o pairs.csv");
    assert_eq!((done.code, done.out.as_str()), (0, ""));
    assert_eq!(shell.read("pairs.csv"), "a,b,distance\na,b,0\na,c,1\nb,c,1\nd,e,1\n");
    // A run that fails leaves what was there, and nothing beside it.
    shell.run("pairs missing.jsonl -f csv -o pairs.csv").refused(2);
    assert!(shell.read("pairs.csv").starts_with("a,b,distance\na,b,0"));
    let n_files = std::fs::read_dir(shell.path(".")).unwrap().count();
    assert_eq!(n_files, 4);
    // The recipe travels with the rows, and is one that can be given again.
    let recipe = shell.read("pairs.csv.recipe");
    assert_eq!(recipe.trim_end().parse::<simscope::simhash::Recipe>().unwrap().bits, 8);
    // Below it stands how the rows were made.
    let version = concat!("# simscope ", env!("CARGO_PKG_VERSION"));
    let time = shell.path("bits.jsonl").metadata().unwrap().modified().unwrap();
    let time = time.duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let size = format!("# input: bits.jsonl, {} bytes, changed @{time}", BITS.len());
    let below: Vec<&str> = recipe.lines().skip(1).collect();
    let expected = [
        version,
        "# command: simscope pairs bits.jsonl --bits 8 -k 1 -f csv -o pairs.csv",
        "# k: 1",
        &size,
    ];
    assert_eq!(below[..4], expected);
    assert!(below.contains(&"# 4 pairs within 1 among 6 of 7 documents, 2 groups"), "{recipe}");
    assert_eq!(below.last(), Some(&"# exit status: 0"));
}

#[test]
fn what_stands_where_the_recipe_would_go_is_left_alone() {
    let shell = Shell::with(&[
        ("bits.jsonl", BITS),
        ("bits.jsonl.recipe", "bits=8\n"),
        ("out.csv.recipe", "two eggs, flour\n"),
    ]);
    let err = shell.run("pairs bits.jsonl --bits 8 -k 1 -f csv -o out.csv").refused(2);
    assert!(err.contains("out.csv.recipe: exists and is not a recipe"), "{err}");
    assert_eq!(shell.read("out.csv.recipe"), "two eggs, flour\n");
    // One of an earlier run makes room for the next; one that is read never does.
    std::fs::write(shell.path("out.csv.recipe"), "words:2\n").unwrap();
    assert_eq!(shell.run("pairs bits.jsonl --bits 8 -k 1 -f csv -o out.csv").code, 0);
    assert!(shell.read("out.csv.recipe").starts_with("words:3 log-tf"));
    assert_eq!(shell.run("pairs bits.jsonl --bits 8 -k 1 -f csv -o out.csv").code, 0);
    let err = shell.run("pairs out.csv.recipe --bits 8 -o out.csv").refused(2);
    assert!(err.contains("is an input of this run"), "{err}");
}

/// The rows are the first of all; those left out are counted, on standard error and beside the rows.
#[test]
fn pairs_can_be_cut_and_the_cut_is_told() {
    let crowd: String = "{\"text\":\"the tide\"}\n".repeat(40);
    let shell = Shell::with(&[("crowd.jsonl", &crowd), ("bits.jsonl", BITS)]);
    for (options, n_all) in
        [("crowd.jsonl", 780), ("crowd.jsonl --cosine", 780), ("bits.jsonl --bits 8", 4)]
    {
        let all = shell.run(&format!("pairs -k 1 -f tsv {options}")).rows();
        assert_eq!(all.lines().count(), n_all + 1);
        for most in [0, 1, 3] {
            let line = format!("pairs -q -k 1 -f tsv {options} --max-pairs {most} -o cut.tsv");
            let done = shell.run(&line);
            let rows: String =
                all.lines().take(most + 1).map(|row| row.to_owned() + "\n").collect();
            assert_eq!((done.code, shell.read("cut.tsv")), (1, rows), "{options} {most}");
            let n = n_all - most;
            let pairs = if n == 1 { "pair" } else { "pairs" };
            let told = format!(
                "the rows end after {most}, because of --max-pairs; {n} {pairs} within 1 left out"
            );
            assert!(done.err.contains(&format!("warning: {told}\n")), "{}", done.err);
            let recipe = shell.read("cut.tsv.recipe");
            assert!(recipe.contains(&format!("# {told}\n# exit status: 1\n")), "{recipe}");
        }
        let enough = shell.run(&format!("pairs -k 1 -f tsv {options} --max-pairs {n_all}"));
        assert_eq!((enough.code, enough.out), (0, all));
    }
    // Those that have too small a cosine are looked at, and are not left out by the cut.
    let done = shell.run("pairs -k 1 -f tsv --min-cosine 0.5 --max-pairs 100 crowd.jsonl");
    assert_eq!(done.code, 1);
    assert!(done.err.contains("end after 100, because of --max-pairs; 680 pairs"), "{}", done.err);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_written_is_left_alone_and_a_mode_is_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let shell = Shell::with(&[("bits.jsonl", BITS), ("old.csv", "old")]);
    let set = |mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(shell.path("old.csv"), mode).unwrap();
    };
    set(0o444);
    let err = shell.run("pairs bits.jsonl --bits 8 -k 1 -o old.csv").refused(2);
    assert!(err.contains("read-only; give -o another file"), "{err}");
    assert_eq!(shell.read("old.csv"), "old");
    set(0o640);
    assert_eq!(shell.run("pairs bits.jsonl --bits 8 -k 1 -o old.csv").code, 0);
    let mode = std::fs::metadata(shell.path("old.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn what_is_read_is_never_written() {
    let shell = Shell::with(&[("bits.jsonl", BITS), ("stop.txt", "the\n")]);
    shell.run("fingerprint --document-frequencies -o df.tsv").rows();
    for line in [
        "pairs bits.jsonl --bits 8 -o bits.jsonl",
        "pairs bits.jsonl --bits 8 -o ./bits.jsonl",
        "pairs . -o bits.jsonl",
        "pairs --stop-words stop.txt -o stop.txt",
        "pairs --recipe stop=stop.txt -o stop.txt",
        "query --text-file stop.txt -o stop.txt",
        "pairs --weights tf-idf --frequencies df.tsv -o df.tsv",
    ] {
        let err = shell.run(line).refused(2);
        assert!(err.contains("is an input of this run; give -o another file"), "{line}\n{err}");
    }
    assert_eq!(shell.read("bits.jsonl"), BITS);
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    use std::os::unix::fs::FileTypeExt as _;
    let shell = Shell::with(&[("bits.jsonl", BITS), ("real.csv", "")]);
    std::os::unix::fs::symlink("real.csv", shell.path("link.csv")).unwrap();
    shell.run("pairs bits.jsonl --bits 8 -k 1 -f csv -o link.csv").rows();
    assert!(shell.path("link.csv").symlink_metadata().unwrap().is_symlink());
    assert!(shell.read("real.csv").starts_with("a,b,distance\n"));
    shell.run("pairs bits.jsonl --bits 8 -k 1 -f csv -o /dev/null").rows();
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[cfg(target_os = "linux")]
#[test]
fn a_link_to_a_pipe_or_to_an_open_file_takes_rows() {
    let shell = Shell::with(&[("bits.jsonl", BITS), ("bits.jsonl.recipe", "bits=8\n")]);
    let line = "pairs bits.jsonl --bits 8 -k 1 -f csv";
    let rows = shell.run(line).rows();
    assert_eq!(shell.run(&format!("{line} -o /dev/stdout")).rows(), rows);
    let script = format!("exec {} {line} -o /dev/fd/3 3> rows.csv", env!("CARGO_BIN_EXE_simscope"));
    let output = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(shell.path(""))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(shell.read("rows.csv"), rows);
    assert!(shell.read("rows.csv.recipe").starts_with("words:3"));
}

#[test]
fn standard_input_is_a_path_called_minus() {
    let shell = Shell::with(&[]);
    let args = [
        "query",
        "--bits",
        "8",
        "-k",
        "1",
        "--id",
        "a",
        "-f",
        "csv",
        "-",
        "--input-format",
        "jsonl",
    ];
    assert_eq!(shell.run_with(&args, BITS).rows(), "id,distance\nb,0\nc,1\n");
    let done = shell.run_with(&["fingerprint", "-", "-f", "csv"], "one two\nthree four\n");
    let ids: Vec<&str> =
        done.out.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(ids, ["-:1", "-:2"]);
}

/// Reads one line of a command's output and closes the pipe; the exit code and the messages.
fn close_early(shell: &Shell, line: &str) -> (i32, String) {
    let mut command = shell.command();
    command
        .args(line.split(' '))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut out = BufReader::with_capacity(64, child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let mut messages = String::new();
    child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    (child.wait().unwrap().code().unwrap(), messages)
}

#[test]
fn a_closed_pipe_is_success() {
    // Thousands of copies: millions of pairs, far more than any buffer holds.
    let copy = |n: u32| format!("{{\"id\":\"{n}\",\"fingerprint\":\"00\"}}");
    let copies = (0..3000).map(copy).collect::<Vec<_>>().join("\n");
    let shell = Shell::with(&[("copies.jsonl", &copies)]);
    for format in ["jsonl", "csv", "tsv", "table"] {
        for command in ["pairs", "groups", "fingerprint", "query --id 7"] {
            let line = format!("{command} copies.jsonl --bits 8 --quiet -f {format}");
            assert_eq!(close_early(&shell, &line), (0, String::new()), "{line}");
        }
    }
    for line in ["completions bash", "man", "--help"] {
        assert_eq!(close_early(&shell, line), (0, String::new()), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let shell = Shell::with(&[]);
    let err = shell.run("pairs --quiet -o /dev/full").refused(2);
    assert_eq!(err, "error: /dev/full: cannot be written: no space left on device\n");
}

/// A run without rows leaves no rows of the run before.
#[test]
fn a_file_without_rows_is_empty() {
    let shell = Shell::with(&[("a.txt", "one two three four"), ("old", "OLD\n"), ("d", "OLD\n")]);
    for command in ["pairs", "groups", "groups --summary", "query --text four", "dedup"] {
        std::fs::write(shell.path("old"), "OLD\n").unwrap();
        assert_eq!(shell.run(&format!("{command} -q -o old a.txt")).code, 0, "{command}");
        assert!(!shell.read("old").contains("OLD"), "{command}");
    }
    shell.run("dedup -q --dropped d a.txt");
    assert_eq!(shell.read("d"), "");
}

/// Rows are packed as the name of their file says, and are read as what they were.
#[test]
fn rows_are_packed_by_the_name_of_their_file() {
    let shell = Shell::with(&[("t.jsonl", include_str!("../../assets/sample.jsonl"))]);
    assert_eq!(shell.run("fingerprint -q -o f.jsonl t.jsonl").code, 0);
    let plain = shell.read("f.jsonl");
    let expected = shell.run("fingerprint -q f.jsonl").rows();
    for (name, magic) in [("f.gz", &[0x1f, 0x8b][..]), ("f.jsonl.zst", &[0x28, 0xb5, 0x2f, 0xfd])] {
        assert_eq!(shell.run(&format!("fingerprint -q -o {name} t.jsonl")).code, 0);
        let packed = std::fs::read(shell.path(name)).unwrap();
        assert!(packed.starts_with(magic) && packed.len() < plain.len(), "{name}");
        assert_eq!(shell.run(&format!("fingerprint -q {name}")).rows(), expected, "{name}");
    }
    shell.run("dedup -q --dropped d.gz t.jsonl");
    assert!(std::fs::read(shell.path("d.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
    // No rows are a packed file of nothing.
    std::fs::write(shell.path("a.txt"), "one two three").unwrap();
    shell.run("pairs -q -o none.gz a.txt");
    assert!(std::fs::read(shell.path("none.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
}

/// Of wide characters under a box nothing shows, and the box says what such texts are made of.
#[test]
fn the_recipe_of_texts_in_han_stands_alone_and_is_explained() {
    let row = |n| {
        let row =
            serde_json::json!({"title": "帝京篇十首", "text": format!("秦川雄帝宅函谷壯皇居{n}")});
        row.to_string() + "\n"
    };
    let rows = (0..30).map(row).collect::<Vec<_>>().concat();
    let shell = Shell::with(&[("poems.jsonl", &rows)]);
    let screen = shell.run_args(&["--print", "--size", "100x30", "poems.jsonl"]).out;
    assert!(screen.contains("are Han, where each character counts as a word"), "{screen}");
    let screen = shell.run_args(&["--keys", "r", "--print", "--size", "100x30", "poems.jsonl"]).out;
    let field = |name: &str| screen.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(screen.contains("words:3 is 3 characters"), "{screen}");
    for name in ["tokens in one", "weights", "stop words"] {
        assert!(!field(name).contains(['帝', '京', '篇', '十', '首']), "{screen}");
    }
}

#[test]
fn a_screen_as_text_marks_changed_words_whatever_the_theme() {
    let shell = Shell::with(&[]);
    for look in ["--theme=light", "--theme=dark", "--glyphs=ascii"] {
        let args = ["--keys", "<tab><enter>jjjj", "--size", "100x30", look, "--print"];
        let screen = shell.run_args(&args).out;
        assert!(screen.contains("[shouting]") && screen.contains("[waving]"), "{look}: {screen}");
    }
    let screen = shell.run_args(&["--size", "80x24", "--glyphs=ascii", "--print"]).out;
    assert!(screen.is_ascii() && screen.contains("bits apart"), "{screen}");
}
