/** What clients and operators do with delivered goods, during the whole run. */
import { share, type Random } from '../random';
import { clientActs, type ClientAct, type Disturbance, type OperatorAct, type PlannedDisturbance } from './disturbance';
import { spaced } from './spaced';

/** Before the first one, few orders are delivered. */
const spacing = { first: 6_000, shortestPause: 800, longestPause: 3_000 };

/** Claims and their decisions, recharges, refunds, their approvals, and erased recipients, in the order of their start. */
export function planAfterSale(random: Random, seconds: number): PlannedDisturbance[] {
  return spaced(random, seconds, spacing, () => planStep(random));
}

function planStep(random: Random): Disturbance {
  const kind = random.pickWeighted<OperatorAct | ClientAct>([
    [5, 'claim'],
    [6, 'recharge'],
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
