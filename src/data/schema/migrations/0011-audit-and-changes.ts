import { triggerFunctions, type InTransaction } from './migration';

/** Tables whose changes by operators are audited, with the name of a row and its key. */
const audited = {
  clients: ['client', 'id'],
  api_keys: ['api_key', 'id'],
  members: ['member', 'id'],
  wallets: ['wallet', 'id'],
  categories: ['category', 'id'],
  subcategories: ['subcategory', 'id'],
  voucher_products: ['voucher_product', 'id'],
  voucher_denominations: ['voucher_denomination', 'id'],
  topup_products: ['topup_product', 'id'],
  topup_variants: ['topup_variant', 'id'],
  esim_products: ['esim_product', 'id'],
  esim_variants: ['esim_variant', 'id'],
  product_sources: ['source', 'id'],
  supplier_pauses: ['supplier_pause', 'supplier,family'],
  client_discounts: ['discount', 'client_id,family,product_id'],
  client_blacklist: ['blacklist', 'client_id,family,product_id'],
  margin_rules: ['margin_rule', 'id'],
  spend_rules: ['spend_rule', 'id'],
  forex_rates: ['rate', 'source_currency,destination_currency'],
  reference_rates: ['reference_rate', 'source_currency,destination_currency'],
  conversion_fees: ['fee', 'source_currency,destination_currency,family'],
  data_keys: ['secret_key', 'purpose,id'],
  supplier_balance_alerts: ['supplier_balance_alert', 'supplier,currency'],
  quarantined_goods: ['quarantined_goods', 'id'],
  settlement_differences: ['settlement_difference', 'supplier,reference,kind'],
  attention: ['attention', 'id'],
  attention_takings: ['attention_taking', 'attention_id'],
  attention_notes: ['attention_note', 'id'],
  transactions: ['transaction', 'id'],
  order_refunds: ['order_refund', 'order_id,number'],
  refund_imports: ['refund_import', 'id'],
  claims: ['claim', 'id'],
  claim_days: ['claim_days', 'family,product_id'],
  privacy_requests: ['privacy_request', 'id'],
} as const;

/** The audited changes of tables that orders change, too, so that the audit costs orders nothing. */
const limitedChanges: Readonly<Record<string, string>> = {
  wallets: 'INSERT OR DELETE OR UPDATE OF is_default, closed_at',
  transactions: 'INSERT',
  order_refunds: 'INSERT',
};

/** Only transactions of operators set `app.command`. */
const isByOperator = `current_setting('app.command', true) <> ''`;

/** Every funding and adjustment is audited. Sandbox funding writes an audit entry of its own, which names the client. */
const isAuditedMoney = `NEW.kind IN ('FUNDING', 'ADJUSTMENT')
                        AND current_setting('app.sandbox_funding', true) IS DISTINCT FROM 'on'`;

const auditTriggers = Object.entries(audited).map(
  ([table, [name, key]]) => `
CREATE TRIGGER audit_by_operator AFTER ${limitedChanges[table] ?? 'INSERT OR DELETE OR UPDATE'} ON ${table}
  FOR EACH ROW WHEN (${isByOperator}${table === 'transactions' ? ` OR ${isAuditedMoney}` : ''})
  EXECUTE FUNCTION audit_change('${name}', '${key}');`,
);

/** The tables that the API caches, by kind of notification (see `change-feed.ts`). */
const cached = {
  clients: ['clients'],
  catalogue: [
    'countries',
    'currencies',
    'categories',
    'subcategories',
    'voucher_products',
    'voucher_denominations',
    'topup_products',
    'topup_variants',
    'esim_products',
    'esim_variants',
    'product_sources',
    'supplier_pauses',
    'client_discounts',
    'client_blacklist',
  ],
};

const feedTriggers = Object.entries(cached).flatMap(([kind, tables]) =>
  tables.map(
    (table) => `
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change('${kind}');`,
  ),
);

/**
 * The audit of sensitive calls of clients, and of changes by operators, each in the transaction of its change; and the change feed,
 * which notifies processes with cached clients or catalogue. docs/decisions/0036-audit-operators-with-triggers.md.
 */
export const auditAndChangeFeed: InTransaction = {
  name: '0011-audit-and-changes',
  sql: `
CREATE TABLE audit_entries (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at            timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor_kind    text NOT NULL CHECK (actor_kind IN ('CLIENT', 'OPERATOR')),
  -- The client that the entry is about; for a client's call also the caller.
  client_id     integer REFERENCES clients,
  -- For a client's call: the key of the session, or the member.
  api_key_id    integer REFERENCES api_keys,
  member_id     integer REFERENCES members,
  address       text,
  request_id    text,
  -- The operator: a person or a service account, or the identity in Temporal.
  operator      text,
  -- The PostgreSQL role of the session.
  database_role text,
  -- How the call arrived; null for a local command and for a history of Temporal.
  door          text CHECK (door IN ('CLI', 'API', 'PAGE', 'TEMPORAL')),
  -- The operation, or the call in Temporal.
  command       text,
  reason        text,
  action        text NOT NULL,
  -- The changed object: webhook_endpoint/3, order/17.
  object        text NOT NULL,
  -- The changed values; never a secret, nor an address of a customer.
  before        jsonb,
  after         jsonb,
  -- The event of a workflow's history that the entry copies; each event is copied once.
  source        text,
  CHECK (actor_kind <> 'CLIENT' OR client_id IS NOT NULL)
);
CREATE INDEX audit_entries_of_client ON audit_entries (client_id, id DESC);
CREATE INDEX audit_entries_by_time ON audit_entries (at, id);
CREATE INDEX audit_entries_of_object ON audit_entries (object, at, id);
CREATE INDEX audit_entries_of_operator ON audit_entries (operator, at, id) WHERE operator IS NOT NULL;
CREATE UNIQUE INDEX audit_entries_source ON audit_entries (source) WHERE source IS NOT NULL;

-- See rules/audit-entries-stay.sql.
${triggerFunctions('audit_entries_stay', 'audit_entries_written', 'audit_entries_kept', 'audit_change', 'tell_change')}
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_entries_stay();
CREATE TRIGGER audit_entries_written BEFORE INSERT ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_entries_written();
CREATE TRIGGER audit_entries_kept BEFORE DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION audit_entries_kept();
CREATE TRIGGER audit_entries_kept_whole BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entries_stay();

-- Messages of operators to runs of workflows, until their histories are read.
CREATE TABLE operator_messages (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workflow_id text NOT NULL,
  run_id      text NOT NULL,
  -- The 1-based index of the message among the operators' messages to the run; null for a cancellation.
  ordinal     integer,
  -- The state of the order or endpoint before the message.
  before      jsonb,
  noted_at    timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX operator_messages_of_run ON operator_messages (workflow_id, run_id);
${auditTriggers.join('')}
${feedTriggers.join('')}
-- For each row: a statement that ends no session, such as for a rejected refresh, must empty no cache.
CREATE TRIGGER tell_change AFTER UPDATE OF revoked_at ON token_families FOR EACH ROW
  WHEN (OLD.revoked_at IS DISTINCT FROM NEW.revoked_at) EXECUTE FUNCTION tell_change('clients');
CREATE TRIGGER tell_change AFTER UPDATE OF scopes, expires_at, revoked_at ON api_keys FOR EACH STATEMENT
  EXECUTE FUNCTION tell_change('clients');
`,
};
