-- Events find their endpoints in the transaction that writes them: a delivery exists exactly when its event does.

-- Whether an endpoint takes a type. An empty list stands for the types below and for no others: top-up events, and
-- every type that is new, go only to endpoints that list them by name. webhook.test goes to the one endpoint it is for.
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
