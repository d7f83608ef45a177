/** Reports large changes of plans' prices, which go on sale at once. */
import { isLargeChange, priceChangeText, type PriceChange } from '../../domain/prices/price-changes';
import { firstRow, type Database, type Transaction } from '../database/database';
import { raiseAttention } from '../operations/attention';

/** The price that a supplier lists for a plan, before and after a list. Amounts are decimal strings. */
export interface PlanPrices {
  /** The variant. */
  id: number;
  before: string;
  currencyBefore: string;
  after: string;
  currency: string;
}

/** The maximum number of plans that the newest part of an entry names. */
const MAX_NAMED = 10;
/** The maximum number of characters of an entry. The oldest changes are cut off. */
const MAX_LENGTH = 2_000;

/**
 * Puts the supplier on the attention list if prices changed by more than `limitPercent`, or changed their currency. Adds them to an
 * entry that no operator has settled yet.
 */
export async function reportPlanPrices(
  database: Database,
  { supplier, productId }: { supplier: string; productId: number },
  { prices, limitPercent }: { prices: readonly PlanPrices[]; limitPercent: number },
  transaction: Transaction,
): Promise<void> {
  const large = prices.map(changeOf).filter((change) => isLargeChange(change, limitPercent));
  if (large.length === 0) return;
  const named = large.slice(0, MAX_NAMED).map(priceChangeText).join('. ');
  const newest = `Prices of plans of eSIM product ${productId} changed at the supplier, and are on sale (${large.length}): ${named}`;
  const open = await firstRow<{ reason: string }>(
    database,
    `SELECT reason FROM attention WHERE supplier = $supplier AND kind = 'PLAN_PRICE_CHANGED' AND cleared_at IS NULL`,
    { supplier },
    transaction,
  );
  const reason = [newest, ...(open ? [open.reason] : [])].join('. ').slice(0, MAX_LENGTH);
  await raiseAttention(database, { supplier }, 'PLAN_PRICE_CHANGED', reason, transaction);
}

/** Prices in different currencies are text, so that `isLargeChange` finds the change large. */
function changeOf({ id, before, currencyBefore, after, currency }: PlanPrices): PriceChange {
  const what = `Variant ${id} in ${currency}`;
  if (currency === currencyBefore) return { what, before, after };
  return { what: `Variant ${id}`, before: `${before} ${currencyBefore}`, after: `${after} ${currency}` };
}
