//! From stored bytes to UTF-8: unpacking, byte order marks, UTF-16, and lossy reading.
//!
//! Compression is recognised by its magic bytes, never by a file's name: gzip (all members) and zstd (all
//! frames), up to [`LAYERS`] deep; then comes a byte order mark. Everything is streamed. Reading stops where a
//! compressed input unpacks to more than its [`InputLimits`] allow. Only [`read_whole`] holds a text in memory,
//! and it refuses a text above the limit of a document.

use std::borrow::Cow;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use encoding_rs::{UTF_16BE, UTF_16LE};

use super::gzip::GzMembers;
use super::options::InputLimits;
use super::pieces::to_utf8;

/// Gzip in gzip in gzip is read; deeper nesting is regarded as an attack and stays compressed.
const LAYERS: usize = 3;

/// The number of bytes that the format and the binary check look at.
const PEEK: usize = 8 << 10;

/// KiB that an xz dictionary may take; `xz -9` takes 64 MiB.
#[cfg(feature = "formats")]
const XZ_MEMORY: u32 = 256 << 10;

/// Compressed input is passed to its decoder in pieces of this size.
const PACKED_BUFFER: usize = 64 << 10;

/// An unpacked input: UTF-8, possibly with invalid bytes, without a byte order mark.
pub(super) struct DecodedInput<'a> {
    /// The bytes from the start.
    pub(super) reader: PeekedReader<'a>,
    /// Bytes of the original before the first byte of `reader`; valid as a position only if `plain`.
    pub(super) start: u64,
    /// Whether `reader` yields the stored bytes as they are, so that positions hold in the original.
    pub(super) plain: bool,
    /// Whether a UTF-16 mark declared the input text, so that a NUL does not make it binary.
    marked: bool,
    /// Whether a character set was converted, which the stored bytes do not show.
    is_converted: bool,
}

impl<'a> DecodedInput<'a> {
    /// Removes every layer from `raw`. An error appears at the first read beyond the readable part.
    pub(super) fn open(raw: Box<dyn Read + Send + 'a>, limits: InputLimits) -> Self {
        let n_packed = Arc::new(AtomicU64::new(0));
        let counted = ByteCounter { inner: raw, n: Arc::clone(&n_packed) };
        let mut reader = PeekedReader::patient(Box::new(counted));
        let mut plain = true;
        let bounded = |decoder: Box<dyn Read + Send + 'a>, goes_on: bool| {
            let decoder = NamedDamage { decoder, goes_on, is_over: false };
            PeekedReader::new(Box::new(BoundedReader::new(decoder, Arc::clone(&n_packed), limits)))
        };
        for _ in 0..LAYERS {
            reader = match reader.head() {
                [0x1f, 0x8b, 8, ..] => bounded(Box::new(GzMembers::new(packed(reader))), true),
                // A zstd frame, or a skippable one before it.
                [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                    unzstd(packed(reader))
                        .map_or_else(PeekedReader::failing, |it| bounded(it, false))
                }
                #[cfg(feature = "formats")]
                [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..] => {
                    bounded(Box::new(bzip2::bufread::MultiBzDecoder::new(packed(reader))), false)
                }
                #[cfg(feature = "formats")]
                [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
                    let packed = packed(reader);
                    let decoder = lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_MEMORY);
                    bounded(Box::new(decoder), false)
                }
                _ => break,
            };
            plain = false;
        }
        let (mut start, mut marked) = (0, false);
        match reader.head() {
            [0xef, 0xbb, 0xbf, ..] => {
                reader.skip(3);
                start = 3;
            }
            // This is UTF-32, whose mark begins with the mark of UTF-16.
            [0xff, 0xfe, 0, 0, ..] => {}
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
                let encoding = if reader.head()[0] == 0xff { UTF_16LE } else { UTF_16BE };
                reader.skip(2);
                reader = PeekedReader::new(Box::new(to_utf8(reader, encoding)));
                (plain, marked) = (false, true);
            }
            _ => {}
        }
        Self { reader, start, plain, marked, is_converted: false }
    }

    /// An input that was converted to UTF-8, so that it differs from the stored bytes.
    #[cfg(feature = "formats")]
    pub(super) fn converted(reader: PeekedReader<'a>) -> Self {
        Self { reader, start: 0, plain: false, marked: true, is_converted: true }
    }

    /// Whether a byte order mark declared the encoding.
    #[cfg(feature = "formats")]
    pub(super) fn has_mark(&self) -> bool {
        self.marked || self.start > 0
    }

    /// Whether the bytes are the stored ones, possibly unpacked, without conversion of a character set.
    pub(super) fn is_unconverted(&self) -> bool {
        !self.is_converted
    }

    /// Whether the beginning is not text: it has NULs without a UTF-16 mark, and more than a stray one in UTF-8.
    pub(super) fn is_binary(&self) -> bool {
        /// Bytes of text for each NUL.
        const TEXT: usize = 32;
        let head = self.reader.head();
        let n = memchr::memchr_iter(0, head).count();
        // The end of the head may cut a character.
        let is_text = str::from_utf8(head).err().is_none_or(|error| error.error_len().is_none());
        n > 0 && !self.marked && !(is_text && n * TEXT <= head.len())
    }
}

