/** Finds delivered eSIMs that no workflow follows any more, and has them followed again. */
import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { listFollowedEsims, type FollowedEsim } from '../data/orders/esim-life';
import { lifeOf, type FollowEsim } from '../domain/esim-life';
import { esimWorkflowId } from '../domain/orders';
import { esimFollower, esimFollowerOptions } from '../temporal/esim-follower';
import { runningWorkflows } from '../temporal/running-workflows';
import { pagesById } from './pages';
import type { Reconciliation } from './reconcile';

/** eSIMs compared in one go. */
const PAGE = 1_000;

/**
 * Starts the followers that are missing; each asks its supplier at once. Returns how many. Costs one list
 * of what runs and one scan of an index, however many are followed.
 */
export async function restartEsims({ database, temporal }: Reconciliation): Promise<number> {
  const running = await runningWorkflows(temporal, [esimFollower]);
  let restarted = 0;
  const read = (afterId: number, limit: number) => listFollowedEsims(database, afterId, limit);
  for await (const page of pagesById(read, PAGE)) {
    for (const esim of page.filter(({ orderId, nonce }) => !running.has(esimWorkflowId(orderId, nonce)))) {
      if (await follow(temporal, esim)) restarted++;
    }
  }
  return restarted;
}

async function follow(temporal: Client, esim: FollowedEsim): Promise<boolean> {
  const key = { orderId: esim.orderId, nonce: esim.nonce };
  try {
    await temporal.workflow.start<FollowEsim>(esimFollower, {
      ...esimFollowerOptions(key, esim.clientId, esim.activationStatus),
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [key, lifeOf(esim, false), { news: true, failures: 0 }],
    });
    return true;
  } catch (error) {
    // It runs: the list was behind.
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
