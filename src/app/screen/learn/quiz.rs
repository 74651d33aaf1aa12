//! Exercises from a seed, as a lesson: the same seed gives the same exercises, another seed other numbers.
//!
//! Each exercise is written in the form of a lesson's page, so the explorer shows it like any other, and the sheet
//! for a class is the same text.

use std::fmt::Write as _;

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

use super::{Playground, lesson::Lesson};
use crate::{
    evaluate::{angle, bands, null::Chance},
    feature::Shingling,
    index::binomial,
    number::grouped,
    simhash::Recipe,
};

/// An exercise.
#[derive(Clone, Debug, PartialEq)]
struct Exercise {
    /// The lines of the page's head: view, texts, checks, mistakes.
    head: String,
    /// The question.
    question: String,
    /// The task on the screen.
    task: &'static str,
    /// The answer, with its reason.
    answer: String,
}

/// Words to make texts of.
const WORDS: [&str; 32] = [
    "tide", "sand", "harbour", "gull", "lantern", "rope", "pier", "storm", "shell", "ferry",
    "salt", "wind", "keeper", "morning", "bell", "crab", "pool", "drift", "anchor", "light",
    "rain", "stone", "boat", "net", "wall", "fog", "star", "oar", "weed", "cliff", "wave", "dune",
];

/// The quiz of a seed as a lesson.
///
/// # Panics
/// Never: the lessons that are written here can be read.
pub fn quiz(seed: u64) -> Lesson {
    let lesson: Lesson = text(seed).parse().expect("a quiz is a lesson");
    Lesson { name: format!("quiz {seed}"), ..lesson }
}

/// The quiz of a seed as a sheet in Markdown: the questions, then the answers.
pub fn sheet(seed: u64) -> String {
    let exercises = exercises(seed);
    let mut sheet = format!("# SimHash: exercises (seed {seed})\n\nName:\n");
    for (number, exercise) in exercises.iter().enumerate() {
        let _ = write!(sheet, "\n## {}\n\n{}\n", number + 1, exercise.question);
    }
    sheet += "\n---\n\n# Answers\n\n";
    for (number, exercise) in exercises.iter().enumerate() {
        let _ = writeln!(sheet, "{}. {}", number + 1, exercise.answer);
    }
    let _ = write!(
        sheet,
        "\nThe same exercises in the explorer, which checks the answers: `simscope quiz --seed {seed}`\n"
    );
    sheet
}

fn text(seed: u64) -> String {
    let mut text = format!(
        "title: Quiz {seed}\none: the tide came in\ntwo: the tide went out\nrecipe: words:1 tf bits=64\nk: 3\n"
    );
    for Exercise { head, question, task, answer } in exercises(seed) {
        let answer = answer.replace('\n', " ");
        let _ = write!(text, "---\n{head}right: {answer}\n\n{question}\n\n> {task}\n");
    }
    text
}

fn exercises(seed: u64) -> Vec<Exercise> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    vec![
        by_hand(&mut random),
        tables_that_hit(&mut random),
        ways_to_evade(&mut random),
        choose_bands(&mut random),
        largest_k(&mut random),
        predict(&mut random),
        break_it(),
    ]
}

type Random = Xoshiro256PlusPlus;

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.random_range(0..from.len())]
}

/// Different words.
fn words(random: &mut Random, n: usize) -> Vec<&'static str> {
    let mut left = WORDS.to_vec();
    (0..n).map(|_| left.swap_remove(random.random_range(0..left.len()))).collect()
}

/// Three features with weights and hashes; no sum is zero.
fn by_hand(random: &mut Random) -> Exercise {
    let names = words(random, 3);
    loop {
        let features: Vec<(&str, i32, u8)> = names
            .iter()
            .map(|&name| (name, random.random_range(1..=3), random.random_range(1..=u8::MAX)))
            .collect();
        let sums: Vec<i32> = (0..8)
            .rev()
            .map(|bit| {
                features.iter().map(|(_, w, hash)| if hash >> bit & 1 == 1 { *w } else { -w }).sum()
            })
            .collect();
        if sums.contains(&0)
            || features.iter().any(|(_, w, _)| features.iter().map(|it| it.1).sum::<i32>() < 2 * w)
        {
            continue;
        }
        let bits: String = sums.iter().map(|sum| if *sum > 0 { '1' } else { '0' }).collect();
        let typed: Vec<String> =
            features.iter().map(|(name, w, hash)| format!("{name}:{w}={hash:08b}")).collect();
        let listed: Vec<String> = features
            .iter()
            .map(|(name, w, hash)| format!("\"{name}\" weighs {w} and hashes to {hash:08b}"))
            .collect();
        let sums: Vec<String> = sums.iter().map(|sum| format!("{sum:+}")).collect();
        return Exercise {
            head: format!(
                "view: Step\none: {}\nrecipe: words:1 tf bits=8\nhide: sums\ncheck: answer is {bits}\n",
                typed.join(" ")
            ),
            question: format!(
                "A text has three features: {}. Compute its fingerprint of eight bits.",
                listed.join(", ")
            ),
            task: "Press a and type the eight bits, the highest first. Space shows the votes one by one.",
            answer: format!(
                "{bits}. The sums are {}, and a positive one makes a 1.",
                sums.join(" ")
            ),
        };
    }
}

