//! The corpus from outside: files on disk in, documents and messages out.
#![expect(clippy::unwrap_used, reason = "helpers of tests: a failed unwrap is a failed test")]

// Files of every format, plain and packed, in every encoding.
mod formats;
// Folders: order, hidden and binary files, links, loops, globs.
mod folders;
// Messages about broken input, word for word.
mod messages;
// Reading again: the same, vanished, changed, spooled.
mod rereading;
// Batches, snapshots, progress and cancel.
mod loading;
// Labels and truth files: kept, taken back, told where they are none.
mod labels;
// Parquet and Arrow, where they are built in.
#[cfg(feature = "columnar")]
mod columnar;
// Archives and web crawls.
pub(crate) mod archives;
// Crawls that are damaged, or of which something is left out.
mod crawls;
// Arbitrary bytes and the generator of hostile files.
pub(crate) mod hostile;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use simscope::corpus::{Content, Corpus, CorpusError, Input, LoadOptions, load};
use simscope::id::DocId;
use simscope::progress::Progress;
use tempfile::TempDir;

/// A fresh folder for one test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, with the folders above it.
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The messages of the corpus, with this folder shown as `DIR`, and a slash between the parts of a path.
    fn messages(&self, corpus: &Corpus) -> Vec<String> {
        corpus.diagnostics().iter().map(|diagnostic| self.hide(&diagnostic.to_string())).collect()
    }

    fn hide(&self, message: &str) -> String {
        let message = message.replace(&self.path().display().to_string(), "DIR");
        if cfg!(windows) { message.replace('\\', "/") } else { message }
    }
}

/// The documents of a corpus, as handed out while loading and as read again: they must agree.
struct Loaded {
    corpus: Corpus,
    contents: Vec<Content>,
}

impl Loaded {
    fn ids(&self) -> Vec<&str> {
        (0..self.corpus.len()).map(|index| self.corpus.id(DocId::from(index))).collect()
    }

    fn texts(&self) -> Vec<&str> {
        self.contents.iter().map(|content| content.text().unwrap()).collect()
    }
}

fn try_load(inputs: &[Input], options: &LoadOptions) -> Result<Loaded, CorpusError> {
    let mut contents = Vec::new();
    let corpus = load(inputs, options, &Progress::new(), &mut |batch| {
        assert_eq!(batch.first.index(), contents.len());
        contents.extend(batch.contents);
        assert_eq!(batch.corpus.len(), contents.len());
    })?;
    assert!(corpus.is_complete());
    assert_eq!(corpus.len(), contents.len());
    for (index, (again, first)) in corpus.read_many(0..usize::MAX).iter().zip(&contents).enumerate()
    {
        let id = DocId::from(index);
        assert_eq!(again.as_ref(), Ok(first), "{}", corpus.place(id));
        if index % 50 == 0 {
            assert_eq!(corpus.read(id).as_ref(), Ok(first), "{}", corpus.place(id));
        }
    }
    Ok(Loaded { corpus, contents })
}

fn load_with(path: &Path, options: &LoadOptions) -> Loaded {
    try_load(&[Input::Path(path.to_owned())], options).unwrap()
}

fn load_path(path: &Path) -> Loaded {
    load_with(path, &LoadOptions::default())
}

fn failure(path: &Path) -> String {
    let loaded = try_load(&[Input::Path(path.to_owned())], &LoadOptions::default());
    loaded.map(|_| ()).unwrap_err().to_string()
}

/// `row` of every number below `count`, one after the other.
fn rows(count: usize, row: impl Fn(usize) -> String) -> String {
    (0..count).map(row).collect()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

fn utf16(text: &str, little: bool) -> Vec<u8> {
    let order = if little { u16::to_le_bytes } else { u16::to_be_bytes };
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(order).collect()
}
