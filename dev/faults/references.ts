/** Our references of purchases, as suppliers know them. */

/** The number of a successor is a multiple of this plus its first unit. The harness has its own copy of the service's rule. */
const SUCCESSOR_STEP = 100_000;

export interface PurchaseKey {
  orderId: number;
  /** The number of the order's first purchase for the same goods. A fake sells one unit at a time, so it stands for one. */
  first: number;
}

/** The order and the goods of a purchase. Zendit gets long references without their beginning. */
export function keyOf(reference: string): PurchaseKey | undefined {
  const [, orderId, short, long] = /^(?:order-)?(\d+)-[0-9a-z]+-(?:(\d{4})|x(\d{9}))$/.exec(reference) ?? [];
  if (orderId === undefined) return undefined;
  return { orderId: Number(orderId), first: Number(short ?? long) % SUCCESSOR_STEP };
}
