//! Journeys through the real program on a real pseudo-terminal.

mod ground;
mod harness;
mod journeys;
mod programs;

#[cfg(target_os = "linux")]
use std::fs;
use std::io::Write;

use harness::{PROGRAM, Pty, eventually, mode};
use portable_pty::CommandBuilder;

#[test]
fn documents_show_and_the_cursor_moves() {
    let mut pty = Pty::open(&[]);
    pty.shows("can go");
    pty.keys("\t");
    pty.shows("tide-log-twenty");
    pty.selects("tide-log ");
    pty.keys("j");
    pty.selects("tide-log-copy");
    pty.keys("\x1b[B");
    pty.selects("tide-log-twenty");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn near_and_back() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("\t");
    pty.shows("all texts");
    pty.keys("\r");
    pty.shows("neighbours of tide-log");
    pty.keys("\x1b");
    pty.shows("[1 Docs]");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn why_a_bit_and_why_a_pair() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("b");
    pty.shows("bit 63 is 0: V = ");
    pty.keys("w");
    pty.shows("flips with chance");
    pty.keys("\r");
    pty.shows("neighbours of tide-log");
    pty.shows("Outcome: tide-log-copy goes");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn what_misleads_and_what_disagrees() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("5");
    pty.shows("too short");
    pty.shows("near: 2 of 25 pairs compared disagree");
    pty.keys("\r\r");
    pty.shows("Outcome: both go; tide-log stays for them.");
    pty.keys("\x1b");
    pty.shows("[5 Check]");
    pty.keys("\x1b");
    pty.shows("what misleads here");
    pty.keys("1");
    pty.keys("fis:flagged\r");
    pty.shows("is:flagged (21)");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn the_mouse_selects_and_scrolls_until_it_is_given_back() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("\t");
    pty.shows("all texts");
    pty.settles();
    pty.keys("\x1b[<0;10;7M\x1b[<0;10;7m");
    pty.selects("tide-log-copy");
    pty.keys("\x1b[<65;10;5M");
    pty.selects("tide-log-waving");
    pty.keys("M");
    pty.shows("mouse off");
    pty.wait("no mouse", |screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None);
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn any_size_is_drawn() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.resize(160, 50);
    pty.wait("the lowest row of 50", |screen| row(screen, 49).contains("quit"));
    pty.resize(40, 12);
    pty.wait("the lowest row of 12", |screen| row(screen, 11).contains("quit"));
    pty.resize(10, 3);
    pty.wait("the notice", |screen| row(screen, 1).contains("40x10"));
    pty.resize(80, 24);
    pty.selects("tide-log ");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn control_c_leaves_when_nothing_runs() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    // Groups show before the last search ends, and that is what ^C would stop.
    std::thread::sleep(std::time::Duration::from_secs(1));
    pty.keys("\x03");
    pty.shows("press ^C again to leave");
    pty.keys("\x03");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn the_screen_is_there_while_the_corpus_is_still_to_come() {
    let mut command = CommandBuilder::new("sh");
    // A pipe that the program itself holds open: nothing ever comes, and it never ends.
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    command.args(["-c", &format!("mkfifo {0} && exec {PROGRAM} - <>{0}", pipe.display())]);
    let mut pty = Pty::run(command, &[]);
    pty.shows("[1 Docs]");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn documents_before_a_silence_are_shown_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let (pipe, rows) = (folder.path().join("pipe"), folder.path().join("rows.jsonl"));
    // More than the first batch, less than two.
    let lines: Vec<String> = (0..200).map(|n| format!("{{\"text\":\"document {n}\"}}\n")).collect();
    std::fs::write(&rows, lines.concat()).unwrap();
    let mut command = CommandBuilder::new("sh");
    let (pipe, rows) = (pipe.display(), rows.display());
    command.args([
        "-c",
        &format!("mkfifo {pipe} && exec 3<>{pipe} && cat {rows} >&3 && exec {PROGRAM} - <&3"),
    ]);
    let mut pty = Pty::run(command, &[("NO_COLOR", "1")]);
    pty.shows("200 texts so far");
    pty.keys("\x03");
    pty.shows("only the 200 documents so far are used");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn a_corpus_on_standard_input_leaves_the_keys_to_the_terminal() {
    let corpus = "one document\nanother document\nanother document\n";
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", &format!("printf '{}' | {PROGRAM} -", corpus.replace('\n', "\\n"))]);
    let mut pty = Pty::run(command, &[("NO_COLOR", "1")]);
    pty.shows("3 texts");
    pty.keys("j");
    pty.wait("the second row", |screen| screen.contents().contains("another document"));
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn nothing_to_read_is_told_after_the_terminal_is_given_back() {
    let pty = Pty::open(&["no/such/corpus"]);
    let ended = pty.ends();
    assert_eq!(ended.status, 2);
    assert!(ended.screen.contains("no/such/corpus"), "{}", ended.screen);
}

#[test]
fn a_signal_leaves_a_sane_terminal() {
    for (name, number) in [("TERM", 15), ("HUP", 1), ("INT", 2)] {
        let pty = Pty::open(&[]);
        pty.settles();
        pty.signal(name);
        assert_eq!(pty.ends().status, 128 + number, "{name}");
    }
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_leaves_a_sane_terminal_and_says_why() {
    let mut pty = Pty::open_with(&[], &[("SIMSCOPE_PANIC", "loop"), ("RUST_BACKTRACE", "0")]);
    pty.settles();
    pty.keys("\x1b[24~");
    let ended = pty.ends();
    assert_eq!(ended.status, 101);
    assert!(ended.screen.contains("SIMSCOPE_PANIC=loop"), "{}", ended.screen);
}

#[test]
#[cfg(debug_assertions)]
fn a_panic_of_a_worker_is_a_notice() {
    let mut pty = Pty::open_with(&[], &[("SIMSCOPE_PANIC", "inspect")]);
    pty.shows("because of an error in simscope");
    pty.keys("jq");
    let ended = pty.ends();
    assert_eq!(ended.status, 0);
    assert!(!String::from_utf8_lossy(&ended.bytes).contains("panicked at"));
}

#[test]
#[cfg(target_os = "linux")]
fn stopped_and_continued() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.lists_all_texts();
    for stop in ["key", "TSTP"] {
        if stop == "key" {
            pty.keys("\x1a");
        } else {
            pty.signal("TSTP");
        }
        eventually("the stop", || state(pty.pid()) == "T");
        pty.wait("the old screen", |screen| !screen.alternate_screen() && !screen.hide_cursor());
        assert!(pty.has_old_settings());
        let before = pty.n_bytes();
        pty.signal("CONT");
        pty.writes_beyond(before);
        pty.wait("the screen again", vt100::Screen::alternate_screen);
        pty.selects("tide-log ");
    }
    pty.keys("j");
    pty.selects("tide-log-copy");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
#[cfg(target_os = "linux")]
fn continued_after_a_stop_nobody_announced() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.signal("STOP");
    eventually("the stop", || state(pty.pid()) == "T");
    let before = pty.n_bytes();
    pty.signal("CONT");
    pty.writes_beyond(before);
    pty.selects("tide-log ");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn copying_reaches_the_terminals_clipboard() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("y");
    pty.shows("copied: tide-log");
    pty.keys("q");
    let bytes = pty.ends().bytes;
    // "tide-log" in base64.
    assert!(contains(&bytes, b"\x1b]52;c;dGlkZS1sb2c=\x1b\\"));
}

#[test]
fn every_frame_is_synchronized() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("jjkq");
    let bytes = pty.ends().bytes;
    assert_eq!(mode(&bytes, 2026), Some(false));
    let count = |sequence: &[u8]| {
        bytes.windows(sequence.len()).filter(|window| *window == sequence).count()
    };
    // The last of the ends belongs to leaving.
    assert_eq!(count(b"\x1b[?2026h") + 1, count(b"\x1b[?2026l"));
    assert_eq!(count(b"\x1b[6n"), 0, "the terminal is asked nothing");
}

#[test]
fn no_frame_is_heavy() {
    let mut pty = Pty::open_with(&[], &[("COLORTERM", "truecolor")]);
    pty.resize(120, 35);
    pty.settles();
    let keys = [("\t", "all texts"), ("2", "[2 Pair]"), ("3", "[3 Tables]"), ("4", "[4 Tune]")];
    for (key, shown) in keys.into_iter().chain([("1", "[1 Docs]")]) {
        pty.keys(key);
        pty.shows(shown);
    }
    pty.keys("q");
    let bytes = pty.ends().bytes;
    let text = std::str::from_utf8(&bytes).expect("frames are UTF-8");
    let heaviest = text.split("\x1b[?2026h").map(str::len).max();
    assert!(heaviest.is_some_and(|it| it <= 10_000), "{heaviest:?} bytes");
    assert!(text.contains("\x1b[38;2;"), "in 24-bit colours");
}

#[test]
fn no_control_of_a_document_reaches_the_terminal() {
    let text = "harmless \u{1b}[38;5;123mred \u{1b}]0;title\u{7} \u{9b}2J \u{202e}back \u{1b}P1q\u{1b}\\ a\u{8}b\rc\td end";
    let mut file = tempfile::NamedTempFile::with_suffix(".jsonl").unwrap();
    for id in ["\u{1b}]52;c;ZXZpbA==\u{7}id", "plain"] {
        let row = format!("{{\"id\": {}, \"text\": {}}}\n", json(id), json(text));
        file.write_all(row.as_bytes()).unwrap();
    }
    let path = file.path().to_str().unwrap().to_owned();
    let mut pty = Pty::open(&[&path]);
    pty.shows("harmless");
    pty.shows("1 group");
    pty.keys("2");
    pty.shows("[2 Pair]");
    pty.keys("3");
    pty.shows("[3 Tables]");
    pty.keys("!!1q");
    let bytes = pty.ends().bytes;
    assert_only_our_sequences(&bytes);
    assert!(!contains(&bytes, b"\x1b[38;5;123m") && !contains(&bytes, "\u{202e}".as_bytes()));
}

/// A frame in which nothing changes is not written.
#[test]
fn a_key_that_changes_nothing_writes_nothing() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.lists_all_texts();
    pty.keys("j");
    pty.selects("tide-log-copy");
    pty.keys("k");
    pty.selects("tide-log ");
    let pause = || std::thread::sleep(std::time::Duration::from_millis(300));
    // The text of the document comes after its row.
    eventually("calm", || {
        let before = pty.n_bytes();
        pause();
        pty.n_bytes() == before
    });
    let before = pty.n_bytes();
    pty.keys("k");
    pause();
    assert_eq!(pty.n_bytes(), before);
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

/// Nobody is woken while nothing happens: over two seconds hardly any thread gives up the processor.
#[test]
#[cfg(target_os = "linux")]
fn idle_is_asleep() {
    let pty = Pty::open(&[]);
    pty.settles();
    let pid = pty.pid();
    let pause = |milliseconds| std::thread::sleep(std::time::Duration::from_millis(milliseconds));
    // Worker threads of the last job fall asleep in their own time.
    eventually("calm", || {
        let before = wake_ups(pid);
        pause(200);
        wake_ups(pid) == before
    });
    let before = wake_ups(pid);
    pause(2000);
    let woken = wake_ups(pid) - before;
    assert!(woken <= 4, "{woken} wake-ups in two seconds of idleness");
    pty.signal("TERM");
    pty.ends();
}

/// A notice ends by itself, and then the program sleeps again.
#[cfg(target_os = "linux")]
#[test]
fn a_notice_ends_by_itself() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    pty.keys("y");
    pty.shows("copied: tide-log");
    let (before, began) = (wake_ups(pty.pid()), std::time::Instant::now());
    std::thread::sleep(std::time::Duration::from_secs(5));
    pty.shows("copied: tide-log");
    eventually("the end of the notice", || !pty.contents().contains("copied:"));
    assert!(began.elapsed().as_secs() >= 8, "{:?}", began.elapsed());
    let woken = wake_ups(pty.pid()) - before;
    assert!(woken <= 40, "{woken} wake-ups while it showed");
    std::thread::sleep(std::time::Duration::from_millis(200));
    let before = (wake_ups(pty.pid()), pty.n_bytes());
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert!(wake_ups(pty.pid()) - before.0 <= 2 && pty.n_bytes() == before.1);
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

/// Bytes of a process: resident now, and the most there ever were.
#[cfg(target_os = "linux")]
fn resident(pid: u32) -> (u64, u64) {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() << 10
    };
    (of("VmRSS:"), of("VmHWM:"))
}

/// After the pairs of a large k were held, memory is given back when k is small again.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "holds a gigabyte"]
fn memory_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("made.jsonl");
    // Families of twenty texts that share all but a few of their words.
    let text = |n: u64| {
        let word = |at: u64| match (n * 31 + at * 17) % 23 {
            0 => n * 1000 + at,
            _ => (n / 20) * 7919 + at,
        };
        let words: Vec<String> = (0..60).map(|at| format!("w{:x}", word(at))).collect();
        format!("{{\"text\":\"{}\"}}\n", words.join(" "))
    };
    fs::write(&corpus, (0..40_000).map(text).collect::<String>()).unwrap();
    let mut pty = Pty::open(&[&corpus.to_string_lossy()]);
    pty.shows("40,000 texts");
    pty.settles();
    let pid = pty.pid();
    let (at_rest, _) = resident(pid);
    for _ in 0..3 {
        for keys in ["4", "+++++++++++++++++++", "1", "2", "4", "-------------------", "1"] {
            pty.keys(keys);
            std::thread::sleep(std::time::Duration::from_secs(3));
        }
    }
    eventually("given back", || {
        let (now, most) = resident(pid);
        eprintln!("{} MB at rest, {} MB now, {} MB at most", at_rest >> 20, now >> 20, most >> 20);
        std::thread::sleep(std::time::Duration::from_millis(500));
        now < at_rest + (most - at_rest) / 2 || now < 2 * at_rest
    });
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

/// Every escape begins a cursor move, a style, a clearing, one of our own modes, or a move of some rows by one; no other
/// control.
fn assert_only_our_sequences(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("frames are UTF-8");
    let mut rest = text;
    while let Some(at) = rest.find(char::is_control) {
        let sequence = &rest[at..];
        let parameters = sequence.strip_prefix("\x1b[").unwrap_or_else(|| {
            panic!(
                "a control that is not ours: {:?}",
                sequence.chars().take(12).collect::<String>()
            )
        });
        let end = parameters
            .find(|c: char| !matches!(c, '0'..='9' | ';' | '?'))
            .expect("a sequence has an end");
        assert!(
            parameters[end..].starts_with(['H', 'G', 'm', 'J', 'K', 'h', 'l', 'r']),
            "{:?}",
            &parameters[..=end]
        );
        rest = &parameters[end + 1..];
        if parameters[end..].starts_with('r') {
            let (_, moves) = rest.split_once('H').expect("a row of the region");
            let moved = moves.strip_prefix('\n').or_else(|| moves.strip_prefix("\x1bM")).unwrap();
            rest = moved.strip_prefix("\x1b[r").expect("the region is the whole screen again");
        }
    }
}

fn row(screen: &vt100::Screen, row: usize) -> String {
    screen.rows(0, screen.size().1.get()).nth(row).unwrap_or_default()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("any text is JSON")
}

/// The process's state: `R`, `S`, `T` ..
#[cfg(target_os = "linux")]
fn state(pid: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("State:")).unwrap_or_default();
    line.split_whitespace().nth(1).unwrap_or_default().to_owned()
}

