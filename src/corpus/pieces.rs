//! Readers of bytes that come piece by piece: of a pipe, of a character set, of rows that become lines.

use std::io::{self, Read};

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
