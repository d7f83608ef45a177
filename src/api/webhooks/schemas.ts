/** The schemas of webhook endpoints and of the event log. docs/clients/webhooks.md. */
import { MAX_ATTEMPTS_SHOWN } from '../../domain/webhooks/delivery-rules';
import { count, enumText, flag, id, listOf, model, orNull, text, time, type SchemaFields } from '../openapi/schema';
import { envelopeFields, eventData, eventTypeSchema, webhookEvent } from './event-schemas';

const endpointFields: SchemaFields = {
  id: id('The endpoint.', 3),
  url: text('Where events are posted.', 'https://shop.example/hook'),
  description: text('Your description; may be empty.', 'Shop'),
  event_types: {
    ...listOf(
      eventTypeSchema,
      'The event types of the endpoint; empty means all except those of top-ups and `esim.usage`.',
    ),
    examples: [['order.delivered', 'order.failed']],
  },
  enabled: flag('Whether events are sent to it.', true),
  disabled_reason: {
    ...orNull(enumText('Why the service disabled the endpoint; null if it did not.', ['FAILING', 'GONE'])),
    examples: [null],
  },
  failing_since: {
    ...orNull(
      time(
        'The time of the first failed attempt since the last success; null while the endpoint works or no event waits.',
      ),
    ),
    examples: [null],
  },
  verified_at: orNull(time('When the URL first responded to an event with 2xx; null before.')),
  created_at: time('When it was registered.'),
  updated_at: time('When it last changed.'),
};

export const webhookEndpointSchema = model('WebhookEndpoint', 'A URL that receives events.', endpointFields);

const secretText = {
  ...text('The key of the signatures. Keep it secret.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  pattern: '^whsec_',
};

export const createdWebhookEndpoint = model('CreatedWebhookEndpoint', 'A new endpoint with its secret.', {
  ...endpointFields,
  secret: secretText,
});

export const webhookSecretSchema = model('WebhookSecret', 'The secret that signs the events of an endpoint.', {
  secret: secretText,
  previous_secret_valid_until: {
    ...orNull(time('Until when previous secrets also sign; null if none does.')),
    examples: [null],
  },
});

export const webhookEventDetail = model('WebhookEventDetail', 'An event with its deliveries and attempts.', {
  ...envelopeFields,
  data: eventData,
  deliveries: listOf(
    model('WebhookDelivery', 'The delivery of an event to one endpoint.', {
      endpoint_id: id('The endpoint.', 3),
      status: enumText(
        '`FAILED`: given up. `SKIPPED`: skipped by an operator.',
        ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'],
        'DELIVERED',
      ),
      tries: count('The number of attempts.', 1),
      next_try_at: { ...orNull(time('When the next attempt is due; null without one.')), examples: [null] },
    }),
    'The delivery to each endpoint that takes the event.',
  ),
  attempts: listOf(
    model('WebhookAttempt', 'One attempt.', {
      endpoint_id: id('The endpoint.', 3),
      attempted_at: time('When it was made.', '2026-01-31T12:00:00.200Z'),
      duration_ms: count('How long it took.', 41),
      success: flag('Whether the response was 2xx.', true),
      response_status: orNull(count('The status of the response; null without one.', 204, 100)),
      error: { ...orNull(text('Why there was no response; null with one.', 'timed out')), examples: [null] },
    }),
    `The newest ${MAX_ATTEMPTS_SHOWN}, newest first.`,
  ),
});

export const webhookResend = model('WebhookResend', 'An event that a redelivery or a replay sent again.', {
  id: id('The id of the request for this event.', 7),
  requested_at: time('When it was requested.'),
  event: webhookEvent,
});
