-- Claims the order's next purchase that may be sent: from here on it may have happened. No row where none is READY
-- or the order has ended. `isLast`: no other of the order may be sent. `isWholeOrder`: it is for all units of the order.
--
-- Why this shape: the purchase's row is locked before the order is looked at, as the statement that ends an order
-- does, so that one of the two sees what the other did. SKIP LOCKED, because a bulk order sends several batches side
-- by side: whoever comes second takes the next one instead of waiting for the first.
-- Rejected: reading a READY purchase and then claiming it by its reference. Two senders read the same one, and the one
-- that loses has to read again: four senders of 400 purchases need 2,400 statements instead of 404, and 3 times as long.
-- plan: supplier_purchases_order_id_batch_key, orders_pkey, topup_orders_pkey, attention_of_order
WITH next AS (
  SELECT reference FROM supplier_purchases
   WHERE order_id = $orderId AND state = 'READY' ORDER BY batch LIMIT 1 FOR UPDATE SKIP LOCKED
), p AS (
  UPDATE supplier_purchases p
     SET state = 'SENT', attempt = p.attempt + 1, sent_at = clock_timestamp(), updated_at = now()
    FROM next, orders o
   WHERE p.reference = next.reference AND p.state = 'READY'
     AND o.id = p.order_id AND o.nonce = $nonce AND o.completed_at IS NULL
  RETURNING p.*
)
SELECT NOT EXISTS (
         SELECT FROM supplier_purchases other
          WHERE other.order_id = $orderId AND other.state = 'READY' AND other.reference <> p.reference) AS "isLast",
       p.units = o.quantity AS "isWholeOrder",
-- include: purchases/statements/purchase-columns.sql
  FROM p
-- include: purchases/statements/purchase-order.sql
