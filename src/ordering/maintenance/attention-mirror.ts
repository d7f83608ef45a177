/**
 * Mirrors the attention list in the order workflows. Activities, the ops CLI and other processes write to the list, but only a
 * workflow can change its own search attribute.
 */
import { markUnmirrored, takeUnmirrored } from '../../data/operations/attention';
import { orderMessages } from '../../domain/orders/order-flow';
import { orderWorkflowId } from '../../domain/orders/order-ids';
import { repeatUntil, forEachItem } from '../../async/promises';
import type { OrderingDependencies } from '../dependencies';
import { signalIfRunning } from '../order-workflow';

export type MirrorDependencies = Pick<OrderingDependencies, 'database' | 'temporal' | 'log'>;

/** Milliseconds between two reads of the list's changes. */
const POLL_INTERVAL_MS = 2_000;
/** Orders of one batch. */
const BATCH_SIZE = 100;

/** Mirrors changes until the signal aborts. Several processes may do so at once, because only one of them takes each change. */
export function mirrorAttention(deps: MirrorDependencies, stopping: AbortSignal): Promise<void> {
  return repeatUntil(stopping, POLL_INTERVAL_MS, () =>
    mirrorChanges(deps).catch((err: unknown) => {
      deps.log.error({ err }, 'the attention list could not be mirrored');
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
