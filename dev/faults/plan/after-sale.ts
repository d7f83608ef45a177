/** What clients and operators do with delivered goods, during the whole run. */
import { share, type Random } from '../random';
import {
  clientActs,
  type ClientAct,
  type Disturbance,
  type OperatorAct,
  type PlannedDisturbance,
} from './disturbances';

/** Before this time, few orders are delivered. */
const FIRST_MS = 6_000;

/** The bounds of the wait between two of them. */
const SHORTEST_PAUSE_MS = 800;
const MAX_PAUSE_MS = 3_000;

/** Claims and their decisions, recharges, refunds, their approvals, and erased recipients, in the order of their start. */
export function planAfterSale(random: Random, seconds: number): PlannedDisturbance[] {
  const planned: PlannedDisturbance[] = [];
  for (let at = FIRST_MS; at < seconds * 1_000; at += random.whole(SHORTEST_PAUSE_MS, MAX_PAUSE_MS)) {
    planned.push({ at, ...planStep(random) });
  }
  return planned;
}

function planStep(random: Random): Disturbance {
  const kind = random.pickWeighted<OperatorAct | ClientAct>([
    [5, 'claim'],
    [4, 'recharge'],
    [4, 'decide-claim'],
    [3, 'refund'],
    [2, 'approve'],
    [2, 'erase'],
  ]);
  const choice = random.next();
  return isClientAct(kind) ? { kind, choice } : { kind: 'operator', act: kind, choice };
}

function isClientAct(kind: OperatorAct | ClientAct): kind is ClientAct {
  return clientActs.some((act) => act === kind);
}

/** How a claim is accepted, in the words of the ops CLI. */
export type Acceptance = 'refund' | 'replace';
export type ClaimDecision = Acceptance | 'send' | 'reject';

/** What operators decide about a claim at the same moment. At most one decision counts. */
export function claimDecisions(choice: number): readonly ClaimDecision[] {
  const what = share(choice, 2);
  const accept = share(choice, 6) < 0.5 ? 'replace' : 'refund';
  if (what < 0.1) return ['send'];
  if (what < 0.2) return ['reject'];
  if (what < 0.4) return [accept, 'reject'];
  return what < 0.6 ? ['refund', 'replace'] : [accept, accept];
}