/// The tables that still have a pair.
fn tables_that_hit(random: &mut Random) -> Exercise {
    let spoilt: u32 = random.random_range(1..=3);
    let letters: Vec<char> = {
        let mut left: Vec<char> = ('A'..='F').collect();
        let mut chosen: Vec<char> =
            (0..spoilt).map(|_| left.swap_remove(random.random_range(0..left.len()))).collect();
        chosen.sort_unstable();
        chosen
    };
    let named = match &letters[..] {
        [one] => format!("block {one}"),
        [one, two] => format!("blocks {one} and {two}"),
        _ => {
            format!("blocks {}", letters.iter().map(char::to_string).collect::<Vec<_>>().join(", "))
        }
    };
    let left = binomial(6 - spoilt, 3);
    let whole: String = ('A'..='F').filter(|letter| !letters.contains(letter)).collect();
    Exercise {
        head: format!(
            "view: Tables\nlayout: 6\nrecipe: words:1 tf bits=64\ncheck: answer = {left}\nwrong: answer = 20 | \
             there are 20 tables in all; a table whose key holds a differing block does not have the pair\n"
        ),
        question: format!(
            "Fingerprints are cut into six blocks, A to F, and any three of them are the key of a table: 20 \
             tables. Two fingerprints differ in {named} alone. How many tables have both under one key?"
        ),
        task: "Press a and type the number. Flip bits with Space to try.",
        answer: format!(
            "{left}: the key must be three of the blocks {whole}, C({}, 3).",
            6 - spoilt
        ),
    }
}

/// The placements of differing bits that no table catches.
fn ways_to_evade(random: &mut Random) -> Exercise {
    let blocks: u32 = pick(random, &[2, 4, 8]);
    let each = 64 / blocks;
    let ways = u64::from(each).pow(blocks);
    let all = binomial(64, blocks);
    Exercise {
        head: format!(
            "view: Tables\nlayout: 4\nhide: ways\ncheck: answer = {ways}\nwrong: answer = {} | choices multiply, \
             they do not add\nwrong: answer != -1 | one bit in each block, and {each} places in each: multiply\n",
            each * blocks
        ),
        question: format!(
            "64 bits are cut into {blocks} blocks of {each}, and each block is the key of a table. In how many ways \
             can {blocks} bits differ so that no table has both fingerprints under one key?"
        ),
        task: "Press a and type the number.",
        answer: format!(
            "{} = {each}^{blocks}, of {} ways to place {blocks} bits.",
            grouped(ways),
            grouped(all as u64)
        ),
    }
}

/// The bands with enough recall and the fewest chance candidates.
fn choose_bands(random: &mut Random) -> Exercise {
    let cosine: f64 = pick(random, &[0.9, 0.93, 0.95, 0.97]);
    let recall = 0.9;
    let all = (1..=64_u32).flat_map(|m| (1..=64 / m).map(move |bits| (m, bits)));
    let good = all.filter(|&(m, bits)| bands::candidate(m, bits, cosine) >= recall);
    let price = |&(m, bits): &(u32, u32)| bands::expected_candidates(1_000_000, m, bits);
    let best = good.min_by(|a, b| price(a).total_cmp(&price(b)).then(a.cmp(b)));
    let (m, bits) = best.unwrap_or((1, 1));
    let found = bands::candidate(m, bits, cosine);
    Exercise {
        head: format!(
            "view: Bench\nlayout: 3x18\ncheck: answer is {m}x{bits}\nwrong: answer != -1 | type M x K, such as 3x18\n"
        ),
        question: format!(
            "Of 64 bits make M bands of K bits, so that pairs at cosine {cosine} become candidates with a probability \
             of at least 0.9, and as few unrelated pairs as possible do. Which M x K?"
        ),
        task: "Press a and type it, such as 3x18. The curve, the strangers and the price follow h, l, j and k.",
        answer: format!(
            "{m}x{bits}: {found:.2} at cosine {cosine}, and {} chance candidates among a million documents.",
            grouped(bands::expected_candidates(1_000_000, m, bits).round() as u64)
        ),
    }
}

