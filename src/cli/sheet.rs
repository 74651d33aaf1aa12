//! `simscope learn --sheet`: exercises from a seed as a sheet, the answers on a page of their own.
//!
//! Numbers are drawn anew until the mistakes that are usual give another number than the right method does, and until
//! no rounding decides.

use std::fmt::Write as _;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::describe::print;
use crate::app::screen::learn::facts::share_read;
use crate::evaluate::angle;
use crate::evaluate::distances::Chance;
use crate::explain::hyperplane::{self, OrderedWord};
use crate::feature::FixedWeight;
use crate::index::binomial;
use crate::number::grouped;
use crate::simhash::{Fingerprinter, TieRule, Votes};

/// An exercise.
struct Exercise {
    question: String,
    /// The answer, with its reason.
    answer: String,
}

type Random = Xoshiro256PlusPlus;

/// Words to make texts of.
const WORDS: [&str; 32] = [
    "tide", "sand", "harbour", "gull", "lantern", "rope", "pier", "storm", "shell", "ferry",
    "salt", "wind", "keeper", "morning", "bell", "crab", "pool", "drift", "anchor", "light",
    "rain", "stone", "boat", "net", "wall", "fog", "star", "oar", "weed", "cliff", "wave", "dune",
];

/// Prints the sheet of a seed; the exit code.
pub(super) fn run(seed: u64) -> anyhow::Result<u8> {
    print(sheet(seed).as_bytes())
}

/// The questions, then the answers, in Markdown.
fn sheet(seed: u64) -> String {
    let exercises = exercises(seed);
    let mut sheet = format!("# SimHash: exercises (seed {seed})\n\nName:\n");
    for (number, exercise) in exercises.iter().enumerate() {
        let _ = write!(sheet, "\n## {}\n\n{}\n", number + 1, exercise.question);
    }
    // Markdown has no page breaks; programs that print it follow this style.
    let _ = write!(
        sheet,
        "\n<div style=\"page-break-before: always\"></div>\n\n# Answers (seed {seed})\n\n"
    );
    for (number, exercise) in exercises.iter().enumerate() {
        let _ = writeln!(sheet, "{}. {}", number + 1, exercise.answer);
    }
    sheet
}

fn exercises(seed: u64) -> [Exercise; 9] {
    let random = &mut Random::seed_from_u64(seed);
    let tasks: [fn(&mut Random) -> Option<Exercise>; 9] = [
        by_hand,
        tables_that_hit,
        ways_to_evade,
        choose_bands,
        largest_k,
        predict,
        |random| Some(break_it(random)),
        price_of_tables,
        signatures,
    ];
    // The first exercise of each kind whose numbers are of use.
    tasks.map(|task| {
        let tries = std::iter::repeat_with(|| task(random));
        tries.flatten().next().expect("tries do not end")
    })
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.random_range(0..from.len())]
}

/// So many of these, without repetition.
fn some<T: Copy>(random: &mut Random, n: usize, of: &[T]) -> Vec<T> {
    let mut left = of.to_vec();
    (0..n).map(|_| left.swap_remove(random.random_range(0..left.len()))).collect()
}

/// Four features with weights and hashes; no sum is zero, and the weights decide.
fn by_hand(random: &mut Random) -> Option<Exercise> {
    let features: Vec<(&str, i32, u8)> = some(random, 4, &WORDS)
        .into_iter()
        .map(|name| (name, random.random_range(1..=4), random.random_range(1..=u8::MAX)))
        .collect();
    let votes = |weight: fn(i32) -> i32| {
        let weighed = |(_, w, hash): &(&str, i32, u8)| {
            (u128::from(*hash), FixedWeight(i64::from(weight(*w))))
        };
        Votes::of(8, features.iter().map(weighed))
    };
    let bits = |votes: &Votes| votes.fingerprint(TieRule::One).bits() as u8;
    let (votes, unweighted) = (votes(|w| w), bits(&votes(|_| 1)));
    let sums: Vec<i64> = (0..8).rev().map(|bit| votes.fixed(bit)).collect();
    let right = bits(&votes);
    let one_or_more = features.iter().fold(0, |all, (.., hash)| all | hash);
    let mut wrong = features.iter().map(|it| it.2).chain([one_or_more, unweighted]);
    if sums.contains(&0) || wrong.any(|it| it == right) {
        return None;
    }
    let listed: Vec<String> = features
        .iter()
        .map(|(name, w, hash)| format!("\"{name}\" weighs {w} and hashes to {hash:08b}"))
        .collect();
    let sums: Vec<String> = sums.iter().map(|sum| format!("{sum:+}")).collect();
    Some(Exercise {
        question: format!(
            "A text has four features: {}. Compute its fingerprint of eight bits.",
            listed.join(", ")
        ),
        answer: format!(
            "{right:08b}: the sums are {}, and a positive one makes a 1.",
            sums.join(" ")
        ),
    })
}

