/** Marks changes of stored values that decide money, which operators make only with a mark. docs/decisions/0077-*.md. */
import type { Mark } from '../../domain/prices/confirmed-values';
import { atomically, joinedTransaction } from './acting-person';
import { oneRow, rows, type Database, type Transaction } from './database';

const markStatement = `
WITH present AS MATERIALIZED (SELECT coalesce(current_setting('app.guarded', true), '') AS before)
SELECT before, set_config('app.guarded', concat_ws(',', nullif(before, ''), $marks::text), true) FROM present`;
const restoreStatement = `SELECT set_config('app.guarded', $before, true)`;

/**
 * Does the work, in which operators may change values with these marks and those of the work around it. The trigger
 * `refuse_unguarded_change` rejects other changes. `transaction`: that of the work; without one, the work is a part of the joined transaction.
 */
export async function marked<Result>(
  database: Database,
  marks: readonly Mark[],
  work: () => Promise<Result>,
  transaction: Transaction | undefined = joinedTransaction(),
): Promise<Result> {
  if (!transaction) return atomically(database, () => marked(database, marks, work));
  const binds = { marks: marks.join(',') };
  const { before } = await oneRow<{ before: string }>(database, markStatement, binds, transaction);
  const restore = () => rows(database, restoreStatement, { before }, transaction);
  const result = await work().catch(async (error: unknown) => {
    // An aborted transaction rejects this. Its rollback restores the marks.
    await restore().catch(() => undefined);
    throw error;
  });
  await restore();
  return result;
}
