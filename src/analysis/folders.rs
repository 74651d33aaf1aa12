//! Folders as units: how much of one has a near-duplicate in another.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::AnalysisError;
use crate::corpus::Corpus;
use crate::id::DocId;

/// How much of a folder another one has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Containment {
    /// The folder, a position in [`FolderShares::names`].
    pub folder: u32,
    /// The other one.
    pub other: u32,
    /// The documents of the folder that share a group with one of the other.
    pub near: u64,
}

/// The folders of a corpus, and how much of each the others have.
#[derive(Clone, Debug)]
pub struct FolderShares {
    /// The name of each folder, in the order of the corpus.
    pub names: Vec<String>,
    /// The documents of each folder.
    pub sizes: Vec<u64>,
    /// Every two folders that share a group, in both directions: the largest share of a folder first.
    pub rows: Vec<Containment>,
}

impl FolderShares {
    /// The share of the folder of a row that the other one has, above 0 up to 1.
    pub fn share(&self, row: &Containment) -> f64 {
        row.near as f64 / self.sizes[row.folder as usize] as f64
    }
}

/// The most pairs of folders, some 600 MB.
const MOST_ROWS: usize = 10_000_000;

/// Counts, for every two folders, the documents of one that share a group with a document of the other. The unit of a
/// document is the folder of its file; a file of several documents is a unit of its own.
///
/// # Errors
/// [`AnalysisError::Refused`] if too many folders share groups.
pub fn folder_shares(corpus: &Corpus, groups: &[&[DocId]]) -> Result<FolderShares, AnalysisError> {
    let (units, names) = corpus.folders();
    let mut sizes = vec![0; names.len()];
    for &unit in &units {
        sizes[unit as usize] += 1;
    }
    let mut near: HashMap<(u32, u32), u64> = HashMap::new();
    for group in groups {
        let mut of_group: Vec<u32> = group.iter().map(|it| units[it.index()]).collect();
        of_group.sort_unstable();
        let counts: Vec<(u32, u64)> =
            of_group.chunk_by(u32::eq).map(|run| (run[0], run.len() as u64)).collect();
        for &(folder, count) in &counts {
            for &(other, _) in counts.iter().filter(|it| it.0 != folder) {
                *near.entry((folder, other)).or_default() += count;
            }
            if near.len() > MOST_ROWS {
                return Err(AnalysisError::Refused(format!(
                    "more than {MOST_ROWS} pairs of folders share a group; give fewer folders, or a smaller k"
                )));
            }
        }
    }
    let row = |((folder, other), near)| Containment { folder, other, near };
    let mut shares = FolderShares { names, sizes, rows: near.into_iter().map(row).collect() };
    let mut rows = std::mem::take(&mut shares.rows);
    rows.sort_by(|a, b| {
        let places = |it: &Containment| (Reverse(it.near), it.folder, it.other);
        shares.share(b).total_cmp(&shares.share(a)).then_with(|| places(a).cmp(&places(b)))
    });
    Ok(FolderShares { rows, ..shares })
}
