/** Metrics of finished work: supplier calls, webhook deliveries and orders. */
import type { SupplierCall } from '../data/suppliers/supplier-calls';
import { Histogram, type Registry, Counter } from 'prom-client';

/** Upper bounds in seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Registers the histogram of supplier calls and returns the function that records a call. */
export function registerSupplierCalls(registry: Registry) {
  const calls = new Histogram({
    name: 'digital_goods_supplier_call_seconds',
    help: 'Supplier calls by family, kind of call and outcome.',
    labelNames: ['supplier', 'family', 'call', 'outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (labels: SupplierCall & { outcome: string }, seconds: number) => calls.observe({ ...labels }, seconds);
}

/** Registers the histogram of webhook deliveries and returns the function that records an attempt. */
export function registerDeliveries(registry: Registry) {
  const deliveries = new Histogram({
    name: 'digital_goods_webhook_delivery_seconds',
    help: 'Webhook delivery attempts by outcome.',
    labelNames: ['outcome'],
    buckets: BUCKETS,
    registers: [registry],
  });
  return (outcome: string, seconds: number) => deliveries.observe({ outcome }, seconds);
}

/** Registers the counter of ended orders and returns the function that counts an order. */
export function registerOrderEnds(registry: Registry) {
  const ends = new Counter({
    name: 'digital_goods_orders_ended_total',
    help: 'Ended orders by family, status and failure code.',
    labelNames: ['family', 'status', 'failure_code'],
    registers: [registry],
  });
  return ({ failureCode, ...labels }: { family: string; status: string; failureCode: string }) =>
    ends.inc({ ...labels, failure_code: failureCode });
}
