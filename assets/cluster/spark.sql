-- All pairs of fingerprints within {within}: exact, {n_tables} tables.
-- Table docs: id, fp (bigint, the 64 bits as they are). Copies of a fingerprint are one row of u.
WITH u AS (
  SELECT fp, count(*) AS copies, min(id) AS representative
  FROM docs WHERE fp IS NOT NULL GROUP BY fp
),
e AS (
  SELECT fp, t, fp & mask AS key
  FROM u LATERAL VIEW posexplode(array(
    {masks}
  )) AS t, mask
)
SELECT DISTINCT l.fp AS fp_a, r.fp AS fp_b, bit_count(l.fp ^ r.fp) AS distance
FROM e l JOIN e r ON l.t = r.t AND l.key = r.key
-- The smaller one first, as numbers without a sign.
WHERE (l.fp ^ shiftleft(1L, 63)) < (r.fp ^ shiftleft(1L, 63))
  AND bit_count(l.fp ^ r.fp) <= {k};
