/**
 * What goes wrong, and when. A supplier that does not deduplicate is disturbed less: what its adapter
 * promises of it (look-ups are true so long after a purchase was sent, see `SupplierTraits`) must hold, or
 * nobody could tell a purchase that was lost from one that is late.
 */
import type { Modes } from '../../simulator/modes';
import type { Random } from '../random';

export const processes = ['api', 'worker', 'second-worker', 'simulator', 'temporal', 'postgres'] as const;
export type ProcessName = (typeof processes)[number];

/** The connections that go through a proxy of ours: of the stack's own programs, and of the second worker. */
export const sides = ['stack', 'second-worker'] as const;
export type Side = (typeof sides)[number];
export type Server = 'postgres' | 'temporal';

/** The calls of the supplier that are meddled with. */
export type SupplierCall = 'purchase' | 'lookup';

/** What happens to a call on its way to the supplier and back. Times in milliseconds. */
export type NetworkFault =
  | { name: 'lose-request'; by: 'silence' | 'reset' }
  | { name: 'lose-answer'; by: 'silence' | 'reset' }
  | { name: 'delay-request'; ms: number }
  | { name: 'delay-answer'; ms: number }
  /** The connection breaks at once, and the request reaches the supplier all the same, so much later. */
  | { name: 'late-request'; ms: number }
  | { name: 'repeat-request'; afterMs: number }
  /** The connection breaks in the middle of the answer; or the answer is whole and its JSON is not. */
  | { name: 'cut-answer' | 'truncate-json' }
  /** The call is carried out, and answered otherwise: in the supplier's words, or in those of a gateway. */
  | { name: 'forge-answer'; status: number; words: 'supplier' | 'gateway' }
  /** The call is not carried out. */
  | { name: 'refuse'; status: number; words: 'supplier' | 'gateway' }
  /** Look-ups of purchases first seen less than `age` ago show nothing, or what was asked by another reference. */
  | { name: 'empty-lookup' | 'old-answer'; age: number };

export type OperatorAct =
  | 'cancel'
  | 'ask-again'
  | 'decide'
  | 'reset'
  | 'terminate-order'
  | 'delete-order'
  | 'terminate-follower'
  | 'terminate-maintenance';

export type Disturbance =
  | { kind: 'kill'; process: ProcessName }
  | { kind: 'freeze'; process: ProcessName; ms: number }
  | { kind: 'cut'; server: Server; side: Side; how: 'refuse' | 'silence'; ms: number }
  | { kind: 'slow'; server: Server; side: Side; delayMs: number; ms: number }
  | { kind: 'network'; fault: NetworkFault; on: SupplierCall; share: number; ms: number }
  | { kind: 'supplier'; modes: Modes; sku: string | null; ms: number }
  | { kind: 'outage'; ms: number }
  | { kind: 'account'; ms: number }
  | { kind: 'receiver'; ms: number }
  /** `choice` (0 to 1) picks one of those it can be done to. */
  | { kind: 'operator'; act: OperatorAct; choice: number };

export type PlannedDisturbance = Disturbance & {
  /** Milliseconds after the beginning. */
  at: number;
};

/** Waits between two disturbances. */
const SHORTEST_PAUSE_MS = 1_500;
const LONGEST_PAUSE_MS = 6_000;

/** What a supplier may do without breaking what its adapter relies on. */
interface Bounds {
  requestDelayMs: number;
  /** How old a purchase may be of which look-ups still lie. */
  lookupLiesMs: number;
  simulatorFreezeMs: number;
  deduplicates: boolean;
}

// Without deduplication request delay, freeze and late look-ups may add up: their sum stays below the 17 s
// after which the adapter calls an empty look-up conclusive.
const honest: Bounds = {
  requestDelayMs: 4_000,
  lookupLiesMs: 4_000,
  simulatorFreezeMs: 4_000,
  deduplicates: false,
};
const deduplicating: Bounds = {
  requestDelayMs: 25_000,
  lookupLiesMs: 45_000,
  simulatorFreezeMs: 20_000,
  deduplicates: true,
};

/** The disturbances of a run, in the order they begin. */
export function planDisturbances(random: Random, seconds: number, dedup: boolean): PlannedDisturbance[] {
  const bounds = dedup ? deduplicating : honest;
  const planned: PlannedDisturbance[] = [];
  for (let at = 4_000; at < seconds * 1_000; at += random.whole(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS)) {
    planned.push({ at, ...planDisturbance(random, bounds) });
  }
  return planned;
}

