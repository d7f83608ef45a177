import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities';
import { endpointMessages, type EndpointKey, type Stretch } from '../src/domain/webhooks';

/** Something is due for an endpoint that sleeps. */
export const eventsWaitingSignal = defineSignal(endpointMessages.eventsWaiting);

/** What operators can do to an endpoint. */
export const pauseSignal = defineSignal(endpointMessages.pause);
export const resumeSignal = defineSignal(endpointMessages.resume);
export const retryNowSignal = defineSignal(endpointMessages.retryNow);
export const skipEventUpdate = defineUpdate<boolean, [eventId: string]>(endpointMessages.skipEvent);

/** One call delivers for up to 45 s: see the limits of the courier. */
const { deliverEvents } = proxyActivities<Pick<WebhookActivities, 'deliverEvents'>>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '10s',
  summary: 'Deliver what is due, and what comes meanwhile',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

const { sendEndpointDisabledMail } = proxyActivities<Pick<WebhookActivities, 'sendEndpointDisabledMail'>>({
  startToCloseTimeout: '20m',
  summary: 'Tell the client that the endpoint is disabled',
  retry: { initialInterval: '10s', maximumInterval: '30m', maximumAttempts: 50 },
});

const steps = proxyLocalActivities<
  Pick<WebhookActivities, 'setEndpointPaused' | 'askForOldestEvent' | 'skipEvent'>
>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

/**
 * Delivers a client's events to one endpoint for as long as it is enabled: whatever is due, then the
 * next try of what failed, then nothing until there is news.
 */
export async function webhookEndpoint(
  endpoint: EndpointKey,
  lastAnswer: string | null = null,
): Promise<void> {
  const news = listen(endpoint);
  while (!workflowInfo().continueAsNewSuggested) {
    const heard = news.count;
    const stretch = await deliverEvents(endpoint, Date.now());
    lastAnswer = stretch.lastAnswer ?? lastAnswer;
    show(stretch, lastAnswer);
    if (stretch.state === 'STOPPED') return stop(endpoint, stretch);
    await rest(stretch, () => news.count > heard);
  }
  await condition(allHandlersFinished);
  return continueAsNew<typeof webhookEndpoint>(endpoint, lastAnswer);
}

/** Counts what is a reason to look at the database again. */
function listen(endpoint: EndpointKey): { count: number } {
  const news = { count: 0 };
  const after = async (step: Promise<void>) => {
    await step;
    news.count++;
  };
  setHandler(eventsWaitingSignal, () => void news.count++, {
    description: 'Looks for events to send. No argument.',
  });
  setHandler(pauseSignal, () => after(steps.setEndpointPaused(endpoint, true)), {
    description: 'Holds all events of this endpoint back until it is resumed. No argument.',
  });
  setHandler(resumeSignal, () => after(steps.setEndpointPaused(endpoint, false)), {
    description: 'Lets the events of a paused endpoint go on. No argument.',
  });
  setHandler(retryNowSignal, () => after(steps.askForOldestEvent(endpoint)), {
    description: 'Sends the oldest event at once; when it gets through, the others follow. No argument.',
  });
  setHandler(skipEventUpdate, (eventId) => steps.skipEvent(endpoint, eventId), {
    description: 'Gives up one event. Argument: its id, "evt_...". False where it was not waiting.',
  });
  return news;
}

/** Sleeps until the next try or until there is news. */
async function rest({ state, nextTryAt }: Stretch, isNews: () => boolean): Promise<void> {
  if (state === 'BUSY') return;
  if (nextTryAt === null) return condition(isNews);
  const wait = Math.max(0, nextTryAt - Date.now());
  await condition(isNews, wait, {
    summary: state === 'HELD' ? 'Try a failing endpoint again' : 'Try an event again',
  });
}

/** Ends with the endpoint; its client is told where it did not disable it itself. */
async function stop(endpoint: EndpointKey, { disabledReason }: Stretch): Promise<void> {
  if (disabledReason !== null) await sendEndpointDisabledMail(endpoint, disabledReason);
  await condition(allHandlersFinished);
}

const headlines: Readonly<Record<Stretch['state'], string>> = {
  IDLE: 'Works',
  BUSY: 'Works',
  HELD: '**Fails:** one event is tried at a time, the others wait',
  PAUSED: '**Paused** by an operator',
  STOPPED: '**Disabled** or deleted',
};

/** Shows the operators how the endpoint stands. */
function show({ state, waiting, nextTryAt }: Stretch, lastAnswer: string | null): void {
  const next = nextTryAt === null ? 'as soon as there is something new' : new Date(nextTryAt).toISOString();
  setCurrentDetails(
    [
      headlines[state],
      `Events waiting: ${waiting}`,
      `Next try: ${next}`,
      `Last answer: ${lastAnswer ?? 'none yet'}`,
    ].join('\n\n'),
  );
}
