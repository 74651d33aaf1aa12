//! The inputs to read, and the options of reading that a user gives.
//!
//! Plain data without behaviour beyond parsing its own names; the command line fills it, `load` uses it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The way in which the bytes of an input become documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InputFormat {
    /// By extension, then by content; standard input without a better idea is [`Lines`](Self::Lines).
    #[default]
    Auto,
    /// A file is a document.
    Text,
    /// A line is a document.
    Lines,
    /// A line is a JSON object with a text field.
    Jsonl,
    /// Comma-separated rows below a header row.
    Csv,
    /// Tab-separated rows below a header row, quoted as CSV.
    Tsv,
}

impl InputFormat {
    /// Every format, in the order in which help lists them.
    pub const ALL: [Self; 6] =
        [Self::Auto, Self::Text, Self::Lines, Self::Jsonl, Self::Csv, Self::Tsv];

    /// The name a user types.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Text => "text",
            Self::Lines => "lines",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
        }
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not an input format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no input format \"{0}\"; use auto, text, lines, jsonl, csv or tsv")]
pub struct UnknownFormat(pub String);

impl FromStr for InputFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// So many bytes a packed input may unpack to however small it is.
pub(super) const LEAST_UNPACKED: u64 = 128 << 20;

/// Limits of one input, so that a small packed file fills neither memory nor disk. Each limit that is
/// reached is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputLimits {
    /// Bytes of a document, unpacked. Its features take some 14 times as many under words:1, twice that under
    /// chars:5, and as many documents are at work as there are cores.
    pub document: u64,
    /// The largest ratio of unpacked to packed size of an input; 128 MiB are always allowed. Text packs to
    /// a third or a tenth, logs to a hundredth.
    pub expansion: u64,
    /// Bytes in the temporary file: all that is unpacked from rows, and standard input.
    pub spool: u64,
}

impl Default for InputLimits {
    fn default() -> Self {
        Self { document: 64 << 20, expansion: 200, spool: 32 << 30 }
    }
}

impl InputLimits {
    /// No limits: for what was read within them before.
    pub(super) const NONE: Self = Self { document: u64::MAX, expansion: u64::MAX, spool: u64::MAX };

    /// The message for a document above the limit.
    pub(super) fn too_large(self) -> String {
        format!("document is larger than {}", bytes(self.document))
    }
}

/// `32 MiB`, in the largest unit that divides it.
fn bytes(n: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.into_iter().find(|(shift, _)| n > 0 && n.is_multiple_of(1 << shift));
    unit.map_or_else(|| format!("{n} bytes"), |(shift, unit)| format!("{} {unit}", n >> shift))
}

/// The options of reading; the default suits most corpora.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadOptions {
    /// Applies to every file, those inside folders too, unless [`InputFormat::Auto`].
    pub format: InputFormat,
    /// The field or column that holds the text.
    pub text_field: String,
    /// The field or column that holds the id; `None` takes `id` where a row has it.
    pub id_field: Option<String>,
    /// The field or column that holds the title; `None` takes the first of `title`, `headline`, `name` and
    /// `subject` that a row has.
    pub title_field: Option<String>,
    /// The field or column that holds a fingerprint in hex. `None` takes `fingerprint`, and only
    /// where a row has no text field; a name takes that field from every row, and no text is needed.
    pub fingerprint_field: Option<String>,
    /// Keeps only those files in folders whose path below the folder matches. Without a `/` the
    /// pattern matches the file name, as in a `.gitignore`.
    pub glob: Option<String>,
    /// Follows symbolic links inside folders; loops are reported and survived.
    pub follow_links: bool,
    /// The limits of one input.
    pub limits: InputLimits,
    /// The last so many inputs are a reference: documents are compared across only.
    pub n_reference: usize,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            format: InputFormat::Auto,
            text_field: "text".to_owned(),
            id_field: None,
            title_field: None,
            fingerprint_field: None,
            glob: None,
            follow_links: false,
            limits: InputLimits::default(),
            n_reference: 0,
        }
    }
}

/// One thing to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A folder, a file, or a pipe with a name.
    Path(PathBuf),
    /// Standard input, read once and kept in a temporary file.
    Stdin,
    /// A file included in the program; its name's extension gives the format.
    Bundled {
        /// The name shown and used in ids.
        name: &'static str,
        /// The bytes, re-read in place.
        bytes: &'static [u8],
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_reads_back_from_its_name() {
        for format in InputFormat::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "xml".parse::<InputFormat>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "no input format \"xml\"; use auto, text, lines, jsonl, csv or tsv"
        );
    }
}
