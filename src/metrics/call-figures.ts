/** What is counted and timed of calls to others: suppliers, and endpoints of webhooks. */
import { Histogram, type Registry } from 'prom-client';

/** Upper bounds in seconds: an answer from around the corner, and one that nearly timed out. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** How a call of a supplier ended, and after how many seconds. */
export type ObserveSupplierCall = (
  labels: { supplier: string; call: string; outcome: string },
  seconds: number,
) => void;

/** Registers the figures of suppliers' calls and tells how to add one. */
export function registerSupplierCalls(registry: Registry): ObserveSupplierCall {
  const calls = new Histogram({
    name: 'digital_goods_supplier_call_seconds',
    help: 'Calls of suppliers by what was called and how it ended.',
    labelNames: ['supplier', 'call', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (labels, seconds) => calls.observe(labels, seconds);
}

/** How a try to deliver a webhook ended, and after how many seconds. */
export type ObserveDelivery = (outcome: string, seconds: number) => void;

/** Registers the figures of webhook deliveries and tells how to add one. */
export function registerDeliveries(registry: Registry): ObserveDelivery {
  const deliveries = new Histogram({
    name: 'digital_goods_webhook_delivery_seconds',
    help: 'Tries to deliver a webhook by how they ended.',
    labelNames: ['outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (outcome, seconds) => deliveries.observe({ outcome }, seconds);
}
