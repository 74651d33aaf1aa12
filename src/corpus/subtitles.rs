//! Subtitles: each cue is a row with its number, its time and its text.

use std::io::{BufRead as _, BufReader, Cursor};
use std::sync::{Arc, atomic::AtomicU64};

use super::batch_builder::LoadStop;
use super::decode::PeekedReader;
use super::load::Loader;
use super::origin::Origin;

/// Whether these bytes begin subtitles: the number of the first cue, and its time.
pub(super) fn is_one(head: &[u8]) -> bool {
    head.starts_with(b"1\n00:") || head.starts_with(b"1\r\n00:")
}

/// Reads the cues of a file.
pub(super) fn read(
    loader: &mut Loader<'_>,
    origin: &Origin,
    reader: PeekedReader<'_>,
    _: bool,
) -> Result<(), LoadStop> {
    let (mut rows, mut cue, mut n) = (Vec::new(), Vec::<String>::new(), 0);
    for line in BufReader::new(reader).lines().chain([Ok(String::new())]) {
        let line = line?;
        n += line.len() as u64 + 1;
        if !line.trim().is_empty() {
            cue.push(line);
        } else if let [number, time, text @ ..] = &cue[..] {
            let row = serde_json::json!({"id": number, "when": time, "text": text.join("\n")});
            rows.extend_from_slice(row.to_string().as_bytes());
            rows.push(b'\n');
            cue.clear();
        }
    }
    loader.table(origin, Cursor::new(rows), Arc::new(AtomicU64::new(n)), None)
}
