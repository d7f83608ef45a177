/** The guarantee that no one moves a value that decides money, or pays a unit back twice, without a second person. */
import { Decimal } from 'decimal.js';
import { query } from '../../stack/postgres';
import { refundOf } from '../actors/after-sale';
import type { AfterSaleFacts, ClaimFact, RefundFact, ReplacementFact } from './after-sale-facts';
import type { Check } from './broken';
import type { Facts, OrderFact, PriceFact, ReplacedUnit } from './facts';

/** docs/operators/catalogue.md#prices-and-catalogue: `PRICE_CHANGE_LIMIT_PERCENT`, and the time after which a value is confirmed. */
const LIMIT_PERCENT = 20;
const CONFIRMED_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * The changes of before the rule about prices are forced by honest people. A product that becomes redeemable doubles in value, and so does a
 * SKU that becomes a card. What decides money about a product goes by the SKU of its supplier, also that of a new row.
 */
const PRICES = `
  WITH change AS (
    SELECT *, split_part(object, '/', 1) AS kind FROM audit_entries
  ), value AS (
    SELECT id, object AS of, before ->> 'rate' AS before, after ->> 'rate' AS after FROM change WHERE kind = 'rate' AND (before ? 'rate' OR after ? 'rate')
    UNION ALL
    SELECT id, object, 1 - (before ->> 'discount_percent')::numeric / 100 || '', 1 - (after ->> 'discount_percent')::numeric / 100 || ''
      FROM change WHERE kind = 'discount'
    UNION ALL
    SELECT id, 'redeemable/' || object, '1', '2' FROM change WHERE kind = 'voucher_product' AND after ->> 'redeemable' = 'true'
    UNION ALL
    SELECT id, format('%s of product %s', bound, after ->> 'product_id'), NULL, after ->> bound
      FROM change CROSS JOIN unnest(ARRAY['min_value', 'max_value']) bound WHERE kind = 'voucher_denomination' AND action LIKE '%.created'
    UNION ALL
    SELECT id, format('amount of %s %s', after ->> 'supplier', after ->> 'supplier_sku'), NULL, after #>> '{fixed_amounts,0}'
      FROM change WHERE kind = 'topup_variant' AND action LIKE '%.created'
    UNION ALL
    SELECT id, format('price of product %s', after ->> 'product_id'), coalesce(1 - (before ->> 'discount_percent')::numeric / 100, 1) || '',
           1 - (after ->> 'discount_percent')::numeric / 100 || ''
      FROM change WHERE kind = 'voucher_denomination' AND after ? 'discount_percent'
    UNION ALL
    SELECT id, format('family of %s %s', after ->> 'supplier', after ->> 'sku'), NULL, CASE after ->> 'family' WHEN 'VOUCHER' THEN '2' ELSE '1' END
      FROM change WHERE kind = 'source' AND action LIKE '%.created'
    UNION ALL
    SELECT id, format('cost of %s %s', after ->> 'supplier', after ->> 'sku'), NULL, after ->> 'cost_percent'
      FROM change WHERE kind = 'source' AND action LIKE '%.created' AND after ->> 'cost_percent' IS NOT NULL
  )
  SELECT value.of, value.before, value.after, (extract(epoch FROM at) * 1000)::float8 AS at, coalesce(operator, 'no one') AS operator, approver,
         id < (SELECT min(id) FROM audit_entries WHERE object LIKE 'approval_rule/%' AND after ->> 'operation' = 'PRICE') AS "isGiven"
    FROM value JOIN change USING (id) ORDER BY id`;

export const readPrices = (databaseUrl: string): Promise<PriceFact[]> => query<PriceFact>(databaseUrl, PRICES);

export const fraudGuarantees: Readonly<Record<string, Check>> = {
  'no guarded value moves beyond the limit and no unit is paid back twice without a second person': (facts) => [
    ...checkPrices(facts),
    ...checkUnits(facts),
    ...checkReferences(facts),
  ],
};

function checkPrices({ prices }: Facts) {
  const objects = [...new Set(prices.map(({ of }) => of))];
  return objects.flatMap((of) => moved(prices.filter((price) => price.of === of)));
}

