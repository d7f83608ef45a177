/** Which tables stay small. Every other one grows with orders, calls or days. */
import { migrations } from '../../src/data/schema/migrations';

/** Tables that PostgreSQL reads completely within milliseconds, by what bounds them. */
const small: Readonly<Record<string, readonly string[]>> = {
  'It has one row': ['events_counted', 'orders_summed', 'mail_outage', 'ledger_verifications', 'pricing_version'],
  'It has a row for each currency, country, kind or state': [
    'countries', 'currencies', 'forex_rates', 'reference_rates', 'conversion_fees', 'ledger_totals', 'order_totals', 'sign_in_events',
  ],
  'It has a row for each product, item or offer of the catalogue': [
    'categories', 'subcategories', 'voucher_products', 'voucher_denominations', 'topup_products', 'topup_variants',
    'esim_products', 'esim_variants', 'product_sources', 'supplier_offers', 'stopped_sales', 'claim_days',
  ],
  'It has some rows for each client, member, key, wallet or endpoint': [
    'clients', 'client_clocks', 'wallets', 'members', 'api_keys', 'ledger_counted', 'event_counts', 'catalogue_versions',
    'catalogue_announced', 'webhook_endpoints', 'webhook_previous_secrets', 'webhook_replays',
  ],
  'It has some rows for each supplier': [
    'supplier_balances', 'supplier_balance_alerts', 'supplier_calls', 'supplier_circuits', 'supplier_health', 'supplier_pauses',
    'supplier_tokens', 'supplier_turns',
  ],
  'Operators write it by hand: rules, limits, months': [
    'approval_rules', 'margin_rules', 'spend_rules', 'book_months',
  ],
  'It has a row for each key, process, task, function or scenario of the installation': [
    'data_keys', 'lookup_buckets', 'running_processes', 'maintenance_tasks', 'applied_functions', 'sandbox_scenarios',
  ],
  'Maintenance deletes from it what is older than days': [
    'outdated_order_sums', 'sandbox_faults', 'supplier_sales', 'order_results', 'order_rejections', 'margin_rejections', 'counted_operations',
  ],
}; // prettier-ignore

export const smallTables: readonly string[] = Object.values(small).flat();

/** The tables that the migrations create in the service's schema. */
export const tables: readonly string[] = migrations.flatMap((migration) =>
  'sql' in migration
    ? [...migration.sql.matchAll(/^\s*CREATE TABLE (?:IF NOT EXISTS )?(\w+) \(/gm)].flatMap(([, name]) => name ?? [])
    : [],
);

export const growingTables: readonly string[] = tables.filter((table) => !smallTables.includes(table));
