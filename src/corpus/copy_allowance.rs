//! The limit of a copy, and the reasons why one fails: rows of a columnar file that share values would be many times as large as their file.

use std::io;
use std::path::Path;

use super::diagnostic::{ReadError, shown};
use super::options::InputLimits;
use super::source::FileStamp;
use crate::progress::Cancelled;

/// The reason why documents could not be copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A document cannot be read again, so the copy would lack it.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Rows of a columnar file share values, and the copy would hold them for each row.
    #[error(
        "{place}: its rows would be a copy of more than {expansion} times its size; if that is right, allow more with \
         `max-expansion`"
    )]
    TooLarge {
        /// The file.
        place: String,
        /// The limit that it meets.
        expansion: u64,
    },
    /// The copy cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// The bytes that the rows of a columnar file may have as a copy. Other inputs met the limits when they were read.
pub(super) struct CopyAllowance<'a> {
    limits: InputLimits,
    /// The file that is being copied, and the bytes that are left.
    file: Option<(&'a Path, u64)>,
}

impl<'a> CopyAllowance<'a> {
    pub(super) fn new(limits: InputLimits) -> Self {
        Self { limits, file: None }
    }

    /// Takes these bytes for rows of a file.
    pub(super) fn take(
        &mut self,
        path: &'a Path,
        stamp: FileStamp,
        bytes: usize,
    ) -> Result<(), CopyError> {
        let rest = match self.file {
            Some((same, rest)) if same == path => rest,
            _ => self.limits.most_unpacked(stamp.length()),
        };
        let rest = rest.checked_sub(bytes as u64).ok_or_else(|| CopyError::TooLarge {
            place: shown(path),
            expansion: self.limits.expansion,
        })?;
        self.file = Some((path, rest));
        Ok(())
    }
}
