//! Intervals of a share, and of the cosine behind a distance.

use rand::RngExt;
use rand_distr::{Binomial, Distribution};
use simscope::evaluate::angle;
use simscope::evaluate::distances::Distances;
use simscope::evaluate::interval::{self, LEVEL};
use simscope::evaluate::recall::{self, Cluster};
use simscope::explain::Hyperplanes;
use simscope::feature::Shingling;
use simscope::simhash::{Fingerprinter, Recipe};

use super::{Held, random};

/// Over all true shares alike: for a single share the coverage swings about the level, as it must for counts.
#[test]
#[ignore = "thousands of simulations"]
fn coverage_of_jeffreys() {
    for n in [5, 20, 100, 1000, 200_000] {
        let (mut held, mut random) = (Held::default(), random(n.into()));
        for _ in 0..6000 {
            let share = random.random::<f64>();
            let met = Binomial::new(n.into(), share).unwrap().sample(&mut random) as u32;
            held.note(interval::of_sample(met, n), share);
        }
        held.is_near(&format!("Jeffreys, {n} trials"));
    }
}

/// Pairs drawn with replacement, as sampled distances are; rare distances and frequent ones.
#[test]
#[ignore = "thousands of simulations"]
fn coverage_of_sampled_distances() {
    let draws = 1 << 20;
    for (name, low, high) in [("rare", 1e-6, 1e-4), ("some", 1e-4, 1e-2), ("many", 0.01, 0.3)] {
        let (mut at, mut within) = (Held::default(), Held::default());
        let mut random = random(9);
        for _ in 0..3000 {
            let n_pairs = 10_000_000_000;
            // Evenly over the orders of magnitude.
            let mut share = || (f64::ln(low) + random.random::<f64>() * f64::ln(high / low)).exp();
            let truth = [share(), share()].map(|share| (share * n_pairs as f64) as u64);
            let mut left = u64::from(draws);
            let mut counts = vec![0];
            let mut rest = n_pairs;
            for pairs in truth {
                let share = pairs as f64 / rest as f64;
                counts.push(Binomial::new(left, share).unwrap().sample(&mut random));
                (left, rest) = (left - counts[counts.len() - 1], rest - pairs);
            }
            counts.push(left);
            let distances = Distances::drawn(counts, n_pairs, draws);
            let near = [17];
            let found = distances.at(2, &near);
            at.note((found.low as f64, found.high as f64), truth[1] as f64);
            let found = distances.within(2, &near);
            within.note((found.low as f64, found.high as f64), (17 + truth[0] + truth[1]) as f64);
        }
        at.is_near(&format!("sampled pairs at a distance, {name}"));
        within.is_near(&format!("sampled pairs within k, {name}"));
    }
}

/// A cosine first, then bits: pairs that were not picked by their distance.
#[test]
#[ignore = "thousands of simulations"]
fn coverage_of_the_cosine_of_random_lines() {
    for bits in [64, 128] {
        let (mut share, mut cosine, mut random) = (Held::default(), Held::default(), random(bits));
        for seed in 0..6000 {
            let true_cosine = random.random_range(-1.0..1.0_f64);
            let planes = Hyperplanes::new(true_cosine, bits as usize, seed);
            let (n, parting) = (planes.n(), planes.n_separating());
            share.note(interval::jeffreys(parting, n, LEVEL), angle::bit_differs(true_cosine));
            cosine.note(interval::cosine(parting, n), true_cosine);
        }
        share.is_near(&format!("share of {bits} lines"));
        cosine.is_near(&format!("cosine from {bits} lines"));
    }
}

/// Real fingerprints of two texts of `n` words that share some, each under one hash function.
#[test]
#[ignore = "thousands of fingerprints"]
fn coverage_of_the_cosine_of_fingerprints() {
    for n in [100_usize, 400] {
        let (mut held, mut random) = (Held::default(), random(n as u64));
        for seed in 0..3000 {
            let recipe = Recipe { features: Shingling::Words(1), seed, ..Recipe::default() };
            let fingerprinter = Fingerprinter::new(&recipe).unwrap();
            // As many words of either kind as there are, so that the cosine is the share.
            let shared = random.random_range(0..=n);
            let text = |name: &str| {
                let word =
                    |at: usize| if at < shared { format!("w{at}") } else { format!("{name}{at}") };
                (0..n).map(word).collect::<Vec<_>>().join(" ")
            };
            let [a, b] = ["a", "b"].map(|name| fingerprinter.fingerprint(&text(name)).unwrap());
            held.note(interval::cosine(a.distance(b), 64), shared as f64 / n as f64);
        }
        held.is_near(&format!("cosine from fingerprints of {n} even features"));
    }
}

/// Clusters of several sizes whose members share much of their luck, some of all there are drawn.
#[test]
#[ignore = "thousands of simulations"]
fn coverage_of_clustered_shares() {
    for (name, n_clusters, drawn) in [("a fifth drawn", 400, 0.2), ("half drawn", 100, 0.5)] {
        let (mut held, mut random) = (Held::default(), random(5));
        for _ in 0..3000 {
            let mean = random.random_range(0.02..0.98);
            let cluster = |random: &mut rand::rngs::Xoshiro256PlusPlus| {
                let all = (1.0 / random.random_range(0.05..1.0_f64)).round();
                // Half of the luck is the cluster's own.
                let own = if random.random_bool(mean) { 1.0 } else { 0.0 };
                let share = f64::midpoint(mean, own);
                let with = (0..all as u32).filter(|_| random.random_bool(share)).count();
                Cluster { with: with as f64, all }
            };
            let all: Vec<Cluster> = (0..n_clusters).map(|_| cluster(&mut random)).collect();
            let some: Vec<Cluster> = all[..(drawn * n_clusters as f64) as usize].to_vec();
            let sum = |of: fn(&Cluster) -> f64| all.iter().map(of).sum::<f64>();
            let found = recall::share(&some, drawn).unwrap();
            held.note((found.low, found.high), sum(|it| it.with) / sum(|it| it.all));
        }
        held.is_near(&format!("clustered shares, {name}"));
    }
}