/// A decoder, whose errors without a kind are damage of the data.
struct NamedDamage<R> {
    decoder: R,
    /// Whether what it gives after an error is right. It is not called again otherwise.
    goes_on: bool,
    is_over: bool,
}

impl<R: Read> Read for NamedDamage<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over {
            return Ok(0);
        }
        self.decoder.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => {
                self.is_over = !self.goes_on;
                let has_no_kind = kind == io::ErrorKind::Other && error.raw_os_error().is_none();
                if has_no_kind { io::Error::new(io::ErrorKind::InvalidData, error) } else { error }
            }
        })
    }
}

/// A decoder of zstd frames.
#[cfg(feature = "zstd")]
fn unzstd<'a>(packed: BufReader<PeekedReader<'a>>) -> io::Result<Box<dyn Read + Send + 'a>> {
    let mut decoder = zstd::stream::read::Decoder::with_buffer(packed)?;
    // The window that `zstd --long=31` makes; large dumps are often compressed with it.
    decoder.window_log_max(31)?;
    Ok(Box::new(decoder))
}

/// A library built without the feature `zstd` refuses zstd frames.
#[cfg(not(feature = "zstd"))]
fn unzstd<'a>(_: BufReader<PeekedReader<'a>>) -> io::Result<Box<dyn Read + Send + 'a>> {
    let problem = "compressed with zstd, which this build of simscope does not read";
    Err(io::Error::new(io::ErrorKind::Unsupported, problem))
}

fn packed(reader: PeekedReader<'_>) -> BufReader<PeekedReader<'_>> {
    BufReader::with_capacity(PACKED_BUFFER, reader)
}

/// A reader whose first 8 KB have been looked at.
pub(super) struct PeekedReader<'a> {
    head: Vec<u8>,
    /// The number of bytes of `head` handed out.
    at: usize,
    /// Whether there is nothing after `head`.
    is_all: bool,
    /// The error before the first byte.
    error_before: Option<io::Error>,
    /// The error that stopped the look ahead; returned once `head` is used up.
    error: Option<io::Error>,
    rest: Box<dyn Read + Send + 'a>,
}

impl<'a> PeekedReader<'a> {
    pub(super) fn new(mut rest: Box<dyn Read + Send + 'a>) -> Self {
        let mut head = Vec::new();
        let mut error = rest.by_ref().take(PEEK as u64).read_to_end(&mut head).err();
        // A decoder may go on behind damage.
        let error_before = error.take_if(|_| head.is_empty());
        if error_before.is_some() {
            error = rest.by_ref().take(PEEK as u64).read_to_end(&mut head).err();
        }
        let is_all = head.len() < PEEK;
        Self { head, at: 0, is_all, error_before, error, rest }
    }

    /// Waits for one line only, because a slow pipe may take long to send 8 KB.
    fn patient(mut rest: Box<dyn Read + Send + 'a>) -> Self {
        let (mut head, mut is_all, mut error) = (Vec::new(), false, None);
        let mut part = vec![0; PEEK];
        while head.len() < PEEK && !is_all && error.is_none() {
            match rest.read(&mut part[..PEEK - head.len()]) {
                Ok(0) => is_all = true,
                Ok(count) => {
                    head.extend_from_slice(&part[..count]);
                    if head.contains(&b'\n') {
                        break;
                    }
                }
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => error = Some(cause),
            }
        }
        Self { head, at: 0, is_all, error_before: None, error, rest }
    }

    fn failing(error: io::Error) -> Self {
        let rest = Box::new(io::empty());
        let (head, error) = (Vec::new(), Some(error));
        Self { head, at: 0, is_all: true, error_before: None, error, rest }
    }

    /// The first bytes not yet handed out, up to 8 KB from the start.
    pub(super) fn head(&self) -> &[u8] {
        &self.head[self.at..]
    }

    /// Whether `head` is all there is.
    pub(super) fn head_is_all(&self) -> bool {
        self.is_all
    }

    fn skip(&mut self, count: usize) {
        self.at += count;
    }
}

impl Read for PeekedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.error_before.take() {
            return Err(error);
        }
        if self.at < self.head.len() {
            let count = self.head().read(buffer)?;
            self.at += count;
            return Ok(count);
        }
        match self.error.take() {
            Some(error) => Err(error),
            None => self.rest.read(buffer),
        }
    }
}

