-- The reference of a purchase at its supplier, as `purchaseReference` in src/domain/orders/order-ids.ts makes it.
CREATE OR REPLACE FUNCTION purchase_reference(order_id bigint, nonce text, batch integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'order-' || order_id::text || '-' || nonce || '-'
         || CASE WHEN batch < 10000 THEN lpad(batch::text, 4, '0') ELSE 'x' || lpad(batch::text, 9, '0') END
$$;
