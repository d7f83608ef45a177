-- What an order earned, for operators only. Computed from values that are stored with the order and its purchases, so that a
-- later rate changes nothing. docs/operators/catalogue.md#margins.
-- Rule: what an order earned: cost, kept debit and margin

-- What a purchase paid (a cost in a currency), in the wallet's currency: null if the cost or its rate is unknown, and 0 if the supplier
-- has reversed the purchase. The rate is the one that is stored with the source, or else a reference rate when the cost was reported,
-- the order's own rate for a cost in the product's currency, or the clients' rate when the cost was reported.
-- `currency_difference`: what the change of the rate from the order to the report saved; below 0 if it cost more.
-- `is_at_client_rate`: whether no reference rate was known.
-- Rejected: rows as arguments, which PostgreSQL builds again for each column that it reads; no OFFSET, without which it computes the
-- rate again for each use. A report of a month takes three times as long with them.
CREATE OR REPLACE FUNCTION valued_cost(
  wallet_currency text, product_currency text, order_rate numeric, sources jsonb, used_source integer,
  paid numeric, paid_currency text, reported_rate numeric, reported_is_reference boolean, reversed timestamptz)
RETURNS TABLE (cost numeric, currency_difference numeric, is_at_client_rate boolean) LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN reversed IS NULL THEN paid * valued.rate ELSE 0 END,
         CASE WHEN reversed IS NOT NULL OR reported_is_reference <> valued.is_reference THEN 0
              ELSE paid * (valued.rate - coalesce(reported_rate, valued.rate)) END,
         NOT valued.is_reference AND reversed IS NULL AND paid IS NOT NULL
    FROM (SELECT CASE WHEN paid_currency <> wallet_currency THEN (
                   SELECT chosen.source->'costRate' FROM jsonb_array_elements(sources) AS chosen (source)
                    WHERE (chosen.source->>'id')::integer = used_source
                      AND chosen.source->'costRate'->>'currency' = paid_currency) END AS cost_rate OFFSET 0) stored
   CROSS JOIN LATERAL (
     SELECT CASE WHEN paid_currency = wallet_currency THEN 1
                 WHEN stored.cost_rate IS NOT NULL THEN (stored.cost_rate->>'rate')::numeric
                 WHEN paid_currency = product_currency AND NOT reported_is_reference THEN order_rate
                 ELSE reported_rate END AS rate,
            CASE WHEN paid_currency = wallet_currency THEN true
                 WHEN stored.cost_rate IS NOT NULL THEN coalesce((stored.cost_rate->>'isReference')::boolean, false)
                 ELSE reported_is_reference END AS is_reference OFFSET 0) valued
$$;

-- Whether the supplier delivered goods of the purchase that the order could not take.
CREATE OR REPLACE FUNCTION has_goods_apart(purchase text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM quarantined_goods goods WHERE goods.reference = purchase AND goods.reason <> 'OPERATOR')
$$;

-- The debit of an ended order less the automatic refund. Refunds after delivery do not change it.
CREATE OR REPLACE FUNCTION kept_debit(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN o.transaction_id IS NULL THEN 0
              WHEN o.status = 'DELIVERED' THEN o.total_payable
              ELSE kept_share(o) END
$$;

-- The kept debit of an ended order less its refunds after delivery, the cost of its goods and of those that replaced them, and the currency difference of that cost.
-- The cost is null if the cost of any purchase is unknown.
CREATE OR REPLACE FUNCTION order_margin(o orders)
RETURNS TABLE (sold numeric, cost numeric, margin numeric, currency_difference numeric) LANGUAGE sql STABLE AS $$
  SELECT earned.sold, bought.cost, earned.sold - bought.cost, bought.currency_difference
    FROM (SELECT kept_debit(o) - refunded_after(o) AS sold) earned,
         (SELECT CASE WHEN count(*) = count(known.cost) THEN coalesce(sum(known.cost), 0) END AS cost,
                 CASE WHEN count(*) = count(known.cost) THEN coalesce(sum(known.currency_difference), 0) END AS currency_difference
            FROM orders b JOIN supplier_purchases p ON p.order_id = b.id CROSS JOIN LATERAL valued_cost(
                   b.deduction_currency, b.base_currency, b.forex_rate, b.sources, p.source_id,
                   p.cost, p.cost_currency, p.cost_rate, p.cost_rate_is_reference, p.reversed_at) known
           WHERE (b.id = o.id OR o.replacement_count > 0 AND b.replaces_order_id = o.id) AND (p.stored > 0 OR has_goods_apart(p.reference))) bought
   WHERE o.completed_at IS NOT NULL
$$;
