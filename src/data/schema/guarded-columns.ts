/**
 * What every table holds, and which columns of the configuration decide money. A column or table that is missing here fails
 * test/data/guarded-columns.test.ts. docs/decisions/0077-compare-changes-with-the-last-confirmed-value.md.
 * Rule: which stored values decide money, and so need a guard
 */
import { byWord } from '../../domain/by-word';
import type { Mark } from '../../domain/prices/confirmed-values';
import { namesOf } from '../../domain/records';

/** Names, separated by spaces. */
type Names = string;
/** Names by what they hold, or by the reason why they do not decide money. */
type ByReason = Readonly<Record<string, Names>>;

/** A table that operators and suppliers' lists configure. Each column is in one of the entries. */
interface ConfigurationTable {
  /** The marks that a new or deleted row needs. Empty: no column decides money. */
  rows: readonly Mark[];
  /** The columns that decide money, by the mark that a change of them needs. */
  money: Partial<Readonly<Record<Mark, Names>>>;
  /** Who may do what, and how much of it. */
  access?: Names;
  /** Kept by the functions of the ledger. */
  ledger?: Names;
  /** By the reason. */
  harmless?: ByReason;
}

const shown = 'Shown, and part of no price';
const numbered = 'Names the row';
const free = 'Free in an outage (decision 0077)';
const dated = 'Only says when';

const currencies = 'source_currency destination_currency';

export const configuration = byWord<ConfigurationTable>({
  forex_rates: {
    rows: ['RATE'],
    money: {
      RATE: `${currencies} rate as_of file_day held_rate held_as_of held_file_day held_reason person_rate person_rate_at`,
      SPREAD: 'spread_percent followed_at',
    },
    harmless: { [dated]: 'updated_at' },
  },
  reference_rates: {
    rows: ['REFERENCE_RATE'],
    money: { REFERENCE_RATE: `${currencies} rate` },
    harmless: { [dated]: 'updated_at' },
  },
  conversion_fees: { rows: ['FEE'], money: { FEE: `${currencies} family fee_percent` } },
  client_discounts: { rows: ['DISCOUNT'], money: { DISCOUNT: 'client_id family product_id discount_percent' } },
  margin_rules: {
    rows: ['MARKUP', 'MIN_MARGIN'],
    money: { MARKUP: 'markup_percent', MIN_MARGIN: 'client_id client_group family product_id min_margin_percent' },
    harmless: { [numbered]: 'id' },
  },
  // Rules that hold an order for review. None changes what it costs.
  spend_rules: {
    rows: [],
    money: {},
    access: 'kind client_id max_orders max_amount currency family product_id denomination review_hours',
    harmless: { [numbered]: 'id', [dated]: 'created_at' },
  },
  voucher_products: {
    rows: ['VOUCHER_PRICES', 'REDEEMABLE'],
    money: { VOUCHER_PRICES: 'id currency_code supplier supplier_sku', REDEEMABLE: 'redeemable' },
    harmless: {
      [shown]:
        'name category_id subcategory_id country_code image_url delivery_mode delivery_time validity terms details how_to_use',
      'Shown, and never added to a price': 'gst_percent',
      [free]: 'active',
    },
  },
  voucher_denominations: {
    rows: ['VOUCHER_PRICES'],
    money: { VOUCHER_PRICES: 'product_id min_value max_value discount_percent' },
    harmless: { [numbered]: 'id' },
  },
  topup_products: {
    rows: ['TOPUP_AMOUNTS'],
    money: { TOPUP_AMOUNTS: 'id currency_code' },
    harmless: {
      [shown]: 'name topup_type country_code image_url operator_name',
      'What a customer has to enter': 'input_fields',
      [free]: 'active',
    },
  },
  topup_variants: {
    rows: ['TOPUP_AMOUNTS'],
    money: {
      TOPUP_AMOUNTS: 'id product_id sku currency_code min_amount max_amount fixed_amounts supplier supplier_sku',
    },
    harmless: { [shown]: 'name category unit available_in fields', [free]: 'active' },
  },
  esim_products: {
    rows: ['ESIM_PRODUCT'],
    money: { ESIM_PRODUCT: 'id currency_code supplier supplier_sku' },
    harmless: {
      [shown]: 'name country_code image_url',
      [free]: 'active',
      'Says how far lists were read': 'hydrated_at plans_doubted_at',
    },
  },
  esim_variants: {
    rows: ['PLAN'],
    money: {
      PLAN: 'id product_id supplier_sku currency_code amount listed_amount accepted_amount held_amount held_currency data_amount_gb validity_days recharge_only',
    },
    harmless: {
      [shown]: 'name description regions networks is_rechargeable activation_policy',
      'Says why a price waits': 'held',
      [free]: 'active',
    },
  },
  product_sources: {
    rows: ['COST'],
    money: {
      COST: 'id family item_id supplier sku data fixed_amounts min_amount max_amount cost_percent cost_fixed fee cost_currency held_cost reported_cost accepted_terms',
      SAME_PLAN: 'same_plan',
    },
    harmless: {
      [free]: 'priority active',
      'What the supplier reports, without a price': 'stock stock_at listed_at',
      'The stock that price lists show': 'listed_stock',
    },
  },
  supplier_offers: {
    rows: ['OFFER'],
    money: { OFFER: 'id supplier family sku terms unsellable' },
    harmless: {
      'Computed from the terms': 'hash',
      'Says what waits for a person': 'held',
      'Whose image and texts follow the offer': 'made_item_id',
      'Says when lists had the offer': 'first_seen_at last_seen_at changed_at sellable_at missed missed_at gone_at',
      'Sources that become active again': 'withdrawn',
    },
  },
  clients: {
    rows: ['NEW_CLIENT'],
    money: { CLIENT_FLOORS: 'client_group' },
    access:
      'status features allowed_cidrs bulk_limit rate_limits daily_caps codes_in_mail members_since members_need_second_factor is_demo conversions',
    harmless: { [numbered]: 'id', [shown]: 'name contact_email', [dated]: 'created_at updated_at' },
  },
  wallets: {
    rows: ['NEW_WALLET'],
    money: { NEW_WALLET: 'client_id currency_code', CREDIT_LIMIT: 'credit_limit' },
    // Which of the client's own wallets pays, at rates that are guarded.
    access: 'is_default closed_at',
    ledger: 'balance entry_count',
    harmless: {
      [numbered]: 'id',
      'When a client is told or asked': 'low_balance_threshold low_balance_notified confirm_above',
      [dated]: 'created_at updated_at',
    },
  },
});

