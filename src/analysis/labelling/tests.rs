//! Strata and judgements against a slow reference: every pair of documents, one by one.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
use crate::corpus::{Input, Judgement, Label, LabelEntry, Labels, LoadOptions, TextPair};
use crate::evaluate::labels::VerdictCounts;
use crate::feature::Shingling;
use crate::simhash::Recipe;
use crate::text::digest;
use crate::verdict::Verdict;

/// An analysis of these texts under a narrow recipe, so that pairs lie at every distance and texts
/// share fingerprints.
///
/// The last `n_reference` of them are a reference.
fn analysis(texts: &[String], n_reference: usize, bits: u32) -> Arc<Analysis> {
    let row = |text: &String| serde_json::json!({ "text": text }).to_string() + "\n";
    let input = |name, texts: &[String]| {
        let rows: String = texts.iter().map(row).collect();
        Input::Bundled { name, bytes: rows.into_bytes().leak() }
    };
    let (texts, reference) = texts.split_at(texts.len() - n_reference);
    let mut inputs = vec![input("texts.jsonl", texts)];
    inputs.extend((n_reference > 0).then(|| input("reference.jsonl", reference)));
    let features = Shingling::Words(1);
    let recipe = Recipe { features, bits, ..Recipe::default() };
    let settings = Settings { recipe, k: 2, ..Settings::default() };
    let options = LoadOptions { n_reference: inputs.len() - 1, ..LoadOptions::default() };
    let work = AnalysisInput::Load(inputs, options, None);
    let depth = AnalysisDepth::PairsByDistance;
    run_to(depth, work, settings, &Job::new(), &mut |_| {}).unwrap()
}

fn prepared(texts: &[String], bits: u32, names: &HashSet<Digest>) -> Labelling {
    against(texts, 0, bits, names)
}

fn against(texts: &[String], n: usize, bits: u32, names: &HashSet<Digest>) -> Labelling {
    Labelling::new(analysis(texts, n, bits), names, None, &Job::new()).unwrap()
}

/// So many texts that both sides have one with words, or none.
fn n_reference(texts: &mut Vec<String>, share: prop::sample::Index) -> usize {
    let n = share.index(texts.len());
    if n > 0 {
        texts.insert(0, "the log of the tide".to_owned());
        texts.push("the log of the tide".to_owned());
        n + 1
    } else {
        0
    }
}

/// Few words, spelled in several ways, many times over; sometimes one text nearly everywhere.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let word =
        prop_oneof![Just("tide"), Just("Tide"), Just("log"), Just("of"), Just("the"), Just("sea")];
    let text = proptest::collection::vec(word, 0..5).prop_map(|words| words.join("  "));
    let common = Just("the log of the tide".to_owned());
    (1_u32..6).prop_flat_map(move |often| {
        let text = prop_oneof![often => text.clone(), 2 => common.clone()];
        proptest::collection::vec(text, 1..70)
    })
}

/// Every pair within the window, one by one: its distance, and whether it is one text twice. With a reference, only
/// pairs of both corpora.
fn naive(labelling: &Labelling, texts: &[String]) -> BTreeMap<(u32, u32), (u32, bool)> {
    let mut pairs = BTreeMap::new();
    let fingerprint = |at: usize| labelling.analysis.fingerprint(DocId::from(at));
    for (a, one) in texts.iter().enumerate() {
        for (b, other) in texts.iter().enumerate().skip(a + 1) {
            let Some((left, right)) = fingerprint(a).zip(fingerprint(b)) else { continue };
            let corpus = &labelling.analysis.corpus;
            let is_across = !corpus.is_reference(a.into()) && corpus.is_reference(b.into());
            if corpus.reference().is_some() && !is_across {
                continue;
            }
            let distance = left.distance(right);
            if distance <= labelling.window() {
                let is_one = distance == 0 && digest(one) == digest(other);
                pairs.insert((a as u32, b as u32), (distance, is_one));
            }
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_pair_has_one_number_in_one_stratum(
        mut texts in texts(),
        bits in 5_u32..20,
        share in any::<prop::sample::Index>(),
    ) {
        let n_reference = n_reference(&mut texts, share);
        let labelling = against(&texts, n_reference, bits, &HashSet::new());
        let naive = naive(&labelling, &texts);
        let mut found = BTreeMap::new();
        for (place, stratum) in labelling.strata().iter().enumerate() {
            for number in 0..stratum.pairs - stratum.verified {
                let pick = Pick { stratum: place, number, is_repeat: false };
                let pair = labelling.pair(pick);
                prop_assert_eq!(pair.distance, stratum.distance);
                prop_assert!(found.insert((pair.a.0, pair.b.0), (pair.distance, false)).is_none());
                let index = &labelling.index;
                let entries = (index.entry_of(pair.b).unwrap(), index.entry_of(pair.a).unwrap());
                prop_assert_eq!(labelling.stratum_of(entries, pair.distance), Some(place));
            }
        }
        let n_verified: u64 = labelling.strata().iter().map(|stratum| stratum.verified).sum();
        prop_assert_eq!(n_verified as usize, naive.values().filter(|it| it.1).count());
        let asked: BTreeMap<_, _> = naive.into_iter().filter(|(_, it)| !it.1).collect();
        prop_assert_eq!(found, asked);
        let distances = labelling.strata().iter().map(|stratum| stratum.distance);
        prop_assert!(distances.eq(0..=labelling.window()));
    }

    #[test]
    fn a_label_settles_the_pairs_of_its_texts_wherever_they_are(
        mut texts in texts(),
        bits in 5_u32..20,
        share in any::<prop::sample::Index>(),
        said in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3_usize), 0..8),
    ) {
        let n_reference = n_reference(&mut texts, share);
        let mut labels = Labels::default();
        let name = |at: &prop::sample::Index| digest(&texts[at.index(texts.len())]);
        for (one, other, verdict) in said {
            let pair = TextPair::new(name(&one), name(&other));
            let verdict = Verdict::ALL[verdict];
            let (ids, source) = (Default::default(), String::new());
            labels.enter(LabelEntry::Added(Label { pair, verdict, ids, source, is_repeat: false }));
        }
        let names = labels.iter().flat_map(|label| label.pair.digests()).collect();
        let labelling = against(&texts, n_reference, bits, &names);
        let judged = labelling.judge_by_text(&labels);
        // The label of each pair of documents.
        let mut expected: BTreeMap<(u32, &str), u64> = BTreeMap::new();
        for ((a, b), (distance, is_one)) in naive(&labelling, &texts) {
            let digests = [a, b].map(|at| digest(&texts[at as usize]));
            let pair = TextPair::new(digests[0], digests[1]);
            if let Some(label) = labels.get(pair).filter(|_| !is_one) {
                *expected.entry((distance, label.verdict.name())).or_default() += 1;
            }
        }
        let mut found: BTreeMap<(u32, &str), u64> = BTreeMap::new();
        for it in &judged.strata {
            for (settled, verdict) in [(it.yes, "yes"), (it.no, "no"), (it.unsure, "unsure")] {
                prop_assert_eq!(settled.labels > 0, settled.pairs > 0);
                if settled.pairs > 0 {
                    *found.entry((it.distance, verdict)).or_default() += settled.pairs;
                }
            }
        }
        prop_assert_eq!(found, expected);
        prop_assert_eq!(judged.counts.judgements, labels.count());
    }
}

