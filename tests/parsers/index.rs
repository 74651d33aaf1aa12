//! The parser of an index file.

use std::{
    fs::{self, File},
    path::PathBuf,
    sync::{Arc, LazyLock},
    time::{Duration, SystemTime},
};

use simscope::{
    Recipe,
    analysis::{AnalysisInput, IndexFile},
    corpus::{Input, LoadOptions, load_again},
    progress::Progress,
};
use twox_hash::XxHash3_64;

use super::{analysed, folder, options, read_again, written};

/// An index with changes: four bytes each, a place (16 bits), one of replace, insert and remove, and a byte. Its
/// checksum is put right, and its corpus is read with it.
pub(crate) fn index(bytes: &[u8]) {
    static SOUND: LazyLock<(PathBuf, Vec<u8>)> = LazyLock::new(sound_index);
    let (corpus, sound) = &*SOUND;
    let word = |bytes: &[u8], at: usize| {
        u64::from_le_bytes(bytes[bytes.len() - at..][..8].try_into().expect("eight bytes")) as usize
    };
    let (start, mut note_start) = (word(sound, 24), word(sound, 16));
    let mut body = sound[start..sound.len() - 24].to_vec();
    for change in bytes.chunks_exact(4) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % body.len().max(1);
        let is_before = usize::from(start + at < note_start);
        match change[2] % 3 {
            _ if body.is_empty() => {}
            0 => body[at] = change[3],
            1 => {
                body.insert(at, change[3]);
                note_start += is_before;
            }
            _ => {
                body.remove(at);
                note_start -= is_before;
            }
        }
    }
    let checksum = XxHash3_64::oneshot(&body);
    let trailer = [start as u64, note_start as u64, checksum].map(u64::to_le_bytes).concat();
    let path = written("x.idx", &[&sound[..start], &body, &trailer].concat());
    let index = match IndexFile::open(&path) {
        Ok(index) => index,
        // Without a change it is sound, else nothing would be tried below.
        Err(problem) if bytes.len() < 4 => panic!("{problem:#}"),
        Err(_) => return,
    };
    // Nothing but the folder that it is of is looked at, whatever it says.
    let inputs = [Input::Path(corpus.clone())];
    let options = LoadOptions { limits: options().limits, ..index.options.clone() };
    if let Ok(corpus) = load_again(&inputs, &options, &index.kept, &Progress::new(), &mut |_| {}) {
        read_again(&corpus, None);
    }
}

/// A folder with files of some kinds, and its index.
fn sound_index() -> (PathBuf, Vec<u8>) {
    let corpus = folder().join("corpus");
    fs::create_dir_all(&corpus).expect("a folder");
    let rows = "{\"id\":\"a\",\"text\":\"the tide\"}\n{\"text\":\"the \\u0065bb\"}\n{\"id\":7}\n";
    for (name, text) in
        [("rows.jsonl", rows), ("cells.csv", "id,text\nb,\"a, b\"\n"), ("x.txt", "crabs")]
    {
        fs::write(corpus.join(name), text).expect("a file");
        let file = File::options().write(true).open(corpus.join(name)).expect("the file");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 30)).expect("its time");
    }
    let inputs = vec![Input::Path(corpus.clone())];
    let index = IndexFile::new(inputs.clone(), options(), Recipe::default());
    let analysis = analysed(AnalysisInput::Index(Arc::new(index)));
    let mut bytes = Vec::new();
    IndexFile::write(&inputs, &options(), &analysis, &mut bytes).expect("an index in memory");
    (corpus, bytes)
}
