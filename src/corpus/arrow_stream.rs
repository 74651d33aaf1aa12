//! Arrow streams: their batches, and errors of a stream that was cut off or has bytes behind its end.

use std::io::{self, Read};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_schema::{ArrowError, SchemaRef};

use super::columnar_file::Batches;

/// The end mark of a stream: a message without a length.
const END: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// The columns of a stream and its batches. The last batch is followed by an error if the stream has no end mark, or
/// if the input goes on behind it.
pub(super) fn open_stream<'a>(
    input: impl Read + Send + 'a,
) -> Result<(SchemaRef, Batches<'a>), ArrowError> {
    let input = LastBytes { inner: input, last: [0; 8] };
    let stream = StreamReader::try_new(input, None)?;
    Ok((stream.schema(), Box::new(WholeStream { stream, is_over: false })))
}

/// An input with the last eight bytes that were read of it.
struct LastBytes<R> {
    inner: R,
    last: [u8; 8],
}

impl<R: Read> Read for LastBytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let new = &buffer[count.saturating_sub(8)..count];
        self.last.rotate_left(new.len());
        self.last[8 - new.len()..].copy_from_slice(new);
        Ok(count)
    }
}

struct WholeStream<R> {
    stream: StreamReader<LastBytes<R>>,
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
            check_end(self.stream.get_mut()).err().map(Err)
        })
    }
}

/// Whether the input has ended, and with the end mark.
fn check_end(input: &mut LastBytes<impl Read>) -> Result<(), ArrowError> {
    let problem = if input.last != END {
        "it ends without its end mark, so it may have been cut off"
    } else if io::copy(&mut input.take(1), &mut io::sink())? > 0 {
        "bytes follow its end mark and are left out; give each stream alone"
    } else {
        return Ok(());
    };
    Err(ArrowError::IpcError(problem.to_owned()))
}