/// Counts the stored bytes.
pub(super) struct ByteCounter<R> {
    pub(super) inner: R,
    pub(super) n: Arc<AtomicU64>,
}

impl<R: Read> Read for ByteCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.n.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

/// Unpacked bytes, limited to a multiple of the stored bytes read so far.
pub(super) struct BoundedReader<R> {
    inner: R,
    n: u64,
    n_packed: Arc<AtomicU64>,
    limits: InputLimits,
}

impl<R> BoundedReader<R> {
    /// The unpacked bytes of an input whose stored bytes are counted in `n_packed`.
    pub(super) fn new(inner: R, n_packed: Arc<AtomicU64>, limits: InputLimits) -> Self {
        Self { inner, n: 0, n_packed, limits }
    }
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.n += count as u64;
        if self.n > self.limits.most_unpacked(self.n_packed.load(Relaxed)) {
            return Err(self.limits.unpacks_too_far());
        }
        Ok(count)
    }
}

/// All of `reader` as text, and whether invalid bytes were replaced by U+FFFD.
///
/// # Errors
/// Errors of the reader, and an error if there are more bytes than a document may have.
pub(super) fn read_whole(reader: impl Read, limits: InputLimits) -> io::Result<(String, bool)> {
    let mut bytes = Vec::new();
    reader.take(limits.document.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limits.document {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, limits.too_large()));
    }
    Ok(lossy(bytes))
}

/// `bytes` as text, and whether invalid bytes were replaced by U+FFFD. Valid text is not copied.
pub(super) fn lossy(bytes: Vec<u8>) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), true),
    }
}

/// The bytes as text, with U+FFFD for invalid bytes. `from_utf8` checks ASCII word by word; `from_utf8_lossy`
/// goes byte by byte, so it is used for invalid text only.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> (String, bool) {
        let limits = InputLimits::default();
        read_whole(DecodedInput::open(Box::new(bytes), limits).reader, limits).unwrap()
    }

    #[test]
    fn marks_are_dropped_and_utf16_decoded() {
        let text = "Größe 👩‍🚀 \u{ffff}";
        let units = text.encode_utf16();
        let little: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(units.clone().flat_map(u16::to_le_bytes)).collect();
        let big: Vec<u8> =
            [0xfe, 0xff].into_iter().chain(units.flat_map(u16::to_be_bytes)).collect();
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        for bytes in [little, big, marked] {
            assert_eq!(decode(&bytes), (text.to_owned(), false));
        }
    }

    #[test]
    fn broken_utf16_is_lossy() {
        assert_eq!(decode(b"\xff\xfea\0\x00\xd8b\0"), ("a\u{fffd}b".into(), true));
        assert_eq!(decode(b"\xff\xfea\0\x00\xdc"), ("a\u{fffd}".into(), true));
        assert_eq!(decode(b"\xff\xfea\0\x00\xd8"), ("a\u{fffd}".into(), true));
        assert_eq!(decode(b"\xff\xfea\0b"), ("a\u{fffd}".into(), true));
    }

    #[test]
    fn a_nul_means_binary_unless_a_mark_promised_text() {
        let is_binary = |bytes: &'static [u8]| {
            DecodedInput::open(Box::new(bytes), InputLimits::default()).is_binary()
        };
        assert!(is_binary(b"a\0b"));
        assert!(is_binary(b"\xff\xfe\0\0a\0\0\0"));
        assert!(!is_binary(b"\xff\xfea\0\0\0"));
        assert!(!is_binary(b""));
        let text = |rest: &str| -> &'static [u8] {
            ("a few words of a text, ".repeat(9) + rest).leak().as_bytes()
        };
        assert!(!is_binary(text("\0é")));
        assert!(is_binary(text(&"\0".repeat(20))));
        assert!(is_binary([text("\0"), b"\xff "].concat().leak()));
    }

    #[test]
    fn bytes_are_decoded_as_from_utf8_lossy_does() {
        let pieces: [&[u8]; 6] =
            [b"a", "é".as_bytes(), "😀".as_bytes(), b"\xf0\x9f", b"\xff", b"{"];
        for n in 0..6_usize.pow(4) {
            let bytes: Vec<u8> =
                (0..4).flat_map(|at| pieces[n / 6_usize.pow(at) % 6]).copied().collect();
            let (ours, theirs) = (decoded(&bytes), String::from_utf8_lossy(&bytes));
            assert_eq!(ours, theirs);
            assert_eq!(matches!(ours, Cow::Owned(_)), matches!(theirs, Cow::Owned(_)));
        }
    }
}