/// How often the threads of a process gave up the processor of their own will, and thus were woken.
#[cfg(target_os = "linux")]
fn wake_ups(pid: u32) -> u64 {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the process runs");
    let count = |status: String| {
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?;
        line.trim().parse::<u64>().ok()
    };
    threads
        .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("status")).ok())
        .filter_map(count)
        .sum()
}

#[test]
fn keys_are_pressed_first_and_the_users_own_end_them() {
    let mut pty = Pty::open(&["--keys", "4v"]);
    pty.shows("[Layouts]");
    pty.keys("1");
    pty.shows("[1 Docs]");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
    // Each waits for the work of the one before: the document is found before Pair is opened.
    let mut pty = Pty::open(&["--keys", "/rumour-3<enter><enter>"]);
    pty.shows("neighbours of rumour-3");
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
    // One that leaves does.
    assert_eq!(Pty::open(&["--keys", "jjq"]).ends().status, 0);
}

/// A corpus whose ids a terminal would obey.
fn hostile() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids.jsonl");
    let ids = ["\\u001b]0;title\\u0007", "\\u009b31m\\u007f", "a\\u202eb\\u2066", "=1+1", "plain"];
    let row = |id: &&str| format!("{{\"id\":\"{id}\",\"text\":\"the same words\"}}\n");
    std::fs::write(&path, ids.iter().map(row).collect::<String>()).unwrap();
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

