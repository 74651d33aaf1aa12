//! Another character set to UTF-8, streaming.
//!
//! Bytes that are invalid in it become the byte 0xFF, which never occurs in UTF-8. So the lossy decoding that follows
//! marks exactly the document that has them.

use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding};

use super::pieces::{PieceReader, Pieces};

/// The byte that replaces what is invalid.
const INVALID: u8 = 0xff;

/// Bytes decoded at a time.
const PIECE: usize = 16 << 10;

/// Another character set as pieces of UTF-8.
pub(super) struct Decoded<R> {
    inner: R,
    decoder: Decoder,
    read: Vec<u8>,
    at: usize,
    is_done: bool,
}

/// Reads another character set and hands out UTF-8.
pub(super) fn to_utf8<R: Read>(inner: R, encoding: &'static Encoding) -> PieceReader<Decoded<R>> {
    let decoder = encoding.new_decoder_without_bom_handling();
    PieceReader::new(Decoded { inner, decoder, read: Vec::new(), at: 0, is_done: false })
}

impl<R: Read> Pieces for Decoded<R> {
    fn fill(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        while out.is_empty() && !self.is_done {
            if self.at == self.read.len() {
                self.read.resize(PIECE, 0);
                let count = self.inner.read(&mut self.read)?;
                self.read.truncate(count);
                self.at = 0;
                self.is_done = count == 0;
            }
            out.resize(4 * PIECE, 0);
            let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(
                &self.read[self.at..],
                out,
                self.is_done,
            );
            self.at += read;
            out.truncate(written);
            if let DecoderResult::Malformed(..) = result {
                out.push(INVALID);
            }
            // The rest did not fit, or follows invalid bytes, and is decoded in the next call.
            self.is_done &= result == DecoderResult::InputEmpty;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_16LE;

    use super::super::InputLimits;
    use super::super::decode::read_whole;
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
            read_whole(to_utf8(Drip(&bytes), UTF_16LE), InputLimits::default()).unwrap();
        assert_eq!((text.as_str(), lossy), ("a👩b", false));
    }
}