function planDisturbance(random: Random, bounds: Bounds): Disturbance {
  const make = random.pickWeighted<(random: Random, bounds: Bounds) => Disturbance>([
    [4, planKill],
    [3, planFreeze],
    [2, planCut],
    [1, planSlow],
    [7, planNetworkFault],
    [7, planMisbehaviour],
    [0.7, (chance) => ({ kind: 'outage', ms: chance.whole(2_000, 15_000) })],
    [0.7, (chance) => ({ kind: 'account', ms: chance.whole(2_000, 15_000) })],
    // Longer than one retry of an event, and its second one is minutes away.
    [0.5, (chance) => ({ kind: 'receiver', ms: chance.whole(1_000, 4_000) })],
    [7, planOperator],
  ]);
  return make(random, bounds);
}

function planKill(random: Random): Disturbance {
  return { kind: 'kill', process: random.pick(processes) };
}

function planFreeze(random: Random, { simulatorFreezeMs }: Bounds): Disturbance {
  const process = random.pick(processes);
  const longest = process === 'simulator' ? simulatorFreezeMs : 20_000;
  return { kind: 'freeze', process, ms: random.whole(1_000, longest) };
}

function planCut(random: Random): Disturbance {
  return {
    ...{ kind: 'cut', server: random.pick(['postgres', 'temporal'] as const), side: random.pick(sides) },
    ...{ how: random.pick(['refuse', 'silence'] as const), ms: random.whole(1_000, 20_000) },
  };
}

function planSlow(random: Random): Disturbance {
  return {
    ...{ kind: 'slow', server: random.pick(['postgres', 'temporal'] as const), side: random.pick(sides) },
    ...{ delayMs: random.whole(20, 300), ms: random.whole(3_000, 15_000) },
  };
}

function planNetworkFault(random: Random, bounds: Bounds): Disturbance {
  const on = random.pick(['purchase', 'lookup'] as const);
  const fault = on === 'purchase' ? purchaseFault(random, bounds) : lookupFault(random, bounds);
  return { kind: 'network', fault, on, share: random.pick([0.3, 0.7, 1]), ms: random.whole(3_000, 15_000) };
}

function purchaseFault(random: Random, bounds: Bounds): NetworkFault {
  const by = random.pick(['silence', 'reset'] as const);
  const words = random.pick(['supplier', 'gateway'] as const);
  const harmless: NetworkFault[] = [
    { name: 'lose-request', by },
    { name: 'lose-answer', by },
    { name: 'delay-request', ms: random.whole(500, bounds.requestDelayMs) },
    // The hardest to tell from a lost one, so the most often.
    { name: 'late-request', ms: random.whole(500, bounds.requestDelayMs) },
    { name: 'late-request', ms: bounds.requestDelayMs },
    { name: 'late-request', ms: bounds.requestDelayMs },
    { name: 'delay-answer', ms: random.whole(500, 25_000) },
    { name: 'cut-answer' },
    { name: 'truncate-json' },
    { name: 'old-answer', age: Infinity },
    { name: 'forge-answer', status: random.pick([500, 502, 503, 429, 422]), words: 'gateway' },
    { name: 'refuse', status: random.pick([503, 429, 401]), words },
  ];
  // Who bought and says in so many words that he did not is found out only where he knows the reference again.
  const lies: NetworkFault[] = [
    { name: 'repeat-request', afterMs: random.whole(0, 20_000) },
    { name: 'forge-answer', status: random.pick([503, 429, 422, 401]), words: 'supplier' },
  ];
  return random.pick(bounds.deduplicates ? [...harmless, ...lies] : harmless);
}

function lookupFault(random: Random, { lookupLiesMs }: Bounds): NetworkFault {
  const by = random.pick(['silence', 'reset'] as const);
  const words = random.pick(['supplier', 'gateway'] as const);
  return random.pick<NetworkFault>([
    { name: 'lose-answer', by },
    { name: 'delay-answer', ms: random.whole(500, 20_000) },
    { name: 'cut-answer' },
    { name: 'truncate-json' },
    { name: 'forge-answer', status: random.pick([500, 503, 404, 422, 401]), words },
    { name: 'empty-lookup', age: lookupLiesMs },
    { name: 'old-answer', age: lookupLiesMs },
  ]);
}

const skus = ['SIM-GC-COFFEE-US', 'SIM-GC-PARTIAL', 'SIM-GC-DELAYED', 'SIM-TU-LIBERTY-AIRTIME'] as const;

function planMisbehaviour(random: Random, bounds: Bounds): Disturbance {
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

function planOperator(random: Random): Disturbance {
  const act = random.pickWeighted<OperatorAct>([
    [5, 'cancel'],
    [1, 'ask-again'],
    [4, 'decide'],
    [4, 'reset'],
    [1.5, 'terminate-order'],
    [1, 'delete-order'],
    [1, 'terminate-follower'],
    [0.5, 'terminate-maintenance'],
  ]);
  return { kind: 'operator', act, choice: random.next() };
}
