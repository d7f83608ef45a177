/** The disturbances of a run and their times. */
import type { Modes as FakeModes } from '../../../fakes/kit/modes';
import type { Modes } from '../../simulator/modes';
import type { FakeName } from '../../stack/fakes';
import type { Random } from '../random';
import { planAnswerChange, type ChangedAnswers } from './answer-changes';
import { boundsOf, planMisbehaviour, planNetworkFault, type Bounds } from './supplier-faults';
import type { Trick } from './fraud';
import type { MoneyAct } from './money';
import type { SupplierName } from './suppliers';
import { spaced } from './spaced';

export const processes = [
  'api',
  'worker',
  'second-worker',
  'bulk-worker',
  'simulator',
  'temporal',
  'postgres',
] as const;
/** A fake can be frozen, but not killed: it would forget its sales. */
export type ProcessName = (typeof processes)[number] | FakeName;

/** The connections through a proxy: of the stack's own programs, and of the second worker. */
const sides = ['stack', 'second-worker'] as const;
export type Side = (typeof sides)[number];
export type Server = 'postgres' | 'temporal';

/** The supplier calls that faults can affect. */
export type SupplierCall = 'purchase' | 'lookup' | 'esim';

/** The origin of a response: the supplier's own error, or a gateway's page as HTML, JSON or without a body. */
export type Page = 'supplier' | 'html' | 'json' | 'empty';

/** An unusable code, or the code of another order. */
export const badCodes = ['blank', 'surrogate', 'zero-width', 'huge', 'expired', 'copied'] as const;
export type BadCode = (typeof badCodes)[number];

/** The fault of a call between service and supplier. Times in milliseconds. */
export type NetworkFault =
  | { name: 'lose-request'; by: 'silence' | 'reset' }
  | { name: 'lose-answer'; by: 'silence' | 'reset' }
  | { name: 'delay-request'; ms: number }
  | { name: 'delay-answer'; ms: number }
  /** The connection breaks immediately, but the request still reaches the supplier after `ms`. */
  | { name: 'late-request'; ms: number }
  | { name: 'repeat-request'; afterMs: number }
  /** The connection breaks during the response, or the response has truncated JSON. */
  | { name: 'cut-answer' | 'truncate-json' }
  /** The call is carried out, and another response replaces its own. */
  | { name: 'forge-answer'; status: number; page: Page }
  /** The call is not carried out. */
  | { name: 'refuse'; status: number; page: Page }
  /** The response never ends, or a lookup shows thousands of rows for the reference. */
  | { name: 'endless-answer' | 'many-rows' }
  /** The first unit of the response has such a code. */
  | { name: 'bad-code'; code: BadCode }
  /** The eSIM's installation and first use have an impossible time (RFC 3339). */
  | { name: 'implausible-times'; at: string }
  /** Lookups of purchases first seen less than `age` ago show nothing, or the response to another reference. */
  | { name: 'empty-lookup' | 'old-answer'; age: number };

/** How a supplier is down: it accepts no connections, or every call has the fault. */
export type Outage = { name: 'unreachable' } | NetworkFault;

/** An expensive client's load: requests that cost more than their weight, or unread responses. */
export const loads = ['wide-bodies', 'large-reads', 'unread-responses'] as const;
export type Load = (typeof loads)[number];

/** A client claims a delivered unit, recharges a delivered eSIM, or erases the address of an order. */
export const clientActs = ['claim', 'recharge', 'erase'] as const;
export type ClientAct = (typeof clientActs)[number];

export type OperatorAct =
  | 'cancel'
  | 'ask-again'
  | 'decide'
  | 'refund'
  | 'decide-claim'
  | 'approve'
  | 'reset'
  | 'terminate-order'
  | 'delete-order'
  | 'terminate-monitor'
  | 'terminate-maintenance';

export type Disturbance =
  | { kind: 'kill'; process: ProcessName }
  | { kind: 'freeze'; process: ProcessName; ms: number }
  | { kind: 'cut'; server: Server; side: Side; how: 'refuse' | 'silence'; ms: number }
  | { kind: 'slow'; server: Server; side: Side; delayMs: number; ms: number }
  | {
      kind: 'network';
      supplier: SupplierName;
      fault: NetworkFault;
      on: SupplierCall;
      share: number;
      ms: number;
    }
  | { kind: 'down'; supplier: SupplierName; outage: Outage; ms: number }
  | ChangedAnswers
  | { kind: 'fake'; supplier: FakeName; modes: FakeModes; ms: number }
  | { kind: 'empty-account'; supplier: FakeName; ms: number }
  | { kind: 'supplier'; modes: Modes; sku: string | null; ms: number }
  /** Other programs take every core. */
  | { kind: 'busy-cores'; ms: number }
  | { kind: 'outage'; ms: number }
  | { kind: 'account'; ms: number }
  | { kind: 'receiver'; ms: number }
  /** The clock of the database steps, and steps back after `ms`. */
  | { kind: 'clock'; seconds: number; ms: number }
  /** Every running order continuously gets the signals of service and operators. */
  | { kind: 'signals'; ms: number }
  | { kind: 'expensive-client'; load: Load; ms: number }
  /** A revoked key and a dead cookie of a client send orders. */
  | { kind: 'ended-access'; ms: number }
  /** A dishonest operator tries a trick. */
  | { kind: 'fraud'; trick: Trick; choice: number }
  /** `choice` (0 to 1) selects the target. */
  | { kind: 'money'; act: MoneyAct; choice: number }
  | { kind: ClientAct; choice: number }
  | { kind: 'operator'; act: OperatorAct; choice: number };

export type PlannedDisturbance = Disturbance & {
  /** Milliseconds after the start. */
  at: number;
};

const spacing = { first: 4_000, shortestPause: 1_500, longestPause: 6_000 };

/** The part of a run for which its own processes and servers may be out, so that most orders can be placed. */
const MAX_OUT = 1 / 3;

/** The disturbances of a run, in the order of their start. */
export function planDisturbances(random: Random, seconds: number, dedup: boolean): PlannedDisturbance[] {
  const bounds = boundsOf(dedup);
  return spaced(random, seconds, spacing, () =>
    limited(planDisturbance(random, bounds), seconds * 1_000 * MAX_OUT),
  );
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
    [
      1.5,
      (chance) => ({ kind: 'expensive-client', load: chance.pick(loads), ms: chance.whole(3_000, 8_000) }),
    ],
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
