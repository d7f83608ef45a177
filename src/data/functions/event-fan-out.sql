-- Events find their endpoints in the transaction that writes them: a delivery exists exactly when its event does.

-- Whether an endpoint takes a type. No list is all, but top-up events must be listed by name, and webhook.test
-- goes where it was asked for and nowhere else.
CREATE OR REPLACE FUNCTION takes_event(event_types text[], type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT type = ANY (event_types) OR (event_types = '{}' AND type NOT LIKE 'topup.%' AND type <> 'webhook.test')
$$;

CREATE OR REPLACE FUNCTION fan_out_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id)
  SELECT id, NEW.sequence, NEW.order_id FROM webhook_endpoints
   WHERE client_id = NEW.client_id AND deleted_at IS NULL AND enabled AND takes_event(event_types, NEW.type);
  RETURN NULL;
END $$;
