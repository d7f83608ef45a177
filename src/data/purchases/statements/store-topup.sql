-- Concludes the purchase of a top-up, which leaves nothing to store but that it was delivered. No row where the
-- purchase has ended.
-- plan: supplier_purchases_pkey
WITH
-- include: purchases/statements/purchase-to-store.sql
, present_units AS (
  SELECT CASE WHEN $state = 'DELIVERED' THEN 1 ELSE 0 END AS count
),
-- include: purchases/statements/record-outcome.sql
, delivered AS (
  UPDATE orders SET delivered_quantity = 1
   WHERE id = (SELECT order_id FROM outcome) AND $state = 'DELIVERED' AND delivered_quantity = 0
)
SELECT state, CASE WHEN $state = 'DELIVERED' THEN ARRAY[1] ELSE '{}' END AS present FROM outcome