/// The tables that still have a pair whose differing bits are in some blocks, more than one of them in a block.
fn tables_that_hit(random: &mut Random) -> Option<Exercise> {
    let blocks: u32 = random.random_range(5..=9);
    let key = random.random_range(2..=blocks - 2);
    let spoilt = random.random_range(1..=blocks - key);
    let names: Vec<char> = ('A'..='I').take(blocks as usize).collect();
    let mut chosen = some(random, spoilt as usize, &names);
    chosen.sort_unstable();
    let each: Vec<u32> = chosen.iter().map(|_| random.random_range(1..=3)).collect();
    let bits: u32 = each.iter().sum();
    let (all, left) = (binomial(blocks, key), binomial(blocks - spoilt, key));
    let by_bits = binomial(blocks.saturating_sub(bits), key);
    if [all, all - left, by_bits, (blocks - spoilt).into()].contains(&left) {
        return None;
    }
    let last = names[names.len() - 1];
    let places: Vec<String> =
        chosen.iter().zip(each).map(|(name, n)| format!("{n} in block {name}")).collect();
    let whole: String = names.iter().filter(|name| !chosen.contains(name)).collect();
    Some(Exercise {
        question: format!(
            "Fingerprints are cut into {blocks} blocks, A to {last}, and any {key} of them are the key of a table: \
             {all} tables. Two fingerprints differ in {bits} bits: {}. How many tables have both under one key?",
            places.join(", ")
        ),
        answer: format!(
            "{left}: the key must be {key} of the blocks {whole}, C({}, {key}).",
            blocks - spoilt
        ),
    })
}

/// The placements of differing bits that no table catches.
fn ways_to_evade(random: &mut Random) -> Option<Exercise> {
    let blocks: usize = random.random_range(2..=5);
    let mut cuts = some(random, blocks - 1, &(1..64).collect::<Vec<u32>>());
    cuts.extend([0, 64]);
    cuts.sort_unstable();
    let widths: Vec<u32> = cuts.windows(2).map(|ends| ends[1] - ends[0]).collect();
    if widths.iter().any(|width| *width < 4) || widths.iter().all(|width| *width == widths[0]) {
        return None;
    }
    let ways: u64 = widths.iter().copied().map(u64::from).product();
    let widths: Vec<String> = widths.iter().map(u32::to_string).collect();
    Some(Exercise {
        question: format!(
            "64 bits are cut into {blocks} blocks, of {} bits, and each block is the key of a table. In how many \
             ways can {blocks} bits differ so that no table has both fingerprints under one key?",
            widths.join(" + ")
        ),
        answer: format!(
            "{} = {}, of {} ways to place {blocks} bits.",
            grouped(ways),
            widths.join(" x "),
            grouped(binomial(64, blocks as u32) as u64)
        ),
    })
}

/// The bands with enough recall and the fewest chance candidates, by far.
fn choose_bands(random: &mut Random) -> Option<Exercise> {
    let width: u32 = pick(random, &[32, 64, 96, 128]);
    let recall = pick(random, &[0.8, 0.85, 0.9, 0.95]);
    let cosine = f64::from(random.random_range(80..=97_u32)) / 100.0;
    let all = || (1..=width).flat_map(move |m| (1..=width / m).map(move |bits| (m, bits)));
    let price = |(m, bits)| angle::expected_candidates(1_000_000, m, bits);
    let right = angle::cheapest_bands(width, cosine, recall)?;
    let (m, bits) = right;
    // Who takes the cosine for the chance that a bit agrees, gets another answer.
    let mistaken = (std::f64::consts::PI * (1.0 - cosine)).cos();
    let is_close = |it: (u32, u32)| {
        let found = angle::candidate(it.0, it.1, cosine);
        it != right && price(it) < 1.1 * price(right) && found > recall - 0.005
    };
    let found = angle::candidate(m, bits, cosine);
    let is_narrow = found < recall + 0.005 || all().any(is_close);
    if is_narrow || m == bits || angle::cheapest_bands(width, mistaken, recall) == Some(right) {
        return None;
    }
    Some(Exercise {
        question: format!(
            "Of {width} bits make M bands of K bits, so that pairs at cosine {cosine} become candidates with a \
             probability of at least {recall}, and as few unrelated pairs as possible do. Which M x K?"
        ),
        answer: format!(
            "{m}x{bits}: {found:.3} at cosine {cosine}, and {} chance candidates among a million documents.",
            grouped(price(right).round() as u64)
        ),
    })
}