#[test]
fn judgements_by_id_count_once_each_and_the_last_one_wins() {
    let texts = ["tide log", "tide log", "Tide  log", "sea log", ""].map(str::to_owned);
    let labelling = prepared(&texts, 64, &HashSet::new());
    let id = |at: usize| labelling.analysis.corpus.id(DocId::from(at)).to_owned();
    let say = |a, b, verdict| Judgement { ids: [id(a), id(b)], verdict };
    let far = Judgement { ids: [id(0), "nowhere".to_owned()], verdict: Verdict::Yes };
    let truth = [
        say(0, 1, Verdict::No),
        say(2, 0, Verdict::Yes),
        say(0, 3, Verdict::Yes),
        say(3, 0, Verdict::Yes),
        say(1, 3, Verdict::No),
        say(0, 4, Verdict::No),
        far,
    ];
    let JudgedStrata { strata, counts, .. } = labelling.judge_by_id(&truth);
    let distance = {
        let fingerprint = |at| labelling.analysis.fingerprint(DocId(at)).unwrap();
        fingerprint(0).distance(fingerprint(3))
    };
    assert!(distance > labelling.window(), "two of four words differ: {distance}");
    let expected = JudgementCounts {
        judgements: 6,
        one_text: 2,
        contradicted: 1,
        missed: 1,
        beyond: 1,
        absent: 2,
        ..JudgementCounts::default()
    };
    assert_eq!(counts, expected);
    assert_eq!((strata[0].pairs, strata[0].verified, strata[0].labels()), (3, 3, 0));
}

#[test]
fn a_truth_that_names_all_leaves_nothing_open() {
    let texts: Vec<String> = ["tide log", "tide sea", "log sea", "sea"].map(str::to_owned).into();
    let labelling = prepared(&texts, 6, &HashSet::new());
    let mut judged = labelling.judge_by_id(&[]);
    judged.rest_is_no();
    for (stratum, before) in judged.strata.iter().zip(labelling.strata()) {
        assert_eq!((stratum.left(), stratum.no.pairs), (0, before.pairs - before.verified));
        assert_eq!(stratum.yes, VerdictCounts::default());
    }
}

#[test]
fn batches_pass_over_texts_that_were_judged() {
    let mut texts: Vec<String> = (0..12).map(|n| format!("tide log {n}")).collect();
    texts.extend(texts.clone());
    let mut labelling = prepared(&texts, 12, &HashSet::new());
    let mut labels = Labels::default();
    let mut met = HashSet::new();
    loop {
        let judged = labelling.judge_by_text(&labels);
        let mut sampler = Sampler::new(labelling.strata(), 7);
        let batch = labelling.batch(&judged, &mut sampler, 20);
        for pick in batch.iter().filter(|pick| !pick.is_repeat) {
            let pair = labelling.pair(*pick);
            let names = [pair.a, pair.b].map(|document| digest(&texts[document.index()]));
            let text_pair = TextPair::new(names[0], names[1]);
            assert!(met.insert(text_pair), "judged before");
            labelling.name(names[0], pair.a);
            labelling.name(names[1], pair.b);
            let (ids, source) = (Default::default(), String::new());
            let verdict = Verdict::Unsure;
            labels.enter(LabelEntry::Added(Label {
                pair: text_pair,
                verdict,
                ids,
                source,
                is_repeat: false,
            }));
        }
        if batch.is_empty() {
            assert!(judged.strata.iter().all(|stratum| stratum.left() == 0));
            break;
        }
    }
    assert_eq!(met.len(), 12 * 11 / 2);
}
