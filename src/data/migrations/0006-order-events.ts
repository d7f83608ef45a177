import type { Migration } from './migration';

/**
 * What clients are told about orders, built from the rows themselves. An ICCID is never stored in an
 * event: it is filled in when the event is sent or read. docs/specification.md#events.
 */
export const orderEvents: Migration = {
  name: '0006-order-events',
  sql: `
CREATE FUNCTION rfc3339(moment timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

CREATE FUNCTION voucher_event_data(o orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', o.id, 'client_reference', o.client_reference, 'status', o.status,
    'product_name', o.product_name, 'denomination', trim_scale(o.unit_amount), 'quantity', o.quantity,
    'amount', trim_scale(o.amount),
    'delivered_quantity', CASE WHEN o.status IN ('FAILED', 'CANCELLED') THEN 0 ELSE o.delivered_quantity END,
    'fulfilled_quantity', o.delivered_quantity,
    'delivered_on', CASE WHEN o.status IN ('FAILED', 'CANCELLED') THEN NULL
                         ELSE rfc3339(coalesce(o.completed_at, now())) END,
    'created_at', rfc3339(o.placed_at))
$$;

CREATE FUNCTION topup_event_data(o orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', o.id, 'client_reference', o.client_reference, 'status', o.status,
    'product_name', o.product_name, 'variant_name', t.variant_name, 'country_code', o.country_code,
    'amount', trim_scale(o.total_payable), 'currency', o.deduction_currency,
    'failure_code', o.failure_code, 'created_at', rfc3339(o.placed_at),
    'completed_at', rfc3339(o.completed_at))
    FROM topup_orders t WHERE t.order_id = o.id
$$;

-- A failed order's event tells why; reason and what the customer can do follow from the code.
CREATE FUNCTION esim_event_data(o orders, e esim_orders) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'id', o.id, 'client_reference', o.client_reference, 'status', o.status,
    'activation_status', e.activation_status, 'product_name', o.product_name,
    'country_code', o.country_code, 'data_amount_gb', trim_scale(e.data_amount_gb),
    'validity_days', e.validity_days, 'amount', trim_scale(o.total_payable),
    'currency', o.deduction_currency)
    || CASE WHEN o.status = 'FAILED' THEN jsonb_build_object('failure_code', o.failure_code) ELSE '{}' END
$$;

CREATE FUNCTION write_order_event(o orders) RETURNS text LANGUAGE sql AS $$
  INSERT INTO events (client_id, order_id, type, data)
  SELECT o.client_id, o.id,
    CASE o.family WHEN 'VOUCHER' THEN 'order.' WHEN 'TOPUP' THEN 'topup.' ELSE 'esim.' END || lower(o.status),
    CASE o.family
      WHEN 'VOUCHER' THEN voucher_event_data(o)
      WHEN 'TOPUP' THEN topup_event_data(o)
      ELSE (SELECT esim_event_data(o, e) FROM esim_orders e WHERE e.order_id = o.id)
    END
  RETURNING id
$$;
`,
};
