import type { Migration } from './migration';

/**
 * What keeps one fault of a webhook to itself: an event whose body cannot be built, a mail that cannot
 * be sent, a client that changes an endpoint during a try, a replay of a million events.
 */
export const webhookFailures: Migration = {
  name: '0010-webhook-failures',
  sql: `
-- Counts how often the client had the endpoint begin anew. How it answered before says nothing of it now.
ALTER TABLE webhook_endpoints ADD COLUMN generation integer NOT NULL DEFAULT 0;

-- Every secret that was rotated out goes on signing until then.
CREATE TABLE webhook_previous_secrets (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id   integer NOT NULL REFERENCES webhook_endpoints,
  sealed_secret bytea NOT NULL,
  valid_until   timestamptz NOT NULL
);
CREATE INDEX webhook_previous_secrets_of_endpoint ON webhook_previous_secrets (endpoint_id, id DESC);
INSERT INTO webhook_previous_secrets (endpoint_id, sealed_secret, valid_until)
SELECT id, previous_secret, previous_secret_until FROM webhook_endpoints
 WHERE previous_secret IS NOT NULL AND previous_secret_until IS NOT NULL ORDER BY id;
ALTER TABLE webhook_endpoints DROP COLUMN previous_secret, DROP COLUMN previous_secret_until;

-- Its body could not be built at the last try: it says nothing about the endpoint, and nothing waits for it.
ALTER TABLE webhook_deliveries ADD COLUMN unbuildable boolean NOT NULL DEFAULT false;

-- Each time the service disabled an endpoint, of which its client is told by one mail.
CREATE TABLE webhook_disablings (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id integer NOT NULL REFERENCES webhook_endpoints,
  url         text NOT NULL,
  reason      text NOT NULL CHECK (reason IN ('GONE', 'FAILING')),
  disabled_at timestamptz NOT NULL DEFAULT now(),
  mail        text NOT NULL DEFAULT 'DUE' CHECK (mail IN ('DUE', 'SENT', 'UNDELIVERABLE'))
);
CREATE INDEX webhook_disablings_due ON webhook_disablings (id) WHERE mail = 'DUE';

-- What is left of a replay: events from next_sequence to last_sequence that were written since then. They
-- become deliveries a few at a time.
CREATE TABLE webhook_replays (
  endpoint_id   integer PRIMARY KEY REFERENCES webhook_endpoints,
  since         timestamptz NOT NULL,
  next_sequence bigint NOT NULL,
  last_sequence bigint NOT NULL
);

-- With the time, so that the events of a replay are counted in the index alone.
DROP INDEX events_of_client_by_type;
CREATE INDEX events_of_client_by_type ON events (client_id, type, sequence DESC) INCLUDE (created_at);
`,
};
