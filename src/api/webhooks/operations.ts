/** Webhook endpoints and the event log in the API reference. docs/clients/webhooks.md. */
import { errors } from '../../domain/errors';
import { MAX_ENDPOINTS, MAX_OPEN_REPLAYS, MAX_PREVIOUS_SECRETS } from '../../domain/webhooks';
import { json, page, type Operations } from '../openapi/operation';
import {
  count,
  flag,
  id,
  listOf,
  model,
  object,
  orNull,
  text,
  time,
  word,
  type Fields,
} from '../openapi/schema';
import { documentedEndpointBody, replayBody } from './endpoint-body';
import { endpointsQuery } from './endpoint-routes';
import { eventsQuery } from './event-routes';
import { allEventTypes, envelopeFields, eventData, eventId, webhookEvent } from './event-schemas';

const endpointFields: Fields = {
  id: id('The endpoint.', 3),
  url: text('Where events are posted.', 'https://shop.example/hook'),
  description: text('Your description; may be empty.', 'Shop'),
  event_types: {
    ...listOf(
      word('One type.', allEventTypes),
      'The event types of the endpoint; empty means all but those of top-ups.',
    ),
    examples: [['order.delivered', 'order.failed']],
  },
  enabled: flag('Whether events are sent to it.', true),
  disabled_reason: {
    ...orNull(word('Why the service disabled the endpoint; null if it did not.', ['FAILING', 'GONE'])),
    examples: [null],
  },
  failing_since: {
    ...orNull(time('Since when every attempt has failed; null while the endpoint works.')),
    examples: [null],
  },
  verified_at: orNull(time('When the URL first responded to an event with 2xx; null before.')),
  created_at: time('When it was registered.'),
  updated_at: time('When it changed last.'),
};

const endpoint = model('WebhookEndpoint', 'Where events are sent.', endpointFields);

