//! `simscope sql`: the search of near pairs as one query, for systems that cannot run this program.
//!
//! The query does what tables do: a fingerprint has a row for each table, rows of equal keys are joined, and pairs
//! within the distance are kept. Equal fingerprints are made one row before, so copies make no pairs.

use std::{fmt::Write, io::Write as _};

use anyhow::{bail, ensure};

use super::{options::CommandRun, value::Dialect};
use crate::{
    analysis::LayoutChoice,
    export::{Format, Output, Target},
    index::Layout,
    number::counted,
    text::visible::visible,
};

/// Prints the query; the exit code.
pub(super) fn run(run: &CommandRun, dialect: Dialect) -> anyhow::Result<u8> {
    let (width, k) = (run.settings.recipe.bits, run.settings.k);
    if let Target::File(path) = &run.target {
        let shown = visible(&path.to_string_lossy()).into_owned();
        let of_rows = Format::of_name(&shown);
        ensure!(
            of_rows.is_none(),
            "{shown}: a query is SQL, not {}; give -o a name such as query.sql",
            of_rows.map_or_else(String::new, |it| it.to_string()),
        );
    }
    ensure!(width <= 64, "databases have whole numbers of 64 bits; give --bits 64 or less");
    let layout = match run.settings.layout {
        // One block more than the program itself would take, because databases compare slowly.
        LayoutChoice::Auto => LayoutChoice::Blocks(k + 2).layout(0, width, k)?,
        LayoutChoice::Blocks(_) => run.settings.layout(0)?,
        _ => bail!("the query has one level of blocks; give --blocks M"),
    };
    let mut output = Output::new(&run.target, run.format);
    output.write_all(query(dialect, &layout, k).as_bytes())?;
    output.finish()?;
    Ok(0)
}

fn query(dialect: Dialect, layout: &Layout, k: u32) -> String {
    let masks = layout.tables().iter().map(|table| table.mask as u64).enumerate();
    let mut sql = format!(
        "-- All pairs of fingerprints within {}: exact, {} tables.\n\
         -- Table docs: id, fp ({}). Copies of a fingerprint are one row of u.\n",
        counted(u64::from(k), "bit"),
        layout.tables().len(),
        match dialect {
            Dialect::Clickhouse => "UInt64",
            Dialect::Spark | Dialect::Duckdb => "bigint, the 64 bits as they are",
        }
    );
    let list = |mask: &dyn Fn(usize, u64) -> String| {
        masks.clone().map(|(t, bits)| mask(t, bits)).collect::<Vec<_>>().join(",\n    ")
    };
    let _ = match dialect {
        Dialect::Spark => write!(
            sql,
            "WITH u AS (\n  SELECT fp, count(*) AS copies, min(id) AS representative\n  FROM docs WHERE fp IS NOT NULL GROUP BY fp\n),\n\
             e AS (\n  SELECT fp, t, fp & mask AS key\n  FROM u LATERAL VIEW posexplode(array(\n    {}\n  )) AS t, mask\n)\n\
             SELECT DISTINCT l.fp AS fp_a, r.fp AS fp_b, bit_count(l.fp ^ r.fp) AS distance\n\
             FROM e l JOIN e r ON l.t = r.t AND l.key = r.key\n\
             -- The smaller one first, as numbers without a sign.\n\
             WHERE (l.fp ^ shiftleft(1L, 63)) < (r.fp ^ shiftleft(1L, 63))\n  AND bit_count(l.fp ^ r.fp) <= {k};\n",
            list(&|_, bits| format!("CAST('{}' AS BIGINT)", bits as i64)),
        ),
        Dialect::Duckdb => write!(
            sql,
            "WITH u AS (\n  SELECT fp, count(*) AS copies, min(id) AS representative\n  FROM docs WHERE fp IS NOT NULL GROUP BY fp\n),\n\
             masks(t, mask) AS (VALUES\n    {}\n),\n\
             e AS (SELECT fp, t, fp & mask AS key FROM u CROSS JOIN masks)\n\
             SELECT DISTINCT l.fp AS fp_a, r.fp AS fp_b, bit_count(xor(l.fp, r.fp)) AS distance\n\
             FROM e l JOIN e r ON l.t = r.t AND l.key = r.key\n\
             -- The smaller one first, as numbers without a sign.\n\
             WHERE xor(l.fp, (1::BIGINT << 62) * -2) < xor(r.fp, (1::BIGINT << 62) * -2)\n  AND bit_count(xor(l.fp, r.fp)) <= {k};\n",
            list(&|t, bits| format!("({t}, CAST('{}' AS BIGINT))", bits as i64)),
        ),
        Dialect::Clickhouse => write!(
            sql,
            "WITH u AS (\n  SELECT fp, count() AS copies, min(id) AS representative\n  FROM docs WHERE fp IS NOT NULL GROUP BY fp\n),\n\
             e AS (\n  SELECT fp, mask.1 AS t, bitAnd(fp, mask.2) AS key\n  FROM u ARRAY JOIN [\n    {}\n  ] AS mask\n)\n\
             SELECT DISTINCT l.fp AS fp_a, r.fp AS fp_b, bitHammingDistance(l.fp, r.fp) AS distance\n\
             FROM e AS l JOIN e AS r ON l.t = r.t AND l.key = r.key\n\
             WHERE l.fp < r.fp AND bitHammingDistance(l.fp, r.fp) <= {k};\n",
            list(&|t, bits| format!("({t}, toUInt64({bits}))")),
        ),
    };
    sql
}