#[test]
fn rows_on_a_terminal_hold_nothing_that_it_obeys() {
    let (_folder, path) = hostile();
    for format in ["csv", "tsv", "jsonl", "table"] {
        for command in ["pairs", "groups", "fingerprint", "check"] {
            let pty = Pty::open(&[command, "-q", "-f", format, &path]);
            let ended = pty.ends();
            assert_eq!(ended.status, 0);
            let text = String::from_utf8(ended.bytes).unwrap();
            let harmless = |c: char| "\r\n\t".contains(c) || simscope::text::visible::is_plain(c);
            assert!(text.chars().all(harmless), "{command} -f {format}: {text:?}");
            assert!(text.contains("title") && text.contains("plain"), "{text}");
            if format == "jsonl" {
                assert!(text.contains("\\u009b31m\\u007f"), "{text}");
            }
        }
    }
}

#[test]
fn signals_that_end_the_program_give_the_terminal_back() {
    for (name, number) in [("QUIT", 3), ("ABRT", 6), ("USR1", 10), ("ALRM", 14)] {
        let pty = Pty::open(&[]);
        pty.settles();
        pty.signal(name);
        let ended = pty.ends();
        if cfg!(target_os = "linux") {
            assert_eq!(ended.status, 128 + number, "{name}");
        }
    }
}

