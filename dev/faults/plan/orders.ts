/** What is ordered, by whom and when. */
import type { Random } from '../random';

/** The collections of the API. */
export const collections = {
  VOUCHER: '/api/v1/orders',
  TOPUP: '/api/v1/topups/orders',
  ESIM: '/api/v1/esim/orders',
} as const;
export type Family = keyof typeof collections;

export interface PlannedOrder {
  /** Milliseconds after the beginning. */
  at: number;
  /** Which of the clients orders. */
  client: number;
  family: Family;
  /** The sandbox scenario whose body is posted, and what is different about it. */
  scenario: string;
  changes: Record<string, unknown>;
  reference: string;
  /** Where the notification mail goes. */
  email: string | null;
  /** Pays with the code of a delivered voucher, where there is one. */
  redeems: boolean;
  /** A create without an answer is sent once more with the same reference. */
  repeats: boolean;
  /** When its client reads it, in milliseconds after it was placed. */
  reads: number[];
}

/** Clients that order; each has a wallet of its own currency. The first one redeems vouchers. */
export const CLIENTS = 2;

/** The highest quantity of a voucher order. */
const MOST_VOUCHERS = 60;
/** Of the denomination that most vouchers are ordered in, so that several purchases show the same product. */
const CHEAPEST = 5;

const vouchers: readonly (readonly [number, string])[] = [
  [6, 'voucher_instant'],
  [6, 'voucher_bulk'],
  [2, 'voucher_url'],
  [2, 'voucher_range'],
  [4, 'voucher_delayed'],
  [3, 'voucher_partial'],
  [2, 'voucher_partial_then_failed'],
  [1, 'voucher_out_of_stock'],
  [2, 'voucher_timeout_fulfilled'],
  [3, 'voucher_slow'],
  [2, 'voucher_flaky'],
  [0.5, 'voucher_needs_operator'],
  [3, 'voucher_redeemable'],
];
const topups: readonly (readonly [number, string])[] = [
  [5, 'topup_instant'],
  [4, 'topup_pending'],
  [2, 'topup_failed_later'],
  [2, 'topup_flaky'],
  [2, 'topup_timeout_fulfilled'],
  [0.5, 'topup_supplier_blocked'],
  [1, 'topup_reject_recipient_barred'],
];
const esims: readonly (readonly [number, string])[] = [
  [5, 'esim_instant'],
  [2, 'esim_slow'],
  [1, 'esim_failed_now'],
  [1, 'esim_failed_later'],
  [2, 'esim_flaky'],
  [2, 'esim_timeout_fulfilled'],
];

/** The orders of a run, in the order they are placed. */
export function planOrders(random: Random, seed: number, seconds: number, rate: number): PlannedOrder[] {
  const orders: PlannedOrder[] = [];
  for (let at = 0; at < seconds * 1_000; at += (random.next() * 2_000) / rate) {
    orders.push(planOrder(random, Math.round(at), `faults-${seed}-${orders.length + 1}`));
  }
  return orders;
}

function planOrder(random: Random, at: number, reference: string): PlannedOrder {
  const family = random.pickWeighted<Family>([
    [5, 'VOUCHER'],
    [3, 'TOPUP'],
    [3, 'ESIM'],
  ]);
  const scenario = random.pickWeighted({ VOUCHER: vouchers, TOPUP: topups, ESIM: esims }[family]);
  const client = random.whole(0, CLIENTS - 1);
  const redeems = random.chance(0.5) && client === 0 && family !== 'VOUCHER';
  const email = random.chance(0.3) ? `${reference}@client.example` : null;
  const repeats = random.chance(0.5);
  const reads = Array.from({ length: random.whole(0, 3) }, () => random.whole(500, 30_000));
  const changes = scenario === 'voucher_bulk' ? planBulk(random) : {};
  return { at, client, family, scenario, changes, reference, email, redeems, repeats, reads };
}

function planBulk(random: Random): Record<string, unknown> {
  return { quantity: random.whole(2, MOST_VOUCHERS), denomination: CHEAPEST };
}
