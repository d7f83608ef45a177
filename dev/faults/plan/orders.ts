/** The planned orders: content, client and time. */
import type { Random } from '../random';
import type { SupplierName } from './suppliers';

/** The collections of the API. */
export const collections = {
  VOUCHER: '/api/v1/orders',
  TOPUP: '/api/v1/topups/orders',
  ESIM: '/api/v1/esim/orders',
} as const;
export type Family = keyof typeof collections;

export interface PlannedOrder {
  /** Milliseconds after the start. */
  at: number;
  /** The supplier that lists the item. */
  supplier: SupplierName;
  /** The ordering client. */
  client: number;
  family: Family;
  /** The sandbox scenario of the request body, and its overrides. */
  scenario: string;
  changes: Record<string, unknown>;
  reference: string;
  /** The address of the notification mail. */
  email: string | null;
  /** Pays with the code of a delivered voucher, if one exists. */
  redeems: boolean;
  /** Whether an unanswered order request is repeated with the same reference. */
  repeats: boolean;
  /** The time of the client's read, in milliseconds after the placement. */
  reads: number[];
}

/** Clients that order; each has a wallet of its own currency. The first one redeems vouchers. */
export const CLIENTS = 2;

/** The highest quantity of a voucher order. */
const MOST_VOUCHERS = 60;
/** The most frequent denomination, so that several purchases have the same product. */
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
  [2, 'voucher_held'],
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

/** The orders of a run, in the order of their placement. */
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
  const how = { reference, email, redeems, repeats, reads };
  return { at, supplier: 'simulator', client, family, scenario, changes, ...how };
}

function planBulk(random: Random): Record<string, unknown> {
  return { quantity: random.whole(2, MOST_VOUCHERS), denomination: CHEAPEST };
}
