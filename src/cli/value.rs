//! Parsers for the values of options: names to choose from, numbers, layouts, sizes.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::analysis::LayoutChoice;
use crate::analysis::filter::{Filter, FilterError};
use crate::app::Size;
use crate::choice::{Choice, ValueError, choice};
use crate::export::{Format, OutputFormat};
use crate::simhash::Preset;

/// Bytes that a number may name at most: more than any machine has.
const MOST_BYTES: u64 = 1 << 40;

choice! {
    /// The characters a picture is drawn with.
    pub(super) enum Glyphs, "glyphs" {
        /// Box-drawing and block characters.
        #[default]
        Unicode = "unicode",
        /// Characters that every terminal has.
        Ascii = "ascii",
    }
}

choice! {
    /// The database that runs the query.
    pub(super) enum Dialect, "dialect" {
        /// Apache Spark, from version 3.
        #[default]
        Spark = "spark",
        /// `DuckDB`.
        Duckdb = "duckdb",
        /// `ClickHouse`.
        Clickhouse = "clickhouse",
    }
}

/// The value of `--preset`.
#[derive(Clone, Copy, Debug)]
pub(super) enum PresetChoice {
    /// List all.
    List,
    /// One preset.
    Of(Preset),
}

/// Bands as `--bands` names them: `5x12`.
pub(super) fn bands(text: &str) -> Result<LayoutChoice, &'static str> {
    match text.parse() {
        Ok(layout @ LayoutChoice::Bands { .. }) => Ok(layout),
        _ => Err("write bands x bits, such as 5x12"),
    }
}

/// Blocks as `--blocks` names them: `6`, or `4/4` for two levels.
pub(super) fn blocks(text: &str) -> Result<LayoutChoice, &'static str> {
    match text.parse() {
        Ok(layout @ (LayoutChoice::Blocks(_) | LayoutChoice::TwoLevel { .. })) => Ok(layout),
        _ => Err("write 1 to 128 blocks, such as 6, or two levels, such as 4/4"),
    }
}

/// A share between 0 and 1, such as `0.95`.
pub(super) fn share(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..1.0).contains(number) && *number > 0.0);
    number.ok_or("write a share between 0 and 1, such as 0.95")
}

/// A screen as `--size` names it: `80x24`.
pub(super) fn size(text: &str) -> Result<Size, &'static str> {
    let number = |text: &str| text.parse().ok().filter(|number| (1..=1000).contains(number));
    let size = text
        .split_once('x')
        .and_then(|(width, height)| Some(Size { width: number(width)?, height: number(height)? }));
    size.ok_or("write columns x rows, each 1 to 1000, such as 80x24")
}

/// A number of bytes: `1000`, `64K`, `64M`, `2G`, in powers of 1024.
pub(super) fn bytes(text: &str) -> Result<u64, &'static str> {
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let unit = units
        .into_iter()
        .find(|(letter, _)| text.ends_with([*letter, letter.to_ascii_lowercase()]));
    let (digits, shift) = unit.map_or((text, 0), |(_, shift)| (&text[..text.len() - 1], shift));
    let number: Option<u64> = digits.parse().ok();
    number
        .and_then(|number| number.checked_mul(1 << shift))
        .filter(|&number| number > 0 && number <= MOST_BYTES)
        .ok_or("write a number of bytes, such as 1000, 64K, 64M or 2G, at most 1024G")
}

/// A number of bytes of a document, at most as many as positions in a text can express after normalisation.
pub(super) fn document_bytes(text: &str) -> Result<u64, &'static str> {
    let number = bytes(text).ok().filter(|&number| number <= 256 << 20);
    number.ok_or("write a number of bytes, such as 64K or 64M, at most 256M")
}

/// A filter whose terms are known before near-duplicates are searched.
pub(super) fn filter(text: &str) -> Result<Filter, String> {
    let filter: Filter = text.parse().map_err(|error: FilterError| error.to_string())?;
    match filter.known_late() {
        Some(word) => Err(format!(
            "{word} is known only after the search, and --where is applied before it; use f in the explorer"
        )),
        None if filter.is_empty() => {
            Err("write terms that documents must match, such as label:earn or words>50".into())
        }
        None => Ok(filter),
    }
}

