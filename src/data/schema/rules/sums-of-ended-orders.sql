-- The sums of ended orders by day (UTC), for the reports of operators. docs/decisions/0076-sum-ended-orders-by-day.md.

-- The first moment of a day (UTC).
CREATE OR REPLACE FUNCTION start_of(in_day date) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT in_day::timestamp AT TIME ZONE 'UTC'
$$;

-- The sums of the orders that ended from `in_from` on and before `in_to`, computed from the orders. An order that replaces a unit only
-- costs: its cost stands with the client and the product of the old one. The cost of an order is unknown if the cost of any purchase is.
-- The sales of an order are split in proportion to the units that each supplier delivered.
-- Rejected: a call of `order_margin(o)` for each order, which takes 2.6 times as long for half a million orders.
-- The ids bound the purchases, because the planner would otherwise read those of all orders.
CREATE OR REPLACE FUNCTION sums_of_orders(in_from timestamptz, in_to timestamptz) RETURNS SETOF order_sums LANGUAGE sql STABLE AS $$
  WITH ended AS (
    SELECT o.id, day_of(o.completed_at) AS day, o.client_id, o.family, o.product_id, o.product_name, o.deduction_currency AS currency,
           o.status, o.delivered_quantity, o.replaces_order_id IS NULL AS is_sale, kept_debit(o) AS kept, o.base_currency, o.forex_rate,
           o.sources
      FROM orders o WHERE o.completed_at >= in_from AND o.completed_at < in_to
  ), purchase AS (
    SELECT o.id, o.day, p.supplier, p.batch, p.state, p.stored, p.cost AS charged, p.cost_currency, known.cost,
           known.currency_difference AS difference, CASE WHEN known.is_at_client_rate THEN known.cost ELSE 0 END AS client_rates,
           p.stored > 0 OR has_goods_apart(p.reference) AS is_bought
      FROM ended o JOIN supplier_purchases p
             ON p.order_id = o.id AND p.order_id BETWEEN (SELECT min(id) FROM ended) AND (SELECT max(id) FROM ended)
     CROSS JOIN LATERAL valued_cost(
             o.currency, o.base_currency, o.forex_rate, o.sources, p.source_id,
             p.cost, p.cost_currency, p.cost_rate, p.cost_rate_is_reference, p.reversed_at) known
  ), line AS (
    SELECT 'ORDER' AS kind, o.*, coalesce(whole.supplier, o.sources->0->>'supplier') AS supplier, o.kept AS sold,
           coalesce(whole.is_known, true) AS is_known, coalesce(whole.cost, 0) AS cost, whole.difference, whole.client_rates
      FROM ended o LEFT JOIN (
             SELECT id, (array_agg(supplier ORDER BY batch DESC))[1] AS supplier,
                    count(*) FILTER (WHERE is_bought AND cost IS NULL) = 0 AS is_known, sum(cost) FILTER (WHERE is_bought) AS cost,
                    sum(difference) FILTER (WHERE is_bought) AS difference, sum(client_rates) FILTER (WHERE is_bought) AS client_rates
               FROM purchase GROUP BY id) whole ON whole.id = o.id
    UNION ALL
    SELECT 'SUPPLIER', o.*, bought.supplier, coalesce(o.kept * bought.units / nullif(o.delivered_quantity, 0), 0),
           bought.is_known, bought.cost, bought.difference, bought.client_rates
      FROM ended o JOIN (
             SELECT id, supplier, sum(stored) AS units, count(*) = count(cost) AS is_known, sum(cost) AS cost,
                    sum(difference) AS difference, sum(client_rates) AS client_rates
               FROM purchase WHERE is_bought GROUP BY id, supplier) bought ON bought.id = o.id
  )
  SELECT day, kind, client_id, family, product_id, max(product_name), supplier, currency, is_sale,
         count(*) FILTER (WHERE status = 'DELIVERED'), count(*) FILTER (WHERE status = 'FAILED'),
         count(*) FILTER (WHERE status = 'CANCELLED'), count(*) FILTER (WHERE is_sale AND (sold > 0 OR NOT is_known OR cost <> 0)),
         sum(sold), coalesce(sum(sold) FILTER (WHERE is_known), 0), coalesce(sum(cost) FILTER (WHERE is_known), 0),
         coalesce(sum(client_rates) FILTER (WHERE is_known), 0), coalesce(sum(difference) FILTER (WHERE is_known), 0),
         count(*) FILTER (WHERE NOT is_known)
    FROM line GROUP BY day, kind, client_id, family, product_id, supplier, currency, is_sale
  UNION ALL
  SELECT day, 'SPEND', NULL, NULL, NULL, NULL, supplier, cost_currency, true, 0, 0, 0, 0, 0, 0, sum(charged), 0, 0, 0
    FROM purchase WHERE state = 'DELIVERED' AND charged IS NOT NULL GROUP BY day, supplier, cost_currency