/// The k below which chance makes no pair.
fn largest_k(random: &mut Random) -> Option<Exercise> {
    let n = random.random_range(10..=99_u64) * 10_u64.pow(random.random_range(2..=7));
    let pairs = n as f64 * (n as f64 - 1.0) / 2.0;
    let chance = Chance::coins(64);
    let k = chance.largest_k(pairs)?;
    let [here, above] = [k, k + 1].map(|k| pairs * chance.within(k));
    // Who counts each pair twice, or documents in place of pairs, gets another answer.
    if here > 0.9
        || above < 1.1
        || [2.0 * pairs, n as f64].map(|it| chance.largest_k(it)).contains(&Some(k))
    {
        return None;
    }
    Some(Exercise {
        question: format!(
            "{} documents have unrelated fingerprints of 64 bits. Which is the largest k at which fewer than one pair \
             is to be expected within k by chance? (The chance of one pair is the sum of C(64, i) for i from 0 to k, \
             divided by 2^64.)",
            grouped(n)
        ),
        answer: format!("{k}: {here:.2} pairs are expected there, {above:.1} at {}.", k + 1),
    })
}

/// A pair whose distance is to be expected: an odd number of words, so that no vote ties.
fn predict(random: &mut Random) -> Option<Exercise> {
    let n = 2 * random.random_range(5..=10) + 1;
    let n_changed = random.random_range(2..=5);
    let cosine = (n - n_changed) as f64 / n as f64;
    let expected = angle::expected_distance(cosine, 64);
    // A reader who takes 1 - cosine for the share of bits, or the Jaccard similarity for the cosine, is far off.
    let jaccard = (n - n_changed) as f64 / (n + n_changed) as f64;
    let wrong = [64.0 * (1.0 - cosine), angle::expected_distance(jaccard, 64)];
    if wrong.iter().any(|wrong| (wrong - expected).abs() < 1.5) {
        return None;
    }
    let mut one = some(random, n + n_changed, &WORDS);
    let new = one.split_off(n);
    let mut two = one.clone();
    for (at, new) in some(random, n_changed, &(0..n).collect::<Vec<usize>>()).into_iter().zip(new) {
        two[at] = new;
    }
    let (one, two) = (one.join(" "), two.join(" "));
    let recipe = "words:1 tf bits=64".parse().expect("a recipe");
    let hashes = Fingerprinter::new(&recipe).expect("a recipe without files");
    let votes = [&one, &two].map(|text| hashes.feature_votes(text));
    let [a, b] = votes.map(|votes| votes.fingerprint(hashes.recipe()));
    let drawn = a.zip(b).map_or(0, |(a, b)| a.distance(b));
    Some(Exercise {
        question: format!(
            "One: \"{one}\". Two: \"{two}\". Single words are the features, each with weight 1. Which Hamming distance \
             of the two fingerprints of 64 bits is to be expected by the angle between the texts? (Within one bit is \
             right.)"
        ),
        answer: format!(
            "{expected:.1}: the cosine is {} / {n} = {cosine:.3}, and 64 x acos({cosine:.3}) / pi = {expected:.1}. \
             (The hash of this program gives {drawn}: one draw, which may lie some bits off. So few words make the \
             mean of many hashes up to one bit less.)",
            n - n_changed
        ),
    })
}

