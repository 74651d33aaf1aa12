//! Compression of output, chosen by the extension of the file: `.gz` or `.zst`.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

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
    use super::*;
    use crate::corpus::decode::{DecodedInput, read_whole};
    use crate::corpus::options::InputLimits;

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
