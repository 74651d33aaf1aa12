//! The size to which packed parts of an Arrow file or stream say they unpack. They are unpacked whole, a batch at a
//! time, so the sizes are looked at before.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use arrow_ipc::{
    Block, Message, RecordBatch, reader::read_footer_length, root_as_footer, root_as_message,
};
use arrow_schema::ArrowError;

/// Bytes of the length of a footer and the mark after it.
const END: u64 = 10;

/// The bytes to which the largest batch of a file unpacks, as it says, and all of its dictionaries.
pub(super) fn claimed_bytes(mut file: &File) -> Result<u64, ArrowError> {
    let length = file.metadata()?.len();
    let end = length.checked_sub(END).ok_or_else(cut_off)?;
    let last = part(&mut file, end, END)?;
    let footer = read_footer_length(last.try_into().unwrap_or_default())? as u64;
    let start = end.checked_sub(footer).ok_or_else(cut_off)?;
    let footer = part(&mut file, start, footer)?;
    let footer = root_as_footer(&footer).map_err(|error| contradictory(&error))?;
    let (mut largest, mut dictionaries) = (0, 0_u64);
    for block in footer.recordBatches().iter().flatten() {
        largest = claimed_by(&mut file, block, end)?.max(largest);
    }
    for block in footer.dictionaries().iter().flatten() {
        dictionaries = dictionaries.saturating_add(claimed_by(&mut file, block, end)?);
    }
    Ok(dictionaries.saturating_add(largest))
}

/// The bytes to which the packed buffers of a block say they unpack.
fn claimed_by(file: &mut &File, block: &Block, end: u64) -> Result<u64, ArrowError> {
    let (start, length) = (block.offset() as u64, block.metaDataLength() as u32 as u64);
    let body = start.checked_add(length).filter(|body| *body <= end);
    let body = body.ok_or_else(cut_off)?;
    let message = part(file, start, length)?;
    // A mark of four bytes, which old files lack, and the length.
    let head = if message.starts_with(&[0xff; 4]) { 8 } else { 4 };
    let message = root_as_message(message.get(head..).unwrap_or_default());
    let message = message.map_err(|error| contradictory(&error))?;
    claimed_by_message(&message, |at| {
        let at = body.checked_add(at).filter(|at| *at <= end);
        let size = part(file, at.ok_or_else(cut_off)?, 8)?;
        Ok(size.try_into().unwrap_or_default())
    })
}

/// The bytes to which the packed buffers of a message say they unpack. `eight` gives eight bytes of its body.
pub(super) fn claimed_by_message(
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
pub(super) fn packed_batch<'m>(message: &Message<'m>) -> Option<RecordBatch<'m>> {
    let of_dictionary = || message.header_as_dictionary_batch()?.data();
    let batch = message.header_as_record_batch().or_else(of_dictionary);
    batch.filter(|batch| batch.compression().is_some())
}

/// Bytes of a file.
fn part(file: &mut &File, start: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    let n = file.take(length).read_to_end(&mut bytes)? as u64;
    if n < length { Err(cut_off()) } else { Ok(bytes) }
}

fn cut_off() -> io::Error {
    io::ErrorKind::UnexpectedEof.into()
}

pub(super) fn contradictory(error: &dyn std::fmt::Display) -> ArrowError {
    ArrowError::IpcError(error.to_string())
}