#[test]
fn a_terminal_may_claim_any_size() {
    let mut pty = Pty::open(&[]);
    pty.settles();
    let n_bytes = pty.n_bytes();
    pty.claim(65_535, 65_535);
    pty.writes_beyond(n_bytes);
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

/// A review outlives its session, however that ends, and its corpus's changes.
#[cfg(unix)]
#[test]
fn the_configuration_sets_keys_and_k() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("simscope");
    std::fs::create_dir_all(&place).unwrap();
    let write = |text: &str| std::fs::write(place.join("config.toml"), text).unwrap();
    let variables = [("NO_COLOR", "1"), ("XDG_CONFIG_HOME", &*folder.path().to_string_lossy())];
    write("k = 5\n[keys]\nquit = \"Q\"\n");
    let mut pty = Pty::open_with(&[], &variables);
    pty.shows("k=5");
    pty.settles();
    pty.keys("q");
    pty.shows("q does nothing here");
    pty.keys("Q");
    assert_eq!(pty.ends().status, 0);
    // An option of the command line wins.
    let mut pty = Pty::open_with(&["-k", "4"], &variables);
    pty.shows("k=4");
    pty.keys("Q");
    assert_eq!(pty.ends().status, 0);
    // A mistake is told before the terminal is taken.
    write("kk = 5\n");
    let ended = Pty::open_with(&[], &variables).ends();
    assert_eq!(ended.status, 2);
    assert!(ended.screen.contains("config.toml:1: kk is unknown"), "{}", ended.screen);
}

