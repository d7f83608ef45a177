-- What is read of a purchase `p` with its order.
  p.reference, p.order_id AS "orderId", p.first_unit AS "firstUnit", p.units, p.state, p.stored, p.attempt,
  p.confirmed, p.supplier_order_id AS "supplierOrderId", p.failure_code AS "failureCode",
  (extract(epoch FROM clock_timestamp() - p.sent_at) * 1000)::float8 AS "sentMsAgo",
  o.nonce, o.family, o.supplier, o.supplier_sku AS "supplierSku", o.unit_amount AS "faceValue",
  o.base_currency AS currency, t.sealed_input AS "sealedInput", coalesce(v.redeemable, false) AS redeemable,
  EXISTS (SELECT FROM attention a WHERE a.order_id = o.id AND a.cleared_at IS NULL
             AND a.kind IN ('SUPPLIER_BLOCKED', 'ANSWER_LOST')) AS "isListed"