/** Compares each change with the last confirmed value. The price before a first discount is confirmed, and so is what a second person approved. */
function moved(changes: readonly PriceFact[]) {
  const [first] = changes;
  let confirmed = new Decimal(first?.before ?? (first?.of.startsWith('discount/') ? 1 : 0));
  let present = { value: confirmed, since: -Infinity };
  return changes.flatMap(({ of, after, at, operator, approver, isGiven }) => {
    if (at - present.since >= CONFIRMED_AFTER_MS && !isBeyond(confirmed, present.value)) confirmed = present.value;
    // A discount that is removed leaves the whole price.
    const value = new Decimal(after ?? (of.startsWith('discount/') ? 1 : 0));
    present = { value, since: at };
    if (approver !== null || isGiven) {
      confirmed = value;
      return [];
    }
    if (!isBeyond(confirmed, value)) return [];
    const detail = `${of}: ${operator} alone changed ${confirmed.toFixed()} to ${after ?? 'nothing'}`;
    return [{ orderIds: [], detail }];
  });
}

/** A value of which none was confirmed is a first one. */
function isBeyond(confirmed: Decimal, value: Decimal): boolean {
  return (
    value
      .minus(confirmed)
      .abs()
      .greaterThan(confirmed.times(LIMIT_PERCENT / 100)) && !confirmed.isZero()
  );
}

/** For each paid unit, refunds are at most its value, also those of the claims about its replacements. Rounding moves a share by a cent. */
function checkUnits({ orders, afterSale }: Facts) {
  const paid = new Map<string, { unit: ReplacedUnit; sum: Decimal; refunds: string[] }>();
  for (const refund of afterSale.refunds) {
    const unit = unitOf(refund, afterSale, orders);
    if (!unit) continue;
    const key = `${unit.orderId}/${unit.unit}`;
    const one = paid.get(key) ?? { unit, sum: new Decimal(0), refunds: [] };
    paid.set(key, { unit, sum: one.sum.plus(refund.amount), refunds: [...one.refunds, refund.reference] });
  }
  return [...paid.values()].flatMap(({ unit: { orderId, unit }, sum, refunds }) => {
    const order = orders.find(({ id }) => id === orderId);
    const value = order ? order.debited.dividedBy(order.quantity).plus('0.01') : new Decimal(0);
    if (sum.lessThanOrEqualTo(value)) return [];
    return [
      {
        orderIds: [orderId],
        detail: `unit ${unit} of order ${orderId}: ${sum.toFixed()} paid back by ${refunds.join(', ')}`,
      },
    ];
  });
}

/** The paid unit that the refund names, or that its claim is about. Undefined if it is for no unit in particular. */
function unitOf(
  { orderId, reference, unit }: RefundFact,
  { claims }: AfterSaleFacts,
  orders: readonly OrderFact[],
): ReplacedUnit | undefined {
  const claim = claims.find(({ id }) => refundOf(id) === reference);
  if (claim) return paidUnitOf(claim, orders);
  return unit === null ? undefined : { orderId, unit };
}

/** The unit that was paid, through any chain of replacements. */
export function paidUnitOf(
  { orderId, unit }: Pick<ClaimFact, 'orderId' | 'unit'>,
  orders: readonly OrderFact[],
): ReplacedUnit {
  const replaces = orders.find(({ id }) => id === orderId)?.replaces;
  return replaces ? paidUnitOf(replaces, orders) : { orderId, unit: unit ?? 1 };
}

/** The value of what a replacement gives: the price of the paid unit, which the first one of a chain took. */
export function valueOf({ orderId, amount }: ReplacementFact, replacements: readonly ReplacementFact[]): string {
  const earlier = replacements.find(({ id }) => id === orderId);
  return earlier ? valueOf(earlier, replacements) : amount;
}

/** References that differ only in case, width or invisible characters are one. */
function checkReferences({ afterSale: { refunds } }: Facts) {
  const keyOf = ({ orderId, reference }: RefundFact) =>
    `${orderId} ${reference
      .normalize('NFKC')
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
      .toLowerCase()}`;
  const keys = refunds.map(keyOf);
  return refunds
    .filter((refund, index) => keys.indexOf(keyOf(refund)) !== index)
    .map(({ orderId, reference }) => ({
      orderIds: [orderId],
      detail: `order ${orderId}: refunded again as ${JSON.stringify(reference)}`,
    }));
}
