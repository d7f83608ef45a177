/**
 * Metrics of the service that are read from the database. Each statement reads counters, or open rows up to a bound,
 * so its cost does not grow with the number of orders sold. docs/operators/metrics.md.
 */
import { stopScopes } from '../../domain/orders/stop-scopes';
import { oneRow, rows, type Database } from '../database/database';
import { listTaskDelays, type TaskDelay } from './task-results';
import { waitingEndpoints } from '../webhooks/waiting-endpoints';
import { unsentOrders } from '../suppliers/supplier-health';
import { dailyCosts } from '../suppliers/supplier-sales';

/** The bound of every count of open orders and other waiting rows. */
const MAX_COUNTED = 10_000;

/** SQL: an order whose mail is unsent and not given up by an operator. */
const isUnmailed =
  'mailed_at IS NULL AND mail_given_up_at IS NULL AND sealed_email IS NOT NULL AND completed_at IS NOT NULL';

// Mails on the attention list are left out: the service no longer tries to send them.
const oldestMail = `
SELECT coalesce(seconds_since(min(due_since)), 0) AS oldest
  FROM (SELECT completed_at AS due_since
          FROM (SELECT id, completed_at FROM orders WHERE ${isUnmailed} ORDER BY id LIMIT ${MAX_COUNTED}) unmailed
         WHERE NOT EXISTS (SELECT FROM attention
                            WHERE order_id = unmailed.id AND kind = 'MAIL_UNDELIVERABLE' AND cleared_at IS NULL)
         UNION ALL
        (SELECT disabled_at FROM webhook_disablings WHERE mail = 'DUE' ORDER BY id LIMIT ${MAX_COUNTED})) due`;

/**
 * The time since the last archived WAL file, while a finished one waits. Otherwise 0, also without an archive. It also grows while the
 * archive command hangs, which PostgreSQL does not count as a failure, and before the first file of a new timeline is finished.
 */
const archiveLag = `
SELECT CASE WHEN current_setting('archive_mode') = 'off' OR pg_is_in_recovery() THEN 0
            WHEN left(last_archived_wal, 24) COLLATE "C"
                 >= pg_walfile_name(pg_current_wal_lsn() - pg_size_bytes(current_setting('wal_segment_size'))) THEN 0
            ELSE seconds_since(coalesce(last_archived_time, pg_postmaster_start_time()))
       END AS lag
  FROM pg_stat_archiver`;

/**
 * The time since the last finished base backup: until the next one, PostgreSQL keeps its backup history file. Also 0 without an
 * archive. The listed folder has at most one file for each retained WAL file.
 */
const backupAge = `
SELECT CASE WHEN current_setting('archive_mode') = 'off' OR pg_is_in_recovery() THEN 0
            ELSE seconds_since(coalesce(max(modification), pg_postmaster_start_time()))
       END AS age
  FROM pg_ls_archive_statusdir() WHERE name LIKE '%.backup.%'`;