/// Two texts that SimHash cannot tell apart.
fn break_it(random: &mut Random) -> Exercise {
    let n: u32 = random.random_range(4..=15);
    let [heavy, one, two] = some(random, 3, &WORDS)[..] else { unreachable!("three words") };
    let m = n - 1;
    let (shared, all) = (n * n, n * n + m * m);
    Exercise {
        question: format!(
            "Single words are the features, and a word weighs as often as it occurs (`words:1 tf`). Two texts have \
             \"{heavy}\" {n} times each. The first one has only \"{one}\" besides, the second one only \"{two}\", \
             equally often. How often at most, if the two fingerprints shall surely be equal? Which cosine do the two \
             texts have then?"
        ),
        answer: format!(
            "{m}: a word that weighs more than all others together decides every bit. The cosine is {n} x {n} / \
             ({n} x {n} + {m} x {m}) = {:.2}.",
            f64::from(shared) / f64::from(all)
        ),
    }
}

/// The k that tables guarantee, and the rows that a query reads in them by chance.
fn price_of_tables(random: &mut Random) -> Option<Exercise> {
    let blocks = pick(random, &[4_u32, 8, 16]);
    let key = random.random_range(1..=blocks.min(5) - 1);
    let (width, k, tables) = (64 / blocks, blocks - key, binomial(blocks, key));
    let n = random.random_range(1..=9_u64) * 10_u64.pow(random.random_range(4..=10));
    let all = n as f64 * share_read(64, k, key);
    // A student who counts one table, or the bits of one block, gets another answer.
    if all < 20.0 || all > n as f64 || (key == 1 && blocks == 16) {
        return None;
    }
    Some(Exercise {
        question: format!(
            "{} fingerprints of 64 bits are cut into {blocks} blocks of {width} bits, and any {key} of them are the key \
             of a table. Up to which distance is every pair found? How many tables are there, and how many rows does a \
             query read by chance in all of them?",
            grouped(n)
        ),
        answer: format!(
            "{k}: that many bits leave {key} of {blocks} blocks whole. C({blocks}, {key}) = {tables} tables with keys \
             of {} bits, and about {} rows.",
            key * width,
            grouped(all.round() as u64)
        ),
    })
}

