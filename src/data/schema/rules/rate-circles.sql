-- A chain of rates that returns to its first currency must not have a product below 1: a client could buy redeemable vouchers along it, and
-- end with more than it began with. docs/decisions/0083-let-no-chain-of-rates-gain.md.
-- Rule: no circle of rates gains

-- The chains with a product below 1. A chain visits no other currency twice. With both arguments: the chains through this rate. With
-- null: the chains of all rates, each from the first of its currencies by name.
-- Of the chains with the same beginning, end and length, only the one with the lowest product is extended. So the work grows with the
-- number of rates, and not with that of chains. A chain is missed only if it passes through the currencies of another one below 1.
CREATE OR REPLACE FUNCTION rate_circles(in_source text, in_destination text)
RETURNS TABLE (currencies text[], product numeric) LANGUAGE sql STABLE AS $$
  -- `fork`: where chains with the same beginning part, at the product `before`.
  WITH RECURSIVE chain AS (
    SELECT ARRAY[source_currency, destination_currency] AS currencies, rate AS product, destination_currency AS fork, rate AS before
      FROM forex_rates WHERE (source_currency, destination_currency) = (in_source, in_destination)
    UNION ALL
    SELECT ARRAY[source_currency, destination_currency], rate, source_currency, 1
      FROM forex_rates WHERE in_source IS NULL AND source_currency < destination_currency
    UNION ALL
    SELECT extended.* FROM (
      SELECT DISTINCT ON (chain.currencies[1], next.destination_currency, closes.by)
             chain.currencies || next.destination_currency, chain.product * next.rate, chain.fork, chain.before
        FROM chain JOIN forex_rates next ON next.source_currency = chain.currencies[cardinality(chain.currencies)]
       CROSS JOIN LATERAL (
             SELECT CASE next.destination_currency WHEN chain.currencies[1] THEN next.source_currency END AS by) closes
       WHERE next.source_currency <> chain.currencies[1] AND next.destination_currency <> ALL (chain.currencies[2:])
         AND (in_source IS NOT NULL OR next.destination_currency >= chain.currencies[1])
         -- A detour is not extended if the direct rate is lower.
         AND NOT EXISTS (SELECT FROM forex_rates direct
                          WHERE (direct.source_currency, direct.destination_currency) = (chain.fork, next.destination_currency)
                            AND chain.before * direct.rate < chain.product * next.rate)
       ORDER BY chain.currencies[1], next.destination_currency, closes.by, chain.product * next.rate
    ) extended
  )
  SELECT chain.currencies, chain.product FROM chain
   WHERE chain.currencies[1] = chain.currencies[cardinality(chain.currencies)] AND chain.product < 1
$$;

-- A chain with its rates and their product, which is cut off, and so never shown as 1.
CREATE OR REPLACE FUNCTION rate_circle_text(in_currencies text[], in_product numeric) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(rate.source_currency || '/' || rate.destination_currency || ' ' || trim_scale(rate.rate), ', ' ORDER BY step)
         || ' (product ' || trim_scale(trunc(in_product, 12)) || ')'
    FROM generate_series(1, cardinality(in_currencies) - 1) step
    JOIN forex_rates rate
      ON (rate.source_currency, rate.destination_currency) = (in_currencies[step], in_currencies[step + 1])
$$;

-- Rejects a new or lower rate through which a chain has a product below 1, at the end of the transaction. A rate that did not fall makes no
-- chain worse: so a chain that an earlier release allowed stays, and its rates can only rise.
CREATE OR REPLACE FUNCTION reject_rate_circle() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  present numeric;
  circle  record;
  minimum numeric;
  places  integer;
BEGIN
  -- The one lock for all rates: of two transactions that each set a part of a chain, the later one sees the rates of the earlier one. A row, so
  -- that a transaction whose snapshot is older than those rates fails.
  PERFORM FROM pricing_version FOR UPDATE;
  SELECT rate INTO present FROM forex_rates
   WHERE (source_currency, destination_currency) = (NEW.source_currency, NEW.destination_currency);
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND present >= OLD.rate
     AND (OLD.source_currency, OLD.destination_currency) = (NEW.source_currency, NEW.destination_currency) THEN
    RETURN NULL;
  END IF;
  SELECT * INTO circle FROM rate_circles(NEW.source_currency, NEW.destination_currency) ORDER BY product LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- Rounded up to 7 significant digits.
  minimum := present / circle.product;
  places := greatest(0, 6 - floor(log(minimum))::integer);
  RAISE EXCEPTION 'A client gains in a circle of these rates, because their product is below 1: %. Set %/% to at least %, or raise another of them first',
    rate_circle_text(circle.currencies, circle.product), NEW.source_currency, NEW.destination_currency,
    trim_scale(ceil(minimum * 10::numeric ^ places) / 10::numeric ^ places)
    USING ERRCODE = 'DGREF', CONSTRAINT = TG_NAME;
END $$;
