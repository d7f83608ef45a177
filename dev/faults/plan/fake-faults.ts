/**
 * Faults at the fakes and on the connections to them. A fake buys again under a known reference if its documentation does not
 * promise otherwise. So the faults keep the declared traits of its adapter: requests do not arrive twice, and together a late
 * request, a slow purchase, a late lookup and a frozen fake take less than `lookupConclusiveAfterMs` (3 minutes at least).
 */
import type { Modes } from '../../../fakes/kit/modes';
import { FAKE_NAMES, type FakeName } from '../../stack/fakes';
import type { Random } from '../random';
import { planAnswerChange } from './answer-changes';
import type { Disturbance, NetworkFault, Outage, PlannedDisturbance, SupplierCall } from './disturbance';
import { gatewayPages } from './supplier-faults';
import { supplierNames } from './suppliers';
import { spaced } from './spaced';

const MAX_DELAY_MS = 25_000;
const MAX_WORK_MS = 20_000;
const LATEST_LOOKUP_MS = 45_000;
const MAX_FREEZE_MS = 20_000;

const spacing = { first: 3_000, shortestPause: 1_000, longestPause: 3_500 };

/** The disturbances of fakes, and the outages: at any time one of the suppliers is down, each in turn. */
export function planFakeDisturbances(random: Random, seconds: number): PlannedDisturbance[] {
  return [...planOutages(random, seconds), ...spaced(random, seconds, spacing, () => planDisturbance(random))];
}

function planOutages(random: Random, seconds: number): PlannedDisturbance[] {
  const inTurn = [...supplierNames];
  const first = random.whole(0, inTurn.length - 1);
  inTurn.push(...inTurn.splice(0, first));
  const ms = Math.ceil((seconds * 1_000) / inTurn.length);
  return inTurn.map((supplier, index) => {
    return { at: index * ms, kind: 'down', supplier, outage: planOutage(random), ms };
  });
}

/** The supplier accepts no connections or requests, never answers, or a gateway answers in its place. */
function planOutage(random: Random): Outage {
  return random.pick<Outage>([
    { name: 'unreachable' },
    { name: 'lose-request', by: 'reset' },
    { name: 'lose-request', by: 'silence' },
    { name: 'refuse', status: random.pick([502, 503, 504]), page: 'html' },
  ]);
}

function planDisturbance(random: Random): Disturbance {
  const supplier = random.pick(FAKE_NAMES);
  const make = random.pickWeighted<(random: Random, supplier: FakeName) => Disturbance>([
    [7, planNetworkFault],
    [5, planModes],
    [5, planAnswerChange],
    [0.7, (chance) => ({ kind: 'empty-account', supplier, ms: chance.whole(2_000, 10_000) })],
    [1, (chance) => ({ kind: 'freeze', process: supplier, ms: chance.whole(1_000, MAX_FREEZE_MS) })],
  ]);
  return make(random, supplier);
}

function planNetworkFault(random: Random, supplier: FakeName): Disturbance {
  const on = random.pickWeighted<SupplierCall>([
    [7, 'purchase'],
    [3, 'lookup'],
    [1, 'esim'],
  ]);
  const fault = { purchase: purchaseFault, lookup: lookupFault, esim: esimFault }[on](random);
  const share = random.pick([0.5, 1]);
  // Longer than a fault at the simulator, because each fake gets only some of the orders.
  return { kind: 'network', supplier, fault, on, share, ms: random.whole(6_000, 20_000) };
}

function purchaseFault(random: Random): NetworkFault {
  const by = random.pick(['silence', 'reset'] as const);
  return random.pick<NetworkFault>([
    { name: 'lose-request', by },
    { name: 'lose-answer', by },
    { name: 'lose-answer', by },
    { name: 'delay-request', ms: random.whole(500, MAX_DELAY_MS) },
    // The most frequent fault, because it is the hardest to distinguish from a lost request.
    { name: 'late-request', ms: random.whole(500, MAX_DELAY_MS) },
    ...Array.from({ length: 5 }, (): NetworkFault => ({ name: 'late-request', ms: MAX_DELAY_MS })),
    { name: 'delay-answer', ms: random.whole(500, MAX_DELAY_MS) },
    { name: 'cut-answer' },
    { name: 'truncate-json' },
    { name: 'old-answer', age: Infinity },
    { name: 'endless-answer' },
    ...busyPages(random),
    ...gatewayPages(random, 'forge-answer'),
    ...gatewayPages(random, 'refuse'),
  ]);
}