#[test]
fn a_corpus_opens_as_it_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus.jsonl");
    std::fs::write(&corpus, include_str!("../../assets/sample.jsonl")).unwrap();
    let state = folder.path().to_string_lossy().into_owned();
    let variables = [("NO_COLOR", "1"), ("XDG_STATE_HOME", &*state)];
    let open = |options: &[&str]| {
        let corpus = corpus.to_string_lossy();
        Pty::open_with(&[options, &[&*corpus]].concat(), &variables)
    };
    let kept = || {
        let reviews = std::fs::read_dir(folder.path().join("simscope/reviews"));
        let mut files = reviews.into_iter().flatten().filter_map(Result::ok);
        files.next().and_then(|file| std::fs::read_to_string(file.path()).ok()).unwrap_or_default()
    };
    let mut pty = open(&[]);
    pty.settles();
    // Nothing is written while a corpus is only looked at.
    pty.keys("\tjj2");
    pty.shows("[2 Pair]");
    assert_eq!(kept(), "");
    pty.keys("1+fis:near\rs");
    pty.shows("by near");
    eventually("the choices are kept", || kept().contains("\"order\":\"near\""));
    pty.keys("gq");
    pty.ends();
    let chosen = "{\"policy\":\"first\",\"choices\":{\"recipe\":\"words:3 log-tf siphash13 seed=0 bits=64 tie=one norm=nfc case=lower stop=none\",\"k\":4,\
                  \"filter\":\"is:near\",\"order\":\"near\"}}\n";
    assert_eq!(kept(), chosen);
    let mut pty = open(&[]);
    pty.shows("as you left it: k=4, filter is:near, by near");
    // The rows are there.
    pty.shows("filter: is:near (");
    pty.keys("jjj");
    pty.shows("k=4");
    pty.keys("q");
    // Nothing is said of what is as usual.
    assert!(!String::from_utf8_lossy(&pty.ends().bytes).contains("policy of the earlier review"));
    assert_eq!(kept(), chosen);
    // Settings that are named come first; the list is as it was left.
    let mut pty = open(&["-k", "2"]);
    pty.shows("as you left it: filter is:near, by near");
    pty.shows("filter: is:near (");
    pty.keys("2");
    pty.shows("[2 Pair]");
    pty.shows("k=2");
    pty.keys("q");
    pty.ends();
    assert_eq!(kept(), chosen);
    let mut pty = open(&["--fresh"]);
    pty.settles();
    pty.shows("k=3");
    pty.shows("[Docs] Bits");
    pty.keys("q");
    pty.ends();
    // Neither named settings nor a fresh start lose what was kept before.
    assert_eq!(kept(), chosen);
}