/// The k below which chance makes no pair.
fn largest_k(random: &mut Random) -> Exercise {
    let n: u64 = pick(random, &[10_000, 58_102, 100_000, 1_000_000, 10_000_000]);
    let pairs = n as f64 * (n as f64 - 1.0) / 2.0;
    let chance = Chance::coins(64);
    let k = chance.largest_k(pairs).unwrap_or(0);
    let [here, above] = [k, k + 1].map(|k| pairs * chance.within(k));
    Exercise {
        head: format!(
            "view: Bench\nlayout: 4\ncheck: answer = {k}\nwrong: answer > {k} | at that k at least one chance pair \
             is to be expected\nwrong: answer < {k} | a larger k is still below one chance pair\n"
        ),
        question: format!(
            "{} documents have unrelated fingerprints of 64 bits. Which is the largest k at which fewer than one pair \
             is to be expected within k by chance? (The chance of one pair is the sum of C(64, i) for i from 0 to k, \
             divided by 2^64.)",
            grouped(n)
        ),
        task: "Press a and type the number.",
        answer: format!("{k}: {here:.2} pairs are expected there, {above:.1} at {}.", k + 1),
    }
}

/// A pair whose distance is to be guessed.
fn predict(random: &mut Random) -> Exercise {
    let n = random.random_range(10..=16);
    let one = words(random, n);
    let n_changed: usize = random.random_range(1..=3);
    let mut two = one.clone();
    let mut new: Vec<&str> = WORDS.iter().copied().filter(|word| !one.contains(word)).collect();
    for _ in 0..n_changed {
        let at = random.random_range(0..two.len());
        two[at] = new.swap_remove(random.random_range(0..new.len()));
    }
    let (one, two) = (one.join(" "), two.join(" "));
    let recipe = Recipe { features: Shingling::Words(1), ..Recipe::default() };
    let play = Playground::new(&one, &two, recipe);
    let (d, cosine) = (play.distance().unwrap_or(0), play.overlap().cosine.unwrap_or(0.0));
    let expected = angle::expected_distance(cosine, 64);
    Exercise {
        head: format!(
            "view: Playground\none: {one}\ntwo: {two}\nrecipe: words:1 tf bits=64\nhide: distance\ncheck: answer = \
             distance within 5\nwrong: answer < distance | more bits differ than that\nwrong: answer > distance | \
             fewer bits differ than that\n"
        ),
        question: format!(
            "One: \"{one}\". Two: \"{two}\". Single words are the features, each with weight 1. Estimate the Hamming \
             distance of the two fingerprints of 64 bits; five bits off is still right."
        ),
        task: "Work out the cosine, press a and type the distance to expect.",
        answer: format!(
            "{d} bits; the cosine is {cosine:.3}, at which 64 x acos({cosine:.3}) / pi = {expected:.1} are expected."
        ),
    }
}

/// Two texts that SimHash cannot tell apart.
fn break_it() -> Exercise {
    Exercise {
        head: "view: Playground\none: the tide came in\ntwo: the tide went out\nrecipe: words:1 tf bits=64\n\
               check: words.a >= 10\ncheck: words.b >= 10\ncheck: distance = 0\ncheck: cosine < 0.6\n\
               wrong: words.a < 10 | the first text needs ten words\nwrong: words.b < 10 | the second text needs ten \
               words\nwrong: distance > 0 | {distance} bits differ; which word could outvote all the others?\n\
               wrong: cosine >= 0.6 | the cosine is {cosine:3}: let more of the weight differ\n"
            .to_owned(),
        question: "Break it: write two texts of at least ten words each with equal fingerprints and a cosine below 0.6."
            .to_owned(),
        task: "Press e and type; Tab goes to the second text, Esc ends typing.",
        answer: "One word that occurs more often than all others together decides every bit: one word six times in both \
                 texts, another one five times in the first, and a third one five times in the second. The cosine is \
                 36 / 61 = 0.59."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seed_makes_a_quiz_and_a_sheet_with_its_answers() {
        for seed in 0..300 {
            let lesson = quiz(seed);
            assert_eq!(lesson.pages.len(), 7, "{seed}");
            assert!(lesson.pages.iter().all(|page| !page.checks.is_empty()));
            let sheet = sheet(seed);
            assert!(sheet.contains("# Answers") && sheet.contains(&format!("--seed {seed}`")));
        }
        assert_eq!(sheet(42), sheet(42));
        assert_ne!(sheet(42), sheet(43));
    }

    #[test]
    fn the_exercises_of_the_professor_have_his_answers() {
        // Four blocks and four bits; ten million documents; 58,102 documents; recall 0.9 at cosine 0.95.
        let pairs = |n: f64| n * (n - 1.0) / 2.0;
        assert_eq!(Chance::coins(64).largest_k(pairs(1e7)), Some(3));
        assert_eq!(Chance::coins(64).largest_k(pairs(58_102.0)), Some(8));
        let found: Vec<String> = (0..60)
            .map(|seed| choose_bands(&mut Random::seed_from_u64(seed)).answer)
            .filter(|answer| answer.contains("cosine 0.95"))
            .collect();
        assert!(found.iter().all(|answer| answer.starts_with("6x10: 0.92")), "{found:?}");
        assert!(!found.is_empty());
    }
}
