//! The inputs to read, and the options of reading that a user gives.
//!
//! Plain data; the command line fills it, `load` uses it.

use std::path::PathBuf;
use std::str::FromStr;
use std::{fmt, io};

use serde::{Deserialize, Serialize};

use crate::choice::choice;

/// The way in which the bytes of an input become documents: a name of [`all`](Self::all).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputFormat(pub(super) &'static str);

impl InputFormat {
    /// By extension, then by content; standard input without a better idea is [`LINES`](Self::LINES).
    pub const AUTO: Self = Self("auto");
    /// A file is a document.
    pub const TEXT: Self = Self("text");
    /// A line is a document.
    pub const LINES: Self = Self("lines");
    /// JSON objects with a text field: one a line, in a list, or one after another.
    pub const JSONL: Self = Self("jsonl");
}

impl Default for InputFormat {
    fn default() -> Self {
        Self::AUTO
    }
}

impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

choice! {
    /// How a fingerprint is written in a string or a cell. A JSON number is decimal in any case.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum FingerprintType, "fingerprint type" {
        /// Hex digits, with or without `0x`.
        #[default]
        Hex = "hex",
        /// A whole number from 0 up.
        Uint64 = "uint64",
        /// A number of 64 bits with a sign, whose two's complement the fingerprint is.
        Int64 = "int64",
    }
}

/// The character set of texts, but for those that begin with a byte order mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8; other bytes become U+FFFD, and are counted.
    #[default]
    Utf8,
    /// UTF-8, or what the first bytes suggest that are no UTF-8: of a file wherever they are, of other inputs in the
    /// first 8 KB.
    Auto,
    /// The one with this name, as browsers know it.
    Label(&'static str),
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "utf-8",
            Self::Auto => "auto",
            Self::Label(label) => label,
        })
    }
}

impl FromStr for TextEncoding {
    type Err = &'static str;

    fn from_str(label: &str) -> Result<Self, Self::Err> {
        // Python writes them so.
        let label = &label.to_ascii_lowercase().replace("utf-16-", "utf-16");
        match label.as_str() {
            "utf-8" | "utf8" => return Ok(Self::Utf8),
            "auto" => return Ok(Self::Auto),
            _ => {}
        }
        #[cfg(feature = "formats")]
        if let Some(known) = super::encoding_name(label) {
            return Ok(Self::Label(known));
        }
        Err("no character set that is known; try auto, windows-1252, shift_jis, gb18030 or koi8-r")
    }
}

pub(super) fn write_name<S: serde::Serializer>(
    value: &impl fmt::Display,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

pub(super) fn read_name<'de, T: FromStr<Err: fmt::Display>, D>(from: D) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
{
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

/// So many bytes a packed input may unpack to however small it is.
const LEAST_UNPACKED: u64 = 128 << 20;

/// The advice for an input that unpacks to more than it may.
pub(super) const TOO_FAR_REMEDY: &str = "if that is right, allow more with `max-expansion`";

/// Limits of one input, so that a small packed file fills neither memory nor disk. Each limit that is
/// reached is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// The bytes that an input of this size may unpack to.
    pub(super) fn most_unpacked(self, packed: u64) -> u64 {
        packed.saturating_mul(self.expansion).max(LEAST_UNPACKED)
    }

    /// The problem of an input that unpacks to more.
    pub(super) fn too_far(self) -> String {
        format!("unpacks to more than {} times its size", self.expansion)
    }

    /// The error of an input whose rest is not read, because it unpacks to more.
    pub(super) fn unpacks_too_far(self) -> io::Error {
        let problem = format!("{}, so the rest is not read; {TOO_FAR_REMEDY}", self.too_far());
        io::Error::new(io::ErrorKind::QuotaExceeded, problem)
    }

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

/// The options of reading; the default suits most corpora. Each is written with its name on the command line, the
/// limits behind `max-`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LoadOptions {
    /// Applies to every file, those inside folders too, unless [`InputFormat::AUTO`].
    #[serde(serialize_with = "write_name", deserialize_with = "read_name")]
    pub input_format: InputFormat,
    /// The field or column that holds the text; `None` takes `text`.
    pub text_field: Option<String>,
    /// The field or column that holds the id; `None` takes `id` where a row has it.
    pub id_field: Option<String>,
    /// The field or column that holds the title; `None` takes the first of `title`, `headline`, `name` and
    /// `subject` that a row has.
    pub title_field: Option<String>,
    /// The field or column that holds a fingerprint in hex. `None` takes `fingerprint`, and only
    /// where a row has no text field; a name takes that field from every row, and no text is needed.
    pub fingerprint_field: Option<String>,
    /// The field or column that holds hashed features with their weights; a name takes that field from every row, and
    /// no text is needed.
    pub hashes_field: Option<String>,
    /// The field of an object that holds the list of rows; `None` takes the first list of objects, where an object has no
    /// text field.
    pub records: Option<String>,
    /// Whether the lines of a mail that begin with `>` are left out.
    pub no_quotes: bool,
    /// The character set of texts.
    #[serde(serialize_with = "write_name", deserialize_with = "read_name")]
    pub encoding: TextEncoding,
    /// How fingerprints are written in strings and cells.
    pub fp_type: FingerprintType,
    /// The byte between the cells of a table; `None` takes the tabulator for TSV, and for CSV the one of `,`, `;`, `|`
    /// and the tabulator that its first row has most.
    pub delimiter: Option<u8>,
    /// The byte before a quote, or before itself, that is a part of a cell in quotes, beside two quotes for one.
    pub csv_escape: Option<u8>,
    /// Whether the first row of a table does not name the columns: their names are 1, 2, and so on.
    pub no_header: bool,
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
