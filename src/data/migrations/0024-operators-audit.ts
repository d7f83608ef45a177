import type { InTransaction } from './migration';

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
} as const;

/** Changes of these columns alone are the work of orders, which pay nothing for this. */
const columns: Readonly<Record<string, string>> = { wallets: 'UPDATE OF is_default, closed_at' };

/** Only sessions of the tool say what they are called for. */
const byTool = `WHEN (current_setting('app.command', true) <> '')`;

const triggers = Object.entries(audited).map(
  ([table, [name, key]]) => `
CREATE TRIGGER audit_by_operator AFTER INSERT OR DELETE OR ${columns[table] ?? 'UPDATE'} ON ${table}
  FOR EACH ROW ${byTool} EXECUTE FUNCTION audit_change('${name}', '${key}');`,
);

/**
 * What operators change is written down by the transaction that changes it: a session of the tool says by whom,
 * by which command and why (`app.operator`, `app.command`, `app.reason`), and triggers do the rest. What is done in
 * the Temporal UI is noted by the workflow it is done to, and read from its history.
 * docs/decisions/0036-operators-leave-traces.md.
 */
export const operatorsAudit: InTransaction = {
  name: '0024-operators-audit',
  sql: `
ALTER TABLE audit_entries
  DROP CONSTRAINT audit_entries_actor_kind_check,
  ADD CONSTRAINT audit_entries_actor_kind_check CHECK (actor_kind IN ('CLIENT', 'OPERATOR')) NOT VALID,
  -- Of an operator: as the tool was told, or as Temporal was by whoever called it.
  ADD COLUMN operator      text,
  -- Of the tool: what it logged in to PostgreSQL as.
  ADD COLUMN database_role text,
  -- The command of the tool, or what was done in Temporal.
  ADD COLUMN command       text,
  ADD COLUMN reason        text,
  -- The event of a workflow's history that it was read from; it is read once.
  ADD COLUMN source        text;

-- Runs of workflows that somebody sent a message to, until their histories are read.
CREATE TABLE operator_messages (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workflow_id text NOT NULL,
  run_id      text NOT NULL,
  -- The how manieth message of an operator to the run it was; null of a cancellation.
  ordinal     integer,
  -- How what it was sent about stood.
  before      jsonb,
  noted_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX operator_messages_of_run ON operator_messages (workflow_id, run_id);

-- Keyed hashes of the address that an order is mailed to, and of the number that a top-up goes to.
ALTER TABLE orders ADD COLUMN email_hash bytea;
ALTER TABLE topup_orders ADD COLUMN phone_hash bytea;

-- Replaced by functions/audit.sql.
CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
${triggers.join('')}
CREATE TRIGGER audit_by_operator AFTER INSERT ON transactions
  FOR EACH ROW ${byTool} EXECUTE FUNCTION audit_change('transaction', 'id');
`,
};
