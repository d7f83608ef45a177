import { triggerFunctions, type InTransaction } from './migration';

/** What the rows of price lists are computed from in a table. SQL: the client (`NULL`: all), the family (`NULL`: all), and the columns. */
interface VersionedTable {
  client?: string;
  family: string;
  columns?: string;
  stock?: string;
}

const sources: Readonly<Record<string, VersionedTable>> = {
  voucher_products: {
    family: `'VOUCHER'`,
    columns: 'id, name, country_code, currency_code, gst_percent, redeemable, active',
  },
  voucher_denominations: { family: `'VOUCHER'` },
  topup_products: { family: `'TOPUP'`, columns: 'id, name, country_code, active' },
  topup_variants: { family: `'TOPUP'` },
  esim_products: { family: `'ESIM'`, columns: 'id, name, country_code, active' },
  esim_variants: { family: `'ESIM'` },
  product_sources: {
    family: 'family',
    columns:
      'id, family, item_id, supplier, priority, active, fixed_amounts, min_amount, max_amount, cost_percent, cost_fixed, fee, cost_currency, held_cost, reported_cost',
    stock: 'id, family, stock',
  },
  supplier_pauses: { family: `nullif(family, '')` },
  client_discounts: { client: 'client_id', family: 'family' },
  client_blacklist: { client: 'client_id', family: 'family' },
  margin_rules: { client: 'client_id', family: 'family' },
  forex_rates: { family: 'NULL', columns: 'source_currency, destination_currency, rate' },
  reference_rates: { family: 'NULL', columns: 'source_currency, destination_currency, rate' },
  conversion_fees: { family: 'family' },
};

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** One trigger for each kind of statement, because only such a trigger has the changed rows. */
export const versionTriggers = (
  table: string,
  { client = 'NULL', family, columns = '*', stock = '' }: VersionedTable,
): string[] =>
  Object.entries({
    INSERT: 'NEW TABLE AS changed',
    UPDATE: 'OLD TABLE AS former NEW TABLE AS changed',
    DELETE: 'OLD TABLE AS changed',
  }).map(
    ([kind, rows]) => `
CREATE TRIGGER record_catalogue_${kind.toLowerCase()} AFTER ${kind} ON ${table} REFERENCING ${rows}
  FOR EACH STATEMENT EXECUTE FUNCTION record_catalogue_change(${[client, family, columns, stock].map(literal).join(', ')});`,
  );

const triggers = Object.entries(sources).flatMap(([table, versioned]) => versionTriggers(table, versioned));

/** What is on sale also depends on margins, and these on rates: processes with a cached catalogue are notified. */
const feedTriggers = ['forex_rates', 'reference_rates', 'conversion_fees', 'margin_rules'].map(
  (table) => `
CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION tell_change('catalogue');`,
);

/** The versions of price lists, and claims of unused eSIMs. docs/decisions/0085-version-price-lists-by-counted-changes.md. */
export const catalogueVersions: InTransaction = {
  name: '0024-catalogue-versions',
  sql: `
-- Changes since the last announcement. Only added and deleted, so that no transaction waits for another one.
CREATE TABLE catalogue_changes (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Whose list changes; null: the lists of all clients.
  client_id integer,
  -- Null: all families.
  family    text CHECK (family IN ('VOUCHER', 'TOPUP', 'ESIM')),
  -- Of a stock, which changes the version only when it is announced.
  is_stock  boolean NOT NULL
);

-- The number of announced changes.
CREATE TABLE catalogue_versions (
  client_id integer,
  family    text,
  version   bigint NOT NULL,
  UNIQUE NULLS NOT DISTINCT (client_id, family)
);

CREATE TABLE catalogue_announced (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  at       timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO catalogue_announced DEFAULT VALUES;

ALTER TABLE claims DROP CONSTRAINT claims_kind_check;
ALTER TABLE claims ADD CONSTRAINT claims_kind_check
  CHECK (kind IN ('INVALID_CODE', 'ALREADY_USED', 'NOT_RECEIVED', 'WRONG_GOODS', 'NOT_WORKING', 'UNUSED')) NOT VALID;
-- Since when clients no longer see the activation code, because the unused eSIM was refunded.
ALTER TABLE esim_orders ADD COLUMN voided_at timestamptz;

${triggerFunctions('record_catalogue_change', 'record_catalogue_of_client')}
${triggers.join('')}
${feedTriggers.join('')}
-- For each row: the columns are named, so that the debit of an order records nothing.
CREATE TRIGGER record_catalogue_of_client AFTER INSERT OR UPDATE OF is_default, closed_at ON wallets
  FOR EACH ROW EXECUTE FUNCTION record_catalogue_of_client('client_id');
CREATE TRIGGER record_catalogue_of_client AFTER UPDATE OF features, client_group ON clients
  FOR EACH ROW EXECUTE FUNCTION record_catalogue_of_client('id');
`,
};
