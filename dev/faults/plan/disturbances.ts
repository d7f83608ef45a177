/** The disturbances of a run and their times. */
import type { Random } from '../random';
import { planAnswerChange } from './answer-changes';
import { boundsOf, planMisbehaviour, planNetworkFault, type Bounds } from './supplier-faults';
import { processes, loads, type OperatorAct, type Disturbance, type PlannedDisturbance, sides } from './disturbance';
import type { SupplierName } from './suppliers';
import { spaced } from './spaced';

const spacing = { first: 4_000, shortestPause: 1_500, longestPause: 6_000 };

/** The part of a run for which its own processes and servers may be out, so that most orders can be placed. */
const MAX_OUT = 1 / 3;

/** The disturbances of a run, in the order of their start. */
export function planDisturbances(random: Random, seconds: number, dedup: boolean): PlannedDisturbance[] {
  const bounds = boundsOf(dedup);
  return spaced(random, seconds, spacing, () => limited(planDisturbance(random, bounds), seconds * 1_000 * MAX_OUT));
}

/** The disturbances that every run has: a supplier whose responses are changed all the time, and calls with ended access. */
export function planConstantDisturbances(
  random: Random,
  seconds: number,
  suppliers: readonly SupplierName[],
): PlannedDisturbance[] {
  const ms = seconds * 1_000;
  return [
    { ...planAnswerChange(random, random.pick(suppliers)), at: 0, ms },
    { kind: 'ended-access', at: random.whole(0, ms / 2), ms: random.whole(5_000, 15_000) },
  ];
}

/** The disturbance, no longer than `maxMs` if nothing can be placed while it lasts. */
function limited(disturbance: Disturbance, maxMs: number): Disturbance {
  if (disturbance.kind !== 'cut' && disturbance.kind !== 'freeze') return disturbance;
  return { ...disturbance, ms: Math.min(disturbance.ms, maxMs) };
}

function planDisturbance(random: Random, bounds: Bounds): Disturbance {
  const make = random.pickWeighted<(random: Random, bounds: Bounds) => Disturbance>([
    [4, planKill],
    [3, planFreeze],
    [2, planCut],
    [1, planSlow],
    [7, planNetworkFault],
    [7, planMisbehaviour],
    [3, (chance) => planAnswerChange(chance, 'simulator')],
    [1, (chance) => ({ kind: 'busy-cores', ms: chance.whole(2_000, 15_000) })],
    [0.7, (chance) => ({ kind: 'outage', ms: chance.whole(2_000, 15_000) })],
    [0.7, (chance) => ({ kind: 'account', ms: chance.whole(2_000, 15_000) })],
    // Longer than one retry of an event, and its second one is minutes away.
    [0.5, (chance) => ({ kind: 'receiver', ms: chance.whole(1_000, 4_000) })],
    [7, planOperator],
    [2, planClockStep],
    [2, (chance) => ({ kind: 'signals', ms: chance.whole(2_000, 10_000) })],
    [1.5, (chance) => ({ kind: 'expensive-client', load: chance.pick(loads), ms: chance.whole(3_000, 8_000) })],
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
    kind: 'cut',
    server: random.pick(['postgres', 'temporal'] as const),
    side: random.pick(sides),
    how: random.pick(['refuse', 'silence'] as const),
    ms: random.whole(1_000, 20_000),
  };
}

function planSlow(random: Random): Disturbance {
  return {
    kind: 'slow',
    server: random.pick(['postgres', 'temporal'] as const),
    side: random.pick(sides),
    delayMs: random.whole(20, 300),
    ms: random.whole(3_000, 15_000),
  };
}

/** Seconds: from the drift of a machine without NTP to a wrong day. A plan of the sandbox runs for several days. */
function planClockStep(random: Random): Disturbance {
  const seconds = random.pick([random.whole(-60, -5), random.whole(5, 120), 3_600, 93_600]);
  return { kind: 'clock', seconds, ms: random.whole(2_000, 15_000) };
}

function planOperator(random: Random): Disturbance {
  const act = random.pickWeighted<OperatorAct>([
    [5, 'cancel'],
    [1, 'ask-again'],
    [4, 'decide'],
    [3, 'refund'],
    [4, 'reset'],
    [1.5, 'terminate-order'],
    [1, 'delete-order'],
    [1, 'terminate-monitor'],
    [0.5, 'terminate-maintenance'],
  ]);
  return { kind: 'operator', act, choice: random.next() };
}
