-- Rule: the next source after a failed purchase

-- The source that buys the units next, after a purchase of them bought nothing: the first in the order's rotation that has not
-- refused them for good, or no row. `is_later`: every source left was tried before, is paused or has an open circuit, so the next
-- purchase waits. `because`: see supplier_purchases. docs/decisions/0051-fail-over-between-sources.md.
-- The SET clause of both functions keeps PostgreSQL from inlining them into the statements that store goods. With inlined
-- functions, it planned these statements for each order: 4.7 ms instead of 0.03.
CREATE OR REPLACE FUNCTION next_source(order_id bigint, first_unit integer, source_id integer, because text)
RETURNS TABLE (source jsonb, is_later boolean) LANGUAGE sql STABLE ROWS 1 SET jit = off AS $$
  WITH candidate AS (
    SELECT listed.source, listed.position, (listed.source->>'id')::integer AS id
      FROM orders o CROSS JOIN LATERAL jsonb_array_elements(o.sources) WITH ORDINALITY AS listed (source, position)
     WHERE o.id = $1 AND o.completed_at IS NULL
  ), refused AS (
    SELECT earlier.source_id FROM supplier_purchases earlier
     WHERE earlier.order_id = $1 AND earlier.because IN ('refused', 'not-here', 'operator')
       AND $2 BETWEEN earlier.first_unit AND earlier.first_unit + earlier.units - 1
    UNION ALL SELECT $3 WHERE $4 IN ('refused', 'not-here', 'operator')
  )
  SELECT candidate.source, later.is_later
    FROM candidate
   CROSS JOIN LATERAL (
     SELECT candidate.position <= (SELECT position FROM candidate current WHERE current.id = $3)
            OR EXISTS (SELECT FROM supplier_pauses pause JOIN orders o ON o.id = $1
                        WHERE pause.supplier = candidate.source->>'supplier' AND pause.family IN ('', o.family))
            OR EXISTS (SELECT FROM supplier_circuits circuit JOIN orders o ON o.id = $1
                        WHERE circuit.supplier = candidate.source->>'supplier' AND circuit.family = o.family
                          AND circuit.probe_at > clock_timestamp()) AS is_later
   ) later
   WHERE candidate.id NOT IN (SELECT refused.source_id FROM refused)
   ORDER BY later.is_later, candidate.position LIMIT 1
$$;

-- The purchases that buy the units of a replaced purchase from the source, which may take fewer units at once. The batch is the
-- first unit plus 100,000 for each replacement (`SUCCESSOR_STEP` in src/domain/orders/order-ids.ts), so it is unique in the order.
CREATE OR REPLACE FUNCTION successor_batches(batch integer, first_unit integer, units integer, source jsonb)
RETURNS TABLE (batch integer, first_unit integer, units integer) LANGUAGE sql IMMUTABLE ROWS 1 SET jit = off AS $$
  SELECT ($1 / 100000 + 1) * 100000 + cut, cut, least(max_units, $2 + $3 - cut)
    FROM (SELECT ($4->>'maxUnits')::integer AS max_units) source
   CROSS JOIN LATERAL generate_series($2, $2 + $3 - 1, max_units) AS cut
$$;
