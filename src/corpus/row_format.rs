//! Formats whose rows become lines of JSON in the temporary file. A new one is a file with its reader, and a line here.

#[cfg(feature = "columnar")]
use super::arrow_rows;
use super::batch_builder::LoadStop;
use super::decode::PeekedReader;
use super::fields::RowError;
use super::load::Loader;
#[cfg(feature = "formats")]
use super::parquet_rows;
use super::sniff::{extension, is_arrow_stream};
use super::source::Origin;

/// A format of rows.
pub(super) struct RowFormat {
    /// Its name in messages.
    name: &'static str,
    /// The endings of names that promise it.
    endings: &'static [&'static str],
    /// Whether a file that begins with these bytes has it.
    is: fn(&[u8]) -> bool,
    /// Reads an input, in builds with the feature.
    read: Option<ReadRows>,
    feature: &'static str,
}

/// Reads the rows of an input; the last argument tells whether it is a file as it is.
type ReadRows = fn(&mut Loader<'_>, &Origin, PeekedReader<'_>, bool) -> Result<(), LoadStop>;

const FORMATS: [RowFormat; 2] = [
    RowFormat {
        name: "a Parquet file",
        endings: &["parquet"],
        is: |head| head.starts_with(b"PAR1"),
        #[cfg(feature = "formats")]
        read: Some(parquet_rows::read),
        #[cfg(not(feature = "formats"))]
        read: None,
        feature: "formats",
    },
    RowFormat {
        name: "an Arrow file",
        endings: &["arrow", "arrows"],
        is: is_arrow,
        #[cfg(feature = "columnar")]
        read: Some(arrow_rows::read),
        #[cfg(not(feature = "columnar"))]
        read: None,
        feature: "columnar",
    },
];

/// Whether these bytes begin an Arrow file or stream.
fn is_arrow(head: &[u8]) -> bool {
    head.starts_with(b"ARROW1") || is_arrow_stream(head)
}

impl RowFormat {
    /// The format of a file that begins with these bytes.
    pub(super) fn of(head: &[u8]) -> Option<&'static Self> {
        FORMATS.iter().find(|format| (format.is)(head))
    }

    /// The problem and remedy of a file whose name promises a format that it has not.
    pub(super) fn is_not_there(name: &str, head: &[u8]) -> Option<RowError> {
        let ending = extension(name);
        let promised = FORMATS.iter().find(|format| format.endings.contains(&ending.as_str()))?;
        let empty = if head.is_empty() { "empty, and " } else { "" };
        let problem = format!("{empty}not {}, as its name says", promised.name);
        Some(RowError::new(problem, "write it again, or rename it"))
    }

    /// Reads an input of this format, or reports that this build does not.
    pub(super) fn read(
        &self,
        loader: &mut Loader<'_>,
        origin: &Origin,
        reader: PeekedReader<'_>,
        is_plain: bool,
    ) -> Result<(), LoadStop> {
        if let Some(read) = self.read {
            return read(loader, origin, reader, is_plain);
        }
        let problem = format!("{}, which this build of simscope does not read", self.name);
        let remedy =
            format!("build it with `--features {}`, or write the rows as JSONL", self.feature);
        loader.report_row(origin, &RowError::new(problem, remedy));
        Ok(())
    }
}
