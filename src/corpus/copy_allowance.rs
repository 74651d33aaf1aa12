//! The limit of a copy: rows of a columnar file that share values would be many times as large as their file.

use std::path::Path;

use super::copy::CopyError;
use super::diagnostic::shown;
use super::options::InputLimits;
use super::source::FileStamp;

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
