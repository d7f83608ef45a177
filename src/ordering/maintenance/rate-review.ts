/** Lists rates that are old, and rates and discounts with which a client gains in a circle. */
import type { Database } from '../../data/database/database';
import { firstNames } from '../../domain/first-names';
import { listExactly } from '../../data/attention/attention';
import {
  listRateCircles,
  listRedeemableDiscounts,
  type RedeemableDiscount,
} from '../../data/prices/rate-circles';
import { listOldRates, type OldRate } from '../../data/prices/reference-rates';
import { wholeService, type AttentionKind } from '../../domain/attention/attention-kinds';

/** Makes the attention list show whether rates are older than `maxAgeHours`; 0 allows every age. */
export async function reviewRateAges(database: Database, maxAgeHours: number): Promise<void> {
  const old = maxAgeHours === 0 ? [] : await listOldRates(database, maxAgeHours);
  const named = firstNames(old.map(textOf), ', ');
  const reason = `Rates are older than ${maxAgeHours} hours (${old.length}): ${named}. Set each again, also if it is still right`;
  await listForService(database, 'RATES_OLD', old.length > 0 ? [reason] : []);
}

function textOf({ kind, source, destination, updatedAt }: OldRate): string {
  return `${kind} ${source}/${destination} of ${updatedAt.toISOString()}`;
}

/**
 * Makes the attention list show the chains of rates whose product is below 1, which an earlier release allowed, and the discounts of
 * redeemable products.
 */
export async function reviewRateCircles(database: Database): Promise<void> {
  const circles = await listRateCircles(database);
  const discounts = (await listRedeemableDiscounts(database)).map(discountText);
  await listForService(database, 'RATES_CIRCLE', [
    ...(circles.length > 0
      ? [
          `A client gains in a circle of rates (${circles.length}): ${firstNames(circles, '; ')}. Raise a rate of each until its product is 1`,
        ]
      : []),
    ...(discounts.length > 0
      ? [
          `Discounts are set for redeemable products (${discounts.length}), with which a client would gain: ${firstNames(discounts, '; ')}. No order applies them. Clear them`,
        ]
      : []),
  ]);
}

function discountText({ productId, product, percent }: RedeemableDiscount): string {
  return `voucher product ${productId} (${product}) ${percent} %`;
}

/** Makes these reasons the only entry of the kind; none clears it. */
function listForService(database: Database, kind: AttentionKind, reasons: readonly string[]): Promise<void> {
  const entries = reasons.length > 0 ? [{ subject: wholeService, reason: reasons.join('. ') }] : [];
  return listExactly(database, kind, entries);
}
