/** Lists rates that are old, and rates and discounts with which a client gains in a circle. */
import type { Database } from '../../data/database/database';
import { firstNames } from '../../domain/first-names';
import { listExactly } from '../../data/attention/attention';
import { listRateCircles, listRedeemableDiscounts, type RedeemableDiscount } from '../../data/prices/losing-prices';
import { feedFaults, type FeedFaults } from '../../data/prices/kept-rate-files';
import { listHeldRates } from '../../data/prices/followed-rates';
import { FOLLOWED_MAX_HOURS, listOldRates, type OldRate } from '../../data/prices/reference-rates';
import { wholeService, type AttentionKind } from '../../domain/attention/attention-kinds';

/**
 * Makes the attention list show whether rates are older than `maxAgeHours` (0 allows every age), those that orders no longer use, and what
 * lets the rates grow old that follow the ECB.
 */
export async function reviewRateAges(database: Database, maxAgeHours: number): Promise<void> {
  const old = await listOldRates(database, maxAgeHours);
  const tooOld = old.filter(({ isTooOld }) => isTooOld);
  const followed = old.filter(({ isTooOld }) => !isTooOld);
  const age = maxAgeHours > 0 ? `older than ${maxAgeHours} hours` : 'too old for orders';
  await listForService(database, 'RATES_OLD', [
    ...(tooOld.length > 0
      ? [`Rates are ${age} (${tooOld.length}): ${textsOf(tooOld)}. Set each again, also if it is still right`]
      : []),
    ...(followed.length > 0
      ? [
          `Rates that follow the ECB are older than ${FOLLOWED_MAX_HOURS} hours (${followed.length}): ${textsOf(followed)}. Refresh them, or set each again`,
        ]
      : []),
    ...feedTexts(await feedFaults(database)),
  ]);
}

function feedTexts({ isSilent, missing }: FeedFaults): string[] {
  return [
    ...(isSilent
      ? ['Nothing was fetched from the ECB for 26 hours, although a rate follows it. Refresh the rates each hour']
      : []),
    ...(missing.length > 0
      ? [
          `The newest file of the ECB lacks currencies of rates that follow it (${missing.length}): ${firstNames(missing, ', ')}. Set these rates, and let them no longer follow`,
        ]
      : []),
  ];
}

const textsOf = (old: readonly OldRate[]) => firstNames(old.map(textOf), ', ');

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
