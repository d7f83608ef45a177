import { triggerFunctions, type InTransaction } from './migration';

/** Tables whose changes by the operators' tool are written down, what a row of each is called, and its key. */
const audited = {
  clients: ['client', 'id'],
  api_keys: ['api_key', 'id'],
  wallets: ['wallet', 'id'],
  categories: ['category', 'id'],
  subcategories: ['subcategory', 'id'],
  voucher_products: ['voucher_product', 'id'],
  voucher_denominations: ['voucher_denomination', 'id'],
  topup_products: ['topup_product', 'id'],
  topup_variants: ['topup_variant', 'id'],
  esim_products: ['esim_product', 'id'],
  esim_variants: ['esim_variant', 'id'],
  client_discounts: ['discount', 'client_id,family,product_id'],
  client_blacklist: ['blacklist', 'client_id,family,product_id'],
  forex_rates: ['rate', 'source_currency,destination_currency'],
  conversion_fees: ['fee', 'source_currency,destination_currency,family'],
  data_keys: ['secret_key', 'purpose,id'],
  goods_apart: ['goods_apart', 'id'],
  attention: ['attention', 'id'],
  transactions: ['transaction', 'id'],
} as const;

/** What is written down of a table where that is not every change: orders, which make the others, pay nothing for this. */
const changes: Readonly<Record<string, string>> = {
  wallets: 'INSERT OR DELETE OR UPDATE OF is_default, closed_at',
  transactions: 'INSERT',
};

/** Only sessions of the tool say what they are called for. */
const auditTriggers = Object.entries(audited).map(
  ([table, [name, key]]) => `
CREATE TRIGGER audit_by_operator AFTER ${changes[table] ?? 'INSERT OR DELETE OR UPDATE'} ON ${table}
  FOR EACH ROW WHEN (current_setting('app.command', true) <> '') EXECUTE FUNCTION audit_change('${name}', '${key}');`,
);

/** What the API keeps in memory, by what is told when it changes (see `change-feed.ts`). */
const kept = {
  clients: ['clients'],
  catalogue: [
    ...['countries', 'currencies', 'categories', 'subcategories'],
    ...['voucher_products', 'voucher_denominations', 'topup_products', 'topup_variants'],
    ...['esim_products', 'esim_variants', 'client_discounts', 'client_blacklist'],
  ],
};

const feedTriggers = Object.entries(kept).flatMap(([what, tables]) =>
  tables.map(
    (table) => `
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change('${what}');`,
  ),
);

/**
 * - The audit: which client made which sensitive call, written with what it changed; and what operators change, written
 *   by the transaction that changes it. A session of the tool says by whom, by which command and why (`app.operator`,
 *   `app.command`, `app.reason`), and triggers do the rest. What is done in the Temporal UI is noted by the workflow it
 *   is done to, and read from its history. docs/decisions/0036-audit-operators-with-triggers.md.
 * - The change feed: processes may keep what they read of clients and catalogue, because each change is told when it is
 *   committed.
 */
export const auditAndChangeFeed: InTransaction = {
  name: '0008-audit-and-change-feed',
  sql: `
CREATE TABLE audit_entries (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind    text NOT NULL CHECK (actor_kind IN ('CLIENT', 'OPERATOR')),
  -- Whose account it is about; of a client's own call also who called.
  client_id     integer REFERENCES clients,
  -- Of a client: the key of the session.
  api_key_id    integer REFERENCES api_keys,
  address       text,
  request_id    text,
  -- Of an operator: as the tool was told, or as Temporal was by whoever called it.
  operator      text,
  -- Of the tool: what it logged in to PostgreSQL as.
  database_role text,
  -- The command of the tool, or what was done in Temporal.
  command       text,
  reason        text,
  action        text NOT NULL,
  -- What it was done to: webhook_endpoint/3, order/17.
  object        text NOT NULL,
  -- What was changed, as it was and as it is; never a secret, nor an address of a customer.
  before        jsonb,
  after         jsonb,
  -- The event of a workflow's history that it was read from; it is read once.
  source        text,
  CHECK (actor_kind <> 'CLIENT' OR client_id IS NOT NULL)
);
CREATE INDEX audit_entries_of_client ON audit_entries (client_id, id DESC);
CREATE UNIQUE INDEX audit_entries_source ON audit_entries (source) WHERE source IS NOT NULL;

-- Written and deleted by the roles that may, and never changed (functions/audit.sql).
${triggerFunctions('audit_entries_stay', 'audit_entries_written', 'audit_entries_kept', 'audit_change', 'tell_change')}
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_entries_stay();
CREATE TRIGGER audit_entries_written BEFORE INSERT ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_entries_written();
CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_entries_kept();
CREATE TRIGGER audit_entries_kept_whole BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_stay();

-- Runs of workflows that somebody sent a message to, until their histories are read.
CREATE TABLE operator_messages (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workflow_id text NOT NULL,
  run_id      text NOT NULL,
  -- Which message of an operator to the run it was, counted from the first; null of a cancellation.
  ordinal     integer,
  -- How what it was sent about stood.
  before      jsonb,
  noted_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX operator_messages_of_run ON operator_messages (workflow_id, run_id);
${auditTriggers.join('')}
${feedTriggers.join('')}
`,
};
