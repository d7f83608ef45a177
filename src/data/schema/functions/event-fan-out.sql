-- Writes the deliveries of an event in the transaction of the event: both exist or neither does.

-- Whether an endpoint takes a type. An empty list means the types below and no others: top-up events and every new type
-- go only to endpoints that list them by name. webhook.test goes only to the endpoint that it names.
CREATE OR REPLACE FUNCTION takes_event(event_types text[], type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT type = ANY (event_types) OR (event_types = '{}' AND type IN (
    'order.delivered', 'order.partially_delivered', 'order.failed', 'order.cancelled',
    'esim.delivered', 'esim.failed', 'esim.cancelled', 'esim.installed', 'esim.activated', 'esim.depleted',
    'wallet.credited', 'wallet.debited', 'wallet.low_balance'))
$$;

CREATE OR REPLACE FUNCTION fan_out_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id)
  SELECT id, NEW.sequence, NEW.order_id FROM webhook_endpoints
   WHERE client_id = NEW.client_id AND deleted_at IS NULL AND enabled AND takes_event(event_types, NEW.type);
  RETURN NULL;
END $$;
