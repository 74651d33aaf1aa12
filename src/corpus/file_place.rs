//! The place of a document in a file of the user's, for a program that opens files at a line.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use memchr::memchr_iter;

use super::Corpus;
use super::blocks::BUFFER;
use super::decode::DecodedInput;
use super::diagnostic::io_message;
use super::document::Located;
use super::options::InputLimits;
use super::source::{ByteStore, Source};
use crate::id::DocId;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePlace {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u64,
}

impl Corpus {
    /// The file and the line of a document. Reads the beginning of a document that is a whole file.
    ///
    /// # Errors
    /// The reason why it stands in no line of a file, as a message for the user.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn file_place(&self, id: DocId) -> Result<FilePlace, String> {
        let it = self.locate(id);
        let Located { document, source, .. } = it;
        let refuse = |why: &str| Err(format!("{}: {why}", it.place()));
        let path = match &source.store {
            ByteStore::File { path, .. } => path,
            ByteStore::Spool { parquet: Some(_), .. } => {
                return refuse("rows of this file have no lines");
            }
            ByteStore::Static { .. } => {
                return refuse("the sample is part of the program, no file");
            }
            ByteStore::Spool { .. } => {
                return refuse(
                    "it is packed, converted, in an archive or from a pipe, so there is no line to open",
                );
            }
        };
        let line = || match source.shape.cut() {
            Some(_) => line_at(path, document.offset),
            None => Ok(document.number.max(1)),
        };
        match is_packed(path, source).and_then(|is_packed| Ok((is_packed, line()?))) {
            Ok((true, _)) => refuse("the file is packed, so there is no line to open"),
            Ok((false, line)) => Ok(FilePlace { path: path.clone(), line }),
            Err(_) => refuse("the file is gone or cannot be read"),
        }
    }
}

impl Corpus {
    /// The unit of each document, and the names of the units in the order of the corpus: a file that has several documents,
    /// otherwise the folder of the file; in archives, too. Costs a pass over the addresses.
    pub fn folders(&self) -> (Vec<u32>, Vec<String>) {
        let mut files: Vec<(usize, String)> = Vec::new();
        let mut last = None;
        for id in (0..self.len()).map(DocId::from) {
            let source = self.locate(id).source;
            let is_same_source = last.is_some_and(|last| Arc::ptr_eq(last, source));
            last = Some(source);
            match files.last_mut() {
                Some((n, file)) if is_same_source || *file == source.store.file() => *n += 1,
                _ => files.push((1, source.store.file())),
            }
        }
        let (mut names, mut numbers) = (Vec::new(), HashMap::new());
        let mut units = Vec::with_capacity(self.len());
        for (n, file) in files {
            let folder = |file: &str| match file.rfind(['/', MAIN_SEPARATOR]) {
                Some(end) => file[..end].to_owned(),
                None => ".".to_owned(),
            };
            let name = if n > 1 { file } else { folder(&file) };
            let unit = *numbers.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() as u32 - 1
            });
            units.resize(units.len() + n, unit);
        }
        (units, names)
    }

    /// The unchanged file that has this document alone.
    ///
    /// # Errors
    /// The reason why there is none, as a message for the user.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn own_file(&self, id: DocId) -> Result<PathBuf, String> {
        let it = self.locate(id);
        let refuse = |why: &str| Err(format!("{}: {why}", it.place()));
        let file = |id: DocId| self.locate(id).source.store.file();
        let is_beside = |other: Option<u32>| {
            let other = other.filter(|&other| (other as usize) < self.len());
            other.is_some_and(|other| file(DocId(other)) == file(id))
        };
        let ByteStore::File { path, stamp } = &it.source.store else {
            return refuse("is not in a file of its own; give --kept a file instead of a folder");
        };
        if is_beside(id.0.checked_sub(1)) || is_beside(id.0.checked_add(1)) {
            return refuse("its file has other documents; give --kept a file instead of a folder");
        }
        match ByteStore::open(path) {
            Ok((_, now)) if now == *stamp => Ok(path.clone()),
            Ok(_) => refuse("has changed since it was read; run the command again"),
            Err(error) => refuse(&io_message(&error)),
        }
    }
}

/// The line that a position is in, from 1. Reads the file up to there.
fn line_at(path: &Path, offset: u64) -> io::Result<u64> {
    let mut before = BufReader::with_capacity(BUFFER, ByteStore::open(path)?.0).take(offset);
    let mut line = 1;
    loop {
        let bytes = before.fill_buf()?;
        if bytes.is_empty() {
            return Ok(line);
        }
        line += memchr_iter(b'\n', bytes).count() as u64;
        let n = bytes.len();
        before.consume(n);
    }
}

/// Whether a document that is a whole file is packed: an editor would show no text.
fn is_packed(path: &Path, source: &Source) -> io::Result<bool> {
    let mut file = ByteStore::open(path)?.0;
    if !source.is_whole() {
        return Ok(false);
    }
    let mut head = Vec::new();
    (&mut file).take(2).read_to_end(&mut head)?;
    let is_utf16 = matches!(&head[..], [0xff, 0xfe] | [0xfe, 0xff]);
    let decoded = DecodedInput::open(Box::new(File::open(path)?), InputLimits::NONE);
    Ok(!decoded.plain && !is_utf16)
}
