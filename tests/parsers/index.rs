//! The parser of an index file.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use simscope::analysis::{AnalysisDepth, AnalysisInput, Job, Settings, run_to};
use simscope::corpus::{Input, KeptCorpus, KeptInputs, LoadOptions, walk_digest};
use simscope::progress::Progress;
use twox_hash::XxHash3_64;

use super::{analysed, folder, options, read_again, written};

/// An index with changes: four bytes each, a place (16 bits), one of replace, insert and remove, and a byte. Its
/// checksums are put right, and its corpus is read with it.
pub(crate) fn index(bytes: &[u8]) {
    static SOUND: LazyLock<(PathBuf, Vec<u8>)> = LazyLock::new(sound_index);
    let (corpus, sound) = &*SOUND;
    let word = |from: usize| {
        u64::from_le_bytes(sound[from..][..8].try_into().expect("eight bytes")) as usize
    };
    // There is one chunk, and no text.
    let start = word(sound.len() - 16);
    let (mut chunk, mut header) =
        (sound[16..start].to_vec(), sound[start..sound.len() - 16].to_vec());
    let checksum_before = XxHash3_64::oneshot(&chunk);
    for change in bytes.chunks_exact(4) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]]));
        let at = at % (chunk.len() + header.len());
        let (part, at) =
            if at < chunk.len() { (&mut chunk, at) } else { (&mut header, at - chunk.len()) };
        match change[2] % 3 {
            _ if part.len() < 2 => {}
            0 => part[at] = change[3],
            1 => part.insert(at, change[3]),
            _ => drop(part.remove(at)),
        }
    }
    // The checksum of the chunk stands in the header, as a number of seven bits a byte.
    let [before, after] = [checksum_before, XxHash3_64::oneshot(&chunk)].map(varint);
    if let Some(at) = header.windows(before.len()).position(|it| it == before) {
        header.splice(at..at + before.len(), after);
    }
    let trailer = [16 + chunk.len() as u64, XxHash3_64::oneshot(&header)].map(u64::to_le_bytes);
    let path = written("x.idx", &[&sound[..16], &chunk, &header, &trailer.concat()].concat());
    let mut index = match KeptCorpus::open(&path, None) {
        Ok(index) => index,
        // Without a change it is sound, else nothing would be tried below.
        Err(problem) if bytes.len() < 4 => panic!("{problem:#}"),
        Err(_) => return,
    };
    // Nothing but the folder that it is of is looked at, whatever it says.
    let inputs = vec![Input::Path(corpus.clone())];
    let options = LoadOptions { limits: options().limits, ..index.of.options.clone() };
    (index.inputs, index.of.paths) = (inputs.clone(), vec![corpus.clone()]);
    let found = walk_digest(&index.of.paths, &index.of.options, &Progress::new());
    index.of.found = found.unwrap_or_default();
    let work = AnalysisInput::Load(inputs, options, Some(Arc::new(index)));
    let settings = Settings::default();
    if let Ok(analysis) = run_to(AnalysisDepth::Pairs, work, settings, &Job::new(), &mut |_| {}) {
        read_again(&analysis.corpus, None);
    }
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
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
    let analysis = analysed(AnalysisInput::Load(inputs, options(), None));
    let (paths, recipe, problems) = (vec![corpus.clone()], None, Vec::new());
    let of = KeptInputs { paths, options: options(), recipe, bits: 64, found: 0, problems };
    let mut bytes = Vec::new();
    analysis.keep(of, &mut bytes).expect("an index in memory");
    (corpus, bytes)
}
