/**
 * The proof of the ledger: reads the database alone, in one snapshot, and reports what is wrong row by row. Each pass
 * reads whole tables, so it may take minutes where there are many millions of rows. It takes no locks.
 */
import { wholeService } from '../../domain/operations/attention-kinds';
import { listExactly } from '../operations/attention';
import { inSnapshot, firstRow, rows, type Database, type Transaction } from '../database/database';
import { countScans, goodsScans, purchaseScans } from './orders';
import { entryScans, redemptionScans, refundScans, walletScans } from './money';
import { eventScans } from './events';
import { statementOf } from './scan';

const scans = [
  ...walletScans,
  ...entryScans,
  ...refundScans,
  ...redemptionScans,
  ...goodsScans,
  ...purchaseScans,
  ...eventScans,
  ...countScans,
];

/** The names of all checks. */
export const checkNames: readonly string[] = scans.flatMap(({ checks }) => Object.keys(checks));

/** One thing that is wrong. */
export interface Finding {
  check: string;
  /** Which row: `wallet 12`, `order 17`, `voucher 17/3`. */
  subject: string;
  detail: string;
}

export interface Verification {
  /** How many rows of each kind were looked at. */
  counted: Readonly<Record<string, number>>;
  /** What is wrong, by check; of each check so many as were asked for. */
  findings: Finding[];
  /** How many rows each check found wrong in all; only checks that found something. */
  totals: ReadonlyMap<string, number>;
}

const countStatement = `
  SELECT (SELECT count(*) FROM wallets) AS wallets, (SELECT count(*) FROM transactions) AS entries,
         (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM supplier_purchases) AS purchases,
         (SELECT count(*) FROM vouchers) AS vouchers, (SELECT count(*) FROM events) AS events,
         (SELECT count(*) FROM webhook_deliveries) AS deliveries`;

/**
 * Runs every check in one snapshot. Returns at most `limit` findings of each check. Calls `progress` before each pass.
 * The database should be opened without a short statement timeout.
 */
export async function verifyLedger(
  database: Database,
  limit: number,
  progress: (done: number, of: number) => void = () => undefined,
): Promise<Verification> {
  return inSnapshot(database, async (transaction) => {
    await rows(database, 'SET TRANSACTION READ ONLY', {}, transaction);
    // One session sorts and joins whole tables: more memory than a session that answers clients has.
    await rows(database, `SET LOCAL work_mem = '128MB'`, {}, transaction);
    const counted = (await firstRow<Record<string, number>>(database, countStatement, {}, transaction)) ?? {};
    const findings: Finding[] = [];
    const totals = new Map<string, number>();
    for (const [index, scan] of scans.entries()) {
      progress(index, scans.length);
      for (const { check, id, detail, total } of await run(database, statementOf(scan), limit, transaction)) {
        findings.push({ check, subject: `${scan.subject} ${id}`, detail });
        totals.set(check, total);
      }
    }
    return { counted, findings, totals };
  });
}

interface FindingRow {
  check: string;
  id: number | string;
  detail: string;
  total: number;
}

function run(
  database: Database,
  sql: string,
  limit: number,
  transaction: Transaction,
): Promise<FindingRow[]> {
  return rows<FindingRow>(database, sql, { most: limit }, transaction);
}

const recordStatement = `
INSERT INTO ledger_verifications (verified_at, findings) VALUES (now(), $findings)
ON CONFLICT (is_only) DO UPDATE SET verified_at = excluded.verified_at, findings = excluded.findings`;

/** Keeps the result for metrics and the attention list, which names every check that found something. */
export async function recordVerification(
  database: Database,
  { findings, totals }: Pick<Verification, 'findings' | 'totals'>,
): Promise<void> {
  const found = [...totals.values()].reduce((sum, total) => sum + total, 0);
  await rows(database, recordStatement, { findings: found });
  const checks = [...totals].map(([check, total]) => `${check} ${total}`).join(', ');
  const [first] = findings;
  const entries = first
    ? [
        {
          subject: wholeService,
          reason: `The ledger does not add up (${checks}). The first finding: ${first.subject} ${first.detail}`,
        },
      ]
    : [];
  await listExactly(database, 'LEDGER_UNSOUND', entries);
}