/// The signatures of two texts in four orders; their similarity is not the share of the orders in which they agree.
fn signatures(random: &mut Random) -> Option<Exercise> {
    let n = random.random_range(5..=7);
    let words = some(random, n, &WORDS);
    let orders: Vec<Vec<usize>> =
        (0..4).map(|_| some(random, n, &(1..=n).collect::<Vec<usize>>())).collect();
    let has: Vec<[bool; 2]> = words.iter().map(|_| [(); 2].map(|()| random.random())).collect();
    let numbers = |at: usize| orders.iter().map(|order| order[at]).collect();
    let rows: Vec<OrderedWord<'_>> = (0..n).map(|at| (words[at], has[at], numbers(at))).collect();
    let [one, two] = hyperplane::signatures(&rows)?;
    let shared = has.iter().filter(|it| it[0] && it[1]).count();
    let either = has.iter().filter(|it| it[0] || it[1]).count();
    let agree = one.iter().zip(&two).filter(|(one, two)| one == two).count();
    let joined = |numbers: &[usize], between: &str| {
        numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(between)
    };
    if shared < 2 || shared + 1 >= either || one == two || agree * either == shared * 4 {
        return None;
    }
    let mut table = "| word | one | two | order 1 | order 2 | order 3 | order 4 |\n\
                     |------|-----|-----|---------|---------|---------|---------|\n"
        .to_owned();
    for (word, has, numbers) in &rows {
        let [one, two] = has.map(|has| if has { "x" } else { "" });
        let _ = writeln!(table, "| {word} | {one} | {two} | {} |", joined(numbers, " | "));
    }
    let (one, two) = (joined(&one, ""), joined(&two, ""));
    Some(Exercise {
        question: format!(
            "A cross marks the words of two texts. What does MinHash keep of each text in the four orders? What is \
             the Jaccard similarity of the two?\n\n{}",
            table.trim_end()
        ),
        answer: format!(
            "{one} and {two}: the smallest number of each text in each order. The similarity is {shared} / {either}; \
             they agree in {agree} of 4 orders."
        ),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The numbers of a text, as a reader finds them.
    fn numbers(text: &str) -> Vec<f64> {
        let text = text.replace(',', "");
        let parts = text.split(|it: char| !it.is_ascii_digit() && it != '.');
        parts.filter_map(|part| part.trim_matches('.').parse().ok()).collect()
    }

    fn choose(n: f64, k: u32) -> f64 {
        (0..k).map(|i| (n - f64::from(i)).max(0.0) / f64::from(i + 1)).product::<f64>().round()
    }

    /// Sums of votes by the question of a fingerprint by hand; `weighs` says what a weight counts.
    fn voted(question: &str, weighs: fn(f64) -> f64) -> String {
        let features: Vec<Vec<&str>> = question
            .split(" weighs ")
            .skip(1)
            .map(|it| it.split([' ', ',', '.']).collect())
            .collect();
        let sum = |at: usize| -> f64 {
            let vote = |it: &Vec<&str>| {
                let weight = weighs(it[0].parse().unwrap());
                if it[4].as_bytes()[at] == b'1' { weight } else { -weight }
            };
            features.iter().map(vote).sum()
        };
        (0..8).map(|at| if sum(at) >= 0.0 { '1' } else { '0' }).collect()
    }

    /// The cheapest bands by the question, if a bit of the pair agrees with this chance.
    fn cheapest(width: u32, agrees: f64, recall: f64) -> String {
        let mut best = (f64::INFINITY, String::new());
        for m in 1..=width {
            for k in 1..=width / m {
                let hit = |p: f64| 1.0 - (1.0 - p.powi(k as i32)).powi(m as i32);
                if hit(agrees) >= recall && hit(0.5) < best.0 {
                    best = (hit(0.5), format!("{m}x{k}"));
                }
            }
        }
        best.1
    }

    /// The largest k with less than one of so many pairs by chance.
    fn largest(pairs: f64) -> u32 {
        let within = |k: u32| (0..=k).map(|i| choose(64.0, i)).sum::<f64>() / 64_f64.exp2();
        (0..64).take_while(|k| pairs * within(*k) < 1.0).last().unwrap_or(99)
    }

    /// The mean distance of texts of n words, of which so many differ, over all hashes of plus and minus one.
    fn mean_of_hashes(n: u32, changed: u32) -> f64 {
        let flips = |n: u32| {
            (0..=n).map(move |i| {
                (2.0 * f64::from(i) - f64::from(n), choose(n.into(), i) / f64::from(n).exp2())
            })
        };
        let differs = |shared: f64| {
            let one: f64 =
                flips(changed).filter(|(own, _)| shared + own > 0.0).map(|it| it.1).sum();
            2.0 * one * (1.0 - one)
        };
        64.0 * flips(n - changed).map(|(shared, chance)| chance * differs(shared)).sum::<f64>()
    }

    /// Each question is answered again from its words alone: by the right method, and by usual mistakes.
    #[test]
    fn the_right_method_is_right_and_a_usual_mistake_is_not() {
        let mut questions: [BTreeSet<String>; 9] = Default::default();
        for seed in 0..1000 {
            let exercises = exercises(seed);
            let mut check = |task: usize, right: String, wrong: &[String]| {
                let Exercise { question, answer } = &exercises[task - 1];
                let printed = answer.split([':', ' ']).next().unwrap();
                assert_eq!(printed, right, "seed {seed}: {question}");
                assert!(!wrong.contains(&right), "seed {seed}: {question} {wrong:?}");
                questions[task - 1].insert(question.clone());
            };
            let question = |task: usize| exercises[task - 1].question.as_str();
            check(1, voted(question(1), |w| w), &[voted(question(1), |_| 1.0)]);

            let found = numbers(question(2));
            let (blocks, key, bits) = (found[0], found[1] as u32, found[3]);
            let spoilt = (found.len() - 4) as f64;
            assert_eq!((found[2], found[4..].iter().sum()), (choose(blocks, key), bits));
            let [right, all] = [blocks - spoilt, blocks].map(|n| choose(n, key));
            let wrong = [all, all - right, choose(blocks - bits, key), blocks - spoilt];
            check(2, right.to_string(), &wrong.map(|it| it.to_string()));

            let found = numbers(question(3));
            let (n, widths) = (found[1], &found[2..found.len() - 1]);
            assert_eq!((widths.len() as f64, widths.iter().sum()), (n, 64.0));
            let right = widths.iter().product::<f64>();
            let wrong = [64.0, choose(64.0, n as u32), (64.0 / n).powf(n).round()];
            check(3, grouped(right as u64), &wrong.map(|it| grouped(it as u64)));

            let [width, cosine, recall] = numbers(question(4))[..] else { panic!() };
            let agrees = 1.0 - cosine.acos() / std::f64::consts::PI;
            let right = cheapest(width as u32, agrees, recall);
            let turned = right.split_once('x').map(|(m, k)| format!("{k}x{m}")).unwrap();
            check(4, right, &[cheapest(width as u32, cosine, recall), turned]);

            let n = numbers(question(5))[0];
            let ks = [n * (n - 1.0) / 2.0, n * n, n].map(|it| largest(it).to_string());
            check(5, ks[0].clone(), &ks[1..]);

            let texts: Vec<BTreeSet<&str>> = question(6)
                .split('"')
                .skip(1)
                .step_by(2)
                .take(2)
                .map(|text| text.split(' ').collect())
                .collect();
            let (n, shared) =
                (texts[0].len() as f64, texts[0].intersection(&texts[1]).count() as f64);
            let expected = |cosine: f64| 64.0 * cosine.acos() / std::f64::consts::PI;
            let right = expected(shared / n);
            for wrong in [64.0 * (1.0 - shared / n), expected(shared / (2.0 * n - shared))] {
                assert!((wrong - right).abs() > 1.0, "{seed}");
            }
            let less = right - mean_of_hashes(n as u32, (n - shared) as u32);
            assert!((0.0..=1.0).contains(&less), "{seed}: {less}");
            check(6, format!("{right:.1}"), &[]);

            let n = numbers(question(7))[1];
            let answer = |answer: &str, says: &str| assert!(answer.contains(says), "{answer}");
            check(7, (n - 1.0).to_string(), &[]);
            let cosine = n * n / (n * n + (n - 1.0).powi(2));
            answer(&exercises[6].answer, &format!("= {cosine:.2}."));

            let [n, _, blocks, width, key] = numbers(question(8))[..5] else { panic!() };
            check(8, (blocks - key).to_string(), &[]);
            let tables = choose(blocks, key as u32);
            let rows = |bits: f64| grouped((tables * n / bits.exp2()).round() as u64);
            answer(&exercises[7].answer, &format!("= {tables} tables with keys"));
            answer(&exercises[7].answer, &format!("about {} rows.", rows(key * width)));

            let cells = |row: &str| -> Vec<String> {
                row.split('|').map(|cell| cell.trim().to_owned()).collect()
            };
            let rows: Vec<_> = question(9).lines().skip(4).map(cells).collect();
            let of = |text: usize| rows.iter().filter(move |row| row[text] == "x");
            let kept = |text: usize| -> String {
                (4..8).map(|order| of(text).map(|row| row[order].as_str()).min().unwrap()).collect()
            };
            check(9, kept(2), &[kept(3)]);
            answer(&exercises[8].answer, &format!(" and {}:", kept(3)));
            let shared = of(2).filter(|row| row[3] == "x").count();
            let either = of(2).count() + of(3).count() - shared;
            answer(&exercises[8].answer, &format!("is {shared} / {either};"));
        }
        let n: Vec<usize> = questions.iter().map(BTreeSet::len).collect();
        assert!(n.iter().all(|n| *n >= 50), "{n:?}");
    }

    #[test]
    fn a_word_that_outweighs_the_others_decides_and_an_equal_weight_may_not() {
        let hashes = Fingerprinter::new(&"words:1 tf bits=64".parse().unwrap()).unwrap();
        let equal = |n: usize, m: usize| {
            let text = |word: &str| "gull ".repeat(n) + &format!("{word} ").repeat(m);
            let [one, two] = ["sand", "rope"].map(|word| hashes.fingerprint(&text(word)).unwrap());
            one == two
        };
        assert!((4..=15).all(|n| equal(n, n - 1) && !equal(n, n)));
    }

    #[test]
    fn each_seed_has_a_sheet_of_its_own_with_the_answers_on_another_page() {
        let sheets: BTreeSet<String> =
            (1..=30).map(|seed| sheet(seed).replace(&format!("seed {seed}"), "seed")).collect();
        assert_eq!(sheets.len(), 30);
        for sheet in sheets {
            let (questions, answers) = sheet.split_once("page-break-before: always").unwrap();
            assert_eq!(
                (questions.matches("\n## ").count(), answers.matches("\n9. ").count()),
                (9, 1)
            );
        }
    }
}
