-- What an order earned, for operators only. Computed from values that are stored with the order and its purchases, so that a
-- later rate changes nothing. docs/operators/operations.md#margins.

-- The cost of a purchase of the order in the wallet's currency; null if the cost or its rate is unknown. For the product's
-- currency, the rate is the order's. For another one, it is the rate stored with the source, or else the rate when the cost was
-- reported. `currency_difference`: what the change of the rate from the order to the report saved; below 0 if it cost more.
CREATE OR REPLACE FUNCTION purchase_cost(o orders, p supplier_purchases)
RETURNS TABLE (cost numeric, currency_difference numeric) LANGUAGE sql STABLE AS $$
  SELECT p.cost * ordered.rate, p.cost * (ordered.rate - coalesce(p.cost_rate, ordered.rate))
    FROM (SELECT CASE p.cost_currency
                   WHEN o.deduction_currency THEN 1
                   WHEN o.base_currency THEN o.forex_rate
                   ELSE coalesce((SELECT (chosen.source->'costRate'->>'rate')::numeric
                                    FROM jsonb_array_elements(o.sources) AS chosen (source)
                                   WHERE (chosen.source->>'id')::integer = p.source_id
                                     AND chosen.source->'costRate'->>'currency' = p.cost_currency), p.cost_rate)
                 END AS rate) ordered
$$;

-- Whether the supplier delivered goods of the purchase, even too late.
CREATE OR REPLACE FUNCTION has_delivered(p supplier_purchases) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p.stored > 0 OR EXISTS (SELECT FROM goods_apart apart
                                  WHERE apart.reference = p.reference AND apart.reason <> 'OPERATOR')
$$;

-- The debit of an ended order that was not refunded.
CREATE OR REPLACE FUNCTION kept_debit(o orders) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN o.transaction_id IS NULL THEN 0
              WHEN o.status = 'DELIVERED' THEN o.total_payable
              ELSE kept_share(o) END
$$;

-- The kept debit of an ended order, the cost of its goods, and the currency difference of that cost. The cost is null if the
-- cost of any purchase is unknown.
CREATE OR REPLACE FUNCTION order_margin(o orders)
RETURNS TABLE (sold numeric, cost numeric, margin numeric, currency_difference numeric) LANGUAGE sql STABLE AS $$
  SELECT kept_debit(o), bought.cost, kept_debit(o) - bought.cost, bought.currency_difference
    FROM (SELECT CASE WHEN count(*) = count(known.cost) THEN coalesce(sum(known.cost), 0) END AS cost,
                 CASE WHEN count(*) = count(known.cost) THEN coalesce(sum(known.currency_difference), 0) END AS currency_difference
            FROM supplier_purchases p CROSS JOIN LATERAL purchase_cost(o, p) known
           WHERE p.order_id = o.id AND has_delivered(p)) bought
   WHERE o.completed_at IS NOT NULL
$$;
