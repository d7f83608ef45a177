-- Moves an order to a status, with what is due back to the wallet and the event: none of it is ever true without
-- the rest. No row where the order is not as it was read (status, units delivered), DELIVERED is not all of it, or a
-- purchase of it may still act. docs/decisions/0009-close-an-ended-order-everywhere.md.
--
-- Why this shape: every purchase is locked first, as a claim to send one does, so that of claim and end one sees
-- what the other did; what was not sent is closed with the order. The wallet is locked only where money goes back.
-- A closed wallet leaves the order failed, still debited, and on the operators' list.
-- Rejected: several statements in a transaction, because each is a round trip while the wallet's row is held (with
-- the debit of an order, 1,049 to 1,618/s on one wallet against 2,890/s as one statement; pgbench, 2 cores, 16
-- clients). And a refund computed before the order is moved: it must follow from the row as it was moved.
-- plan: supplier_purchases_order_id_batch_key, orders_pkey, attention_of_order
WITH purchase AS MATERIALIZED (
  SELECT reference, state FROM supplier_purchases
   WHERE order_id = $orderId AND $status <> 'PARTIALLY_DELIVERED'
   ORDER BY batch FOR UPDATE
), wallet AS (
  SELECT w.closed_at FROM wallets w JOIN orders o ON o.wallet_id = w.id
   WHERE o.id = $orderId AND $status IN ('FAILED', 'CANCELLED') AND refund_due(o) > 0 FOR UPDATE OF w
), moved AS (
  UPDATE orders o SET status = $status, failure_code = $failureCode,
         completed_at = CASE WHEN $status = 'PARTIALLY_DELIVERED' THEN NULL ELSE now() END
   WHERE o.id = $orderId AND o.status = ANY ($statusesBefore) AND o.delivered_quantity = $delivered
     AND ($status <> 'DELIVERED' OR o.delivered_quantity = o.quantity)
     AND (SELECT count(*) FROM purchase WHERE state IN ('SENT', 'PENDING')) = 0
  RETURNING o AS row
), closed AS (
  UPDATE supplier_purchases p SET state = 'WITHDRAWN', updated_at = now(),
         late_check_at = CASE WHEN p.attempt > 0 THEN clock_timestamp() + interval '1 minute' END
    FROM purchase, moved
   WHERE p.reference = purchase.reference AND purchase.state = 'READY' AND (moved.row).completed_at IS NOT NULL
), refund AS (
  SELECT posted.id FROM (SELECT row FROM moved WHERE (row).status IN ('FAILED', 'CANCELLED')) failed
   CROSS JOIN LATERAL post_refund(failed.row) posted
), deferred AS (
  INSERT INTO attention (kind, order_id, reason)
  SELECT 'REFUND_DUE', (row).id, 'Refund of ' || trim_scale(refund_due(row)) || ' ' || (row).deduction_currency
         || ' is due, but the wallet is closed'
    FROM moved WHERE (SELECT closed_at FROM wallet) IS NOT NULL
  RETURNING reason
), settled AS (
  UPDATE attention SET cleared_at = now(), mirrored = true
    FROM moved
   WHERE order_id = $orderId AND cleared_at IS NULL AND kind = ANY ($settledKinds)
     AND (moved.row).completed_at IS NOT NULL
)
SELECT (moved.row).status, (moved.row).delivered_quantity AS delivered, (moved.row).failure_code AS "failureCode",
       (moved.row).sealed_email IS NOT NULL AS mail, write_order_event(moved.row) AS event_id,
       (SELECT reason FROM deferred) AS attention,
       trim_scale(refund_due(moved.row)) AS "refundDue", (moved.row).deduction_currency AS currency,
       (moved.row).wallet_id AS "walletId",
       CASE WHEN (moved.row).status IN ('FAILED', 'CANCELLED') THEN (SELECT count(*) FROM refund) > 0 END AS refunded
  FROM moved
