/** Broken guarantees. */
import type { Facts, OrderFact } from './facts';

/** A broken guarantee. */
export interface Broken {
  guarantee: string;
  /** The affected orders; empty if it concerns no order. */
  orderIds: number[];
  detail: string;
}

/** Finds what breaks one guarantee. */
export type Check = (facts: Facts) => Omit<Broken, 'guarantee'>[];

/** The order for people. */
export function nameOf({ id, family, status, listed }: OrderFact): string {
  const kinds = [...new Set(listed.map(({ kind }) => kind))].join(', ');
  return `order ${id} (${family}, ${status}${kinds && `, listed: ${kinds}`})`;
}
