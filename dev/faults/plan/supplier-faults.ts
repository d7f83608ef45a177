/**
 * Faults at the supplier and on the connection to it. A supplier without deduplication gets milder faults, because the
 * declared traits of its adapter must hold (when a lookup is conclusive, see `SupplierTraits`). Otherwise a lost
 * purchase looks like a late one.
 */
import type { Modes } from '../../simulator/modes';
import type { Random } from '../random';
import { badCodes, type Disturbance, type NetworkFault, type SupplierCall } from './disturbance';

/** The bounds of faults that keep the adapter's assumptions. */
export interface Bounds {
  requestDelayMs: number;
  /** The highest age of a purchase that lookups may hide. */
  lookupLiesMs: number;
  simulatorFreezeMs: number;
  deduplicates: boolean;
}

// Without deduplication request delay, freeze and late lookups may add up: their sum stays below the 17 s
// after which the adapter calls an empty lookup conclusive.
const honest: Bounds = { requestDelayMs: 4_000, lookupLiesMs: 4_000, simulatorFreezeMs: 4_000, deduplicates: false };
const deduplicating: Bounds = {
  requestDelayMs: 25_000,
  lookupLiesMs: 45_000,
  simulatorFreezeMs: 20_000,
  deduplicates: true,
};

/** The bounds for a supplier with or without deduplication. */
export function boundsOf(deduplicates: boolean): Bounds {
  return deduplicates ? deduplicating : honest;
}

/** A fault between the service and its supplier. */
export function planNetworkFault(random: Random, bounds: Bounds): Disturbance {
  const on = random.pickWeighted<SupplierCall>([
    [5, 'purchase'],
    [4, 'lookup'],
    [1, 'esim'],
  ]);
  const fault = { purchase: purchaseFault, lookup: lookupFault, esim: esimFault }[on](random, bounds);
  const share = random.pick([0.3, 0.7, 1]);
  return { kind: 'network', supplier: 'simulator', fault, on, share, ms: random.whole(3_000, 15_000) };
}

function purchaseFault(random: Random, bounds: Bounds): NetworkFault {
  const by = random.pick(['silence', 'reset'] as const);
  const page = random.pick(['supplier', 'html'] as const);
  const harmless: NetworkFault[] = [
    { name: 'lose-request', by },
    { name: 'lose-answer', by },
    { name: 'delay-request', ms: random.whole(500, bounds.requestDelayMs) },
    // The most frequent fault, because it is the hardest to distinguish from a lost request.
    { name: 'late-request', ms: random.whole(500, bounds.requestDelayMs) },
    { name: 'late-request', ms: bounds.requestDelayMs },
    { name: 'late-request', ms: bounds.requestDelayMs },
    { name: 'delay-answer', ms: random.whole(500, 25_000) },
    { name: 'cut-answer' },
    { name: 'truncate-json' },
    { name: 'old-answer', age: Infinity },
    { name: 'endless-answer' },
    { name: 'bad-code', code: random.pick(badCodes) },
    // A status alone proves nothing: a gateway's answer is the same whether the purchase ran or not.
    ...gatewayPages(random, 'forge-answer'),
    ...gatewayPages(random, 'refuse'),
    { name: 'refuse', status: random.pick([503, 429, 401]), page },
  ];
  // A false rejection after a purchase is detectable only if the supplier deduplicates.
  const lies: NetworkFault[] = [
    { name: 'repeat-request', afterMs: random.whole(0, 20_000) },
    { name: 'forge-answer', status: random.pick([503, 429, 422, 401]), page: 'supplier' },
  ];
  return random.pick(bounds.deduplicates ? [...harmless, ...lies] : harmless);
}

function lookupFault(random: Random, { lookupLiesMs }: Bounds): NetworkFault {
  const by = random.pick(['silence', 'reset'] as const);
  return random.pick<NetworkFault>([
    { name: 'lose-answer', by },
    { name: 'delay-answer', ms: random.whole(500, 20_000) },
    { name: 'cut-answer' },
    { name: 'truncate-json' },
    { name: 'forge-answer', status: random.pick([500, 503, 404, 422, 401]), page: 'supplier' },
    ...gatewayPages(random, 'forge-answer'),
    { name: 'endless-answer' },
    { name: 'many-rows' },
    { name: 'bad-code', code: random.pick(badCodes) },
    { name: 'empty-lookup', age: lookupLiesMs },
    { name: 'old-answer', age: lookupLiesMs },
  ]);
}

/** All statuses of gateways, firewalls and load balancers. Some look like success. */
const gatewayStatuses = [
  200, 204, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 413, 414, 415, 417,
  418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524,
  530,
];

/** Two entries, so that pages are as frequent as intended. */
export function gatewayPages(random: Random, name: 'forge-answer' | 'refuse'): NetworkFault[] {
  return [1, 2].map(() => ({
    name,
    status: random.pick(gatewayStatuses),
    page: random.pick(['html', 'json', 'empty'] as const),
  }));
}

const implausibleTimes = [
  '-271821-04-20T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '1999-12-31T23:59:59.000Z',
  '2099-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
];

function esimFault(random: Random): NetworkFault {
  return random.pick<NetworkFault>([
    { name: 'implausible-times', at: random.pick(implausibleTimes) },
    ...gatewayPages(random, 'forge-answer'),
    { name: 'endless-answer' },
  ]);
}

const skus = ['SIM-GC-COFFEE-US', 'SIM-GC-PARTIAL', 'SIM-GC-DELAYED', 'SIM-TU-LIBERTY-AIRTIME'] as const;

/** A supplier that misbehaves for one product or for all. */
export function planMisbehaviour(random: Random, bounds: Bounds): Disturbance {
  const sku = random.chance(0.5) ? random.pick(skus) : null;
  const modes = { ...modesOf(random, bounds), ...(random.chance(0.5) && modesOf(random, bounds)) };
  return { kind: 'supplier', modes, sku, ms: random.whole(4_000, 25_000) };
}

function modesOf(random: Random, { deduplicates, lookupLiesMs }: Bounds): Modes {
  const calls = random.pick([{ calls: 1 }, { calls: 2 }, {}]);
  const by = random.pick(['silence', 'reset'] as const);
  const sometimes: Modes[] = [
    { busy: { ...calls, status: random.pick([503, 429] as const), retry_after_seconds: 7 * 3_600 } },
    { answer_lost: { ...calls, when: 'before_buying', by } },
    { answer_lost: { ...calls, when: 'after_buying', by } },
    { known_after_ms: random.whole(500, lookupLiesMs) },
    { known_after_ms: lookupLiesMs, answer_lost: { ...calls, when: 'after_buying', by: 'reset' } },
    { second_row: random.pick(['refused_first', 'refused_last', 'delivered'] as const) },
    { half_json: random.pick([['purchase'], ['lookup'], ['purchase', 'lookup']] as const).slice() },
    { wrong_count: random.pick([-1, 1]) },
    { repeated_goods: random.pick(['within_answer', 'from_another_purchase'] as const) },
    { unreadable_units: [1] },
    { bad_expiry_units: [1, 2] },
    { account_blocked: { on: random.pick([['purchase'], ['lookup']] as const).slice(), status: 402 } },
    { delay_ms: { purchase: random.whole(500, 20_000) } },
    { silent: random.pick([['purchase'], ['lookup']] as const).slice() },
  ];
  if (deduplicates) sometimes.push({ forgotten_after_ms: random.whole(500, 10_000) });
  return random.pick(sometimes);
}
