/**
 * Totals of the ledger by wallet and kind of entry. A wallet's entries are numbered without a gap in the order of
 * commit, so those up to its newest number are all there: the totals grow by what came since, and nothing on the way
 * of an order writes them.
 */
import { rows, type Database } from '../database/database';

const knownStatement = `
INSERT INTO ledger_counted (wallet_id) SELECT id FROM wallets WHERE entry_count > 0
ON CONFLICT (wallet_id) DO NOTHING`;

const countStatement = `
WITH due AS MATERIALIZED (
  SELECT counted.wallet_id, counted.through AS after, wallet.entry_count AS upto
    FROM ledger_counted counted JOIN wallets wallet ON wallet.id = counted.wallet_id
   WHERE wallet.entry_count > counted.through
   ORDER BY counted.wallet_id FOR UPDATE OF counted
), moved AS (
  UPDATE ledger_counted SET through = due.upto FROM due WHERE ledger_counted.wallet_id = due.wallet_id
)
INSERT INTO ledger_totals AS total (wallet_id, kind, transaction_type, entries, amount)
SELECT entry.wallet_id, entry.kind, entry.transaction_type, count(*), sum(entry.amount)
  FROM due JOIN transactions entry
    ON entry.wallet_id = due.wallet_id AND entry.sequence > due.after AND entry.sequence <= due.upto
 GROUP BY 1, 2, 3
ON CONFLICT (wallet_id, kind, transaction_type) DO UPDATE
  SET entries = total.entries + excluded.entries, amount = total.amount + excluded.amount`;

/** Adds the entries that came since the last time. Exact however often, and however many at once, it runs. */
export async function countLedger(database: Database): Promise<void> {
  await rows(database, knownStatement);
  await rows(database, countStatement);
}