const secretText = {
  ...text('The key of the signatures. Keep it secret.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  pattern: '^whsec_',
};

const createdEndpoint = model('CreatedWebhookEndpoint', 'A new endpoint with its secret.', {
  ...endpointFields,
  secret: secretText,
});

const secret = model('WebhookSecret', 'The secret that signs the events of an endpoint.', {
  secret: secretText,
  previous_secret_valid_until: {
    ...orNull(time('Until when previous secrets also sign; null if none does.')),
    examples: [null],
  },
});

const eventDetail = model('WebhookEventDetail', 'An event with its deliveries and attempts.', {
  ...envelopeFields,
  data: eventData,
  deliveries: listOf(
    model('WebhookDelivery', 'The delivery of an event to one endpoint.', {
      endpoint_id: id('The endpoint.', 3),
      status: word(
        '`FAILED`: given up. `SKIPPED`: skipped by an operator.',
        ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'],
        'DELIVERED',
      ),
      tries: count('The number of attempts.', 1),
      next_try_at: { ...orNull(time('When the next attempt is due; null without one.')), examples: [null] },
    }),
    'One for each endpoint that takes the event.',
  ),
  attempts: listOf(
    model('WebhookAttempt', 'One attempt.', {
      endpoint_id: id('The endpoint.', 3),
      attempted_at: time('When it was made.', '2026-01-31T12:00:00.200Z'),
      duration_ms: count('How long it took.', 41),
      success: flag('Whether the response was 2xx.', true),
      response_status: orNull(count('The status of the response; null without one.', 204, 100)),
      error: {
        ...orNull(text('Why there was no response; null with one.', 'timed out')),
        examples: [null],
      },
    }),
    'Newest first.',
  ),
});

const endpointsTag = { tag: 'Webhook endpoints' } as const;
const eventsTag = { tag: 'Webhook events' } as const;
const endpointId = { id: id('The endpoint.', 3) };
const commonErrors = [errors.badRequest('Invalid endpoint ID'), errors.notFound('Endpoint')];
const isDisabled = errors.validation('Endpoint is disabled');

/** The rejections of a URL: `urlProblem` in src/notifications/webhooks/addresses.ts. */
const urlErrors = [
  errors.validation('url is too long (max 2048 characters)'),
  errors.validation('url must begin with https:// or http://'),
  errors.validation('url must not contain credentials'),
  errors.validation('url must lead to a public address'),
];

const event = { id: eventId };

export const webhookOperations: Operations = {
  'GET /api/v1/webhooks/endpoints': {
    ...endpointsTag,
    id: 'listWebhookEndpoints',
    summary: 'List your endpoints',
    query: endpointsQuery,
    answers: { 200: page('Newest first.', endpoint) },
  },
  'POST /api/v1/webhooks/endpoints': {
    ...endpointsTag,
    id: 'createWebhookEndpoint',
    summary: 'Register an endpoint',
    description: 'The endpoint first receives a `webhook.test`.',
    body: {
      schema: documentedEndpointBody.create,
      title: 'WebhookEndpointRequest',
      example: { url: 'https://shop.example/hook', event_types: ['order.delivered', 'order.failed'] },
    },
    answers: { 201: json('The endpoint and its secret.', createdEndpoint, { headers: ['Location'] }) },
    errors: [...urlErrors, errors.validation(`No more than ${MAX_ENDPOINTS} endpoints are allowed`)],
  },
  'GET /api/v1/webhooks/endpoints/:id': {
    ...endpointsTag,
    id: 'getWebhookEndpoint',
    summary: 'Read an endpoint',
    path: endpointId,
    answers: { 200: json('The endpoint.', endpoint) },
    errors: commonErrors,
  },
  'PATCH /api/v1/webhooks/endpoints/:id': {
    ...endpointsTag,
    id: 'changeWebhookEndpoint',
    summary: 'Change an endpoint',
    description: 'Missing fields stay as they are. Disabling gives up pending events.',
    path: endpointId,
    body: {
      schema: documentedEndpointBody.change,
      title: 'WebhookEndpointChange',
      example: { enabled: true },
    },
    answers: { 200: json('The endpoint as it is now.', endpoint) },
    errors: [...commonErrors, ...urlErrors],
  },
  'DELETE /api/v1/webhooks/endpoints/:id': {
    ...endpointsTag,
    id: 'deleteWebhookEndpoint',
    summary: 'Delete an endpoint',
    path: endpointId,
    answers: { 204: { description: 'It is gone.' } },
    errors: commonErrors,
  },
  'GET /api/v1/webhooks/endpoints/:id/secret': {
    ...endpointsTag,
    id: 'getWebhookSecret',
    summary: 'Read the secret of an endpoint',
    path: endpointId,
    answers: { 200: json('The secret.', secret) },
    errors: [...commonErrors, errors.secretUnreadable()],
  },
  'POST /api/v1/webhooks/endpoints/:id/secret/rotate': {
    ...endpointsTag,
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret of an endpoint',
    description: 'The old one signs beside the new one for 24 hours.',
    path: endpointId,
    answers: { 200: json('The new secret.', secret) },
    errors: [
      ...commonErrors,
      errors.validation(`No more than ${MAX_PREVIOUS_SECRETS} secrets can be replaced in 24 hours`),
    ],
  },
  'POST /api/v1/webhooks/endpoints/:id/test': {
    ...endpointsTag,
    id: 'testWebhookEndpoint',
    summary: 'Send a test',
    path: endpointId,
    answers: { 202: json('The event that is being sent.', webhookEvent) },
    errors: [...commonErrors, isDisabled],
  },
  'POST /api/v1/webhooks/endpoints/:id/replay': {
    ...endpointsTag,
    id: 'replayWebhookEvents',
    summary: 'Send events again',
    description: 'Every event since then that the endpoint takes, delivered before or not, oldest first.',
    path: endpointId,
    body: {
      schema: replayBody,
      title: 'ReplayRequest',
      example: { since: '2026-01-31T00:00:00Z' },
    },
    answers: { 202: json('The replay has started.', object({ events: count('Events that are sent.', 12) })) },
    errors: [...commonErrors, isDisabled, errors.replayInProgress(), errors.tooManyReplays(MAX_OPEN_REPLAYS)],
  },
  'GET /api/v1/webhooks/events': {
    ...eventsTag,
    id: 'listWebhookEvents',
    summary: 'List events',
    description: 'Kept with or without endpoints, for 90 days.',
    query: eventsQuery,
    answers: { 200: page('As they are sent, newest first.', webhookEvent) },
  },
  'GET /api/v1/webhooks/events/:id': {
    ...eventsTag,
    id: 'getWebhookEvent',
    summary: 'Read an event and its attempts',
    path: event,
    answers: { 200: json('The event.', eventDetail) },
    errors: [errors.notFound('Event')],
  },
  'POST /api/v1/webhooks/events/:id/redeliver': {
    ...eventsTag,
    id: 'redeliverWebhookEvent',
    summary: 'Send an event again',
    description: 'To every enabled endpoint that takes its type.',
    path: event,
    answers: {
      202: json(
        'It is being sent.',
        object({ event_id: eventId, endpoint_ids: listOf(id('An endpoint.', 3), 'Where it is sent.') }),
      ),
    },
    errors: [errors.notFound('Event'), errors.validation('No enabled endpoint takes this event')],
  },
};
