//! Decisions about groups, by hand and against what each must hold.

use super::*;
use crate::analysis::{AnalysisDepth, AnalysisInput, Settings, run_to};
use crate::corpus::{Input, LoadOptions};
use crate::index::Linkage;

/// Documents with these fingerprints of 16 bits.
fn analysed(prints: &[u16], k: u32) -> Analysis {
    let row = |(at, print): (usize, &u16)| {
        format!("{{\"id\": \"{at}\", \"fingerprint\": \"{print:04x}\", \"n\": {}}}\n", at % 3)
    };
    let rows: String = prints.iter().enumerate().map(row).collect();
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes: rows.into_bytes().leak() }];
    let recipe = "bits=16".parse().unwrap();
    let settings = Settings { recipe, k, ..Settings::default() };
    let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
    (*run_to(AnalysisDepth::Index, work, settings, &Job::new(), &mut |_| {}).unwrap()).clone()
}

fn decided(analysis: &Analysis, linkage: Linkage, rule: &DropRule) -> (Groups, Decisions) {
    let index = analysis.index.as_deref().unwrap();
    let ignored = analysis.ignored_pairs(&rule.marks.not_duplicates);
    let (groups, _) =
        index.stream_groups(&analysis.settings, linkage, &ignored, &Job::new()).unwrap();
    let decisions = analysis.decide(&groups, rule, &Job::new()).unwrap();
    (groups, decisions)
}

fn pairs(decisions: &Decisions) -> Vec<(u32, u32)> {
    decisions.dropped.iter().map(|one| (one.document.0, one.kept.0)).collect()
}

fn rule(policy: &str) -> DropRule {
    DropRule { policy: policy.parse().unwrap(), ..DropRule::default() }
}

#[test]
fn a_chain_keeps_what_is_too_far() {
    let analysis = analysed(&[0b0, 0b1, 0b11, 0b111, 0xff00], 1);
    let (groups, first) = decided(&analysis, Linkage::Single, &rule("first"));
    assert_eq!((groups.len(), pairs(&first)), (1, vec![(1, 0), (3, 2)]));
    let (_, last) = decided(&analysis, Linkage::Single, &rule("last"));
    assert_eq!(pairs(&last), [(0, 1), (2, 3)]);
    let (_, central) = decided(&analysis, Linkage::Single, &rule("central"));
    assert_eq!(pairs(&central), [(0, 1), (2, 1)]);
    assert!(first.is_kept(DocId(4)) && first.is_kept(DocId(0)) && !first.is_kept(DocId(1)));
}

#[test]
fn marks_come_before_the_policy() {
    let analysis = analysed(&[0, 0, 0, 1], 1);
    let mut rule = rule("first");
    rule.marks.documents =
        [(DocId(0), Mark::Drop), (DocId(2), Mark::Keep), (DocId(3), Mark::Keep)].into();
    let (_, decisions) = decided(&analysis, Linkage::Single, &rule);
    assert_eq!(pairs(&decisions), [(0, 2), (1, 2)]);
    // If all documents of a group are marked to be dropped, one is kept.
    rule.marks.documents = (0..4).map(|at| (DocId(at), Mark::Drop)).collect();
    let (_, decisions) = decided(&analysis, Linkage::Single, &rule);
    assert_eq!(pairs(&decisions), [(1, 0), (2, 0), (3, 0)]);
}

#[test]
fn none_goes_for_one_that_is_marked_as_no_duplicate() {
    let analysis = analysed(&[0, 0, 1, 3], 1);
    let mut rule = rule("first");
    assert!(rule.marks.toggle_pair(DocId(2), DocId(0)));
    // 1 is dropped for 0, and 2 is kept, so that 3 is dropped for 2.
    let (_, decisions) = decided(&analysis, Linkage::Single, &rule);
    assert_eq!(pairs(&decisions), [(1, 0), (3, 2)]);
    // Documents with equal fingerprints that are marked as not duplicates are both kept.
    rule.marks.toggle_pair(DocId(0), DocId(1));
    let (_, decisions) = decided(&analysis, Linkage::Single, &rule);
    assert_eq!(pairs(&decisions), [(2, 1)]);
    assert!(!rule.marks.toggle_pair(DocId(0), DocId(2)) && rule.marks.len() == 1);
}

