//! An explained pair as one JSON object on one line.

use std::io::{self, Write};

use serde::Serialize;

use super::{
    comparison_json,
    explanation::{Explained, letters},
    figures::rounded,
    waterfall::{self, JsonBit},
};
use crate::{
    evaluate::angle,
    explain::near_miss::{Remedy, remedies},
    index::letter,
};

#[derive(Serialize)]
struct Json<'a> {
    a: &'a str,
    b: &'a str,
    distance: u32,
    width: u32,
    fingerprint_a: String,
    fingerprint_b: String,
    /// What the distance suggests, with its 95 % interval.
    cosine: f64,
    cosine_low: f64,
    cosine_high: f64,
    differing_bits: Vec<u32>,
    layout: String,
    guarantee: Option<u32>,
    blocks: Vec<JsonBlock>,
    tables: Vec<JsonTable>,
    tables_hit: usize,
    n_tables: usize,
    /// Tables that catch a pair with as many differing bits, wherever they lie, on average.
    expected_tables: f64,
    /// The chance that one does; null where it is not known.
    candidate_chance: Option<f64>,
    needed_k: u32,
    remedies: Vec<JsonRemedy>,
    #[serde(flatten)]
    comparison: Option<comparison_json::Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<[JsonBit; 2]>,
}

/// A layout that would catch the pair.
#[derive(Serialize)]
struct JsonRemedy {
    way: &'static str,
    layout: String,
    n_tables: usize,
    tables_hit: usize,
    key_bits: u32,
}

#[derive(Serialize)]
struct JsonBlock {
    block: String,
    bits_off: u32,
}

#[derive(Serialize)]
struct JsonTable {
    table: usize,
    key: String,
    hit: bool,
    damaged: Vec<String>,
}

/// Writes the pair as one JSON object on one line.
pub(in crate::cli) fn write_json(pair: &Explained<'_>, out: &mut dyn Write) -> io::Result<()> {
    let bits_off = pair.explanation.bits_off.iter().enumerate();
    let tables = pair.tables().enumerate().map(|(table, (layout, outcome))| JsonTable {
        table: table + 1,
        key: layout.letters(),
        hit: outcome.hit,
        damaged: letters(&outcome.damaged),
    });
    let (cosine_low, cosine_high) = pair.cosine_interval();
    let json = Json {
        cosine: rounded(angle::estimate(pair.explanation.distance, pair.layout.width())),
        cosine_low: rounded(cosine_low),
        cosine_high: rounded(cosine_high),
        a: pair.ids[0],
        b: pair.ids[1],
        distance: pair.explanation.distance,
        width: pair.layout.width(),
        fingerprint_a: pair.fingerprints[0].to_string(),
        fingerprint_b: pair.fingerprints[1].to_string(),
        differing_bits: pair.explanation.differing_bits(),
        layout: pair.layout.name(),
        guarantee: pair.layout.guarantee(),
        blocks: bits_off.map(|(at, &bits_off)| JsonBlock { block: letter(at), bits_off }).collect(),
        tables: tables.collect(),
        tables_hit: pair.explanation.hits().count(),
        n_tables: pair.layout.tables().len(),
        expected_tables: rounded(pair.expected_tables()),
        candidate_chance: pair.candidate_chance().map(rounded),
        needed_k: pair.explanation.distance,
        remedies: remedies(pair.layout, pair.explanation.xor).iter().map(json_remedy).collect(),
        comparison: pair.comparison.as_ref().map(comparison_json::json),
        explained: pair
            .explained()
            .map(|both| both.map(|(ballot, bit, most)| waterfall::json(ballot, bit, most))),
    };
    serde_json::to_writer(&mut *out, &json)?;
    out.write_all(b"\n")
}

fn json_remedy(remedy: &Remedy) -> JsonRemedy {
    JsonRemedy {
        way: remedy.way.name(),
        layout: remedy.layout.name(),
        n_tables: remedy.layout.tables().len(),
        tables_hit: remedy.tables_hit,
        key_bits: remedy.key_bits_min(),
    }
}