#[test]
fn marks_are_kept_from_one_session_to_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus.jsonl");
    let sample = include_str!("../../assets/sample.jsonl");
    std::fs::write(&corpus, sample).unwrap();
    let state = folder.path().to_string_lossy().into_owned();
    let variables = [("NO_COLOR", "1"), ("XDG_STATE_HOME", &*state)];
    let open = || {
        let pty = Pty::open_with(&[&corpus.to_string_lossy()], &variables);
        pty.settles();
        pty
    };
    let kept = || {
        let reviews = std::fs::read_dir(folder.path().join("simscope/reviews"));
        let mut files = reviews.into_iter().flatten().filter_map(Result::ok);
        let review = files.next().and_then(|file| std::fs::read_to_string(file.path()).ok());
        review.unwrap_or_default()
    };
    let mut pty = open();
    pty.shows("20 can go");
    pty.keys("p");
    pty.shows("policy longest");
    pty.shows("19 can go");
    pty.keys("jj ");
    pty.shows("is kept; u takes it back");
    eventually("the mark is kept", || kept().lines().count() == 2);
    let begins = "{\"policy\":\"longest\",\"choices\":{\"recipe\":\"words:3 log-tf siphash13 seed=0 bits=64 tie=one norm=nfc case=lower stop=none\"}}\n{\"id\":";
    assert!(kept().starts_with(begins), "{}", kept());
    pty.signal("KILL");
    // A row more before all others.
    std::fs::write(&corpus, "{\"id\": \"new\", \"text\": \"a row more\"}\n".to_owned() + sample)
        .unwrap();
    let mut pty = Pty::open_with(&[&corpus.to_string_lossy()], &variables);
    pty.shows("1 mark of the earlier review; u takes it back");
    pty.shows("keep*");
    pty.keys("u");
    pty.shows("back to ");
    eventually("the mark is taken back", || {
        let kept = kept();
        kept.starts_with("{\"policy\":\"first\",") && kept.lines().count() == 1
    });
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

/// A corpus that lies elsewhere now is known by its texts; one of other texts is not.
#[test]
fn a_review_follows_its_corpus() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().to_string_lossy().into_owned();
    let variables = [("NO_COLOR", "1"), ("XDG_STATE_HOME", &*state)];
    let open = |name: &str, text: &str| {
        let corpus = folder.path().join(name);
        std::fs::write(&corpus, text).unwrap();
        Pty::open_with(&[&corpus.to_string_lossy()], &variables)
    };
    let reviews = || {
        let files = std::fs::read_dir(folder.path().join("simscope/reviews"));
        files.map_or(0, Iterator::count)
    };
    let leave = |mut pty: Pty| {
        pty.keys("q");
        assert_eq!(pty.ends().status, 0);
    };
    let sample = include_str!("../../assets/sample.jsonl");
    let mut pty = open("corpus.jsonl", sample);
    pty.settles();
    pty.shows("20 can go");
    pty.keys("jj");
    pty.selects("tide-log-waving");
    pty.keys(" ");
    pty.shows("is kept; u takes it back");
    eventually("the mark is kept", || reviews() == 1);
    leave(pty);
    std::fs::remove_file(folder.path().join("corpus.jsonl")).unwrap();
    let pty = open("elsewhere.jsonl", sample);
    pty.shows("1 mark of the earlier review; u takes it back");
    eventually("it is kept for the new place, too", || reviews() == 2);
    pty.shows("keep*");
    leave(pty);
    let pty = open("other.jsonl", &sample.replace("tide", "ebb"));
    pty.settles();
    pty.shows("can go");
    assert_eq!(reviews(), 2);
    leave(pty);
}

