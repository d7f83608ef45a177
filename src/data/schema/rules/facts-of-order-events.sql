-- The facts of order events, read from the rows in the transaction that makes them true.
-- src/domain/webhooks/event-payloads.ts renders the payload from them. An event never stores an ICCID or a phone number.
-- Rule: the facts of an order event

-- The facts of an order, version 1. Stored facts never change: another shape needs another version.
CREATE OR REPLACE FUNCTION order_facts(o orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', o.id, 'status', o.status, 'client_reference', o.client_reference,
    'product_name', o.product_name, 'country_code', o.country_code,
    'unit_amount', trim_scale(o.unit_amount), 'quantity', o.quantity, 'amount', trim_scale(o.amount),
    'delivered_quantity', o.delivered_quantity,
    'total_payable', trim_scale(o.total_payable), 'currency', o.deduction_currency,
    'failure_code', o.failure_code, 'placed_at', rfc3339(o.placed_at),
    'reached_at', rfc3339(coalesce(o.completed_at, now())))
$$;

-- The additional facts of a top-up.
CREATE OR REPLACE FUNCTION topup_facts(t topup_orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('variant_name', t.variant_name)
$$;

-- The additional facts of an eSIM.
CREATE OR REPLACE FUNCTION esim_facts(e esim_orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('activation_status', e.activation_status,
    'data_amount_gb', trim_scale(e.data_amount_gb), 'validity_days', e.validity_days)
$$;

-- Writes the event of an order's status, or of another change with more facts, and returns its id. Fails for an unknown family, so
-- that no order ends without an event.
CREATE OR REPLACE FUNCTION write_order_event(o orders, in_change text DEFAULT NULL, in_more jsonb DEFAULT '{}')
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  prefix  text;
  facts   jsonb := order_facts(o);
  written text;
BEGIN
  CASE o.family
    WHEN 'VOUCHER' THEN
      prefix := 'order';
    WHEN 'TOPUP' THEN
      prefix := 'topup';
      facts := (SELECT facts || topup_facts(t) FROM topup_orders t WHERE t.order_id = o.id);
    WHEN 'ESIM' THEN
      prefix := 'esim';
      facts := (SELECT facts || esim_facts(e) FROM esim_orders e WHERE e.order_id = o.id);
    ELSE
      RAISE EXCEPTION 'Orders of family % have no events', o.family;
  END CASE;

  INSERT INTO events (client_id, order_id, type, data)
  VALUES (o.client_id, o.id, prefix || '.' || coalesce(in_change, lower(o.status)), facts || in_more)
  RETURNING id INTO written;
  RETURN written;
END $$;
