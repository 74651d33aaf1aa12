-- All pairs of fingerprints within {within}: exact, {n_tables} tables.
-- Table docs: id, fp (bigint, the 64 bits as they are). Copies of a fingerprint are one row of u.
WITH u AS (
  SELECT fp, count(*) AS copies, min(id) AS representative
  FROM docs WHERE fp IS NOT NULL GROUP BY fp
),
masks(t, mask) AS (VALUES
    {masks}
),
e AS (SELECT fp, t, fp & mask AS key FROM u CROSS JOIN masks)
SELECT DISTINCT l.fp AS fp_a, r.fp AS fp_b, bit_count(xor(l.fp, r.fp)) AS distance
FROM e l JOIN e r ON l.t = r.t AND l.key = r.key
-- The smaller one first, as numbers without a sign.
WHERE xor(l.fp, (1::BIGINT << 62) * -2) < xor(r.fp, (1::BIGINT << 62) * -2)
  AND bit_count(xor(l.fp, r.fp)) <= {k};
