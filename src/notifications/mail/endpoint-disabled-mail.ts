import type { Disabling } from '../../data/webhooks/disabling-mails';
import { day } from '../../domain/time';
import { DISABLE_AFTER_MS, disabledMailWorkflowId, type DisabledReason } from '../../domain/webhooks/delivery-rules';
import { shownUrl } from '../../domain/webhooks/shown-url';
import { bodyOf } from './paragraphs';
import type { Mail } from './send';

const reasons: Readonly<Record<DisabledReason, string>> = {
  FAILING: `It has not accepted a single event for ${DISABLE_AFTER_MS / day} days.`,
  GONE: 'It answered 410 Gone, which says that it does not want events any more.',
};

/** The mail that tells a client why its endpoint receives no more events, and what to do. */
export function mailAboutDisabling(disabling: Disabling): Mail {
  const { id, endpointId, nonce, url, reason, disabledAt, email } = disabling;
  const paragraphs = [
    `Your webhook endpoint ${endpointId} (${shownUrl(url)}) was disabled on ${disabledAt.toISOString()}.`,
    reasons[reason],
    'No event is lost: all of them are listed by GET /api/v1/webhooks/events.',
    `When the endpoint works again, enable it with PATCH /api/v1/webhooks/endpoints/${endpointId} and ` +
      `{"enabled": true}, then have the events since a date of your choice sent again with ` +
      `POST /api/v1/webhooks/endpoints/${endpointId}/replay and {"since": "<date and time>"}.`,
  ];
  return {
    to: email,
    subject: `Webhook endpoint ${endpointId} disabled`,
    ...bodyOf(paragraphs),
    messageId: disabledMailWorkflowId({ disablingId: id, nonce }),
  };
}
