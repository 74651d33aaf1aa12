//! The sizes to which a Parquet or Arrow file says it unpacks. A page of Parquet is unpacked whole, and its header need
//! not agree with the metadata of the file, so the headers are looked at before. They are `PageHeader` of
//! parquet.thrift in Thrift's compact protocol; the crate parquet reads them and does not show them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use arrow_schema::ArrowError;
use parquet::{
    arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions},
    file::metadata::RowGroupMetaData,
};

use super::arrow_claims::claimed_bytes;
use super::fields::FieldNames;
use super::source::ColumnarFormat;

/// The kinds of fields that are told apart here, as the protocol numbers them.
const STOP: u8 = 0;
const I32: u8 = 5;
/// How deep records lie inside each other at most: in a header of a page, two deep.
const MOST_NESTED: u8 = 8;

/// The sizes to which the columns that make documents say they unpack.
pub(super) struct Claims {
    /// The unpacked bytes of Parquet, as the file says, or its pages if these say more; of Arrow, those that are held
    /// at a time.
    pub(super) bytes: u64,
    /// The first row of the first row group in which the header of a page is damaged, and the damage. Sizes from there
    /// on are not known.
    pub(super) damage: Option<(u64, ArrowError)>,
}

/// The sizes to which a file says it unpacks.
pub(super) fn claims(
    file: &File,
    format: ColumnarFormat,
    fields: &FieldNames,
) -> Result<Claims, ArrowError> {
    let mut claims = Claims { bytes: 0, damage: None };
    if format == ColumnarFormat::Arrow {
        claims.bytes = claimed_bytes(file)?;
        return Ok(claims);
    }
    let metadata = ArrowReaderMetadata::load(&file.try_clone()?, ArrowReaderOptions::new())?;
    let mut first_row = 0_u64;
    for group in metadata.metadata().row_groups() {
        match claimed_by_group(file, group, fields) {
            Ok(bytes) => claims.bytes = claims.bytes.saturating_add(bytes),
            Err(error) => {
                claims.damage = Some((first_row, error.into()));
                break;
            }
        }
        first_row = first_row.saturating_add(group.num_rows().max(0) as u64);
    }
    Ok(claims)
}

fn claimed_by_group(file: &File, group: &RowGroupMetaData, fields: &FieldNames) -> io::Result<u64> {
    let mut bytes = 0_u64;
    for column in group.columns() {
        if column.column_path().parts().first().is_some_and(|name| fields.has(name)) {
            let (start, length) = column.byte_range();
            let pages = claimed_by_pages(file, start..start.saturating_add(length))?;
            bytes = bytes.saturating_add(pages.max(column.uncompressed_size().max(0) as u64));
        }
    }
    Ok(bytes)
}

/// The bytes to which the pages in this part of a file say they unpack. Reads the headers alone.
///
/// # Errors
/// Errors of reading, and headers that are damaged.
fn claimed_by_pages(file: &File, part: Range<u64>) -> io::Result<u64> {
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(part.start))?;
    let mut claimed = 0_u64;
    while reader.stream_position()? < part.end {
        let [unpacked, packed] = page_sizes(&mut reader)?;
        claimed = claimed.saturating_add(unpacked.into());
        reader.seek_relative(packed.into())?;
    }
    Ok(claimed)
}

/// The unpacked and the packed size of a page, from its header.
fn page_sizes(input: &mut impl Read) -> io::Result<[u32; 2]> {
    let mut sizes = [None; 2];
    let mut id = 0;
    while let Some(kind) = field(input, &mut id)? {
        match (id, kind) {
            (2, I32) => sizes[0] = Some(zigzag(input)?),
            (3, I32) => sizes[1] = Some(zigzag(input)?),
            _ => skip(input, kind, MOST_NESTED)?,
        }
    }
    let size = |size: Option<i64>| size.and_then(|size| size.try_into().ok()).ok_or_else(damaged);
    Ok([size(sizes[0])?, size(sizes[1])?])
}

/// The kind of the next field, whose number comes to `id`; `None` at the end of the record.
fn field(input: &mut impl Read, id: &mut i64) -> io::Result<Option<u8>> {
    let head = byte(input)?;
    let (step, kind) = (head >> 4, head & 0xf);
    if kind == STOP {
        return Ok(None);
    }
    *id = if step == 0 { zigzag(input)? } else { id.saturating_add(step.into()) };
    Ok(Some(kind))
}

fn skip(input: &mut impl Read, kind: u8, depth: u8) -> io::Result<()> {
    match kind {
        // A flag is its kind.
        1 | 2 => Ok(()),
        3 => pass(input, 1),
        4..=6 => varint(input).map(|_| ()),
        7 => pass(input, 8),
        8 => {
            let length = varint(input)?;
            pass(input, length)
        }
        // A list. Its flags have a byte each.
        9 | 10 if depth > 0 => {
            let head = byte(input)?;
            let n = if head >> 4 == 0xf { varint(input)? } else { (head >> 4).into() };
            let kind = if matches!(head & 0xf, 1 | 2) { 3 } else { head & 0xf };
            (0..n).try_for_each(|_| skip(input, kind, depth - 1))
        }
        12 if depth > 0 => {
            let mut id = 0;
            while let Some(kind) = field(input, &mut id)? {
                skip(input, kind, depth - 1)?;
            }
            Ok(())
        }
        _ => Err(damaged()),
    }
}

fn zigzag(input: &mut impl Read) -> io::Result<i64> {
    varint(input).map(|n| (n >> 1) as i64 ^ -((n & 1) as i64))
}

/// A number in groups of seven bits, the lowest first.
fn varint(input: &mut impl Read) -> io::Result<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = byte(input)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(damaged())
}

fn byte(input: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte).map(|()| byte[0])
}

fn pass(input: &mut impl Read, n: u64) -> io::Result<()> {
    let passed = io::copy(&mut input.take(n), &mut io::sink())?;
    if passed == n { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

fn damaged() -> io::Error {
    io::Error::other("the header of a page is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields of every kind beside the two sizes, one numbered anew, in a record inside the header and in a list.
    #[test]
    fn sizes_are_found_among_other_fields() {
        let header = [
            0x15, 0x00, // 1: the type
            0x15, 0x80, 0x02, // 2: 128
            0x15, 0xc8, 0x01, // 3: 100
            0x2c, 0x11, 0x13, 7, 0x18, 2, b'a', b'b',
            0x00, // 5: a record with a flag, a byte, bytes
            0x05, 0x0c, 0x03, // 6, numbered anew: an integer
            0x19, 0x25, 0x02, 0x04, // 7: two integers
            0x17, 1, 2, 3, 4, 5, 6, 7, 8, // 8: a float
            0x00,
        ];
        let mut rest = &header[..];
        assert_eq!(page_sizes(&mut rest).unwrap(), [128, 100]);
        assert!(rest.is_empty());
        for cut in 0..header.len() {
            assert!(page_sizes(&mut &header[..cut]).is_err(), "{cut}");
        }
        // Without a size, below zero, with a map, a number without end, records in records without end.
        for wrong in [
            &[0x25, 0x80, 0x02, 0x00][..],
            &[0x25, 0x01, 0x15, 0x02, 0x00],
            &[0x25, 0x02, 0x15, 0x02, 0x1b, 0x00, 0x00],
            &[0x25, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            &[0x1c; 100],
        ] {
            assert!(page_sizes(&mut &*wrong).is_err(), "{wrong:x?}");
        }
    }
}
