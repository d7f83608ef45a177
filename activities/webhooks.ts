import { cancellationSignal } from '@temporalio/activity';
import type { Logger } from 'pino';
import { raiseAttention } from '../src/data/operations/attention';
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
import { withHeartbeat } from './heartbeat';
import { sendOnce } from './mail';

interface WebhookDependencies extends Pick<ActivityDependencies, 'database' | 'sealer' | 'mailer'> {
  sender: WebhookSender;
  log: Pick<Logger, 'error'>;
}

/** What the workflow of a webhook endpoint asks of the world: the activities of the webhooks queue. */
export const webhookActivities = ({ database, sealer, sender, mailer, log }: WebhookDependencies) => {
  const deliveryRunner = new DeliveryRunner({ database, sealer, sender, log });

  return {
    /**
     * Delivers what is due by the workflow's time (milliseconds since 1970), and events written while it runs.
     * Repeated after a crash, it sends again what it had not yet recorded.
     */
    async deliverEvents({ endpointId }: EndpointKey, now: number): Promise<DeliveryRun> {
      // A task that waited for a worker must not go by an old time; only in tests is the workflow's ahead.
      const offset = Math.max(now, Date.now()) - performance.now();
      const clock = () => new Date(offset + performance.now());
      return withHeartbeat(() => deliveryRunner.deliver(endpointId, clock, cancellationSignal()));
    },

    /** Holds the endpoint's deliveries back, or lets them go on. */
    async setEndpointPaused({ endpointId }: EndpointKey, paused: boolean): Promise<void> {
      await setPaused(database, endpointId, paused);
    },

    /** Has the oldest pending event sent at once. */
    async requestOldestEvent({ endpointId }: EndpointKey): Promise<void> {
      await requestOldest(database, endpointId);
    },

    /** Gives up one event for the endpoint. False if it was not pending. */
    async skipEvent({ endpointId }: EndpointKey, eventId: string): Promise<boolean> {
      return skipDelivery(database, endpointId, eventId);
    },

    /** Puts an endpoint whose deliveries cannot run on the operators' list. */
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
