/** Finds delivered eSIMs that no workflow follows any more, and has them followed again. */
import type { Client } from '@temporalio/client';
import {
  countFollowedEsims,
  listFollowedEsims,
  newestSettledOrder,
  nthFollowedEsim,
  type FollowedEsim,
  type OrderRange,
} from '../data/orders/esim-life';
import { lifeOf } from '../domain/esim-life';
import { esimWorkflowId } from '../domain/orders';
import { esimFollower } from '../temporal/esim-follower';
import { countRunningWorkflows, runningWorkflows } from '../temporal/running-workflows';
import { orderId } from '../temporal/search-attributes';
import { startFollower } from './esim-followers';
import { pagesById } from './pages';
import type { RestartDependencies } from './order-restarts';

/** eSIMs that are few enough to be compared one by one. */
const FEW = 200;

/**
 * Starts the followers that are missing; each asks its supplier at once. Returns how many. As long as
 * none is missing it costs two counts, however many are followed. `few`: how many are compared one by one.
 */
export async function restartEsims(deps: RestartDependencies, few = FEW): Promise<number> {
  return restartIn(deps, { after: 0, upTo: await newestSettledOrder(deps.database) }, few);
}

/** Halves the range until the numbers agree, or few are left to compare. */
async function restartIn(deps: RestartDependencies, range: OrderRange, few: number): Promise<number> {
  const { database, temporal } = deps;
  const followed = await countFollowedEsims(database, range);
  const running = await countRunningWorkflows(temporal, followersOf(range));
  if (followed === running || followed === 0) return 0;
  if (followed <= few || running === 0) return restartMissing(deps, range, running);
  const middle = await nthFollowedEsim(database, range, Math.floor(followed / 2));
  if (middle === undefined || middle === range.upTo) return restartMissing(deps, range, running);
  const lower = await restartIn(deps, { after: range.after, upTo: middle }, few);
  return lower + (await restartIn(deps, { after: middle, upTo: range.upTo }, few));
}

async function restartMissing(
  { database, temporal }: RestartDependencies,
  range: OrderRange,
  count: number,
): Promise<number> {
  const running = count === 0 ? new Set() : await runningWorkflows(temporal, followersOf(range));
  const read = (after: number, limit: number) => listFollowedEsims(database, { ...range, after }, limit);
  let restarted = 0;
  for await (const page of pagesById(read, FEW, range.after)) {
    for (const esim of page.filter(({ orderId, nonce }) => !running.has(esimWorkflowId(orderId, nonce)))) {
      if (await follow(temporal, esim)) restarted++;
    }
  }
  return restarted;
}

function followersOf({ after, upTo }: OrderRange): string {
  return `WorkflowType = '${esimFollower}' AND ${orderId.name} > ${after} AND ${orderId.name} <= ${upTo}`;
}

/** It asks its supplier at once. False where it runs: the list was behind. */
async function follow(temporal: Client, esim: FollowedEsim): Promise<boolean> {
  const key = { orderId: esim.orderId, nonce: esim.nonce };
  return startFollower(temporal, key, esim, lifeOf(esim, false), {
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
}