$$;

-- The same sums, from the stored ones where they are complete. Computes the others: those of outdated days, of the parts of days at the
-- ends of the period, and of the orders that ended after the last roll-up.
CREATE OR REPLACE FUNCTION sums_between(in_from timestamptz, in_to timestamptz) RETURNS SETOF order_sums LANGUAGE sql STABLE AS $$
  WITH incomplete AS (
    SELECT day FROM outdated_order_sums
     UNION SELECT day_of(in_from) WHERE in_from > start_of(day_of(in_from))
     UNION SELECT day_of(in_to) FROM orders_summed WHERE in_to < through
  ), span AS (
    SELECT start_of(day) AS starts, least(start_of(day + 1), through) AS ends FROM incomplete, orders_summed
     UNION ALL SELECT through, 'infinity' FROM orders_summed
  )
  SELECT * FROM order_sums
   WHERE day BETWEEN day_of(in_from) AND day_of(in_to) AND day NOT IN (SELECT day FROM incomplete)
  UNION ALL
  SELECT sums.* FROM span CROSS JOIN LATERAL sums_of_orders(greatest(starts, in_from), least(ends, in_to)) sums
$$;

-- Sums the next orders, at most those of one day, or an outdated day again. Returns whether there were any. Orders that are younger than
-- `in_age` may be uncommitted. The lock makes processes take turns. An interrupted call changes nothing.
CREATE OR REPLACE FUNCTION roll_up_order_sums(in_age interval) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  summed   timestamptz;
  outdated date;
  starts   timestamptz;
  ends     timestamptz;
BEGIN
  SELECT through INTO summed FROM orders_summed FOR UPDATE;
  IF summed > clock_timestamp() - in_age THEN
    -- The server's clock was set back: orders end before the moment up to which all are summed.
    summed := start_of(day_of(clock_timestamp() - in_age));
    DELETE FROM order_sums WHERE day >= day_of(summed);
    UPDATE orders_summed SET through = summed;
  END IF;

  SELECT min(day) INTO outdated FROM outdated_order_sums;
  IF outdated IS NOT NULL THEN
    -- Each statement has a snapshot of its own: the new sums include every change whose row the first one deletes.
    DELETE FROM outdated_order_sums WHERE day = outdated;
    DELETE FROM order_sums WHERE day = outdated;
    INSERT INTO order_sums SELECT * FROM sums_of_orders(start_of(outdated), least(start_of(outdated + 1), summed));
    RETURN true;
  END IF;

  SELECT min(completed_at) INTO starts FROM orders WHERE completed_at >= summed;
  ends := least(start_of(day_of(starts) + 1), now() - in_age);
  IF starts IS NULL OR starts >= ends THEN RETURN false; END IF;
  INSERT INTO order_sums SELECT * FROM sums_of_orders(starts, ends);
  UPDATE orders_summed SET through = ends;
  -- The day of the last roll-up is over, so its sums of some minutes each become one. They add up, so no order is read again.
  IF day_of(summed) < day_of(ends) AND summed > start_of(day_of(summed)) THEN
    WITH part AS (DELETE FROM order_sums WHERE day = day_of(summed) RETURNING *)
    INSERT INTO order_sums
    SELECT day, kind, client_id, family, product_id, max(product_name), supplier, currency, is_sale,
           sum(delivered), sum(failed), sum(cancelled), sum(sales), sum(sold), sum(known_sold), sum(cost), sum(client_rate_cost),
           sum(rate_difference), sum(unknown)
      FROM part GROUP BY day, kind, client_id, family, product_id, supplier, currency, is_sale;
  END IF;
  RETURN true;
END $$;

-- The trigger on what can change the cost of an ended order.
CREATE OR REPLACE FUNCTION mark_order_sums_outdated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outdated_order_sums SELECT day_of(completed_at) FROM orders WHERE id = NEW.order_id AND completed_at IS NOT NULL;
  RETURN NULL;
END $$;
