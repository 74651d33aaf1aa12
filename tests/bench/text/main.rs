//! How fast text becomes fingerprints, beside its rivals on the same text in the same run.
//!
//! In the folder `tests/bench`, `cargo bench --bench text` prints two Markdown tables in about a minute: texts in memory on one thread
//! (CPU time), and a JSONL file through the command on all cores (wall time). Rounds are interleaved and
//! medians told; every answer is checked before it is timed. With `SIMSCOPE_SHARED` naming the folder that
//! holds `corpora/`, real corpora serve; without, generated English and the sample's many languages.

mod clock;
mod file;
mod texts;
mod work;

use clock::{Contest, cpu_time};
use texts::Texts;

/// Rounds of the interleaved races: odd, so that the median is one of them.
const ROUNDS: usize = 11;

/// Names the versions on both sides.
const LOCK: &str = include_str!("../Cargo.lock");

fn main() {
    let versions = ["simscope", "gaoya", "unicode-segmentation"].map(|name| {
        let (_, after) =
            LOCK.split_once(&format!("name = \"{name}\"\nversion = \"")).expect("locked");
        format!("{name} {}", after.split('"').next().unwrap_or_default())
    });
    println!("{}", versions.join(", "));
    // One thread for what uses a pool of them: its CPU time is then this thread's.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    println!(
        "\n| text, one thread | work | MB/s | x `unicode_words` | x its tables | x gaoya | x tf |"
    );
    println!("|---|---|---|---|---|---|---|");
    for texts in [texts::english(), texts::languages(), texts::cjk()] {
        one.install(|| race(&texts));
    }
    file::race();
}

/// Times all on the same texts and prints a row each.
fn race(texts: &Texts) {
    work::check(&texts.texts);
    let mut contest = Contest::new(cpu_time);
    contest.enter("`unicode_words` alone", || work::unicode_words(&texts.texts));
    contest.enter("its general tables", || work::general_tables(&texts.texts));
    contest.enter("gaoya, words:3", || work::gaoya(&texts.texts));
    contest.enter("simscope words:3 tf", || work::tf(&texts.texts));
    contest.enter("simscope words:3 log-tf", || work::log_tf(&texts.texts));
    contest.enter("simscope words:3 tf-idf, two passes", || work::tf_idf(&texts.texts));
    let seconds = contest.run(ROUNDS);
    let (words, tables, rival, tf) = (seconds[0].1, seconds[1].1, seconds[2].1, seconds[3].1);
    for (name, seconds) in seconds {
        println!(
            "| {} | {name} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} |",
            texts.name,
            texts.bytes() as f64 / 1e6 / seconds,
            words / seconds,
            tables / seconds,
            rival / seconds,
            tf / seconds,
        );
    }
}
