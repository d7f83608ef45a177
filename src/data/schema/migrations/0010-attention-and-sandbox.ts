import { pricingVersionTrigger } from './0003-prices';
import { triggerFunctions, type InTransaction } from './migration';

/** Data for operators and alerts: the attention list, suppliers, maintenance; API requests; and the scenarios and faults of a sandbox. */
export const operationsAndSandbox: InTransaction = {
  name: '0010-attention-and-sandbox',
  sql: `
-- The attention list. An entry without an order, a supplier or an endpoint is about the service as a whole.
CREATE TABLE attention (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- See src/domain/attention/attention-kinds.ts.
  kind        text NOT NULL,
  order_id    bigint REFERENCES orders,
  supplier    text,
  endpoint_id integer,
  -- The purchase of the order, for kinds about one purchase.
  reference   text,
  reason      text NOT NULL,
  since       timestamptz NOT NULL DEFAULT now(),
  -- When it was cleared; null while it is open.
  cleared_at  timestamptz,
  -- The reason of an operator who settled the entry by hand.
  settlement  text,
  -- Whether the order's workflow shows it (search attribute Attention).
  mirrored    boolean NOT NULL DEFAULT false,
  -- Until then, the process that leased the entry mirrors it.
  mirror_after timestamptz NOT NULL DEFAULT '-infinity',
  CHECK (num_nonnulls(order_id, supplier, endpoint_id) <= 1),
  CHECK (reference IS NULL OR order_id IS NOT NULL)
);
CREATE UNIQUE INDEX attention_once ON attention (kind, order_id, supplier, endpoint_id, reference) NULLS NOT DISTINCT;
CREATE INDEX attention_of_order ON attention (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX attention_to_mirror ON attention (mirror_after, id) WHERE NOT mirrored;
-- Finds open entries among those that were cleared in the last 90 days.
CREATE INDEX attention_standing ON attention (kind, since) WHERE cleared_at IS NULL;

-- The person who works on an open entry. The end of the entry ends it.
CREATE TABLE attention_takings (
  attention_id bigint PRIMARY KEY REFERENCES attention ON DELETE CASCADE,
  operator     text NOT NULL,
  taken_at     timestamptz NOT NULL DEFAULT now()
);
${triggerFunctions('end_attention_taking')}
CREATE TRIGGER end_taking AFTER UPDATE OF cleared_at ON attention FOR EACH ROW
  WHEN (OLD.cleared_at IS NULL AND NEW.cleared_at IS NOT NULL) EXECUTE FUNCTION end_attention_taking();

-- What operators noted about an entry. Deleted with it.
CREATE TABLE attention_notes (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  attention_id bigint NOT NULL REFERENCES attention ON DELETE CASCADE,
  operator     text NOT NULL,
  note         text NOT NULL,
  noted_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX attention_notes_of_entry ON attention_notes (attention_id, id);

-- The suppliers' view of our account. See src/data/suppliers/supplier-health.ts.
CREATE TABLE supplier_health (
  supplier      text PRIMARY KEY,
  -- Since when it rejects our account (credit, credentials), and the newest rejection.
  blocked_since timestamptz,
  blocked_at    timestamptz,
  last_error    text,
  CHECK ((blocked_since IS NULL) = (blocked_at IS NULL))
) WITH (fillfactor = 50);

-- Suppliers that an operator has paused. Empty family: all families.
CREATE TABLE supplier_pauses (
  supplier  text NOT NULL,
  family    text NOT NULL DEFAULT '' CHECK (family IN ('', 'VOUCHER', 'TOPUP', 'ESIM')),
  reason    text NOT NULL,
  paused_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (supplier, family)
);

-- Open circuits: suppliers whose purchases of a family fail. Orders with another source avoid them, except for one real order at
-- each probe_at. See src/data/suppliers/supplier-circuits.ts.
CREATE TABLE supplier_circuits (
  supplier             text NOT NULL,
  family               text NOT NULL CHECK (family IN ('VOUCHER', 'TOPUP', 'ESIM')),
  reason               text NOT NULL,
  opened_at            timestamptz NOT NULL DEFAULT now(),
  probe_at             timestamptz NOT NULL,
  -- False if the supplier accepted a purchase and then rejected our account: another acceptance then proves nothing.
  closes_on_acceptance boolean NOT NULL DEFAULT true,
  PRIMARY KEY (supplier, family)
) WITH (fillfactor = 50);

-- The sources with the reason for which a source sells nothing now (null if it does), and whether its circuit is open.
CREATE VIEW source_states AS
SELECT source.*,
       CASE WHEN NOT source.active THEN 'inactive'
            WHEN source.stock = 0 THEN 'out of stock'
            WHEN EXISTS (SELECT FROM supplier_pauses pause
                          WHERE pause.supplier = source.supplier AND pause.family IN ('', source.family)) THEN 'paused'
       END AS obstacle,
       EXISTS (SELECT FROM supplier_circuits circuit
                WHERE circuit.supplier = source.supplier AND circuit.family = source.family
                  AND circuit.probe_at > now()) AS is_circuit_open
  FROM product_sources source;

${pricingVersionTrigger('INSERT OR UPDATE OR DELETE ON supplier_pauses')}

-- Our balances at the suppliers that report them.
CREATE TABLE supplier_balances (
  supplier text NOT NULL,
  currency text NOT NULL,
  amount   numeric NOT NULL,
  read_at  timestamptz NOT NULL,
  PRIMARY KEY (supplier, currency)
) WITH (fillfactor = 50);

-- The sums that operators set: a lower balance needs a person.
CREATE TABLE supplier_balance_alerts (
  supplier text NOT NULL,
  currency text NOT NULL REFERENCES currencies (code),
  below    numeric NOT NULL CHECK (below > 0),
  PRIMARY KEY (supplier, currency)
);

-- The costs of sold purchases, by intervals of 5 minutes. See src/data/suppliers/supplier-sales.ts.
CREATE TABLE supplier_sales (
  sold_from timestamptz NOT NULL,
  supplier  text NOT NULL,
  -- Empty: purchases of unknown cost.
  currency  text NOT NULL,
  cost      numeric NOT NULL,
  -- Purchases that another supplier replaced.
  failovers integer NOT NULL,
  PRIMARY KEY (sold_from, supplier, currency)
);

-- Access tokens that all processes share. See src/data/suppliers/stored-tokens-and-turns.ts.
CREATE TABLE supplier_tokens (
  id            integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  supplier      text NOT NULL,
  name          text NOT NULL,
  -- Null until the first token is issued.
  sealed_token  bytea,
  expires_at    timestamptz,
  -- Until then one process requests the next token, and the others wait for it.
  claimed_until timestamptz NOT NULL,
  UNIQUE (supplier, name),
  CHECK ((sealed_token IS NULL) = (expires_at IS NULL))
) WITH (fillfactor = 50);

-- When the next purchase, and the next other call, of a supplier with a rate limit may be sent.
CREATE TABLE supplier_turns (
  supplier text NOT NULL,
  lane     text NOT NULL CHECK (lane IN ('purchases', 'others')),
  next_at  timestamptz NOT NULL,
  PRIMARY KEY (supplier, lane)
) WITH (fillfactor = 50);

-- The results of supplier calls, of all processes. Empty family: the call belongs to none.
-- See src/data/suppliers/supplier-calls.ts.
CREATE TABLE supplier_calls (
  supplier        text NOT NULL,
  family          text NOT NULL,
  call            text NOT NULL,
  -- The first and the last failure since the last response; null after a response.
  failing_since   timestamptz,
  last_failure_at timestamptz,
  last_error      text,
  last_success_at timestamptz,
  -- The numbers of calls, and of failed calls among them, in the last intervals of 10 seconds, newest first.
  calls           integer[] NOT NULL DEFAULT '{0}',
  failed          integer[] NOT NULL DEFAULT '{0}',
  -- The start of the newest interval.
  counted_from    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (supplier, family, call),
  CHECK (num_nulls(failing_since, last_failure_at, last_error) IN (0, 3))
) WITH (fillfactor = 50);

-- See src/data/maintenance/task-results.ts.
CREATE TABLE maintenance_tasks (
  task            text PRIMARY KEY,
  -- Before the first success: when a worker first knew the task.
  last_success_at timestamptz NOT NULL DEFAULT now(),
  -- The first failure since the last success, and the newest error.
  failing_since   timestamptz,
  last_error      text,
  CHECK ((failing_since IS NULL) = (last_error IS NULL))
) WITH (fillfactor = 50);

-- An outage of the mail server. One row while mails fail; none after a mail that goes out. See src/data/maintenance/mail-outage.ts.
CREATE TABLE mail_outage (
  is_only         boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  failing_since   timestamptz NOT NULL,
  last_failure_at timestamptz NOT NULL,
  last_error      text NOT NULL
) WITH (fillfactor = 50);

-- The log of API requests, which clients read in the console.
-- Written in batches, deleted after seven days. No foreign key: it would lock the row of a client at every batch.
-- No text of the client, except its X-Request-Id: docs/decisions/0064-log-no-text-of-a-client.md.
CREATE TABLE api_requests (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id      integer NOT NULL,
  at             timestamptz NOT NULL,
  method         text NOT NULL,
  -- The path with parameters as :name, without the query and without the console's prefix.
  route          text NOT NULL,
  of_console     boolean NOT NULL,
  api_key_id     integer,
  member_id      integer,
  -- Null if the caller left before the response.
  status         integer,
  error_code     text,
  -- The message of the error, without text that it quotes.
  error_message  text,
  -- The order in the path, or the order that the request placed or repeated.
  order_id       bigint,
  -- Keyed hashes of the client_reference and the Idempotency-Key of an order request.
  reference_hash bytea,
  key_hash       bytea,
  duration_ms    integer NOT NULL,
  request_id     text NOT NULL
);
CREATE INDEX api_requests_of_client ON api_requests (client_id, id DESC);
-- The class of the status: 5 for 500 to 599. A client may have millions of entries of other classes.
CREATE INDEX api_requests_of_client_by_class ON api_requests (client_id, (status / 100), id DESC);
CREATE INDEX api_requests_by_request_id ON api_requests (client_id, request_id, id DESC);
CREATE INDEX api_requests_by_order ON api_requests (client_id, order_id, id DESC) WHERE order_id IS NOT NULL;
CREATE INDEX api_requests_by_reference ON api_requests (client_id, reference_hash, id DESC)
  WHERE reference_hash IS NOT NULL;
CREATE INDEX api_requests_by_key ON api_requests (client_id, key_hash, id DESC) WHERE key_hash IS NOT NULL;

-- The list of a sandbox's scenarios for its clients; no row in production.
CREATE TABLE sandbox_scenarios (
  is_only   boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- As text, which keeps the order of the keys.
  scenarios json NOT NULL
);

-- The names of the order requests for which a client of a sandbox rehearsed a fault: their repetitions are answered normally.
CREATE TABLE sandbox_faults (
  client_id  integer NOT NULL,
  kind       text NOT NULL CHECK (kind IN ('KEY', 'REFERENCE')),
  name       text NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (client_id, kind, name)
);
CREATE INDEX sandbox_faults_by_age ON sandbox_faults (claimed_at);

-- The digest of every text that a function file ever had in this database: see src/data/schema/migrate.ts.
CREATE TABLE applied_functions (
  name       text NOT NULL,
  digest     text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, digest)
);
`,
};
