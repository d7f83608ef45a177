/** The rules about a second person, and the sums that they count. docs/operators/approvals.md. */
import type { RuledOperation } from '../../domain/approvals';
import type { Role } from '../../domain/operators/roles';
import { countRows, firstRow, hasRow, oneRow, rows, type Database, type Transaction } from '../database/database';
import { retention } from '../maintenance/retention';

/** A rule. Amounts are decimal strings; null for `PRICE`, which has no sums. */
export interface ApprovalRule {
  operation: RuledOperation;
  currency: string | null;
  /** A person's operations for one client within 24 hours need approval beyond it. */
  amount: string | null;
  /** A person's operations for all clients within 24 hours need approval beyond it. */
  day_amount: string | null;
  roles: Role[];
}

export interface StoredApprovalRule extends ApprovalRule {
  id: number;
  created_at: Date;
}

/** SQL: the columns of a rule. */
export const ruleColumns = `
  id, operation, currency, trim_scale(amount)::text AS amount, trim_scale(day_amount)::text AS day_amount, roles, created_at`;

/** All rules. Of an operation in one currency, the rule of the largest sum comes last. */
export function listApprovalRules(database: Database): Promise<StoredApprovalRule[]> {
  return rows(database, `SELECT ${ruleColumns} FROM approval_rules ORDER BY operation, currency, amount, id`);
}

export function findApprovalRule(database: Database, id: number): Promise<StoredApprovalRule | undefined> {
  return firstRow(database, `SELECT ${ruleColumns} FROM approval_rules WHERE id = $id`, { id });
}

const storeStatement = `
  INSERT INTO approval_rules (operation, currency, amount, day_amount, roles)
  VALUES ($operation, $currency, $amount, $dayAmount, $roles)
  ON CONFLICT (operation, currency, amount) DO UPDATE SET day_amount = excluded.day_amount, roles = excluded.roles
  RETURNING id`;

/** Makes the rule, or changes the rule of the same operation, currency and sum. Returns its id. */
export async function storeApprovalRule(database: Database, rule: ApprovalRule): Promise<number> {
  const { day_amount: dayAmount, ...others } = rule;
  return (await oneRow<{ id: number }>(database, storeStatement, { ...others, dayAmount })).id;
}

/** Deletes the rule. Proposals that wait keep their approvers. False if there is none. */
export function deleteApprovalRule(database: Database, id: number): Promise<boolean> {
  return hasRow(database, 'DELETE FROM approval_rules WHERE id = $id RETURNING id', { id });
}

/**
 * Makes the operations of one person wait for each other until the transaction ends, so that two at once do not both find that the
 * limit is not reached. Call it first in the transaction.
 */
export async function lockCounting(database: Database, person: string, transaction?: Transaction): Promise<void> {
  const statement = `SELECT pg_advisory_xact_lock(hashtextextended('approvals/' || $person, 0))`;
  await rows(database, statement, { person }, transaction);
}

/** Makes changes of rules wait for each other until the transaction ends, so that only one rule is the first. */
export async function lockRules(database: Database): Promise<void> {
  await rows(database, 'LOCK TABLE approval_rules IN SHARE ROW EXCLUSIVE MODE');
}

/** The client of every operation that the transaction has counted behind `after`; null if there are none or several. */
export async function countedClient(
  database: Database,
  { person, after }: { person: string; after: number },
): Promise<number | null> {
  const statement = `
    SELECT CASE WHEN min(client_id) = max(client_id) THEN min(client_id) END AS client_id
      FROM counted_operations WHERE person = $person AND id > $after`;
  return (await oneRow<{ client_id: number | null }>(database, statement, { person, after })).client_id;
}

/** The sums that the transaction has counted behind `after`, such as `49.37 USD`. */
export async function countedSums(
  database: Database,
  { person, after }: { person: string; after: number },
): Promise<string[]> {
  const statement = `
    SELECT trim_scale(sum(amount)) || ' ' || currency AS sum FROM counted_operations
     WHERE person = $person AND id > $after GROUP BY currency ORDER BY currency`;
  return (await rows<{ sum: string }>(database, statement, { person, after })).map(({ sum }) => sum);
}

/**
 * Counts what an operation gives that is no refund and no ledger entry, such as a replacement at the unit's price, in the transaction
 * of the operation. `amount`: a decimal string in the wallet's currency. An approved operation is not counted.
 */
export async function countAsRefund(
  database: Database,
  { clientId, currency, amount }: { clientId: number; currency: string; amount: string },
  transaction?: Transaction,
): Promise<void> {
  const statement = `SELECT count_operation('REFUND', $clientId, $currency, $amount)`;
  await rows(database, statement, { clientId, currency, amount }, transaction);
}

/** Deletes sums that no rule counts any more, at most `limit`. Returns their number. */
export function deleteOldCounts(database: Database, limit: number): Promise<number> {
  return countRows(
    database,
    `DELETE FROM counted_operations WHERE id IN (
       SELECT id FROM (SELECT id, at FROM counted_operations ORDER BY id LIMIT $limit) oldest
        WHERE at < now() - ${retention.countedOperation}) RETURNING id`,
    { limit },
  );
}
