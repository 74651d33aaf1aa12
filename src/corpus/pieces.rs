//! Readers of bytes that come piece by piece: of a pipe, of a character set, of rows that become lines.
//!
//! A pipe is read by a thread of its own, so that a cancel does not wait for the next bytes.
//!
//! Another character set streams to UTF-8. Bytes that are invalid in it become the byte 0xFF, which never occurs in
//! UTF-8. So the lossy decoding that follows marks exactly the document that has them.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use encoding_rs::{Decoder, DecoderResult, Encoding};

use crate::progress::Progress;

/// Makes pieces of bytes.
pub(super) trait Pieces {
    /// Puts the next piece into an empty buffer, which stays empty at the end.
    fn fill(&mut self, piece: &mut Vec<u8>) -> io::Result<()>;
}

/// Reads pieces as they are made.
pub(super) struct PieceReader<P> {
    pub(super) pieces: P,
    piece: Vec<u8>,
    at: usize,
}

impl<P: Pieces> PieceReader<P> {
    pub(super) fn new(pieces: P) -> Self {
        Self { pieces, piece: Vec::new(), at: 0 }
    }
}

impl<P: Pieces> Read for PieceReader<P> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() && !buffer.is_empty() {
            self.piece.clear();
            self.at = 0;
            self.pieces.fill(&mut self.piece)?;
        }
        let count = (&self.piece[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

/// The most bytes of one piece.
const PIECE: usize = 1 << 16;
/// The most pieces that wait to be taken.
const PIECES: usize = 16;
/// The time between two looks at whether the job is cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// The bytes of a pipe. After a cancel, the thread lives until the pipe has bytes again or the program ends.
pub(super) struct PipePieces<'a> {
    pieces: Receiver<io::Result<Vec<u8>>>,
    progress: &'a Progress,
}

/// Reads a pipe.
pub(super) type PipeReader<'a> = PieceReader<PipePieces<'a>>;

impl<'a> PipeReader<'a> {
    pub(super) fn of(mut pipe: impl Read + Send + 'static, progress: &'a Progress) -> Self {
        let (sender, pieces) = sync_channel(PIECES);
        thread::spawn(move || {
            loop {
                let mut piece = vec![0; PIECE];
                let read = match pipe.read(&mut piece) {
                    Ok(0) => return,
                    Ok(n) => {
                        piece.truncate(n);
                        Ok(piece)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let is_over = read.is_err();
                if sender.send(read).is_err() || is_over {
                    return;
                }
            }
        });
        Self::new(PipePieces { pieces, progress })
    }
}

impl Pieces for PipePieces<'_> {
    /// Waits for bytes. A cancel is an error.
    fn fill(&mut self, piece: &mut Vec<u8>) -> io::Result<()> {
        let read = loop {
            match self.pieces.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) => {
                    self.progress.check().map_err(io::Error::other)?;
                }
                read => break read,
            }
        };
        if let Ok(read) = read {
            *piece = read?;
        }
        Ok(())
    }
}

/// The byte that replaces what is invalid.
const INVALID: u8 = 0xff;

/// Bytes decoded at a time.
const DECODED: usize = 16 << 10;

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
                self.read.resize(DECODED, 0);
                let count = self.inner.read(&mut self.read)?;
                self.read.truncate(count);
                self.at = 0;
                self.is_done = count == 0;
            }
            out.resize(4 * DECODED, 0);
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
    use std::sync::mpsc::channel;

    use encoding_rs::UTF_16LE;

    use super::super::InputLimits;
    use super::super::decode::read_whole;
    use super::*;

    /// Gives bytes that are sent to it, and is silent until then.
    struct Silent(Receiver<&'static [u8]>);

    impl Read for Silent {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.recv().map_or(Ok(0), |bytes| (&mut &*bytes).read(buffer))
        }
    }

    #[test]
    fn all_bytes_come_and_then_the_end() {
        let (sender, pipe) = channel();
        for bytes in [&b"some "[..], b"more ", b"bytes"] {
            sender.send(bytes).unwrap();
        }
        drop(sender);
        let progress = Progress::new();
        let mut text = String::new();
        PipeReader::of(Silent(pipe), &progress).read_to_string(&mut text).unwrap();
        assert_eq!(text, "some more bytes");
    }

    #[test]
    fn a_cancel_ends_the_wait_for_a_silent_pipe() {
        let (_sender, pipe) = channel();
        let progress = Progress::new();
        let mut reader = PipeReader::of(Silent(pipe), &progress);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| reader.read(&mut [0; 8]).unwrap_err());
            progress.cancel();
            assert_eq!(waiting.join().unwrap().kind(), io::ErrorKind::Other);
        });
    }

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
