outcome AS (
  UPDATE supplier_purchases p
     SET state = CASE WHEN $state = 'DELIVERED' AND present_units.count < p.units THEN 'PENDING' ELSE $state END,
         supplier_order_id = coalesce($supplierOrderId, p.supplier_order_id),
         failure_code = $failureCode, detail = $detail,
         confirmed = p.confirmed OR $state <> 'SENT', stored = greatest(p.stored, present_units.count),
         late_check_at = CASE WHEN $state = 'REJECTED' THEN clock_timestamp() + interval '1 minute' END,
         updated_at = now()
    FROM purchase, present_units WHERE p.reference = purchase.reference
  RETURNING p.order_id, p.state
)
