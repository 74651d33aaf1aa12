//! Arrow files and streams: their batches, and errors of those that were cut off, have bytes behind their end, or would
//! unpack to far too much.
//!
//! An Arrow file is a stream behind a mark, with a list of its batches at the end, which is not needed.

use std::io::{self, Cursor, Read};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::{Message, RecordBatch as PackedBatch, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};

use super::options::InputLimits;

/// Batches of rows.
pub(super) type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// The mark before the length of a message, which old streams lack.
const MARK: [u8; 4] = [0xff; 4];

/// The columns of a file or a stream and its batches. The last batch is followed by an error if there is no end mark, or
/// if the input of a stream goes on behind it.
pub(super) fn open_stream<'a>(
    mut input: impl Read + Send + 'a,
    is_file: bool,
    limits: InputLimits,
) -> Result<(SchemaRef, Batches<'a>), ArrowError> {
    let mut begin = Vec::new();
    if is_file {
        // The mark, and zeros that align what follows.
        take(&mut input, 8, &mut begin)?;
        begin.fill(0);
        while begin == [0; 8] {
            begin.clear();
            take(&mut input, 8, &mut begin)?;
        }
    }
    let stream =
        StreamReader::try_new(Messages::new(Cursor::new(begin).chain(input), limits), None)?;
    Ok((stream.schema(), Box::new(WholeStream { stream, is_file, is_over: false })))
}

/// An input that is given on message by message. The reader of Arrow unpacks a message whole, so a packed one is given
/// on when all of it is there and says that it unpacks to no more than it may.
struct Messages<R> {
    input: R,
    limits: InputLimits,
    /// The message at hand, or the beginning of one that is not packed.
    message: Cursor<Vec<u8>>,
    /// Its bytes that are still in the input.
    rest: u64,
    /// Bytes of the messages so far.
    n_read: u64,
    /// Unpacked bytes of the dictionaries so far: all of them are kept.
    kept: u64,
    has_end: bool,
}

impl<R: Read> Messages<R> {
    fn new(input: R, limits: InputLimits) -> Self {
        let message = Cursor::default();
        Self { input, limits, message, rest: 0, n_read: 0, kept: 0, has_end: false }
    }

    /// Reads the next message. One that was cut off is given on as it is: the reader of Arrow tells.
    fn next(&mut self) -> io::Result<()> {
        self.message.set_position(0);
        let bytes = self.message.get_mut();
        bytes.clear();
        let mut length = take(&mut self.input, 4, bytes)?;
        if length == MARK {
            length = take(&mut self.input, 4, bytes)?;
        }
        let Ok(length) = length.try_into().map(u32::from_le_bytes) else { return Ok(()) };
        self.has_end = length == 0;
        let head = take(&mut self.input, length.into(), bytes)?;
        let is_whole = head.len() == length as usize;
        // The reader of Arrow tells a message that is none.
        if let Some(message) = root_as_message(head).ok().filter(|_| is_whole) {
            let n_body = message.bodyLength().max(0) as u64;
            self.n_read += u64::from(length) + n_body;
            if packed_batch(&message).is_none() {
                self.rest = n_body;
                return Ok(());
            }
            let is_dictionary = message.header_as_dictionary_batch().is_some();
            let mut body = Vec::new();
            take(&mut self.input, n_body, &mut body)?;
            if body.len() as u64 == n_body {
                let eight = |at: u64| eight_bytes(&body, at);
                let claimed = claimed_by_message(&message, eight).map_err(io::Error::other)?;
                let unpacked = self.kept.saturating_add(claimed);
                if unpacked > self.limits.most_unpacked(self.n_read) {
                    return Err(self.limits.unpacks_too_far());
                }
                if is_dictionary {
                    self.kept = unpacked;
                }
            }
            bytes.append(&mut body);
        }
        Ok(())
    }
}

impl<R: Read> Read for Messages<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.message.position() == self.message.get_ref().len() as u64 && self.rest == 0 {
            if self.has_end {
                return Ok(0);
            }
            self.next()?;
        }
        let count = self.message.read(buffer)?;
        if count > 0 || self.rest == 0 {
            return Ok(count);
        }
        let count = self.input.by_ref().take(self.rest).read(buffer)?;
        self.rest = if count > 0 { self.rest - count as u64 } else { 0 };
        Ok(count)
    }
}

/// Reads up to `n` bytes behind those there are, and returns them.
fn take<'b>(input: &mut impl Read, n: u64, bytes: &'b mut Vec<u8>) -> io::Result<&'b [u8]> {
    let start = bytes.len();
    input.take(n).read_to_end(bytes)?;
    Ok(&bytes[start..])
}

/// The bytes to which the packed buffers of a message say they unpack. `eight` gives eight bytes of its body.
fn claimed_by_message(
    message: &Message<'_>,
    mut eight: impl FnMut(u64) -> Result<[u8; 8], ArrowError>,
) -> Result<u64, ArrowError> {
    let mut claimed = 0_u64;
    let buffers = packed_batch(message).and_then(|batch| batch.buffers());
    for buffer in buffers.iter().flatten().filter(|buffer| buffer.length() >= 8) {
        // -1 stands for a buffer that is not packed.
        let size = i64::from_le_bytes(eight(buffer.offset() as u64)?);
        claimed = claimed.saturating_add(size.max(0) as u64);
    }
    Ok(claimed)
}

/// The batch of a message, of rows or of a dictionary, if its buffers are packed.
fn packed_batch<'m>(message: &Message<'m>) -> Option<PackedBatch<'m>> {
    let of_dictionary = || message.header_as_dictionary_batch()?.data();
    let batch = message.header_as_record_batch().or_else(of_dictionary);
    batch.filter(|batch| batch.compression().is_some())
}

fn eight_bytes(body: &[u8], at: u64) -> Result<[u8; 8], ArrowError> {
    let start = usize::try_from(at).unwrap_or(usize::MAX);
    let eight = body.get(start..).and_then(<[u8]>::first_chunk);
    eight
        .copied()
        .ok_or_else(|| ArrowError::IpcError("a buffer lies outside its message".to_owned()))
}

struct WholeStream<R> {
    stream: StreamReader<Messages<R>>,
    is_file: bool,
    is_over: bool,
}

impl<R: Read> Iterator for WholeStream<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        self.stream.next().or_else(|| {
            self.is_over = true;
            check_end(self.stream.get_mut(), self.is_file).err().map(Err)
        })
    }
}

/// Whether the input has its end mark, and a stream nothing behind it.
fn check_end(messages: &mut Messages<impl Read>, is_file: bool) -> Result<(), ArrowError> {
    let problem = if !messages.has_end {
        "it ends without its end mark, so it may have been cut off"
    } else if !is_file && io::copy(&mut messages.input.by_ref().take(1), &mut io::sink())? > 0 {
        "bytes follow its end mark and are left out; give each stream alone"
    } else {
        return Ok(());
    };
    Err(ArrowError::IpcError(problem.to_owned()))
}
