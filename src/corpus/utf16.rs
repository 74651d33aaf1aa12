//! UTF-16 to UTF-8, streaming, in both byte orders.
//!
//! A lone surrogate or an odd last byte becomes the byte 0xFF, which never occurs in UTF-8. So the lossy
//! decoding that follows marks exactly the document that contains it.

use std::io::{self, Read};

/// Reads UTF-16 and hands out UTF-8.
pub(super) struct Utf16Reader<R> {
    inner: R,
    little: bool,
    /// The first byte of a unit whose second byte is not yet read.
    half: Option<u8>,
    /// A high surrogate whose low surrogate is not yet read.
    high: Option<u16>,
    out: Vec<u8>,
    at: usize,
    done: bool,
}

/// The byte that replaces an invalid character; it never occurs in UTF-8.
pub(super) const INVALID: u8 = 0xff;

/// Bytes decoded at a time.
const PIECE: usize = 8 << 10;

impl<R: Read> Utf16Reader<R> {
    pub(super) fn new(inner: R, little: bool) -> Self {
        Self { inner, little, half: None, high: None, out: Vec::new(), at: 0, done: false }
    }

    fn refill(&mut self) -> io::Result<()> {
        let mut bytes = [0; PIECE];
        self.out.clear();
        self.at = 0;
        let count = self.inner.read(&mut bytes)?;
        for &byte in &bytes[..count] {
            match self.half.take() {
                None => self.half = Some(byte),
                Some(first) if self.little => self.unit(u16::from_le_bytes([first, byte])),
                Some(first) => self.unit(u16::from_be_bytes([first, byte])),
            }
        }
        if count == 0 {
            self.done = true;
            let left = usize::from(self.half.is_some()) + usize::from(self.high.is_some());
            self.out.extend(std::iter::repeat_n(INVALID, left));
        }
        Ok(())
    }

    fn unit(&mut self, unit: u16) {
        let pending = self.high.take();
        let high = pending.filter(|_| matches!(unit, 0xdc00..=0xdfff));
        if pending.is_some() && high.is_none() {
            self.out.push(INVALID);
        }
        let decoded = match (high, unit) {
            (Some(high), low) => {
                let code = (u32::from(high) - 0xd800) << 10 | (u32::from(low) - 0xdc00);
                char::from_u32(0x1_0000 + code)
            }
            (None, 0xd800..=0xdbff) => {
                self.high = Some(unit);
                return;
            }
            (None, unit) => char::from_u32(u32::from(unit)),
        };
        match decoded {
            Some(c) => self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            None => self.out.push(INVALID),
        }
    }
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.out.len() {
            if self.done {
                return Ok(0);
            }
            self.refill()?;
        }
        let count = (&self.out[self.at..]).read(buffer)?;
        self.at += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
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
            read_whole(Utf16Reader::new(Drip(&bytes), true), InputLimits::default()).unwrap();
        assert_eq!((text.as_str(), lossy), ("a👩b", false));
    }
}
