import { proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { WebhookActivities } from '../activities';
import type { DisablingKey } from '../src/domain/webhooks/delivery-rules';
import { attention } from '../src/temporal/search-attributes';
import { mail, shortStep } from './activity-options';

const { mailDisabling } = proxyActivities<Pick<WebhookActivities, 'mailDisabling'>>({
  ...mail,
  summary: 'Mail the client that its endpoint is disabled',
});

const { giveUpDisablingMail } = proxyActivities<Pick<WebhookActivities, 'giveUpDisablingMail'>>({
  ...shortStep,
  summary: 'Put the undeliverable mail on the attention list',
});

/** Mails a client that its endpoint was disabled. A separate workflow, so that no delivery waits for the mail server. */
export async function endpointDisabledMail(disabling: DisablingKey): Promise<void> {
  try {
    setCurrentDetails('The mail is being sent. Attempts continue for a day. See "Pending Activities".');
    await mailDisabling(disabling);
    setCurrentDetails('The mail was sent, or is no longer needed.');
  } catch {
    await giveUpDisablingMail(disabling);
    const reason = 'The mail that its endpoint is disabled could not be sent';
    setCurrentDetails(`**Needs attention:** ${reason}. Tell the client in another way.`);
    upsertSearchAttributes([{ key: attention, value: reason }]);
  }
}
