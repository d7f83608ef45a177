/** Events in the API reference. docs/clients/webhooks.md#events. */
import { byWord } from '../../domain/by-word';
import { eventTypes, testEventType } from '../../domain/webhooks/event-payloads';
import { enumText, extensibleEnumText, model, named, time, type SchemaFields, type Schema } from '../openapi/schema';
import { dataOf, nameOf } from './event-data-schemas';

const summaries = byWord({
  'order.delivered': 'All vouchers of an order are delivered',
  'order.partially_delivered': 'Some vouchers of an order are delivered, others are open',
  'order.failed': 'A voucher order could not be fulfilled',
  'order.cancelled': 'A voucher order was cancelled',
  'topup.delivered': 'A top-up was delivered',
  'topup.failed': 'A top-up could not be delivered',
  'topup.cancelled': 'A top-up order was cancelled',
  'esim.delivered': 'An eSIM was delivered: read its activation code',
  'esim.failed': 'An eSIM could not be delivered',
  'esim.cancelled': 'An eSIM order was cancelled',
  'esim.installed': 'A device has downloaded the profile',
  'esim.activated': 'The profile has used its first data',
  'esim.depleted': 'Data or validity of the profile are used up',
  'order.refunded': 'A voucher order was refunded after its delivery',
  'topup.refunded': 'A top-up was refunded after its delivery',
  'esim.refunded': 'An eSIM was refunded after its delivery',
  'claim.updated': 'A claim has changed: its state, its outcome or its replacement. Or we have filed one for you',
  'esim.usage': 'The profile has used 50, 80 or 100 % of its data',
  'wallet.credited': 'A wallet was credited',
  'wallet.debited': 'A wallet was debited',
  'wallet.low_balance': 'A debit left a wallet below its threshold',
  'catalogue.changed': 'Your price list may have changed; at most once a minute',
  [testEventType]: 'A test event, sent on request and once to each new URL',
});

export const eventIdSchema: Schema = {
  type: 'string',
  pattern: '^evt_[0-9a-f]{32}$',
  description: 'The id of the event, the same in every attempt.',
  examples: ['evt_0f3c9a5e1b7d4f62a8c0d9e7b6a51234'],
};

export const allEventTypes = [...eventTypes, testEventType];

/** The type of an event in a response. */
export const eventTypeSchema = named('EventType', extensibleEnumText('The type of an event.', allEventTypes));

/** The fields of every event besides its data. */
export const envelopeFields: SchemaFields = {
  id: eventIdSchema,
  type: eventTypeSchema,
  created_at: time('When the event occurred.', '2026-01-31T12:00:00.123Z'),
};

/** An event that clients receive. */
export interface DocumentedEvent {
  type: string;
  summary: string;
  schema: Schema;
}

export const events: readonly DocumentedEvent[] = allEventTypes.map((type) => {
  const summary = summaries[type];
  if (summary === undefined) throw new Error(`The event ${type} has no summary`);
  const schema = model(`${nameOf(type)}Event`, `${summary}.`, {
    ...envelopeFields,
    type: enumText('The type of the event.', [type]),
    data: dataOf(type),
  });
  return { type, summary, schema };
});

/** What an endpoint receives. Some generators omit schemas to which only the part `webhooks` of a document refers. */
export const anyEvent: Schema = {
  title: 'AnyEvent',
  description: 'An event of any type. Its `type` determines which.',
  anyOf: events.map(({ schema }) => schema),
  discriminator: {
    propertyName: 'type',
    mapping: Object.fromEntries(events.map(({ type, schema }) => [type, `#/components/schemas/${schema.title ?? ''}`])),
  },
};

/** The data of an event of any type. */
export const eventData: Schema = {
  type: 'object',
  description: "The data as sent. The event's `type` determines its schema: see the webhook of that type.",
  additionalProperties: true,
  'x-variants': [...new Map(allEventTypes.map((type) => [dataOf(type).title, dataOf(type)])).values()],
};

export const webhookEvent: Schema = {
  ...model('WebhookEvent', 'An event. Its `type` determines its `data`.', { ...envelopeFields, data: eventData }),
  'x-variants': events.map(({ schema }) => schema),
};
