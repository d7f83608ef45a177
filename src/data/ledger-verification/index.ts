/** Verifies the ledger: reads whole tables in one snapshot, opens each code, and reports each wrong row. Does not block writers. */
import { wholeService } from '../../domain/attention/attention-kinds';
import { listExactly } from '../attention/attention';
import { inSnapshot, oneRow, rows, type Database } from '../database/database';
import { bankBookingScans } from './bank-bookings';
import { bookScans } from './books';
import { claimScans } from './claims';
import { conversionScans } from './conversions';
import { countScans, goodsScans } from './orders';
import { moneyScans } from './money';
import type { Sealer } from '../../security/sealing';
import { codeChecks, verifyCodes } from './codes';
import { eventScans } from './events';
import { journalChecks, verifyJournals, type JournalDigest } from './journals';
import { orderSumScans } from './order-sums';
import { refundScans } from './refunds';
import { statementOf } from './scan';
import { unitScans } from './units';

const scans = [
  ...moneyScans,
  ...conversionScans,
  ...refundScans,
  ...unitScans,
  ...claimScans,
  ...goodsScans,
  ...eventScans,
  ...countScans,
  ...orderSumScans,
  ...bookScans,
  ...bankBookingScans,
];

export const checkNames: readonly string[] = [
  ...scans.flatMap(({ checks }) => Object.keys(checks)),
  ...codeChecks,
  ...journalChecks,
];

/** One wrong row. */
export interface Finding {
  check: string;
  /** The wrong row, such as `wallet 12`, `order 17`, `voucher 17/3`. */
  subject: string;
  detail: string;
}

export interface Verification {
  /** The number of checked rows by kind. */
  counted: Readonly<Record<string, number>>;
  /** The wrong rows, grouped by check, at most `limit` for each check. */
  findings: Finding[];
  /** The number of all wrong rows by check. Checks that found no wrong row are missing. */
  totals: ReadonlyMap<string, number>;
}

/** The scans, the journals and the codes. */
const passes = scans.length + 2;

const countStatement = `
  SELECT (SELECT count(*) FROM wallets) AS wallets, (SELECT count(*) FROM transactions) AS entries,
         (SELECT count(*) FROM orders) AS orders, (SELECT count(*) FROM supplier_purchases) AS purchases,
         (SELECT count(*) FROM vouchers) AS vouchers, (SELECT count(*) FROM events) AS events,
         (SELECT count(*) FROM webhook_deliveries) AS deliveries`;

/**
 * Runs every check; those of codes only with a `sealer`, that of journals only with `digestOf`. Calls `progress` before each pass over the tables. A pass over millions of
 * rows takes minutes, so open the database with a long statement timeout.
 */
export async function verifyLedger(
  database: Database,
  limit: number,
  {
    sealer,
    digestOf,
    progress = () => undefined,
  }: { sealer?: Sealer; digestOf?: JournalDigest; progress?: (done: number, of: number) => void } = {},
): Promise<Verification> {
  return inSnapshot(database, async (transaction) => {
    await rows(database, 'SET TRANSACTION READ ONLY', {}, transaction);
    // The statements sort and join whole tables.
    await rows(database, `SET LOCAL work_mem = '128MB'`, {}, transaction);
    const counted = await oneRow<Record<string, number>>(database, countStatement, {}, transaction);
    const findings: Finding[] = [];
    const totals = new Map<string, number>();
    for (const [index, scan] of scans.entries()) {
      progress(index, passes);
      const found = await rows<FindingRow>(database, statementOf(scan), { most: limit }, transaction);
      for (const { check, id, detail, total } of found) {
        findings.push({ check, subject: `${scan.subject} ${id}`, detail });
        totals.set(check, total);
      }
    }
    const report = (wrong: Finding) => {
      const total = (totals.get(wrong.check) ?? 0) + 1;
      totals.set(wrong.check, total);
      if (total <= limit) findings.push(wrong);
    };
    progress(scans.length, passes);
    if (digestOf) await verifyJournals({ database, digestOf, transaction }, report);
    progress(scans.length + 1, passes);
    if (sealer) await verifyCodes({ database, sealer, transaction }, report);
    return { counted, findings, totals };
  });
}

interface FindingRow {
  check: string;
  id: number | string;
  detail: string;
  total: number;
}

const recordStatement = `
INSERT INTO ledger_verifications (verified_at, findings) VALUES (now(), $findings)
ON CONFLICT (is_only) DO UPDATE SET verified_at = excluded.verified_at, findings = excluded.findings`;

/** Stores the result for metrics. Puts the service on the attention list if there is a wrong row, and clears the entry if not. */
export async function recordVerification(
  database: Database,
  { findings, totals }: Pick<Verification, 'findings' | 'totals'>,
): Promise<void> {
  const found = [...totals.values()].reduce((sum, total) => sum + total, 0);
  await rows(database, recordStatement, { findings: found });
  const checks = [...totals].map(([check, total]) => `${check} ${total}`).join(', ');
  const [first] = findings;
  const reason = `The ledger does not add up (${checks}). The first finding: ${first?.subject} ${first?.detail}`;
  await listExactly(database, 'LEDGER_UNSOUND', first ? [{ subject: wholeService, reason }] : []);
}
