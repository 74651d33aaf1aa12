//! The native half of the Python package: texts and bytes in, bytes out. `simscope/__init__.py` makes arrays of them and
//! has the documentation.

use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use simscope::{Fingerprint, Fingerprinter, Recipe};

/// Gives freed memory back to the system, also what other threads freed.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The functions of `simscope.native`.
#[pymodule]
mod native {
    #[pymodule_export]
    use super::{explain, fingerprints, groups, pairs, run};
}

/// Does work without the lock of the interpreter, on the threads of this process. A process that was forked has none of
/// its parent's threads, so it gets its own.
fn apart<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    py.detach(|| {
        let own = std::process::id();
        let mut held = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = match &*held {
            Some((process, pool)) if *process == own => Arc::clone(pool),
            _ => {
                let made = ThreadPoolBuilder::new().build();
                let pool = Arc::new(made.map_err(|error| PyOSError::new_err(error.to_string()))?);
                // To drop the pool of the parent would wait for its threads.
                std::mem::forget(held.replace((own, Arc::clone(&pool))));
                pool
            }
        };
        drop(held);
        Ok(pool.install(work))
    })
}

/// The texts that a core takes at once.
const TEXTS_AT_ONCE: usize = 64;

/// Runs the program with these arguments, the first of which is its own name; the exit code.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| simscope::program::run(arguments))
}

/// The width of the recipe in bits; the fingerprints of the texts, each one or two words of 64 bits with the highest bits
/// first; and for each text 1 if it has none, otherwise 0.
#[pyfunction]
fn fingerprints(
    py: Python<'_>,
    texts: Vec<PyBackedStr>,
    recipe: &str,
) -> PyResult<(u32, Vec<u8>, Vec<u8>)> {
    apart(py, || {
        let recipe = parsed(recipe)?;
        let made = Fingerprinter::for_texts(&recipe, texts.iter().map(|text| &**text));
        let fingerprinter = made.map_err(value_error)?;
        let fingerprint = |text: &PyBackedStr| fingerprinter.fingerprint(text);
        let made: Vec<Option<Fingerprint>> =
            texts.par_iter().with_min_len(TEXTS_AT_ONCE).map(fingerprint).collect();
        let width = recipe.bits;
        let words = made.iter().flat_map(|fingerprint| {
            let bits = fingerprint.map_or(0, Fingerprint::bits);
            let [high, low] = [(bits >> 64) as u64, bits as u64];
            (width > 64).then_some(high).into_iter().chain([low]).flat_map(u64::to_ne_bytes)
        });
        let is_missing = made.iter().map(|fingerprint| u8::from(fingerprint.is_none()));
        Ok((width, words.collect(), is_missing.collect()))
    })?
}

/// The pairs within k, nearest first, each as two positions and a distance: three numbers of 32 bits.
#[pyfunction]
fn pairs(py: Python<'_>, words: &[u8], missing: &[u8], width: u32, k: u32) -> PyResult<Vec<u8>> {
    apart(py, || {
        let pairs = simscope::pairs_within(&read(words, missing, width), k);
        let numbers = |pair: &simscope::DocumentPair| [pair.a.0, pair.b.0, pair.distance];
        pairs.iter().flat_map(numbers).flat_map(u32::to_ne_bytes).collect()
    })
}

/// For each position the number of its group, or -1 if it is near no other: numbers of 64 bits.
#[pyfunction]
fn groups(py: Python<'_>, words: &[u8], missing: &[u8], width: u32, k: u32) -> PyResult<Vec<u8>> {
    apart(py, || {
        let mut numbers = vec![-1_i64; missing.len()];
        for (number, group) in simscope::groups(&read(words, missing, width), k).iter().enumerate()
        {
            group.iter().for_each(|document| numbers[document.index()] = number as i64);
        }
        numbers.into_iter().flat_map(i64::to_ne_bytes).collect()
    })
}

/// A shingle, and its weight in each text.
type Shared = (String, f64, f64);
/// A shingle, and its weight in the text that has it.
type Only = (String, f64);

/// The fingerprints of two texts as hex digits, their distance, the cosine, the shingles of both and those of one.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a tuple whose fields Python names")]
fn explain(
    py: Python<'_>,
    a: &str,
    b: &str,
    recipe: &str,
) -> PyResult<(
    Option<String>,
    Option<String>,
    Option<u32>,
    Option<f64>,
    Vec<Shared>,
    Vec<Only>,
    Vec<Only>,
)> {
    py.detach(|| {
        let made = Fingerprinter::for_texts(&parsed(recipe)?, [a, b]);
        let why = simscope::explain(&made.map_err(value_error)?, a, b);
        let [hex_a, hex_b] =
            why.fingerprints.map(|fingerprint| fingerprint.map(|it| it.to_string()));
        let shared = why.overlap.shared.iter().map(|shared| {
            let [weight_a, weight_b] = [0, 1].map(|side| shared.feature.weight(side).to_f64());
            (shared.feature.shingle.to_string(), weight_a, weight_b)
        });
        let [only_a, only_b] = [0, 1].map(|side| {
            let only = why.overlap.only[side].iter();
            let row = only
                .map(|only| (only.feature.shingle.to_string(), only.feature.weight(side).to_f64()));
            row.collect()
        });
        let cosine = why.overlap.cosine;
        Ok((hex_a, hex_b, why.distance, cosine, shared.collect(), only_a, only_b))
    })
}

/// The fingerprints of an array of words, as [`fingerprints`] returns them.
fn read(words: &[u8], missing: &[u8], width: u32) -> Vec<Option<Fingerprint>> {
    let (words, _) = words.as_chunks::<8>();
    let per_fingerprint = if width > 64 { 2 } else { 1 };
    let fingerprint = |(words, missing): (&[[u8; 8]], &u8)| {
        let bits =
            words.iter().fold(0, |bits, word| bits << 64 | u128::from(u64::from_ne_bytes(*word)));
        (*missing == 0).then(|| Fingerprint::new(bits, width))
    };
    words.chunks_exact(per_fingerprint).zip(missing).map(fingerprint).collect()
}

fn parsed(recipe: &str) -> PyResult<Recipe> {
    recipe.parse().map_err(value_error)
}

fn value_error(error: impl std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
