//! Which character set other than UTF-8 an input is in. A byte order mark overrides the requested one.

use std::io::Read;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::decode::{DecodedInput, PeekedReader};
use super::options::TextEncoding;
use super::pieces;

/// Bytes looked at at a time.
const PIECE: usize = 16 << 10;

/// The standard name of a character set; `None` if it is unknown.
pub fn encoding_name(label: &str) -> Option<&'static str> {
    Encoding::for_label(label.as_bytes()).map(Encoding::name)
}

/// A character set that was detected.
pub(super) struct Found(&'static Encoding);

impl Found {
    /// The reason and the character set, for a remark.
    pub(super) fn problem(&self) -> String {
        let why = if is_utf16(self.0) { "half its bytes are zero" } else { "it is not all UTF-8" };
        format!("{why}, so it is read as {}", self.0.name())
    }
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    [UTF_16LE, UTF_16BE].contains(&encoding)
}

/// The input as UTF-8, and the character set that was detected without being named. A binary file stays as it
/// is, unless it has rows. If the first bytes suggest no other set than UTF-8, `stored` is asked for its bytes.
pub(super) fn to_utf8<R: Read>(
    input: DecodedInput<'_>,
    asked: TextEncoding,
    has_rows: bool,
    stored: impl FnOnce() -> Option<R>,
) -> (DecodedInput<'_>, Option<Found>) {
    // Only two character sets have a NUL in their letters: any other file with one is binary.
    let is_binary = input.is_binary() && !has_rows;
    let utf16 = utf16_without_mark(input.reader.head()).filter(|_| !input.has_mark());
    let encoding = match asked {
        TextEncoding::Label(label) => Encoding::for_label(label.as_bytes()),
        TextEncoding::Utf8 | TextEncoding::Auto if utf16.is_some() => utf16,
        TextEncoding::Utf8 => None,
        TextEncoding::Auto => detected(0, input.reader.head())
            .or_else(|| detected_later(stored().filter(|_| !is_binary && !input.has_mark())?)),
    };
    let is_of_text = |encoding: &&'static Encoding| !is_binary || is_utf16(encoding);
    match encoding.filter(|it| *it != UTF_8 && !input.has_mark()).filter(is_of_text) {
        Some(encoding) => {
            let reader = pieces::to_utf8(input.reader, encoding);
            let found = (!matches!(asked, TextEncoding::Label(_))).then_some(Found(encoding));
            (DecodedInput::converted(PeekedReader::new(Box::new(reader))), found)
        }
        None => (input, None),
    }
}

/// UTF-16, if the first characters are all ASCII in it, which no other text is.
fn utf16_without_mark(head: &[u8]) -> Option<&'static Encoding> {
    let (units, _) = head[..head.len().min(64)].as_chunks::<2>();
    let all = |is: fn(&[u8; 2]) -> bool| units.len() >= 4 && units.iter().all(is);
    if all(|unit| unit[1] == 0 && is_text(unit[0])) {
        Some(UTF_16LE)
    } else {
        all(|unit| unit[0] == 0 && is_text(unit[1])).then_some(UTF_16BE)
    }
}

fn is_text(byte: u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

/// The character set of bytes that are not UTF-8, behind others with so many characters beyond ASCII that are.
fn detected(n_before: usize, bytes: &[u8]) -> Option<&'static Encoding> {
    // The last character may be cut off.
    if std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true) {
        return None;
    }
    // In other character sets it is rare that a character is also one of UTF-8; in UTF-8, that one is invalid.
    let (mut n_valid, mut n_invalid) = (n_before, 0);
    for chunk in bytes.utf8_chunks() {
        n_valid += n_beyond_ascii(chunk.valid().as_bytes());
        n_invalid += usize::from(!chunk.invalid().is_empty());
    }
    if n_valid >= n_invalid {
        return None;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(bytes, false);
    Some(detector.guess(None, Utf8Detection::Deny))
}

/// The number of characters beyond ASCII in UTF-8.
fn n_beyond_ascii(utf8: &[u8]) -> usize {
    utf8.iter().filter(|byte| **byte >= 0xc0).count()
}

/// The character set of a file whose first bytes are UTF-8, from the first that are not. Reads up to there.
fn detected_later(mut file: impl Read) -> Option<&'static Encoding> {
    let (mut bytes, mut n_before) = (Vec::new(), 0);
    loop {
        let count = file.by_ref().take(4 * PIECE as u64).read_to_end(&mut bytes).ok()?;
        let (valid, is_over) = match std::str::from_utf8(&bytes) {
            Ok(_) => (bytes.len(), false),
            // The last character may be cut off.
            Err(error) => (error.valid_up_to(), error.error_len().is_some()),
        };
        n_before += n_beyond_ascii(&bytes[..valid]);
        bytes.drain(..valid);
        if is_over {
            file.take(PIECE as u64).read_to_end(&mut bytes).ok()?;
            return detected(n_before, &bytes);
        }
        if count == 0 {
            return None;
        }
    }
}