/** Ages and times are in seconds. */
export interface StoredMetrics {
  orders: { family: string; status: string; orders: number }[];
  /** The age of the oldest open order of each family. */
  open: { family: string; oldest: number }[];
  /** The number and the sum of the ledger's entries by kind and currency. */
  ledger: { kind: string; type: string; currency: string; entries: number; amount: number }[];
  /** Entries of the attention list by kind, and the age of the oldest. */
  attention: { kind: string; standing: number; oldest: number }[];
  /** The prices of the orders on the attention list, added up. */
  atStake: { kind: string; currency: string; amount: number }[];
  /** The time from the first to the last of the consecutive failures of one kind of call to a supplier; 0 after a success. */
  calls: { supplier: string; family: string; call: string; failing: number }[];
  /** How long the oldest open order of a family has waited for a purchase to be sent. */
  unsent: { family: string; oldest: number }[];
  /** How long a supplier has blocked our account (0 if it does not). */
  suppliers: { supplier: string; blocked: number }[];
  balances: { supplier: string; currency: string; amount: number }[];
  /** For how many days a balance lasts, where the daily costs are known. */
  daysLeft: { supplier: string; currency: string; days: number }[];
  /** How long the circuit of a supplier and family has been open (0 if it is closed). */
  circuits: { supplier: string; family: string; open: number }[];
  /** How long an operator has paused the supplier (0 if not). Empty family: all families. */
  pauses: { supplier: string; family: string; paused: number }[];
  /** What operators have stopped selling, by scope, and for how long the oldest of it. */
  stops: { scope: string; stops: number; oldest: number }[];
  /** Purchases that another supplier replaced, of orders that ended in the last hour. */
  failovers: { supplier: string; replaced: number }[];
  maintenance: TaskDelay[];
  /** The newest verification of the ledger. */
  verification: { findings: number }[];
  /**
   * Unsent webhooks and mails. `oldestWebhook`: how long the oldest event has been due to an endpoint that works, counted from
   * the endpoint's last change or recovery if that is later than the event. Endpoints with an unfinished replay are left out.
   */
  backlog: { webhooks: number; oldestWebhook: number; failingEndpoints: number; mails: number }[];
  /** How long the oldest mail has been due, about an order or a disabled endpoint. Mails that were given up are left out. */
  mail: { oldest: number }[];
  /** How long PostgreSQL has archived no WAL although some waits. */
  archive: { lag: number }[];
  /**
   * How long ago PostgreSQL finished its last base backup, or started if it finished none. 0 if PostgreSQL archives no WAL, or if
   * this role may not list the archive's status.
   */
  backup: { age: number }[];
  /** What happened at the sign-in of each door, since the installation began. */
  signInEvents: { door: string; event: string; total: number }[];
  /** The used share of a sequence, from 0 to 1. */
  sequences: { sequence: string; used: number }[];
}

/** PostgreSQL's clock at this moment, in milliseconds since 1970. */
export async function readClock(database: Database): Promise<number> {
  const sql = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';
  return (await oneRow<{ now: number }>(database, sql)).now;
}

/** Asks for the right first: without it, PostgreSQL rejects the statement even if a condition keeps it from calling the function. */
async function readBackupAge(database: Database): Promise<{ age: number }[]> {
  const sql = `SELECT has_function_privilege('pg_ls_archive_statusdir()', 'EXECUTE') AS "isGranted"`;
  const { isGranted } = await oneRow<{ isGranted: boolean }>(database, sql);
  return isGranted ? rows(database, backupAge) : [{ age: 0 }];
}

