/** The guarantees while suppliers describe their sales, costs and prices differently. */
import { nameOf, type Check } from './broken';
import type { Facts, OrderFact } from './facts';

export const changedAnswerGuarantees: Readonly<Record<string, Check>> = {
  'no unit is delivered that its supplier only described as another': checkDescriptions,
  'a cost above the known one is on the attention list': checkCosts,
  'no price follows the list of a supplier without a person': checkPrices,
};

/** Operators may deliver goods from elsewhere. */
function checkDescriptions({ orders }: Facts) {
  return orders
    .filter(({ isDecided, readable, quantity, misdescribed }) => !isDecided && readable > quantity - misdescribed)
    .map((order) => ({
      orderIds: [order.id],
      detail: `${nameOf(order)}: another ${[...order.changes].join(', ')} of ${order.misdescribed} units, ${order.readable} are readable`,
    }));
}

const aboutCosts: readonly string[] = ['COST_ABOVE_LISTED', 'SOLD_AT_LOSS', 'REPORT_IMPLAUSIBLE'];

/** Suppliers may also have stated the true cost of a purchase, before or after the other one. */
function checkCosts({ orders, listedSuppliers }: Facts) {
  const listed = listedSuppliers.filter(({ kind }) => aboutCosts.includes(kind)).map(({ supplier }) => supplier);
  return orders
    .filter(({ status, misstatedBy }) => status === 'DELIVERED' && misstatedBy.some((name) => !listed.includes(name)))
    .map((order) => ({ orderIds: [order.id], detail: `${nameOf(order)}: its cost is not listed` }));
}

/** Rounding moves the price of a unit by less than a cent. */
function checkPrices({ orders }: Facts) {
  const prices = new Map<string, OrderFact[]>();
  for (const order of orders.filter(({ debits }) => debits === 1)) {
    const item = `${order.client} ${order.scenario}`;
    prices.set(item, [...(prices.get(item) ?? []), order]);
  }
  const unitPrice = ({ debited, quantity }: OrderFact) => debited.dividedBy(quantity);
  return [...prices].flatMap(([item, [first, ...others]]) => {
    const other = first && others.find((order) => unitPrice(order).minus(unitPrice(first)).abs().greaterThan('0.01'));
    if (!first || !other) return [];
    const detail = `${item}: ${unitPrice(first).toFixed()}, then ${unitPrice(other).toFixed()}`;
    return [{ orderIds: [first.id, other.id], detail }];
  });
}
