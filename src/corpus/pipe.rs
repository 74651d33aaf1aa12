//! A pipe, read by a thread of its own, so that a cancel does not wait for the next bytes.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::pieces::{PieceReader, Pieces};
use crate::progress::Progress;

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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

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
}