/** The other tables, by what they hold. */
export const otherTables: Readonly<Record<'history' | 'access' | 'operation', ByReason>> = {
  history: {
    'The ledger, and what it counts':
      'transactions credit_limits client_clocks ledger_counted ledger_totals ledger_verifications',
    'Orders and what was bought for them, at stored prices':
      'order_reservations orders vouchers topup_orders esim_orders supplier_purchases quarantined_goods order_refunds refund_imports refund_import_lines operator_references claims supplier_credits conversions',
    'Money that came in':
      'funding_requests bank_files bank_statements bank_bookings bank_statement_bookings bank_words bank_entries',
    'Books and comparisons':
      'settlement_differences statement_differences statement_comparisons book_months book_lines order_sums orders_summed outdated_order_sums supplier_sales',
    'What was decided, and by whom':
      'audit_entries confirmed_values fetched_rates approval_proposals counted_operations privacy_requests order_erasures',
  },
  access: {
    'Keys, sessions and members':
      'api_keys members member_sessions token_families refresh_tokens data_keys sign_in_events',
    'Rules of approval, each change approved itself': 'approval_rules',
    'Products that a client does not see, and networks that it used': 'client_blacklist client_networks',
    'The people who sign in':
      'user session account verification twoFactor deviceCode rateLimit invitations invitation_counts mail_code_counts used_codes service_accounts known_devices device_code_counts wrong_code_counts network_code_counts network_mail_counts invitation_links',
  },
  operation: {
    'The schema itself': 'migrations schema_functions applied_functions',
    'Reference data that `migrate` writes; a trigger keeps the decimals of currencies': 'countries currencies',
    'Names of parts of the catalogue': 'categories subcategories',
    'What is not sold at present': 'stopped_sales',
    'Until when a claim can be made': 'claim_days',
    'Versions of caches and price lists': 'pricing_version catalogue_versions catalogue_changes catalogue_announced',
    'Sums for limits, lists and metrics':
      'order_counts order_totals daily_orders activity_counts order_results order_rejections event_counts events_counted api_requests margin_rejections lookup_buckets',
    'The state of suppliers, which stops or delays calls':
      'supplier_health supplier_pauses supplier_circuits supplier_balances supplier_balance_alerts supplier_tokens supplier_turns supplier_calls',
    'Texts and work of people': 'order_texts attention attention_takings attention_notes operator_messages',
    'Events and mails, which tell what has happened':
      'events webhook_endpoints webhook_previous_secrets webhook_deliveries webhook_attempts webhook_disablings webhook_resends webhook_replays mail_outage low_balance_mails refund_mails access_mails',
    'Processes and their tasks': 'running_processes maintenance_tasks',
    'Only in a sandbox': 'sandbox_scenarios sandbox_faults',
  },
};

export const namesIn = (names: Names): string[] => names.split(' ');

/** A trigger that refuses changes without a mark. `columns`: null for new and deleted rows. */
export interface GuardTrigger {
  table: string;
  name: string;
  columns: readonly string[] | null;
  marks: readonly Mark[];
}

/** The triggers that the list needs. */
export function guardTriggers(): GuardTrigger[] {
  return Object.entries(configuration).flatMap(([table, { rows, money }]) => [
    ...(rows.length > 0 ? [{ table, name: 'guard_rows', columns: null, marks: rows }] : []),
    ...namesOf(money).map((mark) => ({
      table,
      name: `guard_${mark.toLowerCase()}`,
      columns: namesIn(money[mark] ?? ''),
      marks: [mark],
    })),
  ]);
}

/** SQL that makes the triggers, or replaces them. An UPDATE that leaves the columns as they are passes. */
export function guardTriggersSql(): string {
  return guardTriggers()
    .map(({ table, name, columns, marks }) => {
      const row = (which: string) => (columns ?? []).map((column) => `${which}.${column}`).join(', ');
      const when = columns
        ? `UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW WHEN ((${row('OLD')}) IS DISTINCT FROM (${row('NEW')}))`
        : `INSERT OR DELETE ON ${table} FOR EACH ROW`;
      return `CREATE OR REPLACE TRIGGER ${name} AFTER ${when} EXECUTE FUNCTION refuse_unguarded_change(${marks.map((mark) => `'${mark}'`).join(', ')});\n`;
    })
    .join('');
}
