-- Writes the deliveries of an event in the transaction of the event: both exist or neither does.
-- Rule: which endpoints get an event

-- Whether an endpoint takes a type. An empty list means the types below and no others: top-up events and every new type
-- go only to endpoints that list them by name. webhook.test goes only to the endpoint that it names.
CREATE OR REPLACE FUNCTION takes_event(event_types text[], type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT type = ANY (event_types) OR (event_types = '{}' AND type IN (
    'order.delivered', 'order.partially_delivered', 'order.failed', 'order.cancelled',
    'esim.delivered', 'esim.failed', 'esim.cancelled', 'esim.installed', 'esim.activated', 'esim.depleted',
    'wallet.credited', 'wallet.debited', 'wallet.low_balance'))
$$;

-- Tells the outbox pollers (`EVENTS_DUE` in src/data/webhooks/due-notifications.ts) that an idle endpoint has an event. A busy endpoint
-- finds its events itself. All commits with notifications queue for one lock, so a session whose process runs a poller says so
-- (`app.wakes_outbox`, src/data/database/connection-settings.ts). It gets a message instead, and wakes its poller after the commit.
CREATE OR REPLACE FUNCTION fan_out_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_idle boolean;
BEGIN
  WITH taking AS (
    SELECT id, NOT busy AND NOT paused AS is_idle FROM webhook_endpoints
     WHERE client_id = NEW.client_id AND deleted_at IS NULL AND enabled AND takes_event(event_types, NEW.type)
  ), written AS (
    INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id)
    SELECT id, NEW.sequence, NEW.order_id FROM taking
  )
  SELECT bool_or(is_idle) INTO has_idle FROM taking;
  IF has_idle AND current_setting('app.wakes_outbox', true) = 'on' THEN
    RAISE INFO 'events_due';
  ELSIF has_idle THEN
    PERFORM pg_notify('events_due', '');
  END IF;
  RETURN NULL;
END $$;
