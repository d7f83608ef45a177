-- Which units of orders can be claimed. Each raised sentence (SQLSTATE DGREF) is for the operator.
-- Rule: which units of an order can be claimed, and until when

-- What decides whether a unit of an order can be claimed. `in_unit`: null for an order of one unit, or for any unit. `in_days`: of a product
-- without days of its own. Of a unit that was not named, the refunds say nothing: it counts as settled once they cover all delivered units, or
-- all that was kept.
CREATE OR REPLACE FUNCTION claimable_unit(
  in_order_id bigint, in_unit integer, in_days integer,
  OUT family text, OUT delivered_units integer, OUT is_delivered boolean, OUT is_settled boolean, OUT is_too_late boolean
) LANGUAGE sql STABLE AS $$
  SELECT o.family, o.delivered_quantity,
         o.delivered_quantity > 0 AND (in_unit IS NULL OR EXISTS (SELECT FROM vouchers WHERE order_id = o.id AND unit = in_unit)),
         EXISTS (SELECT FROM order_refunds WHERE order_id = o.id AND unit = in_unit)
           OR EXISTS (SELECT FROM claims earlier WHERE earlier.order_id = o.id AND earlier.unit IS NOT DISTINCT FROM in_unit
                         AND earlier.state = 'ACCEPTED')
           OR settled.units >= o.delivered_quantity OR settled.amount > 0 AND settled.amount >= kept_debit(o),
         coalesce(o.completed_at, now()) + coalesce(product.days, in_days) * interval '1 day' < now()
    FROM orders o
    LEFT JOIN claim_days product ON product.family = o.family AND product.product_id = o.product_id
   CROSS JOIN LATERAL settled_units(o.id) settled
   WHERE o.id = in_order_id
$$;

-- Fails with the reason for which an operator cannot open a claim about the unit, as src/api/claims/routes.ts (`claimRejection`) does for a
-- client.
CREATE OR REPLACE FUNCTION require_claimable(in_order_id bigint, in_unit integer, in_days integer) RETURNS void LANGUAGE plpgsql STABLE AS $$
DECLARE
  part RECORD;
BEGIN
  SELECT * INTO part FROM claimable_unit(in_order_id, in_unit, in_days);
  IF part.family IS NULL THEN
    RAISE EXCEPTION 'There is no order %. Find it with: orders find', in_order_id USING ERRCODE = 'DGREF';
  ELSIF part.delivered_units = 0 THEN
    RAISE EXCEPTION 'Order % has no delivered goods to claim', in_order_id USING ERRCODE = 'DGREF';
  ELSIF NOT part.is_delivered THEN
    RAISE EXCEPTION 'Unit % of order % was not delivered', in_unit, in_order_id USING ERRCODE = 'DGREF';
  ELSIF part.is_settled THEN
    RAISE EXCEPTION '% of order % is refunded or replaced already', coalesce('Unit ' || in_unit, 'The unit'), in_order_id USING ERRCODE = 'DGREF';
  ELSIF part.is_too_late THEN
    RAISE EXCEPTION 'The time to claim goods of order % is over. Set it with: claims days', in_order_id USING ERRCODE = 'DGREF';
  END IF;
END $$;
