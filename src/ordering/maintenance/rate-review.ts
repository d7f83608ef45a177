/** Lists rates that are old, and rates and discounts with which a client gains in a circle. */
import type { Database } from '../../data/database/database';
import { firstNames } from '../../domain/first-names';
import { listExactly } from '../../data/attention/attention';
import {
  listRateCircles,
  listRedeemableDiscounts,
  type RedeemableDiscount,
} from '../../data/prices/rate-circles';
import { listHeldRates } from '../../data/prices/followed-rates';
import { listOldRates, type OldRate } from '../../data/prices/reference-rates';
import { wholeService, type AttentionKind } from '../../domain/attention/attention-kinds';

/** Makes the attention list show whether rates are older than `maxAgeHours` (0 allows every age), and those that orders no longer use. */
export async function reviewRateAges(database: Database, maxAgeHours: number): Promise<void> {
  const old = await listOldRates(database, maxAgeHours);
  const named = firstNames(old.map(textOf), ', ');
  const age = maxAgeHours > 0 ? `older than ${maxAgeHours} hours` : 'too old for orders';
  const reason = `Rates are ${age} (${old.length}): ${named}. Set each again, also if it is still right`;
  await listForService(database, 'RATES_OLD', old.length > 0 ? [reason] : []);
}

function textOf({ kind, source, destination, asOf, hasStopped }: OldRate): string {
  const text = `${kind} ${source}/${destination} of ${asOf.toISOString()}`;
  return hasStopped ? `${text} (no order uses it any more)` : text;
}

/** Makes the attention list show the rates of a feed that wait for a person. */
export async function reviewHeldRates(database: Database): Promise<void> {
  const held = await listHeldRates(database);
  const reason = `Rates wait for a person (${held.length}): ${firstNames(held, '; ')}. The old rates apply`;
  await listForService(database, 'RATE_HELD', held.length > 0 ? [reason] : []);
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
