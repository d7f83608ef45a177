-- What clients are told about their orders: the data of each family's events, built from the rows themselves in
-- the transaction that makes them true. An ICCID or a phone number is never stored in an event: it is filled in
-- when the event is sent or read. docs/specification.md#events.

-- A reference is shown only where one was given.
CREATE OR REPLACE FUNCTION reference_data(o orders) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object('client_reference', o.client_reference))
$$;

CREATE OR REPLACE FUNCTION voucher_event_data(o orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT reference_data(o) || jsonb_build_object(
    'id', o.id, 'status', o.status,
    'product_name', o.product_name, 'denomination', trim_scale(o.unit_amount), 'quantity', o.quantity,
    'amount', trim_scale(o.amount),
    'delivered_quantity', CASE WHEN o.status IN ('FAILED', 'CANCELLED') THEN 0 ELSE o.delivered_quantity END,
    'fulfilled_quantity', o.delivered_quantity,
    'delivered_on', CASE WHEN o.status IN ('FAILED', 'CANCELLED') THEN NULL
                         ELSE rfc3339(coalesce(o.completed_at, now())) END,
    'created_at', rfc3339(o.placed_at))
$$;

CREATE OR REPLACE FUNCTION topup_event_data(o orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT reference_data(o) || jsonb_build_object(
    'id', o.id, 'status', o.status,
    'product_name', o.product_name, 'variant_name', t.variant_name, 'country_code', o.country_code,
    'amount', trim_scale(o.total_payable), 'currency', o.deduction_currency,
    'failure_code', o.failure_code, 'created_at', rfc3339(o.placed_at),
    'completed_at', rfc3339(o.completed_at))
    FROM topup_orders t WHERE t.order_id = o.id
$$;

-- A failed order's event tells why; reason and what the customer can do follow from the code.
CREATE OR REPLACE FUNCTION esim_event_data(o orders, e esim_orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT reference_data(o) || jsonb_build_object(
    'id', o.id, 'status', o.status,
    'activation_status', e.activation_status, 'product_name', o.product_name,
    'country_code', o.country_code, 'data_amount_gb', trim_scale(e.data_amount_gb),
    'validity_days', e.validity_days, 'amount', trim_scale(o.total_payable),
    'currency', o.deduction_currency)
    || CASE WHEN o.status = 'FAILED' THEN jsonb_build_object('failure_code', o.failure_code) ELSE '{}' END
$$;

-- Writes the event of an order's status and returns its id. Fails for a family it does not know, and with it
-- whatever statement asked for the event: no order ends without its clients being told.
CREATE OR REPLACE FUNCTION write_order_event(o orders) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  prefix  text;
  content jsonb;
  written text;
BEGIN
  CASE o.family
    WHEN 'VOUCHER' THEN
      prefix := 'order';
      content := voucher_event_data(o);
    WHEN 'TOPUP' THEN
      prefix := 'topup';
      content := topup_event_data(o);
    WHEN 'ESIM' THEN
      prefix := 'esim';
      content := (SELECT esim_event_data(o, e) FROM esim_orders e WHERE e.order_id = o.id);
    ELSE
      RAISE EXCEPTION 'Orders of family % have no events', o.family;
  END CASE;

  INSERT INTO events (client_id, order_id, type, data)
  VALUES (o.client_id, o.id, prefix || '.' || lower(o.status), content)
  RETURNING id INTO written;
  RETURN written;
END $$;