function lookupFault(random: Random): NetworkFault {
  return random.pick<NetworkFault>([
    { name: 'lose-answer', by: random.pick(['silence', 'reset'] as const) },
    { name: 'delay-answer', ms: random.whole(500, 20_000) },
    { name: 'cut-answer' },
    { name: 'truncate-json' },
    { name: 'endless-answer' },
    // The earlier answer may be an empty list, which names no reference.
    { name: 'old-answer', age: LATEST_LOOKUP_MS },
    ...busyPages(random),
    ...gatewayPages(random, 'forge-answer'),
  ]);
}

function esimFault(random: Random): NetworkFault {
  return random.pick<NetworkFault>([...gatewayPages(random, 'forge-answer'), { name: 'endless-answer' }]);
}

/** The usual pages of a gateway in front of a busy or broken supplier, whether the call ran or not. */
function busyPages(random: Random): NetworkFault[] {
  const page = random.pick(['html', 'json', 'empty'] as const);
  const status = random.pick([429, 502, 503, 504]);
  return [
    { name: 'refuse', status, page },
    { name: 'forge-answer', status, page },
  ];
}

/** The supplier's own codes: for rejections at once, and for purchases that it accepts and that fail later. */
const codes: Readonly<Record<FakeName, { atOnce: readonly string[]; later: readonly string[] }>> = {
  dtone: {
    atOnce: ['1000429', '1003001', '1006001', '1009001', '1009503'],
    later: [
      'DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE',
      'REJECTED-INSUFFICIENT-BALANCE',
      'DECLINED-BARRED-CREDIT-PARTY',
      'DECLINED-EXCEPTION',
    ],
  },
  reloadly: {
    atOnce: [
      '429',
      '503',
      'INSUFFICIENT_WALLET_BALANCE',
      'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE',
      'INVALID_PRODUCT',
      'TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT',
    ],
    later: ['FAILED', 'REFUNDED', 'TRANSACTION_REFUSED_BY_OPERATOR', 'INSUFFICIENT_BALANCE'],
  },
  zendit: {
    atOnce: ['SYSTEM_UNAVAILABLE', 'INSUFFICIENT_FUNDS', 'NOT_FOUND', 'INVALID_REQUEST', 'FAILED'],
    later: ['INSUFFICIENT_FUNDS', 'FAILED', 'FAIL', 'RECIPIENT_BARRED'],
  },
  airalo: {
    atOnce: ['11', '33', '34', '53', '429', '503', '200:34', 'quantity'],
    later: ['33', '53', '503', 'failed'],
  },
};

function planModes(random: Random, supplier: FakeName): Disturbance {
  const modes = { ...modesOf(random, supplier), ...(random.chance(0.4) && modesOf(random, supplier)) };
  return { kind: 'fake', supplier, modes, ms: random.whole(4_000, 20_000) };
}

function modesOf(random: Random, supplier: FakeName): Modes {
  const count = random.whole(1, 4);
  const { atOnce, later } = codes[supplier];
  return random.pick<Modes>([
    { takes_ms: random.whole(500, MAX_WORK_MS) },
    { lookup_after_ms: random.whole(500, LATEST_LOOKUP_MS) },
    { lookup_after_ms: LATEST_LOOKUP_MS, lost_responses: count },
    { lost_responses: count },
    { slow_ms: random.whole(500, MAX_WORK_MS) },
    { rejects: { code: random.pick(atOnce), count } },
    { fails_later: { code: random.pick(later), count } },
    { unknown_state: true },
    { additional_field: true },
    { gateway: { status: random.pick([429, 502, 503, 504]), count } },
    { nonsense: { form: random.pick(['error-under-200', 'half-json', 'empty'] as const), count } },
    { price_factor: random.pick([0.5, 2, 10]) },
    { vanished: true },
    { second_row: true },
    { numbers: true },
    { webhook: random.pick(['early', 'twice', 'forged', 'none'] as const) },
  ]);
}
