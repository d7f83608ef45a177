import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities';
import type { DisablingKey } from '../src/domain/webhooks';

/** Retried for a day, as the mails of orders are. */
const { mailDisabling } = proxyActivities<Pick<WebhookActivities, 'mailDisabling'>>({
  startToCloseTimeout: '1 hour',
  scheduleToCloseTimeout: '1 day',
  heartbeatTimeout: '12s',
  retry: { initialInterval: '5s', maximumInterval: '15m' },
});

const { giveUpDisablingMail } = proxyLocalActivities<Pick<WebhookActivities, 'giveUpDisablingMail'>>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '5s' },
});

/** Tells a client that its endpoint was disabled. No endpoint waits for it. */
export async function endpointDisabledMail(disabling: DisablingKey): Promise<void> {
  try {
    await mailDisabling(disabling);
  } catch {
    await giveUpDisablingMail(disabling);
  }
}
