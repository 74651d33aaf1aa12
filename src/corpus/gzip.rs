//! Gzip: all members, one after the other, also those behind a damaged one; and compression of output, chosen by the
//! extension of the file: `.gz` or `.zst`.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;

/// The first bytes of a member.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// A member: its first bytes, if they were read while it was searched for, and the input from there on.
type Member<R> = GzDecoder<io::Chain<&'static [u8], R>>;

/// The unpacked bytes of all members. An error stands for a damaged member; a reader that goes on after it gets the
/// bytes of the next one that can be unpacked. Each record of a web crawl is a member of its own.
pub(super) struct GzMembers<R> {
    /// `None` behind damage, and at the end.
    member: Option<Member<R>>,
    /// The input behind damage. The next member is searched for when it is asked for: a reader may stop at the error.
    behind_damage: Option<R>,
    /// Whether bytes were given since the last error: data that only look like members are told once.
    has_given: bool,
}

fn member<R: BufRead>(first: &'static [u8], input: R) -> Member<R> {
    GzDecoder::new(first.chain(input))
}

impl<R: BufRead> GzMembers<R> {
    /// A reader of input that begins with a member.
    pub(super) fn new(input: R) -> Self {
        Self { member: Some(member(&[], input)), behind_damage: None, has_given: true }
    }

    /// The current member, or the next one behind damage.
    fn take(&mut self) -> io::Result<Option<Member<R>>> {
        if let Some(mut input) = self.behind_damage.take()
            && skip_to_magic(&mut input)?
        {
            self.member = Some(member(&MAGIC, input));
        }
        Ok(self.member.take())
    }
}

impl<R: BufRead> Read for GzMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(mut now) = self.take()? {
            match now.read(buffer) {
                Ok(0) => {
                    let (_, mut input) = now.into_inner().into_inner();
                    if !input.fill_buf()?.is_empty() {
                        self.member = Some(member(&[], input));
                    }
                }
                Ok(count) => {
                    (self.member, self.has_given) = (Some(now), true);
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    self.member = Some(now);
                }
                Err(error) => {
                    self.behind_damage = Some(now.into_inner().into_inner().1);
                    if std::mem::take(&mut self.has_given) {
                        return Err(error);
                    }
                }
            }
        }
        Ok(0)
    }
}

/// Reads up to the first bytes of a member, and these; whether there are any.
fn skip_to_magic(input: &mut impl BufRead) -> io::Result<bool> {
    let mut n_equal = 0;
    loop {
        let bytes = input.fill_buf()?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let found = bytes.iter().position(|&byte| {
            n_equal =
                if byte == MAGIC[n_equal] { n_equal + 1 } else { usize::from(byte == MAGIC[0]) };
            n_equal == MAGIC.len()
        });
        let n = found.map_or(bytes.len(), |at| at + 1);
        input.consume(n);
        if found.is_some() {
            return Ok(true);
        }
    }
}

/// A writer that compresses, or passes its bytes on unchanged.
pub enum Packer<W: Write> {
    /// Unchanged.
    Plain(W),
    /// For a name that ends in `.gz`.
    Gzip(Box<GzEncoder<W>>),
    /// For a name that ends in `.zst`.
    #[cfg(feature = "zstd")]
    Zstd(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    /// The packer for the extension of `name`.
    ///
    /// # Errors
    /// If this build does not have the compression.
    pub fn for_name(name: &Path, out: W) -> io::Result<Self> {
        let ending = name.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("gz") => Ok(Self::Gzip(Box::new(GzEncoder::new(out, Compression::default())))),
            #[cfg(feature = "zstd")]
            Some("zst") => Ok(Self::Zstd(zstd::stream::write::Encoder::new(out, 0)?)),
            #[cfg(not(feature = "zstd"))]
            Some("zst") => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "this build of simscope does not write zstd; name a file that ends in .gz",
            )),
            _ => Ok(Self::Plain(out)),
        }
    }

    /// Ends the compressed stream and returns the inner writer.
    ///
    /// # Errors
    /// If the end of the stream cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(encoder) => encoder.finish(),
            #[cfg(feature = "zstd")]
            Self::Zstd(encoder) => encoder.finish(),
        }
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::Plain(out) => out,
            Self::Gzip(encoder) => &mut **encoder,
            #[cfg(feature = "zstd")]
            Self::Zstd(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::corpus::decode::{DecodedInput, read_whole};
    use crate::corpus::options::InputLimits;

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    /// With every size of the buffer, so that the first bytes of a member lie on both sides of its end.
    #[test]
    fn members_behind_a_damaged_one_are_read() {
        let texts = ["the tide ".repeat(90), "came in ".repeat(90), "at noon".to_owned()];
        let mut members = texts.each_ref().map(|text| packed(text));
        let middle = members[1].len() / 2;
        members[1][middle..middle + 4].fill(0xff);
        let bytes = members.concat();
        for buffer in 1..70 {
            let mut reader = GzMembers::new(io::BufReader::with_capacity(buffer, &bytes[..]));
            let mut first = Vec::new();
            assert!(reader.read_to_end(&mut first).is_err());
            assert!(first.starts_with(texts[0].as_bytes()));
            let mut rest = String::new();
            reader.read_to_string(&mut rest).unwrap();
            assert_eq!(rest, texts[2], "{buffer}");
        }
    }

    /// An error is told where it is met: a pipe may be silent behind it, or the file very large.
    #[test]
    fn nothing_behind_damage_is_read_unless_asked_for() {
        let mut bytes = packed(&"the tide ".repeat(90));
        let middle = bytes.len() / 2;
        bytes[middle..middle + 4].fill(0xff);
        let n_packed = bytes.len() as u64;
        bytes.resize(1 << 20, b'x');
        let mut input = &bytes[..];
        let mut reader = GzMembers::new(io::BufReader::with_capacity(64, &mut input));
        assert!(reader.read_to_end(&mut Vec::new()).is_err());
        drop(reader);
        let n_read = (1 << 20) - input.len() as u64;
        assert!(n_read < n_packed + 64, "{n_read}");
    }

    #[test]
    fn packed_bytes_unpack_to_the_same_bytes() {
        let names =
            if cfg!(feature = "zstd") { &["a.jsonl", "a.gz", "a.zst"][..] } else { &["a", "a.gz"] };
        for name in names {
            let mut packer = Packer::for_name(Path::new(name), Vec::new()).unwrap();
            packer.write_all("tide pool\n".repeat(9).as_bytes()).unwrap();
            let packed = packer.finish().unwrap();
            let decoded = DecodedInput::open(Box::new(&packed[..]), InputLimits::NONE);
            assert_eq!(
                read_whole(decoded.reader, InputLimits::NONE).unwrap().0,
                "tide pool\n".repeat(9)
            );
        }
    }
}
