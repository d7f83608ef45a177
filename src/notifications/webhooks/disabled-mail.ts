import type { EndpointContact } from '../../data/webhooks/endpoints';
import { endpointWorkflowId, type DisabledReason, type EndpointKey } from '../../domain/webhooks';
import type { Mail } from '../mail/send';

const reasons: Readonly<Record<DisabledReason, string>> = {
  FAILING: 'It has not accepted a single event for 5 days.',
  GONE: 'It answered 410 Gone, which says that it does not want events any more.',
};

/** Tells a client that its endpoint gets no more events, and what to do about it. */
export function endpointDisabledMail(
  endpoint: EndpointKey,
  { email, url, disabledAt }: EndpointContact,
  reason: DisabledReason,
): Mail {
  const paragraphs = [
    `Your webhook endpoint ${endpoint.endpointId} (${url}) was disabled on ${disabledAt.toISOString()}.`,
    reasons[reason],
    'No event is lost: all of them are listed by GET /api/v1/webhooks/events.',
    `When the endpoint works again, enable it with PATCH /api/v1/webhooks/endpoints/${endpoint.endpointId} and ` +
      `{"enabled": true}, then have the events since a date of your choice sent again with ` +
      `POST /api/v1/webhooks/endpoints/${endpoint.endpointId}/replay and {"since": "<date and time>"}.`,
  ];
  return {
    to: email,
    subject: `Webhook endpoint ${endpoint.endpointId} disabled`,
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
    messageId: `${endpointWorkflowId(endpoint)}-${disabledAt.getTime()}`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
