-- All pairs of fingerprints within {within}: exact, {n_tables} tables.
-- Table docs: id, fp (UInt64). Copies of a fingerprint are one row of u.
WITH u AS (
  SELECT fp, count() AS copies, min(id) AS representative
  FROM docs WHERE fp IS NOT NULL GROUP BY fp
),
e AS (
  SELECT fp, mask.1 AS t, bitAnd(fp, mask.2) AS key
  FROM u ARRAY JOIN [
    {masks}
  ] AS mask
)
SELECT DISTINCT l.fp AS fp_a, r.fp AS fp_b, bitHammingDistance(l.fp, r.fp) AS distance
FROM e AS l JOIN e AS r ON l.t = r.t AND l.key = r.key
WHERE l.fp < r.fp AND bitHammingDistance(l.fp, r.fp) <= {k};
