//! How soon a key is answered by a frame, with a million documents, while all cores work and afterwards.
//!
//! In the folder `tests/bench`, `cargo bench --bench live` drives the built program on a pseudo-terminal over two generated corpora
//! and prints a Markdown table: key to frame by kind of key and by what the program was doing, the first
//! frame, memory a document, wake-ups while idle. It takes a few minutes and 250 MB of temporary files.
//! `SIMSCOPE_LIVE_DOCS` sets another number of documents.
//!
//! A key counts as answered when a whole frame shows its effect, not when some frame comes: the next row
//! selected, the new k in the status row, the letter in the line. What takes work (a sorted list, the
//! tables of another k) may follow; where it must not, at rest, the pairs of the new k are waited for.

#[path = "live/corpus.rs"]
mod corpus;
#[path = "live/terminal.rs"]
mod terminal;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, thread};

use terminal::{Terminal, rows};

/// A key without an answer after this counts as answered then.
const PATIENCE: Duration = Duration::from_secs(20);
/// Between two keys: a fast typist's pace.
const PAUSE: Duration = Duration::from_millis(40);
/// Rounds of keys once nothing is left to do.
const ROUNDS_AT_REST: usize = 12;
/// Searches through all texts, with keys while they run.
const SEARCHES: usize = 5;
/// The most rounds of keys while recipes are swept.
const ROUNDS_UNDER_A_SWEEP: usize = 24;
/// Until everything is read, fingerprinted and paired.
const MOST: Duration = Duration::from_mins(5);

/// Key-to-frame times by what the program was doing and by kind of key.
type Times = BTreeMap<(&'static str, &'static str), Vec<Duration>>;

