/** Finds delivered eSIMs that no workflow follows any more, and has them monitored again. */
import type { Client } from '@temporalio/client';
import {
  countFollowedEsims,
  listFollowedEsims,
  newestSettledOrder,
  nthFollowedEsim,
  type FollowedEsim,
  type OrderRange,
} from '../../data/esims/esim-lifecycle';
import { monitoredEsim } from '../../domain/esims/esim-lifecycle';
import { esimWorkflowId } from '../../domain/orders/orders';
import { minute } from '../../domain/time';
import { esimMonitor } from '../../temporal/esim-monitor';
import { countRunningWorkflows, runningWorkflows } from '../../temporal/running-workflows';
import { orderId } from '../../temporal/search-attributes';
import { startMonitor } from './esim-monitors';
import { pagesById } from '../pages';
import type { RestartDependencies } from '../maintenance/order-restarts';

/** eSIMs that are few enough to be compared one by one, which costs Temporal half a millisecond each. */
const FEW = 1_000;
/** Every so often, in milliseconds, the turn to be compared one by one passes to the next of them: the interval of the schedule. */
const TURN_MS = 3 * minute;

/**
 * Starts the eSIM monitors that are missing; each asks its supplier at once. Returns how many. It compares counts, and `few` eSIMs
 * one by one: an eSIM monitor too many makes up for a missing one in a count. So few eSIMs are compared whole at each call;
 * of more, each is compared in its turn. `turn`: the number of the call.
 */
export async function restartEsims(
  deps: RestartDependencies,
  few = FEW,
  turn = Math.floor(Date.now() / TURN_MS),
): Promise<number> {
  const all = { after: 0, upTo: await newestSettledOrder(deps.database) };
  const monitored = await countFollowedEsims(deps.database, all);
  if (monitored <= few) return restartMissing(deps, all);
  const counted = await restartIn(deps, all, few);
  return counted + (await restartInTurn(deps, all, { monitored, few, turn }));
}

/** Compares the eSIMs one by one whose turn it is. */
async function restartInTurn(
  deps: RestartDependencies,
  all: OrderRange,
  { monitored, few, turn }: { monitored: number; few: number; turn: number },
): Promise<number> {
  const first = (turn % Math.ceil(monitored / few)) * few;
  const bound = (nth: number) => nthFollowedEsim(deps.database, all, nth);
  const after = first === 0 ? all.after : ((await bound(first)) ?? all.after);
  const upTo = (await bound(first + few)) ?? all.upTo;
  return restartMissing(deps, { after, upTo });
}

/** Halves the range until the numbers agree, or few are left to compare. */
async function restartIn(deps: RestartDependencies, range: OrderRange, few: number): Promise<number> {
  const { database, temporal } = deps;
  const monitored = await countFollowedEsims(database, range);
  const running = await countRunningWorkflows(temporal, monitorsOf(range));
  if (monitored === running || monitored === 0) return 0;
  if (monitored <= few || running === 0) return restartMissing(deps, range);
  const middle = await nthFollowedEsim(database, range, Math.floor(monitored / 2));
  if (middle === undefined || middle === range.upTo) return restartMissing(deps, range);
  const lower = await restartIn(deps, { after: range.after, upTo: middle }, few);
  return lower + (await restartIn(deps, { after: middle, upTo: range.upTo }, few));
}

async function restartMissing(
  { database, temporal }: RestartDependencies,
  range: OrderRange,
): Promise<number> {
  const running = await runningWorkflows(temporal, monitorsOf(range));
  const read = (after: number, limit: number) => listFollowedEsims(database, { ...range, after }, limit);
  let restarted = 0;
  for await (const page of pagesById(read, FEW, range.after)) {
    for (const esim of page.filter(({ orderId, nonce }) => !running.has(esimWorkflowId(orderId, nonce)))) {
      if (await startMissing(temporal, esim)) restarted++;
    }
  }
  return restarted;
}

function monitorsOf({ after, upTo }: OrderRange): string {
  return `WorkflowType = '${esimMonitor}' AND ${orderId.name} > ${after} AND ${orderId.name} <= ${upTo}`;
}

/** It asks its supplier at once. False where it runs: the list was behind. */
async function startMissing(temporal: Client, esim: FollowedEsim): Promise<boolean> {
  return startMonitor(temporal, esim, monitoredEsim(esim, false), {
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
}
