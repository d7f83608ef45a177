/**
 * Metrics of the service that are read from the database. Each statement reads counters, or open rows up to a bound,
 * so its cost does not grow with the number of orders sold. docs/operators/metrics.md.
 */
import { rows, type Database } from '../database/database';
import { listOverdueTasks, type OverdueTask } from './maintenance-tasks';
import { unsentOrders } from './supplier-health';

/** Open orders and other waiting rows are counted up to this number. */
const MAX_COUNTED = 10_000;

/** Orders by family and status. */
export interface OrderMetric {
  family: string;
  status: string;
  orders: number;
}

/** Open orders of a family: the age of the oldest in seconds. */
export interface OpenMetric {
  family: string;
  oldest: number;
}

/** What the ledger's entries of a kind come to in a currency. */
export interface LedgerMetric {
  kind: string;
  type: string;
  currency: string;
  entries: number;
  amount: number;
}

/** Entries of the attention list by kind, and the age of the oldest in seconds. */
export interface AttentionMetric {
  kind: string;
  standing: number;
  oldest: number;
}

/** The sum that orders on the attention list were debited. */
export interface AtStakeMetric {
  kind: string;
  currency: string;
  amount: number;
}

/** A kind of call of a supplier: the seconds from the first to the last failure in a row; 0 after a success. */
export interface SupplierCallMetric {
  supplier: string;
  family: string;
  call: string;
  failing: number;
}

/** For how many seconds the oldest open order of a family has waited for a purchase to be sent. */
export interface UnsentMetric {
  family: string;
  oldest: number;
}

/** The newest verification of the ledger. */
export interface VerificationMetric {
  findings: number;
}

/** For how many seconds a supplier has refused our account (0 where it does not), and what is left of our money. */
export interface SupplierMetric {
  supplier: string;
  blocked: number;
  balance: number | null;
  currency: string | null;
}

/** Unsent webhooks and mails, and for how many seconds the oldest webhook has been due. */
export interface BacklogMetric {
  webhooks: number;
  oldestWebhook: number;
  failingEndpoints: number;
  mails: number;
}

/** The used share of a sequence, from 0 to 1. */
export interface SequenceMetric {
  sequence: string;
  used: number;
}

export interface StoredMetrics {
  orders: OrderMetric[];
  open: OpenMetric[];
  ledger: LedgerMetric[];
  attention: AttentionMetric[];
  atStake: AtStakeMetric[];
  calls: SupplierCallMetric[];
  unsent: UnsentMetric[];
  suppliers: SupplierMetric[];
  maintenance: OverdueTask[];
  verification: VerificationMetric[];
  backlog: BacklogMetric[];
  sequences: SequenceMetric[];
}

function secondsSince(moment: string): string {
  return `seconds_since(${moment})`;
}

const statements: Readonly<Record<Exclude<keyof StoredMetrics, 'maintenance'>, string>> = {
  orders: 'SELECT family, status, sum(change)::float8 AS orders FROM order_counts GROUP BY 1, 2',
  open: `
    SELECT family, ${secondsSince('min(placed_at)')} AS oldest
      FROM (SELECT family, placed_at FROM orders WHERE completed_at IS NULL ORDER BY id LIMIT ${MAX_COUNTED}) open
     GROUP BY family`,
  ledger: `
    SELECT total.kind, total.transaction_type AS type, wallet.currency_code AS currency,
           sum(total.entries)::float8 AS entries, sum(total.amount)::float8 AS amount
      FROM ledger_totals total JOIN wallets wallet ON wallet.id = total.wallet_id GROUP BY 1, 2, 3`,
  attention: `
    SELECT kind, count(*)::float8 AS standing, ${secondsSince('min(since)')} AS oldest
      FROM (SELECT kind, since FROM attention WHERE cleared_at IS NULL LIMIT ${MAX_COUNTED}) standing GROUP BY kind`,
  atStake: `
    SELECT kind, o.deduction_currency AS currency, sum(o.total_payable)::float8 AS amount
      FROM (SELECT kind, order_id FROM attention
             WHERE cleared_at IS NULL AND order_id IS NOT NULL LIMIT ${MAX_COUNTED}) standing
      JOIN orders o ON o.id = standing.order_id GROUP BY 1, 2`,
  calls: `
    SELECT supplier, family, call,
           coalesce(extract(epoch FROM last_failure_at - failing_since)::float8, 0) AS failing
      FROM supplier_call_health`,
  unsent: `
    SELECT family, ${secondsSince('min(since)')} AS oldest FROM (${unsentOrders}) unsent GROUP BY family`,
  verification: 'SELECT findings::float8 FROM ledger_verifications',
  suppliers: `
    SELECT supplier, coalesce(${secondsSince('blocked_since')}, 0) AS blocked,
           balance::float8 AS balance, balance_currency AS currency
      FROM supplier_health`,
  backlog: `
    SELECT coalesce(sum(due.deliveries), 0)::float8 AS webhooks,
           coalesce(max(${secondsSince('oldest.created_at')}), 0) AS "oldestWebhook",
           count(*) FILTER (WHERE endpoint.failing_since IS NOT NULL)::float8 AS "failingEndpoints",
           (SELECT count(*) FROM (SELECT FROM orders WHERE mailed_at IS NULL AND sealed_email IS NOT NULL
                                     AND completed_at IS NOT NULL LIMIT ${MAX_COUNTED}) unmailed)::float8 AS mails
      FROM webhook_endpoints endpoint
      LEFT JOIN LATERAL (
        SELECT count(*) AS deliveries, min(event_sequence) AS first
          FROM (SELECT event_sequence FROM webhook_deliveries
                 WHERE endpoint_id = endpoint.id AND state = 'DUE' ORDER BY event_sequence LIMIT ${MAX_COUNTED}) waiting
      ) due ON true
      LEFT JOIN events oldest ON oldest.sequence = due.first
     WHERE endpoint.enabled AND NOT endpoint.paused AND endpoint.deleted_at IS NULL`,
  // JSON carries no integer beyond 2^53 exactly.
  sequences: `
    SELECT sequencename AS sequence, coalesce(last_value, 0)::float8 / least(max_value, 9007199254740992)::float8 AS used
      FROM pg_sequences WHERE schemaname = 'public'`,
};

/** PostgreSQL's clock at this moment, in milliseconds since 1970. */
export async function readClock(database: Database): Promise<number> {
  const sql = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';
  const [clock] = await rows<{ now: number }>(database, sql);
  return clock?.now ?? NaN;
}

/** Reads all metrics, one statement after the other. */
export async function readStoredMetrics(database: Database): Promise<StoredMetrics> {
  return {
    orders: await rows(database, statements.orders),
    open: await rows(database, statements.open),
    ledger: await rows(database, statements.ledger),
    attention: await rows(database, statements.attention),
    atStake: await rows(database, statements.atStake),
    calls: await rows(database, statements.calls),
    unsent: await rows(database, statements.unsent),
    suppliers: await rows(database, statements.suppliers),
    maintenance: await listOverdueTasks(database),
    verification: await rows(database, statements.verification),
    backlog: await rows(database, statements.backlog),
    sequences: await rows(database, statements.sequences),
  };
}
