import { triggerFunctions, type InTransaction } from './migration';

/** Claims. Events, webhook endpoints, deliveries and their attempts. The transaction of an event also writes its deliveries. */
export const claimsEventsAndWebhooks: InTransaction = {
  name: '0008-claims-events-and-webhooks',
  sql: `
-- What clients report about delivered goods. ACCEPTED without an outcome: its refund or its replacement has not ended.
CREATE TABLE claims (
  id                       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id                integer NOT NULL REFERENCES clients,
  order_id                 bigint NOT NULL REFERENCES orders,
  -- The unit of a voucher order; null for other families, whose orders have one unit.
  unit                     integer CHECK (unit > 0),
  kind                     text NOT NULL
                           CHECK (kind IN ('INVALID_CODE', 'ALREADY_USED', 'NOT_RECEIVED', 'WRONG_GOODS', 'NOT_WORKING')),
  -- The client's text. Null once it is erased.
  sealed_text              bytea,
  state                    text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'AT_SUPPLIER', 'ACCEPTED', 'REJECTED')),
  outcome                  text CHECK (outcome IN ('REFUNDED', 'REPLACED')),
  -- The refund of the order that the claim was accepted by.
  refund_number            integer,
  replacement_order_id     bigint UNIQUE REFERENCES orders,
  -- What the supplier credits us for the goods.
  supplier_credit          numeric(24, 4) CHECK (supplier_credit > 0),
  supplier_credit_currency text REFERENCES currencies (code),
  -- In the wallet's currency, at the rate of the moment in which the credit was recorded.
  supplier_credit_value    numeric(24, 4),
  supplier_credited_at     timestamptz,
  -- The changes that the client was notified of: each has an event claim.updated.
  changes                  integer NOT NULL DEFAULT 0,
  created_at               timestamptz NOT NULL DEFAULT now(),
  -- When we answer at the latest.
  due_at                   timestamptz NOT NULL,
  closed_at                timestamptz,
  FOREIGN KEY (order_id, refund_number) REFERENCES order_refunds,
  CHECK ((state = 'ACCEPTED') = (num_nonnulls(refund_number, replacement_order_id) = 1)),
  CHECK (num_nonnulls(refund_number, replacement_order_id) <= 1),
  CHECK (CASE outcome WHEN 'REFUNDED' THEN refund_number IS NOT NULL WHEN 'REPLACED' THEN replacement_order_id IS NOT NULL ELSE true END),
  CHECK ((closed_at IS NOT NULL) = (state = 'REJECTED' OR outcome IS NOT NULL)),
  CHECK (num_nonnulls(supplier_credit, supplier_credit_currency, supplier_credit_value, supplier_credited_at) IN (0, 4))
);
-- A unit has one open claim.
CREATE UNIQUE INDEX claims_open ON claims (order_id, unit) NULLS NOT DISTINCT WHERE closed_at IS NULL;
CREATE INDEX claims_of_order ON claims (order_id, id);
CREATE INDEX claims_of_client ON claims (client_id, id DESC);
CREATE INDEX claims_waiting ON claims (due_at) WHERE closed_at IS NULL;
CREATE INDEX claims_by_time ON claims (created_at);
CREATE INDEX claims_credited ON claims (supplier_credited_at) WHERE supplier_credited_at IS NOT NULL;

-- The days in which goods of a product can be claimed. A product without a row has CLAIM_DAYS.
CREATE TABLE claim_days (
  family     text NOT NULL CHECK (family IN ('VOUCHER', 'TOPUP', 'ESIM')),
  product_id integer NOT NULL,
  days       integer NOT NULL CHECK (days BETWEEN 0 AND 3650),
  PRIMARY KEY (family, product_id)
);

${triggerFunctions('record_claim_change')}
CREATE TRIGGER record_claim_change BEFORE UPDATE OF state, outcome, replacement_order_id ON claims
  FOR EACH ROW WHEN ((OLD.state, OLD.outcome, OLD.replacement_order_id) IS DISTINCT FROM (NEW.state, NEW.outcome, NEW.replacement_order_id))
  EXECUTE FUNCTION record_claim_change();

-- The outbox: events are written in the transaction of the change that they report.
CREATE TABLE events (
  id         text PRIMARY KEY DEFAULT 'evt_' || replace(gen_random_uuid()::text, '-', ''),
  sequence   bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  client_id  integer NOT NULL REFERENCES clients,
  order_id   bigint,
  type       text NOT NULL,
  -- The facts, from which src/domain/webhooks/event-payloads.ts renders the payload.
  data       jsonb NOT NULL,
  -- The version of the shape of the facts.
  version    smallint NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX events_of_client ON events (client_id, sequence DESC);
CREATE INDEX events_of_order ON events (order_id) WHERE order_id IS NOT NULL;
-- For the log's filter. Includes the time, so that an index-only scan counts the events of a replay.
CREATE INDEX events_of_client_by_type ON events (client_id, type, sequence DESC) INCLUDE (created_at);
-- For replays since a date.
CREATE INDEX events_by_time ON events USING brin (created_at) WITH (autosummarize = on);
-- Each change of an order has one event, and so have each threshold of the used data of an eSIM, each refund after delivery and each
-- change of a claim.
CREATE UNIQUE INDEX events_once_per_change ON events (order_id, type)
  WHERE order_id IS NOT NULL AND type NOT LIKE 'wallet.%' AND type NOT IN ('esim.usage', 'claim.updated') AND type NOT LIKE '%.refunded';
CREATE UNIQUE INDEX events_once_per_claim_change ON events (order_id, (data ->> 'id'), (data ->> 'change'))
  WHERE type = 'claim.updated';
CREATE UNIQUE INDEX events_once_per_refund ON events (order_id, (data ->> 'refund_id')) WHERE type LIKE '%.refunded';
CREATE UNIQUE INDEX events_once_per_threshold ON events (order_id, (data ->> 'threshold_percent'))
  WHERE type = 'esim.usage';

-- Exact counts for the log: of all events up to a sequence number, rolled up by the worker.
CREATE TABLE event_counts (
  client_id integer NOT NULL,
  type      text NOT NULL,
  count     bigint NOT NULL,
  PRIMARY KEY (client_id, type)
);
-- deleted_through: the time of the newest event that retention has deleted; null if it has deleted none.
CREATE TABLE events_counted (
  only_row        boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  through         bigint NOT NULL DEFAULT 0,
  deleted_through timestamptz
);
INSERT INTO events_counted DEFAULT VALUES;

CREATE TABLE webhook_endpoints (
  id                 integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  nonce              text NOT NULL,
  client_id          integer NOT NULL REFERENCES clients,
  url                text NOT NULL CHECK (length(url) <= 2048),
  description        text NOT NULL,
  event_types        text[] NOT NULL,
  enabled            boolean NOT NULL,
  -- Why the service disabled it; null if its client or an operator did, or while it is enabled.
  disabled_reason    text CHECK (disabled_reason IN ('GONE', 'FAILING')),
  sealed_secret      bytea NOT NULL,
  -- Its workflow runs or was notified, so that it needs no other notification.
  busy               boolean NOT NULL DEFAULT false,
  paused             boolean NOT NULL DEFAULT false,
  -- See EndpointHealth in src/domain/webhooks/delivery-rules.ts.
  failing_since      timestamptz,
  failures           integer NOT NULL DEFAULT 0,
  circuit_open_until timestamptz,
  -- When it last stopped failing or was resumed; null if it never failed and was never paused.
  recovered_at       timestamptz,
  -- How often the client has reset the endpoint: results of earlier attempts are ignored.
  generation         integer NOT NULL DEFAULT 0,
  -- When its URL first answered an event with 2xx; null until then.
  verified_at        timestamptz,
  -- The unsolicited webhook.test of the present URL was written: each URL gets one.
  is_test_written    boolean NOT NULL DEFAULT false,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  deleted_at         timestamptz,
  CHECK (NOT enabled OR deleted_at IS NULL)
) WITH (fillfactor = 70);
CREATE INDEX webhook_endpoints_of_client ON webhook_endpoints (client_id, id DESC) WHERE deleted_at IS NULL;
-- Includes deleted endpoints, whose events stay in the log.
CREATE INDEX webhook_endpoints_ever ON webhook_endpoints (client_id, id);

-- Previous secrets of endpoints. Each signs until valid_until.
CREATE TABLE webhook_previous_secrets (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id   integer NOT NULL REFERENCES webhook_endpoints,
  sealed_secret bytea NOT NULL,
  valid_until   timestamptz NOT NULL
);
CREATE INDEX webhook_previous_secrets_of_endpoint ON webhook_previous_secrets (endpoint_id, id DESC);

-- One row for each event and endpoint. DUE: to be sent at once. RETRY: to be sent again at next_attempt_at. FAILED: given up.
-- SKIPPED: by an operator, or a test of an earlier URL. No foreign keys: each would lock a row that every order of the
-- client needs.
CREATE TABLE webhook_deliveries (
  endpoint_id     integer NOT NULL,
  event_sequence  bigint NOT NULL,
  order_id        bigint,
  state           text NOT NULL DEFAULT 'DUE'
                  CHECK (state IN ('DUE', 'RETRY', 'DELIVERED', 'FAILED', 'SKIPPED')),
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  first_failed_at timestamptz,
  -- Requested by the client or an operator: sent even while the endpoint fails.
  requested       boolean NOT NULL DEFAULT false,
  -- Its body could not be rendered at the last attempt. That is no failure of the endpoint, and no event waits for it.
  unrenderable    boolean NOT NULL DEFAULT false,
  -- How often it was requested again: results of earlier attempts do not change its state.
  generation      integer NOT NULL DEFAULT 0,
  PRIMARY KEY (endpoint_id, event_sequence),
  CHECK ((state = 'RETRY') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, event_sequence) WHERE state = 'DUE';
CREATE INDEX webhook_deliveries_retry ON webhook_deliveries (endpoint_id, next_attempt_at)
  INCLUDE (event_sequence) WHERE state = 'RETRY';
-- The retries that a later event of the order waits for.
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, order_id)
  WHERE state = 'RETRY' AND order_id IS NOT NULL;

${triggerFunctions('fan_out_event')}
CREATE TRIGGER fan_out_event AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION fan_out_event();

CREATE TABLE webhook_attempts (
  event_sequence  bigint NOT NULL,
  id              bigint GENERATED ALWAYS AS IDENTITY,
  endpoint_id     integer NOT NULL,
  attempted_at    timestamptz NOT NULL,
  duration_ms     integer NOT NULL,
  response_status integer,
  error           text,
  PRIMARY KEY (event_sequence, id)
);

-- Each disabling of an endpoint by the service, with one mail to the client.
CREATE TABLE webhook_disablings (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id integer NOT NULL REFERENCES webhook_endpoints,
  url         text NOT NULL,
  reason      text NOT NULL CHECK (reason IN ('GONE', 'FAILING')),
  disabled_at timestamptz NOT NULL DEFAULT now(),
  mail        text NOT NULL DEFAULT 'DUE' CHECK (mail IN ('DUE', 'SENT', 'UNDELIVERABLE'))
);
CREATE INDEX webhook_disablings_of_endpoint ON webhook_disablings (endpoint_id);
CREATE INDEX webhook_disablings_due ON webhook_disablings (id) WHERE mail = 'DUE';

-- Each event that a redelivery or a replay sends again, for programs that follow them. Kept for a day.
CREATE TABLE webhook_resends (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id      integer NOT NULL,
  event_sequence bigint NOT NULL,
  requested_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_resends_of_client ON webhook_resends (client_id, requested_at DESC, id DESC);
CREATE INDEX webhook_resends_by_age ON webhook_resends (requested_at);

-- The rest of a replay: events from next_sequence to last_sequence that were written at or after "since". They become
-- deliveries a few at a time.
CREATE TABLE webhook_replays (
  endpoint_id   integer PRIMARY KEY REFERENCES webhook_endpoints,
  since         timestamptz NOT NULL,
  next_sequence bigint NOT NULL,
  last_sequence bigint NOT NULL
);
`,
};