/// A pair is judged; the file of labels is locked until what is returned beside the program is dropped.
fn judging_into_a_locked_file() -> (Pty, (tempfile::TempDir, std::fs::File)) {
    let folder = tempfile::tempdir().unwrap();
    let labels = folder.path().join("labels.jsonl");
    let locked = std::fs::File::create(&labels).unwrap();
    locked.lock().unwrap();
    let mut pty = Pty::open(&["--labels", &labels.to_string_lossy()]);
    pty.settles();
    pty.keys("4");
    pty.shows("1 of 12");
    pty.keys("b");
    pty.shows("Pair 1 of");
    pty.shows("rows 1-");
    pty.keys("y");
    (pty, (folder, locked))
}

#[test]
fn leaving_waits_for_a_locked_file_of_labels_no_longer_than_seconds() {
    let (mut pty, _locked) = judging_into_a_locked_file();
    pty.shows("Pair 2 of");
    pty.keys("q");
    let ended = pty.ends();
    assert_eq!(ended.status, 2);
    let told = String::from_utf8_lossy(&ended.bytes).into_owned();
    assert!(told.contains("another program keeps it locked"), "{told}");
}

#[test]
fn a_label_that_was_lost_is_told_again_on_leaving() {
    let (mut pty, _locked) = judging_into_a_locked_file();
    pty.shows("the label was not saved");
    pty.keys("q");
    pty.shows("press q again to leave and lose 1 label");
    pty.keys("q");
    let ended = pty.ends();
    assert_eq!(ended.status, 2);
    let told = String::from_utf8_lossy(&ended.bytes).into_owned();
    assert!(told.contains("error: the label was not saved"), "{told}");
}

#[test]
fn a_pipe_where_lessons_are_kept_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("simscope");
    std::fs::create_dir(&state).unwrap();
    let made = std::process::Command::new("mkfifo").arg(state.join("lessons")).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no mkfifo on this machine");
        return;
    }
    let folder = folder.path().to_string_lossy().into_owned();
    let mut pty = Pty::open_with(&[], &[("XDG_STATE_HOME", &folder)]);
    pty.settles();
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
    std::fs::remove_file(state.join("lessons")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", state.join("lessons")).unwrap();
    let mut pty = Pty::open_with(&[], &[("XDG_STATE_HOME", &folder)]);
    pty.settles();
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}

#[test]
fn headings_of_the_manual_are_bold_unless_styles_are_unwanted() {
    let is_bold = |variables: &[(&str, &str)]| {
        let ended = Pty::open_with(&["help", "changelog"], variables).ends();
        assert_eq!(ended.status, 0);
        let text = String::from_utf8_lossy(&ended.bytes).into_owned();
        assert!(text.contains("# changelog: "), "{text}");
        ended.bytes.starts_with(b"\x1b[1m# changelog: ")
    };
    assert!(is_bold(&[]));
    assert!(!is_bold(&[("NO_COLOR", "1")]));
}

#[test]
fn a_size_is_that_of_the_frame_on_a_larger_terminal() {
    let mut pty = Pty::open(&["--size", "60x18", "--keys", "6"]);
    pty.shows("A hash that keeps neighbours together");
    pty.wait("no text beyond the size", |screen| {
        let (height, width) = screen.size();
        let (height, width) = (height.get(), width.get());
        let rows = screen.rows(0, width).collect::<Vec<_>>();
        let is_within = |(y, row): (usize, &String)| {
            row.chars().count() <= 60 && (y < 18 || row.trim().is_empty())
        };
        height > 18 && width > 60 && rows.iter().enumerate().all(is_within)
    });
    pty.keys("q");
    assert_eq!(pty.ends().status, 0);
}
