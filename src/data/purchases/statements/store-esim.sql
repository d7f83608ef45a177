-- Stores the profile of an eSIM and concludes its purchase, as one statement. A profile that is there stays, and an
-- ICCID that belongs to another order is not stored: then `present` is empty. No row where the purchase has ended.
-- plan: supplier_purchases_pkey
WITH
-- include: purchases/statements/purchase-to-store.sql
, profile AS (
  UPDATE esim_orders SET activation_code = $activationCode, iccid = $iccid, iccid_hash = ($iccidHashes::bytea[])[1],
         activation_status = 'NOT_INSTALLED'
   WHERE order_id = (SELECT order_id FROM purchase) AND iccid IS NULL AND $iccid::bytea IS NOT NULL
     AND NOT EXISTS (SELECT FROM esim_orders other WHERE other.iccid_hash = ANY ($iccidHashes))
  RETURNING order_id
), present AS (
  SELECT order_id FROM esim_orders WHERE order_id = (SELECT order_id FROM purchase) AND iccid IS NOT NULL
  UNION ALL SELECT order_id FROM profile
), present_units AS (
  SELECT count(*) FROM present
),
-- include: purchases/statements/record-outcome.sql
, delivered AS (
  UPDATE orders SET delivered_quantity = 1 WHERE id = (SELECT order_id FROM profile)
)
SELECT state, CASE WHEN EXISTS (SELECT FROM present) THEN ARRAY[1] ELSE '{}' END AS present FROM outcome
