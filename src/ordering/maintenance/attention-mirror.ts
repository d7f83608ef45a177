/**
 * Has the workflows of orders show what the operators' list says of them: activities, tools and other
 * processes write to the list, and only the workflow itself can change its search attribute.
 */
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import { markUnmirrored, takeUnmirrored } from '../../data/operations/attention';
import type { Database } from '../../data/database/database';
import { orderMessages } from '../../domain/orders/order-flow';
import { orderWorkflowId } from '../../domain/orders/orders';
import { repeatUntil, forEachItem } from '../../async/promises';
import { signalIfRunning } from '../order-workflow';

export interface MirrorDependencies {
  database: Database;
  temporal: TemporalClient;
  log: Logger;
}

/** How often changes of the list are looked for. */
const POLL_INTERVAL_MS = 2_000;
/** Orders told in one go. */
const BATCH_SIZE = 100;

/** Mirrors until told to stop. Any number of processes may do so at once: each change is taken by one. */
export function mirrorAttention(deps: MirrorDependencies, stopping: AbortSignal): Promise<void> {
  return repeatUntil(stopping, POLL_INTERVAL_MS, () =>
    mirrorChanges(deps).catch((err: unknown) => {
      deps.log.error({ err }, "the operators' list could not be mirrored");
    }),
  );
}

async function mirrorChanges({ database, temporal }: MirrorDependencies): Promise<void> {
  await forEachItem(await takeUnmirrored(database, BATCH_SIZE), async ({ orderId, nonce }) => {
    try {
      await signalIfRunning(temporal, orderWorkflowId(orderId, nonce), orderMessages.attentionChanged);
    } catch (error) {
      await markUnmirrored(database, orderId);
      throw error;
    }
  });
}