fn main() {
    let n = env::var("SIMSCOPE_LIVE_DOCS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("{n} documents; times in milliseconds\n");
    let corpora = [
        ("fingerprints", corpus::fingerprints as fn(&Path, u64) -> std::io::Result<()>),
        ("texts", corpus::texts),
    ];
    for (name, write) in corpora {
        let path = folder.path().join(format!("{name}.jsonl"));
        write(&path, n).expect("room for the corpus");
        measure(name, &path, n);
    }
}

fn measure(name: &str, path: &Path, n: u64) {
    let mut user = User::new(Terminal::open(path));
    let first = user.terminal.since_start(PATIENCE, |screen| has(screen, "simscope"));
    let started = Instant::now();
    user.key("Tab", "\t", |screen| has(screen, "all texts"));
    while user.doing() != "at rest" && started.elapsed() < MOST {
        user.round();
    }
    let ready = started.elapsed();
    for _ in 0..ROUNDS_AT_REST {
        user.round();
    }
    for _ in 0..SEARCHES {
        user.search();
    }
    thread::sleep(Duration::from_secs(2));
    let (resident, most) =
        (user.terminal.status("VmRSS") << 10, user.terminal.status("VmHWM") << 10);
    let before = user.terminal.wake_ups();
    thread::sleep(Duration::from_secs(2));
    let woken = user.terminal.wake_ups() - before;
    if name == "texts" {
        user.sweep();
    }

    println!("### {name}\n");
    println!("| doing | key | keys | median | 99th percentile | slowest |");
    println!("|---|---|---:|---:|---:|---:|");
    let mut all: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for ((doing, key), times) in &user.times {
        row(doing, key, times);
        all.entry(doing).or_default().extend(times);
    }
    for (doing, times) in &all {
        row(doing, "**all**", times);
    }
    let bytes = |bytes: u64| bytes as f64 / n as f64;
    println!(
        "\nfirst frame {} ms; everything there after {:.1} s; {:.0} bytes a document resident ({:.0} at most), of \
         which an address takes 32 and an id 11; {woken} wake-ups in 2 s of idleness\n",
        first.map_or("no".to_owned(), milliseconds),
        ready.as_secs_f64(),
        bytes(resident),
        bytes(most),
    );
    println!("```text\n{}\n```\n", user.terminal.rows().join("\n"));
}

fn row(doing: &str, key: &str, times: &[Duration]) {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at =
        |share: f64| milliseconds(sorted[((sorted.len() - 1) as f64 * share).round() as usize]);
    println!("| {doing} | {key} | {} | {} | {} | {} |", sorted.len(), at(0.5), at(0.99), at(1.0));
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

fn has(screen: &vt100::Screen, text: &str) -> bool {
    rows(screen).iter().any(|row| row.contains(text))
}

/// The selected row as far as it does not change by itself: number and id.
fn selected(screen: &vt100::Screen) -> Option<String> {
    let rows = rows(screen);
    let row = rows.iter().find(|row| row.starts_with('▶'))?;
    Some(row.chars().take(18).collect())
}

/// Someone at the keys.
struct User {
    terminal: Terminal,
    times: Times,
    k: u32,
    order: usize,
    searches: usize,
}

impl User {
    fn new(terminal: Terminal) -> Self {
        Self { terminal, times: Times::new(), k: 3, order: 0, searches: 0 }
    }

    /// The program's work in the words of the status row.
    fn doing(&self) -> &'static str {
        let rows = self.terminal.rows();
        let status = &rows[2];
        match () {
            () if status.contains("sweep") => "sweeping",
            () if status.contains("reading") || status.contains("fingerprinting") => "reading",
            () if status.contains("so far") => "looking for words",
            () if status.contains("indexing") || status.contains("pairing") => "searching",
            () => "at rest",
        }
    }

    fn key(&mut self, kind: &'static str, keys: &str, wish: impl Fn(&vt100::Screen) -> bool) {
        let doing = self.doing();
        self.key_while(doing, kind, keys, wish);
    }

    fn key_while(
        &mut self,
        doing: &'static str,
        kind: &'static str,
        keys: &str,
        wish: impl Fn(&vt100::Screen) -> bool,
    ) {
        let time = self.terminal.press(keys, PATIENCE, wish);
        self.note(doing, kind, time);
    }

    fn note(&mut self, doing: &'static str, kind: &'static str, time: Option<Duration>) {
        if time.is_none() {
            eprintln!("{kind} while {doing}: no answer\n{}", self.terminal.rows().join("\n"));
        }
        self.times.entry((doing, kind)).or_default().push(time.unwrap_or(PATIENCE));
        thread::sleep(PAUSE);
    }

    /// Every kind of key once or more.
    fn round(&mut self) {
        for _ in 0..4 {
            self.moves("j", "j");
        }
        self.moves("wheel", "\x1b[<65;10;5M");
        // A line being typed covers the status row.
        let doing = self.doing();
        self.key("/", "/", |screen| has(screen, " find: "));
        for typed in ["d", "do", "doc"] {
            let last = &typed[typed.len() - 1..];
            let wanted = format!("find: {typed}");
            self.key_while(doing, "typing", last, move |screen| has(screen, &wanted));
        }
        self.key_while(doing, "Esc", "\x1b", |screen| !has(screen, " find: "));
        self.step("+", 1);
        self.step("-", -1);
        self.key("2", "2", |screen| has(screen, "[2 Pair]"));
        self.key("3", "3", |screen| has(screen, "[3 Tables]"));
        self.tour();
        self.key("1", "1", |screen| has(screen, "[1 Docs]"));
        self.sort();
        for (width, height) in [(100, 30), (80, 24)] {
            let doing = self.doing();
            let wish = move |screen: &vt100::Screen| {
                rows(screen)[usize::from(height) - 1].contains("quit")
            };
            let time = self.terminal.resize(width, height, PATIENCE, wish);
            self.note(doing, "resize", time);
        }
    }

    /// Looks for words that no text holds, and moves while the texts are read.
    fn search(&mut self) {
        self.searches += 1;
        let words = format!("nowhere{}", self.searches);
        let typed = format!("/{words}\r");
        self.key("Enter in /", &typed, |screen| !has(screen, " find: ") && has(screen, &words));
        while self.doing() == "looking for words" {
            self.moves("j", "j");
            self.moves("wheel", "\x1b[<65;10;5M");
        }
        self.key("Esc", "\x1b", |screen| !has(screen, &words));
    }

    /// Begins a sweep of recipes, presses every kind of key while it runs, and stops it if it is not over.
    fn sweep(&mut self) {
        self.key("4", "4", |screen| has(screen, "[4 Tune]"));
        for view in ["Layouts", "Recipes"] {
            let wanted = format!("[{view}]");
            self.key("v in Tune", "v", move |screen| has(screen, &wanted));
        }
        self.key("Enter in Recipes", "\r", |screen| rows(screen)[2].contains("sweep"));
        self.key("v in Tune", "v", |screen| has(screen, "[Tune]"));
        self.key("1", "1", |screen| has(screen, "[1 Docs]"));
        for _ in 0..ROUNDS_UNDER_A_SWEEP {
            if self.doing() == "sweeping" {
                self.round();
            }
        }
        if self.doing() == "sweeping" {
            self.key("^C", "\x03", |screen| !rows(screen)[2].contains("sweep"));
        }
    }

    /// Every view of Tune with a step of k in it.
    fn tour(&mut self) {
        self.key("4", "4", |screen| has(screen, "[4 Tune]"));
        for view in ["Layouts", "Recipes", "Tune"] {
            let wanted = format!("[{view}]");
            self.key("v in Tune", "v", move |screen| has(screen, &wanted));
            self.step("+", 1);
            self.step("-", -1);
        }
    }

    fn moves(&mut self, kind: &'static str, keys: &str) {
        let before = self.terminal.rows();
        let before: Option<String> = before
            .iter()
            .find(|row| row.starts_with('▶'))
            .map(|row| row.chars().take(18).collect());
        self.key(kind, keys, move |screen| selected(screen) != before);
    }

    /// Steps k; at rest its pairs must be there in the same frame.
    fn step(&mut self, keys: &'static str, step: i32) {
        self.k = self.k.saturating_add_signed(step);
        let wanted = format!(" {} bit", self.k);
        let rests = self.doing() == "at rest";
        self.key(keys, keys, move |screen| {
            let rows = rows(screen);
            rows[0].contains(&wanted) && (!rests || rows[2].contains(" group"))
                || !rests && rows.iter().any(|row| row.contains("follows"))
        });
    }

    fn sort(&mut self) {
        let orders = ["", "by near", "by words", "by id", "by group"];
        self.order = (self.order + 1) % orders.len();
        let wanted = orders[self.order];
        self.key("s", "s", move |screen| {
            // Beside the tabs, or in the rule below them.
            let top = rows(screen)[..2].concat();
            if wanted.is_empty() { !top.contains(" by ") } else { top.contains(wanted) }
        });
    }
}
