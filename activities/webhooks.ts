import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { Logger } from 'pino';
import { raiseAttention } from '../src/data/attention';
import { requestOldest, setPaused, skipDelivery } from '../src/data/webhooks/deliveries';
import {
  findDisablingToMail,
  markDisablingMailed,
  reportUndeliverableDisabling,
} from '../src/data/webhooks/disablings';
import type { DisablingKey, EndpointKey, DeliveryRun } from '../src/domain/webhooks';
import { DeliveryRunner } from '../src/notifications/webhooks/delivery-runner';
import { endpointDisabledMail } from '../src/notifications/webhooks/disabled-mail';
import type { WebhookSender } from '../src/notifications/webhooks/sender';
import type { ActivityDependencies } from './dependencies';
import { sendOnce } from './mail';

/** How often a stretch of deliveries shows that its worker lives, in milliseconds. */
const HEARTBEAT_EVERY = 2_000;

interface WebhookDependencies extends Pick<ActivityDependencies, 'database' | 'sealer' | 'mailer'> {
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}

/** What the workflow of a webhook endpoint asks of the world: the activities of the webhooks queue. */
export const webhookActivities = ({ database, sealer, sender, mailer, log }: WebhookDependencies) => {
  const deliveryRunner = new DeliveryRunner({ database, sealer, sender, log });

  return {
    /**
     * Delivers what is due by the workflow's time (milliseconds since 1970), and what comes while it is
     * at it. Repeated after a crash, it sends again what it had not yet written down.
     */
    async deliverEvents({ endpointId }: EndpointKey, now: number): Promise<DeliveryRun> {
      // A task that waited for a worker must not go by an old time; only in tests is the workflow's ahead.
      const offset = Math.max(now, Date.now()) - performance.now();
      const clock = () => new Date(offset + performance.now());
      const beat = setInterval(heartbeat, HEARTBEAT_EVERY);
      try {
        return await deliveryRunner.deliver(endpointId, clock, cancellationSignal());
      } finally {
        clearInterval(beat);
      }
    },

    /** Holds the endpoint's deliveries back, or lets them go on. */
    async setEndpointPaused({ endpointId }: EndpointKey, paused: boolean): Promise<void> {
      await setPaused(database, endpointId, paused);
    },

    /** Lets the oldest event that waits be tried at once. */
    async requestOldestEvent({ endpointId }: EndpointKey): Promise<void> {
      await requestOldest(database, endpointId);
    },

    /** Gives one event up for the endpoint. False where it was not waiting. */
    async skipEvent({ endpointId }: EndpointKey, eventId: string): Promise<boolean> {
      return skipDelivery(database, endpointId, eventId);
    },

    /** Puts an endpoint whose deliveries cannot run on the list of what needs a person. */
    async reportDeliveriesFailing({ endpointId }: EndpointKey, reason: string): Promise<void> {
      await raiseAttention(database, { endpointId }, 'ENDPOINT_FAILING', reason);
    },

    /** Tells the client by mail that its endpoint is disabled, if no mail did so before. */
    async mailDisabling({ disablingId }: DisablingKey): Promise<void> {
      const disabling = await findDisablingToMail(database, disablingId);
      if (!disabling) return;
      await sendOnce(mailer, async () => endpointDisabledMail(disabling));
      await markDisablingMailed(database, disablingId);
    },

    /** Gives the mail about a disabling up. */
    async giveUpDisablingMail({ disablingId }: DisablingKey): Promise<void> {
      await reportUndeliverableDisabling(database, disablingId);
    },
  };
};

export type WebhookActivities = ReturnType<typeof webhookActivities>;
