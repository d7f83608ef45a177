/** What is counted of orders as they end. */
import { Counter, type Registry } from 'prom-client';

/** An order has ended. */
export type CountEnd = (end: { family: string; status: string; failureCode: string }) => void;

/** Registers the count of orders that ended and tells how to add one. */
export function registerOrderEnds(registry: Registry): CountEnd {
  const ends = new Counter({
    name: 'digital_goods_orders_ended_total',
    help: 'Orders that ended, by how and why.',
    labelNames: ['family', 'status', 'failure_code'],
    registers: [registry],
  });
  return ({ family, status, failureCode }) => ends.inc({ family, status, failure_code: failureCode });
}
