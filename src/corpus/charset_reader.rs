//! Another character set to UTF-8, streaming.
//!
//! Bytes that are invalid in it become the byte 0xFF, which never occurs in UTF-8. So the lossy decoding that follows
//! marks exactly the document that has them.

use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding};

/// The byte that replaces what is invalid.
const INVALID: u8 = 0xff;

/// Bytes decoded at a time.
const PIECE: usize = 16 << 10;

/// Reads another character set and hands out UTF-8.
pub(super) struct CharsetReader<R> {
    inner: R,
    decoder: Decoder,
    read: Vec<u8>,
    at: usize,
    out: Vec<u8>,
    given: usize,
    is_done: bool,
}

impl<R: Read> CharsetReader<R> {
    pub(super) fn new(inner: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        let (read, out) = (Vec::new(), Vec::new());
        Self { inner, decoder, read, at: 0, out, given: 0, is_done: false }
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.at == self.read.len() {
            self.read.resize(PIECE, 0);
            let count = self.inner.read(&mut self.read)?;
            self.read.truncate(count);
            self.at = 0;
            self.is_done = count == 0;
        }
        self.out.resize(4 * PIECE, 0);
        let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(
            &self.read[self.at..],
            &mut self.out,
            self.is_done,
        );
        self.at += read;
        self.out.truncate(written);
        if let DecoderResult::Malformed(..) = result {
            self.out.push(INVALID);
        }
        self.given = 0;
        // The rest did not fit, or follows invalid bytes, and is decoded in the next call.
        self.is_done &= result == DecoderResult::InputEmpty;
        Ok(())
    }
}

impl<R: Read> Read for CharsetReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.out.len() && !self.is_done {
            self.fill()?;
        }
        let count = (&self.out[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_16LE;

    use super::super::{InputLimits, decode::read_whole};
    use super::*;

    #[test]
    fn utf16_survives_any_cut_between_reads() {
        struct Drip<'a>(&'a [u8]);
        impl Read for Drip<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = buffer.len().min(1);
                self.0.read(&mut buffer[..count])
            }
        }
        let bytes: Vec<u8> = "a👩b".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (text, lossy) =
            read_whole(CharsetReader::new(Drip(&bytes), UTF_16LE), InputLimits::default()).unwrap();
        assert_eq!((text.as_str(), lossy), ("a👩b", false));
    }
}