/** Reads all metrics, one statement after the other. */
export async function readStoredMetrics(database: Database): Promise<StoredMetrics> {
  const read = <Row extends object>(sql: string) => rows<Row>(database, sql);
  return {
    orders: await read(
      `SELECT family, status, sum(orders)::float8 AS orders
         FROM (SELECT family, status, orders FROM order_totals
               UNION ALL SELECT family, status, change FROM order_counts WHERE NOT is_total) counted GROUP BY 1, 2`,
    ),
    open: await read(`
        SELECT family, seconds_since(min(placed_at)) AS oldest
          FROM (SELECT family, placed_at FROM orders WHERE completed_at IS NULL ORDER BY id LIMIT ${MAX_COUNTED}) open
         GROUP BY family`),
    ledger: await read(`
        SELECT kind, transaction_type AS type, currency_code AS currency, entries::float8, amount::float8
          FROM ledger_totals`),
    attention: await read(`
        SELECT kind, count(*)::float8 AS standing, seconds_since(min(since)) AS oldest
          FROM (SELECT kind, since FROM attention WHERE cleared_at IS NULL LIMIT ${MAX_COUNTED}) standing GROUP BY kind`),
    atStake: await read(`
        SELECT kind, o.deduction_currency AS currency, sum(o.total_payable)::float8 AS amount
          FROM (SELECT kind, order_id FROM attention
                 WHERE cleared_at IS NULL AND order_id IS NOT NULL LIMIT ${MAX_COUNTED}) standing
          JOIN orders o ON o.id = standing.order_id GROUP BY 1, 2`),
    calls: await read(`
        SELECT supplier, family, call,
               coalesce(extract(epoch FROM last_failure_at - failing_since)::float8, 0) AS failing
          FROM supplier_calls`),
    unsent: await read(`
        SELECT family, seconds_since(min(since)) AS oldest FROM (${unsentOrders}) unsent GROUP BY family`),
    suppliers: await read(`
        SELECT supplier, coalesce(seconds_since(blocked_since), 0) AS blocked FROM supplier_health`),
    balances: await read('SELECT supplier, currency, amount::float8 AS amount FROM supplier_balances'),
    daysLeft: await read(`
        SELECT supplier, currency, (greatest(0, balance.amount) / daily.cost)::float8 AS days
          FROM supplier_balances balance JOIN (${dailyCosts}) daily USING (supplier, currency)`),
    circuits: await read(`
        SELECT supplier, family, coalesce(seconds_since(opened_at), 0) AS open
          FROM (SELECT supplier, family FROM supplier_calls WHERE call = 'purchase'
                 UNION SELECT supplier, family FROM supplier_circuits) known
          LEFT JOIN supplier_circuits USING (supplier, family)`),
    pauses: await read(`
        SELECT supplier, family, coalesce(seconds_since(paused_at), 0) AS paused
          FROM (SELECT supplier, '' AS family FROM supplier_calls
                 UNION SELECT supplier, family FROM supplier_pauses) known
          LEFT JOIN supplier_pauses USING (supplier, family)`),
    stops: await read(`
        SELECT scope, count(stop.id)::float8 AS stops, coalesce(seconds_since(min(stop.stopped_at)), 0) AS oldest
          FROM unnest('{${stopScopes.join(',')}}'::text[]) scope LEFT JOIN stopped_sales stop USING (scope) GROUP BY scope`),
    failovers: await read(`
        SELECT supplier, coalesce(sum(failovers) FILTER (WHERE sold_from > now() - interval '1 hour'), 0)::float8 AS replaced
          FROM supplier_sales GROUP BY supplier`),
    maintenance: await listTaskDelays(database),
    signInEvents: await read('SELECT door, event, total::float8 FROM sign_in_events'),
    verification: await read('SELECT findings::float8 FROM ledger_verifications'),
    backlog: await read(`
        WITH RECURSIVE ${waitingEndpoints}
        SELECT coalesce(sum(due.deliveries), 0)::float8 AS webhooks,
               coalesce(max(seconds_since(greatest(oldest.created_at, endpoint.updated_at, endpoint.recovered_at)))
                          FILTER (WHERE oldest.created_at IS NOT NULL AND endpoint.failing_since IS NULL
                                    AND replay.endpoint_id IS NULL), 0) AS "oldestWebhook",
               count(*) FILTER (WHERE endpoint.failing_since IS NOT NULL)::float8 AS "failingEndpoints",
               (SELECT count(*) FROM (SELECT FROM orders WHERE ${isUnmailed} LIMIT ${MAX_COUNTED}) unmailed)::float8 AS mails
          FROM webhook_endpoints endpoint
          LEFT JOIN waiting ON waiting.id = endpoint.id
          LEFT JOIN webhook_replays replay ON replay.endpoint_id = endpoint.id
          LEFT JOIN LATERAL (
            SELECT count(*) AS deliveries, min(event_sequence) AS first
              FROM (SELECT event_sequence FROM webhook_deliveries
                     WHERE endpoint_id = waiting.id AND state = 'DUE' ORDER BY event_sequence LIMIT ${MAX_COUNTED}) due
          ) due ON true
          LEFT JOIN events oldest ON oldest.sequence = due.first
         WHERE endpoint.enabled AND NOT endpoint.paused AND endpoint.deleted_at IS NULL`),
    mail: await read(oldestMail),
    archive: await read(archiveLag),
    backup: await readBackupAge(database),
    // A sequence is used up at 2^53 at the latest, because JSON carries no greater integer exactly.
    sequences: await read(`
        SELECT sequencename AS sequence, coalesce(last_value, 0)::float8 / least(max_value, 9007199254740992)::float8 AS used
          FROM pg_sequences WHERE schemaname = 'public'`),
  };
}