/// One heavy feature, three texts, two of them with the same words.
#[test]
fn a_heavy_feature_drops_no_text_of_other_words() {
    let (moo, rest) = ("moo ".repeat(300), "the fog horn sounds at night over sea");
    let texts = [
        format!("{moo}a duck lecture about ponds and reeds here"),
        format!("{moo}{rest}"),
        format!("{}{rest}!", "MOO ".repeat(300)),
        "moo ".repeat(250),
        "moo ".repeat(150),
    ];
    let row = |text: &String| format!("{{\"text\": \"{text}\"}}\n");
    let rows: String = texts.iter().map(row).collect();
    let inputs = vec![Input::Bundled { name: "rows.jsonl", bytes: rows.into_bytes().leak() }];
    let work = AnalysisInput::Load(inputs, LoadOptions::default(), None);
    let recipe = "words:3 tf".parse().unwrap();
    let settings = Settings { k: 0, recipe, ..Settings::default() };
    let analysis = run_to(AnalysisDepth::Pairs, work, settings, &Job::new(), &mut |_| {}).unwrap();
    let texts = analysis.compare_texts(&Job::new()).unwrap();
    let analysis = analysis.with_equal_texts(texts.into());
    let (groups, decisions) = decided(&analysis, Linkage::Single, &rule("first"));
    // All have one fingerprint. "moo moo moo" is all of the text of 3 and 4, and a part of the others'.
    assert_eq!((groups.len(), pairs(&decisions)), (1, vec![(2, 1), (3, 0), (4, 0)]));
    let spared: Vec<u32> = decisions.spared.iter().map(|one| one.document.0).collect();
    assert_eq!(spared, [1]);
    let unchecked = DropRule { min_shared: MinShared::Given(0.0), ..rule("first") };
    assert_eq!(decided(&analysis, Linkage::Single, &unchecked).1.dropped.len(), 4);
    // A mark by hand overrides the check.
    let mut by_hand = rule("first");
    by_hand.marks.documents.insert(DocId(1), Mark::Drop);
    assert_eq!(pairs(&decided(&analysis, Linkage::Single, &by_hand).1)[0], (1, 0));
}

#[test]
fn fields_decide_and_reasons_are_told() {
    let analysis = analysed(&[0, 0, 0, 1], 1);
    let (_, decisions) = decided(&analysis, Linkage::Complete, &rule("largest:n"));
    assert_eq!(pairs(&decisions), [(0, 2), (1, 2), (3, 2)]);
    // Without texts no two texts are known to be equal, and no cosine is known.
    assert_eq!(decisions.count(Reason::EqualFingerprint), 2);
    assert_eq!(decisions.count(Reason::Near), 1);
    assert!(decisions.dropped.iter().all(|one| one.cosine.is_none()));
    // Nothing was checked: by default that is counted, and a share that was asked for spares all.
    assert_eq!(decisions.unchecked.len(), 3);
    let asked = DropRule { min_shared: MinShared::Given(0.5), ..rule("largest:n") };
    let spared = decided(&analysis, Linkage::Complete, &asked).1;
    assert_eq!((spared.dropped.len(), spared.spared.len()), (0, 3));
}

mod laws {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        /// With every policy, each dropped document is within k of a kept document, and every group keeps a
        /// document.
        #[test]
        fn no_document_goes_without_a_kept_one_within_k(
            prints in prop::collection::vec(0_u16..200, 1..60),
            k in 0..4_u32,
            policy in prop::sample::select(vec!["first", "last", "central", "largest:n,last", "longest", "source:rows"]),
            is_complete in any::<bool>(),
            marks in prop::collection::btree_map(0_u32..60, any::<bool>(), 0..6),
            apart in prop::collection::vec((0_u32..60, 0_u32..60), 0..12),
        ) {
            let analysis = analysed(&prints, k);
            let linkage = if is_complete { Linkage::Complete } else { Linkage::Single };
            let mut rule = rule(policy);
            let mark = |(document, keeps)| {
                (DocId(document), if keeps { Mark::Keep } else { Mark::Drop })
            };
            rule.marks.documents = marks.into_iter().map(mark).collect();
            let len = prints.len() as u32;
            for (a, b) in apart {
                let (a, b) = (DocId(a % len), DocId(b % len));
                if a != b && !rule.marks.are_not_duplicates(a, b) {
                    rule.marks.toggle_pair(a, b);
                }
            }
            let (groups, decisions) = decided(&analysis, linkage, &rule);
            for one in &decisions.dropped {
                let print = |document: DocId| prints[document.0 as usize];
                let distance = (print(one.document) ^ print(one.kept)).count_ones();
                prop_assert!(distance == one.distance && distance <= k);
                prop_assert!(decisions.is_kept(one.kept) && !decisions.is_kept(one.document));
                prop_assert_eq!(groups.group_of(one.document), groups.group_of(one.kept));
                prop_assert_ne!(rule.marks.get(one.document), Some(Mark::Keep));
                prop_assert!(!rule.marks.are_not_duplicates(one.document, one.kept));
            }
            let n_kept = (0..analysis.len()).filter(|&at| decisions.is_kept(DocId::from(at))).count();
            prop_assert_eq!(n_kept + decisions.dropped.len(), analysis.len());
            if is_complete && rule.marks.is_empty() {
                for group in groups.iter() {
                    prop_assert_eq!(group.iter().filter(|&&it| decisions.is_kept(it)).count(), 1);
                }
            }
        }
    }
}
