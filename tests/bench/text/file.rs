//! From a file to rows: the command against the sum of its parts.
//!
//! The parts are parsing on one thread (the loader, its documents dropped) and fingerprinting the same
//! documents in memory on one thread. Spread over all cores without loss, both together would take their
//! sum divided by the cores; the command is told as a share of that. All cores of a machine seldom do as
//! many times the work of one: the same parts done by every core at once, each for itself, are what is left
//! to spread. Where others use the cores too, the command's CPU time tells what it adds to the parts.

use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::thread;

use rayon::ThreadPool;
use simscope::corpus::{self, Content, Input, LoadOptions};
use simscope::progress::Progress;
use tempfile::NamedTempFile;

use super::clock::{Contest, children_cpu_time, cpu_time, wall_time};
use super::{texts, work};

const ROUNDS: usize = 7;
const GENERATED_BYTES: usize = 64 << 20;

/// Times the command and its parts and prints a table.
pub(crate) fn race() {
    let generated;
    let (name, path) = if let Some(path) = texts::shared("arxiv-feeds-dev") {
        ("arXiv abstracts", path)
    } else {
        generated = write(&texts::generated(GENERATED_BYTES));
        ("generated English", generated.path().to_path_buf())
    };
    let megabytes = path.metadata().expect("the file is there").len() as f64 / 1e6;
    let n_cores = thread::available_parallelism().map_or(1, usize::from);
    println!("\n{name}: JSONL of {megabytes:.0} MB, {n_cores} cores\n");
    println!(
        "| recipe | parse, 1 core | fingerprint, 1 core | command, all cores | of the parts, 1 core | of the parts, all cores | by CPU time |"
    );
    println!("|---|---|---|---|---|---|---|");
    let mut texts = Vec::new();
    parse(&path, &mut |text| texts.push(text));
    let cores: Vec<ThreadPool> = (0..n_cores).map(|_| one_thread()).collect();
    for recipe in ["words:3 tf", "words:3 tf-idf"] {
        let fingerprint = || match recipe {
            "words:3 tf" => work::tf(&texts),
            _ => work::tf_idf(&texts),
        };
        let parse = || parse(&path, &mut |_| {});
        let mut parts = Contest::new(cpu_time);
        parts.enter("parse", parse);
        parts.enter("fingerprint", fingerprint);
        let parts = one_thread().install(|| parts.run(ROUNDS));
        let mut whole = Contest::new(wall_time);
        whole.enter("parse", || on_each(&cores, parse));
        whole.enter("fingerprint", || on_each(&cores, fingerprint));
        whole.enter("command", || command(&path, recipe));
        // Nothing else has children.
        let before = children_cpu_time();
        let whole = whole.run(ROUNDS);
        // One round warms up.
        let spent = (children_cpu_time() - before) / (ROUNDS + 1) as f64;
        let sum = |of: &[(&str, f64)]| of[0].1 + of[1].1;
        let command = whole[2].1;
        println!(
            "| {recipe} | {:.0} MB/s | {:.0} MB/s | {:.0} MB/s | {:.2} | {:.2} | {:.2} |",
            megabytes / parts[0].1,
            megabytes / parts[1].1,
            megabytes / command,
            sum(&parts) / n_cores as f64 / command,
            sum(&whole) / n_cores as f64 / command,
            sum(&parts) / spent,
        );
    }
}

fn one_thread() -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread")
}

/// Does all of `work` on each of the cores at once.
fn on_each(cores: &[ThreadPool], work: impl Fn() -> u64 + Sync) -> u64 {
    thread::scope(|scope| {
        let each: Vec<_> = cores.iter().map(|core| scope.spawn(|| core.install(&work))).collect();
        each.into_iter().map(|each| each.join().expect("no panic")).sum()
    })
}

/// Reads a file through the loader; its documents go to `sink`. Their number.
fn parse(path: &Path, sink: &mut dyn FnMut(String)) -> u64 {
    let inputs = [Input::Path(path.to_path_buf())];
    corpus::load(&inputs, &LoadOptions::default(), &Progress::new(), &mut |batch| {
        for content in batch.contents {
            if let Content::Text(text) = content {
                sink((*text).to_owned());
            }
        }
    })
    .expect("the corpus loads")
    .len() as u64
}

fn command(path: &Path, recipe: &str) -> u64 {
    let output = Command::new(env!("CARGO_BIN_EXE_simscope"))
        .args(["fingerprint", "--quiet", "--format", "jsonl", "--recipe", recipe])
        .arg(path)
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    black_box(output.stdout.len() as u64)
}

fn write(texts: &[String]) -> NamedTempFile {
    let mut file = NamedTempFile::with_suffix(".jsonl").expect("a temporary file");
    for text in texts {
        writeln!(file, "{}", serde_json::json!({ "text": text })).expect("there is room");
    }
    file
}
