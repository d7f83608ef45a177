/**
 * Mirrors the attention list in the order workflows. Activities, the ops CLI and other processes write to the list, but only a
 * workflow can change its own search attribute.
 */
import { leaseUnmirrored, markMirrored } from '../../data/attention/mirroring';
import { orderMessages } from '../../domain/orders/order-messages';
import { orderWorkflowId } from '../../domain/orders/order-ids';
import { repeatUntil, forEachItem } from '../../async/promises';
import type { OrderingDependencies } from '../dependencies';
import { signalIfRunning } from '../order-workflow';

export type MirrorDependencies = Pick<OrderingDependencies, 'database' | 'temporal' | 'log'>;

/** Milliseconds between two reads of the list's changes. */
const POLL_INTERVAL_MS = 5_000;
/** Entries of one batch. */
const BATCH_SIZE = 100;

/**
 * Mirrors changes until the signal aborts. Of several processes, one notifies a workflow of a change. If that process ends or fails,
 * another one does so after 30 s.
 */
export function mirrorAttention(deps: MirrorDependencies, stopping: AbortSignal): Promise<void> {
  return repeatUntil(stopping, POLL_INTERVAL_MS, () =>
    mirrorChanges(deps).catch((err: unknown) => {
      deps.log.error({ err }, 'the attention list could not be mirrored');
    }),
  );
}

async function mirrorChanges({ database, temporal }: MirrorDependencies): Promise<void> {
  await forEachItem(await leaseUnmirrored(database, BATCH_SIZE), async (entry) => {
    const { order } = entry;
    if (order)
      await signalIfRunning(temporal, orderWorkflowId(order.orderId, order.nonce), orderMessages.attentionChanged);
    await markMirrored(database, entry);
  });
}
