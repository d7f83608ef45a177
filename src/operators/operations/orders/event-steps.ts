/** The events of an order, and their deliveries to endpoints of the client, as steps of its story. */
import type { TimelineEvent } from '../../../data/orders/client-orders';
import { inSentence } from '../../../domain/audit-deeds';
import { shownUrl } from '../../../domain/webhooks/shown-url';
import { entry } from './story-entry';

/** `order.partially_delivered` becomes `order partially delivered`. */
const eventInWords = (type: string) => inSentence(type.replaceAll('.', ' '));

export function stepsOfEvent({ id, type, createdAt, deliveries, attempts }: TimelineEvent) {
  if (deliveries.length === 0) return [];
  const states = deliveries.map(({ url, state }) => `${shownUrl(url)}: ${inSentence(state)}`);
  return [
    entry(createdAt, { kind: 'EVENT', text: `Event: ${eventInWords(type)}.`, detail: states.join(', '), event_id: id }),
    ...attempts.map(({ attemptedAt, endpointId, url, responseStatus, error }) =>
      entry(attemptedAt, {
        kind: 'DELIVERY',
        text: `Sent to ${shownUrl(url)}: ${eventInWords(type)}. ${answerText(responseStatus, error)}.`,
        event_id: id,
        endpoint_id: endpointId,
      }),
    ),
  ];
}

function answerText(status: number | null, error: string | null): string {
  if (status === null) return error ?? 'No response';
  return `${status < 300 ? 'Accepted' : 'Not accepted'} (${status})`;
}

/** One step for all events that no endpoint of the client takes. */
export function untakenStep(events: readonly TimelineEvent[]) {
  const untaken = events.filter(({ deliveries }) => deliveries.length === 0);
  const [first] = untaken;
  if (!first) return undefined;
  const types = [...new Set(untaken.map(({ type }) => eventInWords(type)))];
  return entry(first.createdAt, {
    kind: 'EVENT',
    text: `No endpoint of the client takes its events: ${types.join(', ')}.`,
  });
}
