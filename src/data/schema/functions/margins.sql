-- What an order earned, for operators only. Computed from values that are stored with the order and its purchases, so that a
-- later rate changes nothing. docs/operators/catalogue.md#margins.

-- The cost of a purchase of the order in the wallet's currency; null if the cost or its rate is unknown, and 0 if the supplier has
-- reversed the purchase. The rate is the one that is stored with the source, or else a reference rate when the cost was reported,
-- the order's own rate for a cost in the product's currency, or the clients' rate when the cost was reported.
-- `currency_difference`: what the change of the rate from the order to the report saved; below 0 if it cost more.
-- `is_at_client_rate`: whether no reference rate was known.
CREATE OR REPLACE FUNCTION valued_cost(o orders, p supplier_purchases)
RETURNS TABLE (cost numeric, currency_difference numeric, is_at_client_rate boolean) LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p.reversed_at IS NULL THEN p.cost * valued.rate ELSE 0 END,
         CASE WHEN p.reversed_at IS NOT NULL OR p.cost_rate_is_reference <> valued.is_reference THEN 0
              ELSE p.cost * (valued.rate - coalesce(p.cost_rate, valued.rate)) END,
         NOT valued.is_reference AND p.reversed_at IS NULL AND p.cost IS NOT NULL
    FROM (SELECT CASE WHEN p.cost_currency <> o.deduction_currency THEN (
                   SELECT chosen.source->'costRate' FROM jsonb_array_elements(o.sources) AS chosen (source)
                    WHERE (chosen.source->>'id')::integer = p.source_id
                      AND chosen.source->'costRate'->>'currency' = p.cost_currency) END AS cost_rate) stored
   CROSS JOIN LATERAL (
     SELECT CASE WHEN p.cost_currency = o.deduction_currency THEN 1
                 WHEN stored.cost_rate IS NOT NULL THEN (stored.cost_rate->>'rate')::numeric
                 WHEN p.cost_currency = o.base_currency AND NOT p.cost_rate_is_reference THEN o.forex_rate
                 ELSE p.cost_rate END AS rate,
            CASE WHEN p.cost_currency = o.deduction_currency THEN true
                 WHEN stored.cost_rate IS NOT NULL THEN coalesce((stored.cost_rate->>'isReference')::boolean, false)
                 ELSE p.cost_rate_is_reference END AS is_reference) valued
$$;

-- Of `valued_cost`, for releases that do not know it.
CREATE OR REPLACE FUNCTION purchase_cost(o orders, p supplier_purchases)
RETURNS TABLE (cost numeric, currency_difference numeric) LANGUAGE sql STABLE AS $$
  SELECT cost, currency_difference FROM valued_cost(o, p)
$$;

-- Whether the supplier delivered goods of the purchase, even too late.
CREATE OR REPLACE FUNCTION has_delivered(p supplier_purchases) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p.stored > 0 OR EXISTS (SELECT FROM quarantined_goods quarantined
                                  WHERE quarantined.reference = p.reference AND quarantined.reason <> 'OPERATOR')
$$;

-- The debit of an ended order less the automatic refund. Refunds after delivery do not change it.
CREATE OR REPLACE FUNCTION kept_debit(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN o.transaction_id IS NULL THEN 0
              WHEN o.status = 'DELIVERED' THEN o.total_payable
              ELSE kept_share(o) END
$$;

-- The kept debit of an ended order less its refunds after delivery, the cost of its goods, and the currency difference of that cost.
-- The cost is null if the cost of any purchase is unknown.
CREATE OR REPLACE FUNCTION order_margin(o orders)
RETURNS TABLE (sold numeric, cost numeric, margin numeric, currency_difference numeric) LANGUAGE sql STABLE AS $$
  SELECT earned.sold, bought.cost, earned.sold - bought.cost, bought.currency_difference
    FROM (SELECT kept_debit(o) - refunded_after(o) AS sold) earned, (SELECT CASE WHEN count(*) = count(known.cost) THEN coalesce(sum(known.cost), 0) END AS cost,
                 CASE WHEN count(*) = count(known.cost) THEN coalesce(sum(known.currency_difference), 0) END AS currency_difference
            FROM supplier_purchases p CROSS JOIN LATERAL valued_cost(o, p) known
           WHERE p.order_id = o.id AND has_delivered(p)) bought
   WHERE o.completed_at IS NOT NULL
$$;
