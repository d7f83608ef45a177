/** Reports changes of plans that operators must see: large changes of prices, which go on sale at once, and stopped sources. */
import { isLargeChange, priceChangeText, type PriceChange } from '../../domain/prices/price-changes';
import { firstRow, type Database, type Transaction } from '../database/database';
import { raiseAttention } from '../operations/attention';
import type { StoppedSource } from './plan-sources';

/** The price that a supplier lists for a plan, before and after a list. Amounts are decimal strings. */
export interface PlanPrices {
  /** The variant. */
  id: number;
  before: string;
  currencyBefore: string;
  after: string;
  currency: string;
}

/** The maximum number of changes that the newest part of an entry names. */
const MAX_NAMED = 10;
/** The maximum number of characters of an entry. The oldest changes are cut off. */
const MAX_LENGTH = 2_000;

/**
 * Puts the supplier on the attention list if its list changed prices by more than `limitPercent`, changed their currency, or stopped
 * sources. Adds the changes to an entry that no operator has settled yet.
 */
export async function reportPlanChanges(
  database: Database,
  { supplier, productId }: { supplier: string; productId: number },
  {
    prices,
    limitPercent,
    stopped,
  }: { prices: readonly PlanPrices[]; limitPercent: number; stopped: readonly StoppedSource[] },
  transaction: Transaction,
): Promise<void> {
  const large = prices.map(changeOf).filter((change) => isLargeChange(change, limitPercent));
  const texts = [...large.map(priceChangeText), ...stopped.map(stoppedText)];
  if (texts.length === 0) return;
  const named = texts.slice(0, MAX_NAMED).join('. ');
  const newest = `Plans of eSIM product ${productId} changed at the supplier (${texts.length}): ${named}`;
  const open = await firstRow<{ reason: string }>(
    database,
    `SELECT reason FROM attention WHERE supplier = $supplier AND kind = 'PLAN_CHANGED' AND cleared_at IS NULL`,
    { supplier },
    transaction,
  );
  const reason = [newest, ...(open ? [open.reason] : [])].join('. ').slice(0, MAX_LENGTH);
  await raiseAttention(database, { supplier }, 'PLAN_CHANGED', reason, transaction);
}

function stoppedText({ id, supplier, itemId }: StoppedSource): string {
  return `Source ${id} of variant ${itemId} at ${supplier} is inactive, because its data or validity differs now`;
}

/** Prices in different currencies are text, so that `isLargeChange` finds the change large. */
function changeOf({ id, before, currencyBefore, after, currency }: PlanPrices): PriceChange {
  const what = `Variant ${id} in ${currency}`;
  if (currency === currencyBefore) return { what, before, after };
  return { what: `Variant ${id}`, before: `${before} ${currencyBefore}`, after: `${after} ${currency}` };
}
