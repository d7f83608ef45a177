/** Our balances at suppliers, how long they last, and the sums below which they need a person. */
import { markedCost } from '../../domain/cost-texts';
import { firstRow, rows, type Database } from '../database/database';
import { clearAttention, listExactly, raiseAttention } from '../attention/attention';
import { bySupplier } from './supplier-health';
import { dailyCosts } from './supplier-sales';

const storeStatement = `
WITH reported AS (
  SELECT * FROM unnest($currencies::text[], $amounts::numeric[]) AS reported (currency, amount)
), gone AS (
  DELETE FROM supplier_balances WHERE supplier = $supplier AND currency NOT IN (SELECT currency FROM reported)
)
INSERT INTO supplier_balances (supplier, currency, amount, read_at)
SELECT $supplier, currency, sum(amount), now() FROM reported GROUP BY currency
ON CONFLICT (supplier, currency) DO UPDATE SET amount = excluded.amount, read_at = excluded.read_at`;

/** Stores our balances at the supplier, in place of the earlier ones. Amounts are decimal strings. */
export async function storeBalances(
  database: Database,
  supplier: string,
  balances: readonly { amount: string; currency: string }[],
): Promise<void> {
  const currencies = balances.map(({ currency }) => currency);
  const amounts = balances.map(({ amount }) => amount);
  await rows(database, storeStatement, { supplier, currencies, amounts });
}

/** The threshold below which our balance needs a person, as a decimal string; null without one. */
export async function findBalanceAlert(database: Database, supplier: string, currency: string): Promise<string | null> {
  const found = await firstRow<{ below: string }>(
    database,
    `SELECT trim_scale(below)::text AS below FROM supplier_balance_alerts WHERE supplier = $supplier AND currency = $currency`,
    { supplier, currency },
  );
  return found?.below ?? null;
}

/**
 * Sets the threshold below which our balance needs a person, or removes it. Returns the previous threshold; null without one.
 * Amounts are decimal strings.
 */
export async function setBalanceAlert(
  database: Database,
  supplier: string,
  currency: string,
  below: string | null,
): Promise<string | null> {
  const key = { supplier, currency };
  const previous = await findBalanceAlert(database, supplier, currency);
  await rows(
    database,
    below === null
      ? 'DELETE FROM supplier_balance_alerts WHERE supplier = $supplier AND currency = $currency'
      : `INSERT INTO supplier_balance_alerts (supplier, currency, below) VALUES ($supplier, $currency, $below::numeric)
         ON CONFLICT (supplier, currency) DO UPDATE SET below = excluded.below`,
    { ...key, ...(below !== null && { below }) },
  );
  return previous;
}

/** A balance as operators see it. Amounts are decimal strings. */
export interface Balance {
  supplier: string;
  currency: string;
  amount: string;
  readAt: Date;
  /** The threshold that an operator has set; null without one. */
  below: string | null;
  /** Our costs of one day; null if none are known. */
  dailyCost: string | null;
  /** How many days the balance lasts. */
  daysLeft: number | null;
  /** Whether it is below the threshold, or below twice our daily costs. */
  isLow: boolean;
}

/** Every balance that suppliers reported. */
export function listBalances(database: Database): Promise<Balance[]> {
  return rows<Balance>(
    database,
    `SELECT balance.supplier, balance.currency, trim_scale(balance.amount)::text AS amount, balance.read_at AS "readAt",
            trim_scale(alert.below)::text AS below, round(daily.cost, 2)::text AS "dailyCost",
            round(greatest(0, balance.amount) / daily.cost, 1)::float8 AS "daysLeft",
            coalesce(balance.amount < alert.below, false) OR coalesce(balance.amount < 2 * daily.cost, false) AS "isLow"
       FROM supplier_balances balance
       LEFT JOIN supplier_balance_alerts alert USING (supplier, currency)
       LEFT JOIN (${dailyCosts}) daily USING (supplier, currency)
      ORDER BY balance.supplier, balance.currency`,
  );
}

/** Makes the attention list show exactly the low balances. Ignores the stored balances of suppliers that are not configured. */
export async function reviewBalances(database: Database, configured: readonly string[]): Promise<void> {
  const low = (await listBalances(database)).filter(({ supplier, isLow }) => isLow && configured.includes(supplier));
  await listExactly(database, 'BALANCE_LOW', bySupplier(low, reasonOf));
}

/** Makes the attention list show whether a balance of this supplier is low. Leaves the entries of other suppliers. */
export async function reviewBalance(database: Database, supplier: string): Promise<void> {
  const low = (await listBalances(database)).filter((balance) => balance.isLow && balance.supplier === supplier);
  const [entry] = bySupplier(low, reasonOf);
  if (entry) await raiseAttention(database, entry.subject, 'BALANCE_LOW', entry.reason);
  else await clearAttention(database, { supplier }, ['BALANCE_LOW']);
}

function reasonOf({ amount, currency, below, dailyCost, daysLeft }: Balance): string {
  const lasts =
    dailyCost === null ? [] : [`lasts ${daysLeft} days, because our daily costs are ${markedCost(dailyCost)}`];
  const alert = below === null ? [] : [`the threshold is ${below}`];
  return [`The balance is ${amount} ${currency}`, ...lasts, ...alert].join('; ');
}
