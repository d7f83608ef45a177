import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities';
import { endpointMessages, type EndpointKey, type DeliveryRun } from '../src/domain/webhooks/delivery-rules';
import { shortStep } from './activity-options';
import { EndpointView } from './endpoint-view';
import { rejection } from './rejection';

const skipEventUpdate = defineUpdate<boolean, [eventId: string]>(endpointMessages.skipEvent);

/** A call takes up to 65 s (see `src/notifications/webhooks/delivery.ts`). If all ten attempts fail, that is a fault. */
const { deliverEvents } = proxyActivities<Pick<WebhookActivities, 'deliverEvents'>>({
  startToCloseTimeout: '90s',
  heartbeatTimeout: '10s',
  summary: 'Deliver what is due, and new events as they come',
  retry: { initialInterval: '1s', maximumInterval: '30s', maximumAttempts: 10 },
});

const steps = proxyActivities<Pick<WebhookActivities, 'setEndpointPaused' | 'requestOldestEvent' | 'skipEvent'>>({
  ...shortStep,
  summary: 'Carry out the request of an operator',
});

const { reportDeliveriesFailing } = proxyActivities<Pick<WebhookActivities, 'reportDeliveriesFailing'>>({
  startToCloseTimeout: '20s',
  retry: { maximumAttempts: 3 },
  summary: 'Write to the attention list',
});

/** Milliseconds from a fault (all retries of `deliverEvents` have failed) to the next call. */
const FAULT_DELAY_MS = 30_000;

/**
 * Delivers a client's events to one endpoint while it is enabled: sends due events, waits for the next retry, or waits
 * for new events.
 */
export async function webhookEndpoint(endpoint: EndpointKey, lastResponse: string | null = null): Promise<void> {
  const changes = listen(endpoint);
  const view = new EndpointView(endpoint, lastResponse);
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = changes.count;
    const hasChanged = () => changes.count > seen;
    const run = await deliver(endpoint, view);
    if (run === undefined) {
      await condition(hasChanged, FAULT_DELAY_MS, { summary: 'Deliver again after a fault' });
      continue;
    }
    lastResponse = run.lastResponse ?? lastResponse;
    view.show(run, lastResponse);
    if (run.state === 'STOPPED') {
      await condition(allHandlersFinished);
      // The endpoint may have been enabled again meanwhile, which a message reports.
      if (!hasChanged()) return;
    }
    await untilNext(run, hasChanged);
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof webhookEndpoint>(endpoint, lastResponse);
}

/** Delivers for a limited time. Returns undefined after a fault, which needs an operator. */
async function deliver(endpoint: EndpointKey, view: EndpointView): Promise<DeliveryRun | undefined> {
  try {
    return await deliverEvents(endpoint, Date.now());
  } catch (error) {
    if (isCancellation(error)) throw error;
    const reason = "Deliveries cannot run; see the worker's log";
    view.showFault(reason, Date.now() + FAULT_DELAY_MS);
    // Without the database there is no attention list either. The search attribute remains.
    await reportDeliveriesFailing(endpoint, reason).catch(() => undefined);
    return undefined;
  }
}

/** Counts the messages after which the workflow must deliver again. */
function listen(endpoint: EndpointKey): { count: number } {
  const changes = { count: 0 };
  const count = async (step: Promise<void>) => {
    await step;
    changes.count++;
  };
  setHandler(defineSignal(endpointMessages.eventsPending), () => void changes.count++, {
    description: 'Delivers pending events. Sent by the service. No argument.',
  });
  setHandler(defineSignal(endpointMessages.pause), () => count(steps.setEndpointPaused(endpoint, true)), {
    description: 'Holds all events of this endpoint back until it is resumed. No argument.',
  });
  setHandler(defineSignal(endpointMessages.resume), () => count(steps.setEndpointPaused(endpoint, false)), {
    description: 'Releases the events of a paused endpoint. No argument.',
  });
  setHandler(defineSignal(endpointMessages.retryNow), () => count(steps.requestOldestEvent(endpoint)), {
    description: 'Sends the oldest waiting event at once. When it succeeds, the others follow. No argument.',
  });
  const skip = async (eventId: string) => {
    const skipped = await steps.skipEvent(endpoint, eventId);
    // The next run ends the endpoint's failure if no other event waits.
    if (skipped) changes.count++;
    return skipped;
  };
  setHandler(skipEventUpdate, skip, {
    validator: rejectUnlessEventId,
    description: 'Gives up one event permanently. Argument: its id, "evt_...". Returns false if it was not pending.',
  });
  return changes;
}

/** The step would fail and be retried forever with another argument. */
function rejectUnlessEventId(eventId: unknown): void {
  if (typeof eventId !== 'string' || !/^evt_\w+$/.test(eventId))
    throw rejection('Skipping an event needs its id, such as "evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234"');
}

/** Waits until the next attempt, or until a message arrives. */
async function untilNext({ state, nextAttemptAt }: DeliveryRun, hasChanged: () => boolean): Promise<void> {
  if (state === 'BUSY') return;
  if (nextAttemptAt === null) return condition(hasChanged);
  const waitMs = Math.max(0, nextAttemptAt - Date.now());
  await condition(hasChanged, waitMs, {
    summary: state === 'CIRCUIT_OPEN' ? 'Probe a failing endpoint' : 'Retry an event',
  });
}
