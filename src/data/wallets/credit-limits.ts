/** Credit limits of wallets, which operators set. docs/decisions/0087-let-balances-fall-to-a-credit-limit.md. */
import { isPayable, type Currency, type Exact } from '../../domain/prices/money';
import { firstRow, rows, type Database } from '../database/database';

/**
 * Sets the limit, from the wallet's next entry on. Moves nothing, also below a debt. Trigger `record_credit_limit` keeps the history, in
 * the statement that locks the wallet. If more than the threshold becomes available, the next debit below it is reported again. Throws
 * if it is no amount of the currency.
 */
export async function setCreditLimit(database: Database, id: number, limit: Exact): Promise<void> {
  const currency = await firstRow<Currency>(
    database,
    `SELECT code, minor_unit AS "minorUnit" FROM currencies JOIN wallets ON currency_code = code WHERE wallets.id = $id`,
    { id },
  );
  if (currency && (limit.isNegative() || !isPayable(currency, limit)))
    throw new Error(
      `${limit.toFixed()} is no credit limit in ${currency.code}: give an amount from 0 with at most ${currency.minorUnit} decimals`,
    );
  const statement = `
    UPDATE wallets SET credit_limit = $limit, updated_at = now(),
           low_balance_notified = low_balance_notified AND balance + $limit <= low_balance_threshold
     WHERE id = $id AND credit_limit <> $limit`;
  await rows(database, statement, { id, limit: limit.toFixed() });
}
