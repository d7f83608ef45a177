import { cancellationSignal } from '@temporalio/activity';
import type { Logger } from 'pino';
import { raiseAttention } from '../src/data/attention/attention';
import {
  findDisablingToMail,
  markDisablingMailed,
  reportUndeliverableDisabling,
} from '../src/data/webhooks/disabling-mails';
import { requestOldest, setPaused, skipDelivery } from '../src/data/webhooks/operated-endpoints';
import { timeAt } from '../src/domain/time';
import type { DisablingKey, EndpointKey, DeliveryRun } from '../src/domain/webhooks/delivery-rules';
import { mailAboutDisabling } from '../src/notifications/mail/endpoint-disabled-mail';
import { deliverEvents } from '../src/notifications/webhooks/delivery';
import type { WebhookSender } from '../src/notifications/webhooks/sender';
import type { ActivityDependencies } from './dependencies';
import { withHeartbeat } from './heartbeat';
import { sendOnce } from './mail';

interface WebhookDependencies extends Pick<ActivityDependencies, 'database' | 'sealer' | 'mailer'> {
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}

/** The activities of the webhooks queue. */
export const webhookActivities = ({ database, sealer, sender, mailer, log }: WebhookDependencies) => ({
  /**
   * Delivers the events that are due at the workflow's time (milliseconds since 1970), and events written while it runs.
   * After a crash it sends events again whose success is not recorded yet.
   */
  async deliverEvents({ endpointId }: EndpointKey, now: number): Promise<DeliveryRun> {
    // A task may wait for a worker, so `now` may be old. `now` is ahead of the clock only in tests that skip time.
    const offset = Math.max(now, Date.now()) - performance.now();
    const clock = () => timeAt(offset + performance.now());
    const dependencies = { database, sealer, sender, log };
    return withHeartbeat(() => deliverEvents(dependencies, endpointId, clock, cancellationSignal()));
  },

  /** Holds the endpoint's deliveries back, or releases them. */
  setEndpointPaused: ({ endpointId }: EndpointKey, paused: boolean) => setPaused(database, endpointId, paused),

  /** Requests the oldest pending event, so that it is sent at once. */
  requestOldestEvent: ({ endpointId }: EndpointKey) => requestOldest(database, endpointId),

  /** Gives up one event for the endpoint. Returns false if the event was not pending. */
  skipEvent: ({ endpointId }: EndpointKey, eventId: string) => skipDelivery(database, endpointId, eventId),

  /** Puts an endpoint whose deliveries cannot run on the attention list. */
  reportDeliveriesFailing: ({ endpointId }: EndpointKey, reason: string) =>
    raiseAttention(database, { endpointId }, 'ENDPOINT_FAILING', reason),

  /** Mails the client that its endpoint is disabled, unless a mail was sent before. */
  async mailDisabling({ disablingId }: DisablingKey): Promise<void> {
    const disabling = await findDisablingToMail(database, disablingId);
    if (!disabling) return;
    await sendOnce({ database, mailer }, async () => mailAboutDisabling(disabling));
    await markDisablingMailed(database, disablingId);
  },

  /** Gives up the mail about a disabling, and puts the endpoint on the attention list. */
  giveUpDisablingMail: ({ disablingId }: DisablingKey) => reportUndeliverableDisabling(database, disablingId),
});

export type WebhookActivities = ReturnType<typeof webhookActivities>;
