/** The guarantees about recharges. */
import { nameOf, type Check } from './broken';
import { type Facts, type OrderFact } from './facts';
import { hasEnded } from './gather';

export const rechargeGuarantees: Readonly<Record<string, Check>> = {
  'a recharge adds a plan to the profile of its first order, and is bought from the supplier of that profile':
    checkRecharges,
};

function checkRecharges({ orders }: Facts) {
  const known = new Map(orders.map((order) => [order.id, order]));
  return orders
    .filter(({ recharges }) => recharges !== undefined)
    .filter((order) => !isRecharge(order, known.get(order.recharges ?? 0)))
    .map((order) => ({
      orderIds: [order.id],
      detail: `${nameOf(order)}: shows ${order.iccid ?? 'no ICCID'} for a recharge of order ${order.recharges}`,
    }));
}

function isRecharge(order: OrderFact, first: OrderFact | undefined): boolean {
  if (!first || first.recharges !== undefined || first.client !== order.client) return false;
  const isDelivered = hasEnded(order) && order.status === 'DELIVERED';
  const sellers = new Set(first.sales.map(({ supplier }) => supplier));
  const isElsewhere = order.sales.some(({ supplier }) => !sellers.has(supplier));
  return order.iccid === (isDelivered ? first.iccid : undefined) && !isElsewhere;
}
