/** The guarantees about orders that replace units. The claims that they close are in `after-sale.ts`. */
import { Decimal } from 'decimal.js';
import { nameOf, type Check } from './broken';
import type { Facts, OrderFact } from './facts';
import { isLive, replacementsOf } from './inherited';

export const replacementGuarantees: Readonly<Record<string, Check>> = {
  'every order was requested, or replaces one unit at no charge': checkOrigins,
  'an order names the orders that replace its units': checkNamed,
  'a claimed order keeps its goods and its state': checkKept,
  'a replacement lowers what is left to refund by the price of its unit': checkPrices,
};

function checkOrigins({ orders, attempts }: Facts) {
  const requested = new Set(attempts.map(({ reference }) => reference));
  const byId = new Map(orders.map((order) => [order.id, order]));
  return orders
    .filter((order) => {
      if (!order.replaces) return !requested.has(order.reference);
      const old = byId.get(order.replaces.orderId);
      const isSameItem = old && itemOf(old) === itemOf(order);
      return !isSameItem || order.quantity !== 1 || order.reference !== '' || !isFree(order);
    })
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: ${originOf(order)}` }));
}

const itemOf = ({ client, family, product }: OrderFact) => [client, family, product].join(' ');

const isFree = ({ charged, hasTransaction, debits }: OrderFact) => charged === 0 && !hasTransaction && debits === 0;

function originOf({ replaces, product, quantity, reference, charged, hasTransaction, debits }: OrderFact) {
  if (!replaces) return `no order request has its reference ${reference || 'none'}`;
  const money = `charged ${charged}, ${hasTransaction ? 'a' : 'no'} transaction, ${debits} debits`;
  return `replaces unit ${replaces.unit} of order ${replaces.orderId} by ${quantity} of ${product}, reference ${reference || 'none'}, ${money}`;
}

function checkNamed({ orders }: Facts) {
  return orders.flatMap((order) => {
    const pairs = (named: readonly { orderId: number; unit: number }[]) =>
      named.map(({ orderId, unit }) => `${orderId} for unit ${unit}`).sort();
    const live = replacementsOf(order.id, orders).filter(isLive);
    const expected = pairs(live.map(({ id, replaces }) => ({ orderId: id, unit: replaces?.unit ?? 0 })));
    const named = pairs(order.replacements);
    if (String(named) === String(expected)) return [];
    const detail = `${nameOf(order)} names ${named.join(', ') || 'none'}, not ${expected.join(', ') || 'none'}`;
    return [{ orderIds: [order.id], detail }];
  });
}

/** A client claims units of delivered orders only. */
function checkKept({ orders }: Facts) {
  return orders.flatMap((order) => {
    const { claimed, status, codes, family } = order;
    // An eSIM that a device has installed shows its ICCID alone.
    const isKept = String(codes) === String(claimed) || (family === 'ESIM' && codes[0] === claimed?.[0]);
    if (!claimed || (status === 'DELIVERED' && isKept)) return [];
    const detail = `${nameOf(order)}: showed ${claimed.length} goods before its claim, now ${codes.length}, or others`;
    return [{ orderIds: [order.id], detail }];
  });
}

/**
 * A replacement takes the share of one unit, which rounding moves by at most a cent, and by another one for each earlier replacement that
 * failed.
 */
function checkPrices({ orders, afterSale: { replacements } }: Facts) {
  return orders.flatMap((order) => {
    const own = replacements.filter(({ orderId }) => orderId === order.id);
    const kept = order.debited.times(order.readable).dividedBy(order.quantity);
    const share = kept.dividedBy(Math.max(order.readable, 1));
    const tolerance = new Decimal('0.01').times(1 + own.filter((one) => !isLive(one)).length);
    return own
      .filter(({ amount }) => share.minus(amount).abs().greaterThan(tolerance))
      .map(({ id, amount }) => ({
        orderIds: [order.id, id],
        detail: `${nameOf(order)}: order ${id} takes ${amount}, a unit cost ${share.toFixed(4)}`,
      }));
  });
}
