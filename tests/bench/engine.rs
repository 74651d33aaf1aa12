//! How fast the parts are: fingerprinting text, finding all pairs, drawing a frame.
//!
//! In the folder `tests/bench`, `cargo bench --bench engine` runs all of it in about a minute. Figures are this machine's; compare
//! ratios. Every answer is checked before it is timed.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use simscope::analysis::Settings;
use simscope::app::{App, Effect, Message, Size, StartOptions, update};
use simscope::corpus::{Input, LoadOptions};
use simscope::index::{Layout, Plan, near_pairs};
use simscope::look::{Depth, Ground, Look};
use simscope::progress::Progress;
use simscope::simhash::{Fingerprinter, Recipe, Scratch};
use simscope::tui::theme::Theme;
use simscope::tui::view;

const SAMPLE: &[u8] = include_bytes!("../../assets/sample.jsonl");

/// Pseudo-random 64-bit values (`SplitMix64`), one in fifty a copy of another with up to 6 bits flipped.
fn planted(n: usize) -> Vec<u64> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    };
    let mut values: Vec<u64> = (0..n).map(|_| next()).collect();
    for _ in 0..n / 50 {
        let mut value = values[next() as usize % n];
        for _ in 0..next() % 7 {
            value ^= 1 << (next() % 64);
        }
        let place = next() as usize % n;
        values[place] = value;
    }
    values.sort_unstable();
    values.dedup();
    values
}

fn fingerprinting(criterion: &mut Criterion) {
    let text = String::from_utf8_lossy(SAMPLE).into_owned();
    let mut group = criterion.benchmark_group("fingerprint");
    group.throughput(Throughput::Bytes(text.len() as u64));
    for line in ["words:3", "words:1", "chars:4", "words:3 bits=128", "words:3 binary"] {
        let recipe: Recipe = line.parse().expect("a recipe");
        let fingerprinter = Fingerprinter::new(&recipe).expect("a sound recipe");
        let mut scratch = Scratch::default();
        let record = fingerprinter.record(&text, &mut scratch);
        assert_eq!(record.fingerprint, fingerprinter.feature_votes(&text).fingerprint(&recipe));
        group.bench_function(line, |bencher| {
            bencher.iter(|| fingerprinter.record(black_box(&text), &mut scratch));
        });
    }
}

fn pairing(criterion: &mut Criterion) {
    let values = planted(50_000);
    let progress = Progress::new();
    let mut group = criterion.benchmark_group("all_pairs");
    group.sample_size(10);
    for k in [3, 6, 8] {
        let scan = Plan::scan(values.len(), 64, k);
        let expected = near_pairs(&values, &scan, &progress).expect("not cancelled");
        for blocks in [k + 1, k + 2] {
            let layout = Layout::for_distance(64, blocks, k).expect("a layout");
            let plan = Plan::by_tables(&layout, k);
            let found = near_pairs(&values, &plan, &progress).expect("not cancelled");
            assert_eq!(found, expected, "k = {k}, {blocks} blocks");
            group.bench_function(
                BenchmarkId::new(format!("k={k}"), format!("{blocks} blocks")),
                |bencher| {
                    bencher.iter(|| near_pairs(black_box(&values), &plan, &progress));
                },
            );
        }
    }
    let scan = Plan::scan(values.len(), 64, 3);
    group.bench_function("scan", |bencher| {
        bencher.iter(|| near_pairs(black_box(&values), &scan, &progress));
    });
}

fn drawing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("draw");
    for (width, height) in [(80, 24), (140, 40)] {
        for (name, keys) in [("docs", "j"), ("near", "2"), ("tables", "3")] {
            let app = opened(width, height, keys);
            let theme = Theme(Look { depth: Depth::True, ground: Ground::Dark, ..Look::PLAIN });
            group.bench_function(BenchmarkId::new(name, format!("{width}x{height}")), |bencher| {
                bencher.iter(|| view::draw(black_box(&app), theme));
            });
        }
    }
}

/// The sample corpus, analysed, with a key pressed.
fn opened(width: u16, height: u16, keys: &str) -> App {
    let inputs = vec![Input::Bundled { name: "sample.jsonl", bytes: SAMPLE }];
    let start = StartOptions {
        size: Size { width, height },
        compare_within: None,
        index: None,
        read: None,
    };
    let (mut app, effects) =
        App::new("sample".into(), Settings::default(), inputs, LoadOptions::default(), start)
            .expect("the settings are sound");
    for effect in effects {
        if let Effect::Analyse(task) = effect {
            let mut messages = Vec::new();
            task.run(&mut |message| messages.push(message));
            for message in messages {
                update(&mut app, message);
            }
        }
    }
    for key in keys.parse::<simscope::app::Keys>().expect("keys").0 {
        update(&mut app, Message::Key(key));
    }
    app
}

criterion_group!(benches, fingerprinting, pairing, drawing);
criterion_main!(benches);
