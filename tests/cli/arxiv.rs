//! A real corpus: pairs from the command against a naive scan over the exported fingerprints.

use std::path::{Path, PathBuf};

use simscope::id::DocId;
use simscope::index::{Distinct, document_pairs};
use simscope::progress::Progress;
use simscope::simhash::Fingerprint;

use super::shell::Shell;
use crate::support::fingerprints::all_pairs;

/// A shared corpus, if it lies beside the project; says so if not.
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    of_shared(&format!("corpora/{name}/docs.jsonl"))
}

/// An input of the field, if it lies beside the project; says so if not.
pub(crate) fn field(name: &str) -> Option<PathBuf> {
    of_shared(&format!("field/{name}"))
}

fn of_shared(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("SIMSCOPE_SHARED").map_or_else(beside, PathBuf::from);
    let path = shared.join(name);
    if !path.exists() {
        eprintln!("skipped: no {name} in ../shared; name its folder with SIMSCOPE_SHARED");
        return None;
    }
    Some(path)
}

#[test]
fn pairs_are_those_of_a_scan() {
    let Some(corpus) = shared("arxiv-feeds-dev") else { return };
    let shell = Shell::with(&[]);
    let corpus = corpus.to_str().unwrap();
    shell.run_args(&["fingerprint", "-f", "csv", "-o", "fingerprints.csv", corpus]).rows();
    let mut rows = csv::Reader::from_path(shell.path("fingerprints.csv")).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    let word =
        |hex: &str| Fingerprint::parse(hex, 64).map(|fingerprint| fingerprint.bits() as u64).ok();
    let words: Vec<Option<u64>> = rows.iter().map(|row| word(&row[1])).collect();
    let distinct = Distinct::collapse(&words, &Progress::new()).unwrap();
    let all = all_pairs(distinct.values(), 8);
    for k in [3, 6, 8] {
        let within: Vec<_> = all.iter().copied().filter(|pair| pair.distance <= k).collect();
        let id = |document: DocId| &rows[document.index()][0];
        let mut expected = csv::Writer::from_writer(Vec::new());
        expected.write_record(["a", "b", "distance"]).unwrap();
        for pair in document_pairs(&distinct, &within) {
            expected.write_record([id(pair.a), id(pair.b), &pair.distance.to_string()]).unwrap();
        }
        let expected = String::from_utf8(expected.into_inner().unwrap()).unwrap();
        let k = k.to_string();
        let found = shell.run_args(&["pairs", "-k", &k, "-f", "csv", "fingerprints.csv"]).rows();
        assert!(
            found == expected,
            "k = {k}: {} rows, not {}",
            found.lines().count(),
            expected.lines().count()
        );
    }
}