/// A number from 0 to 1.
pub(super) fn unit(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or("write a number from 0 to 1, such as 0.95")
}

/// One of the names of an enum, read back as its value.
pub(super) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::names()).try_map(|name| name.parse::<T>())
}

/// The names of [`Preset`], and `list`.
pub(super) fn presets() -> impl TypedValueParser<Value = PresetChoice> {
    let names = Preset::names().into_iter().chain(["list"]);
    PossibleValuesParser::new(names).try_map(|name| match &*name {
        "list" => Ok(PresetChoice::List),
        name => name.parse().map(PresetChoice::Of),
    })
}

/// The names of [`Format`], that of a page, and the answer to the retired `md`.
pub(super) fn formats() -> impl TypedValueParser<Value = OutputFormat> {
    let names = Format::names().into_iter().chain(["html"]).map(PossibleValue::new);
    let names = names.chain([PossibleValue::new("md").hide(true)]);
    PossibleValuesParser::new(names).try_map(|name| match &*name {
        "md" => Err("a page is HTML, which prints: -f html".to_owned()),
        "html" => Ok(OutputFormat::Html),
        name => name.parse().map(OutputFormat::Rows).map_err(|it: ValueError| it.to_string()),
    })
}

/// A character between cells.
pub(super) fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        _ if text == "tab" => Ok(b'\t'),
        [byte] if byte.is_ascii() && !b"\"\r\n".contains(byte) => Ok(*byte),
        _ => Err("write one ASCII character other than a quote, or tab"),
    }
}

/// A number of documents, such as 2e9.
pub(super) fn quantity(text: &str) -> Result<f64, &'static str> {
    let quantity: Option<f64> = text.parse().ok();
    let is_known = |n: &f64| (1.0..=1e15).contains(n);
    quantity.filter(is_known).ok_or("write a number from 1 to 1e15, such as 2e9")
}

/// The answer to a share, such as 0.8, where a number of bits is asked for.
pub(super) const BITS_NOT_SHARE: &str = "near is a number of bits that may differ: give -k, and `simscope tune` says which; or name \
     the least cosine of texts, --similarity 0.8, and k is chosen for it";

/// A number of bits as `-k` names it.
pub(super) fn distance(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(k) if k <= 128 => Ok(k),
        Ok(_) => Err("a number from 0 to 128".to_owned()),
        Err(_) if text.parse::<f64>().is_ok() => Err(BITS_NOT_SHARE.to_owned()),
        Err(_) => Err("not a number of bits, from 0 to 128".to_owned()),
    }
}

/// A least cosine as `--tau` names it.
pub(super) fn tau(text: &str) -> Result<f64, &'static str> {
    let tau: Option<f64> = text.parse().ok();
    tau.filter(|tau| *tau > 0.0 && *tau <= 1.0)
        .ok_or("write a cosine above 0, at most 1, such as 0.8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_numbers_and_an_x() {
        assert_eq!(bands("5x12"), Ok(LayoutChoice::Bands { bands: 5, bits: 12 }));
        assert_eq!(size("80x24"), Ok(Size { width: 80, height: 24 }));
        for wrong in ["", "5", "5x", "x5", "5X12", "5x-1", "5x12x1"] {
            assert!(bands(wrong).is_err(), "{wrong}");
        }
        assert_eq!(blocks("6"), Ok(LayoutChoice::Blocks(6)));
        assert_eq!(blocks("4/5"), Ok(LayoutChoice::TwoLevel { outer: 4, inner: 5 }));
        for wrong in ["", "0", "129", "4/", "/4", "4/0", "4/4/4", "-1"] {
            assert!(blocks(wrong).is_err(), "{wrong}");
        }
        assert_eq!(
            ["7", "3k", "64M", "1024G"].map(bytes),
            [Ok(7), Ok(3 << 10), Ok(64 << 20), Ok(1 << 40)]
        );
        for wrong in ["", "0", "M", "-1", "1.5M", "1025G", "99999999999G", "7é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        for wrong in ["0x24", "80x0", "70000x1"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
