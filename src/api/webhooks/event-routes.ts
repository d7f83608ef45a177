/** The log of a client's events. docs/clients/webhooks.md#the-log. */
import type { Request } from 'express';
import Joi from 'joi';
import {
  deliveryHistory,
  findEvent,
  listEvents,
  listOlderEvents,
  type AttemptOutcome,
  type EventAttempt,
  type EventDelivery,
  type LoggedEvent,
  type StoredEvent,
} from '../../data/webhooks/events';
import { listResends } from '../../data/webhooks/resends';
import { redeliverEvent } from '../../data/webhooks/redelivery';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { eventTypes, testEventType } from '../../domain/webhooks/event-payloads';
import { isSuccess, MAX_ATTEMPTS_SHOWN } from '../../domain/webhooks/delivery-rules';
import { envelopeToRead } from '../../notifications/webhooks/envelope';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/caller';
import { json, page } from '../openapi/operation';
import { id, listOf, object } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { schedulePage } from '../shared/large-reads';
import {
  positionErrors,
  positionParameter,
  sendList,
  validListQuery,
  type PositionQuery,
  type ReadableList,
} from '../shared/list-positions';
import { listQuery, rowsOf, sendPage } from '../shared/pagination';
import { queryMoment, validQuery } from '../shared/validation';
import { eventIdSchema, eventTypeSchema, webhookEvent } from './event-schemas';
import { webhookEventDetail, webhookResend } from './schemas';

const eventIdPattern = /^evt_[0-9a-f]{32}$/;

/** The client's log can be read back only: an event may be committed after one with a higher position. */
const eventsQuery = listQuery<Pick<PositionQuery<string>, 'before_id'> & { type?: string }>(pageSizes.unspecified, {
  before_id: positionParameter(
    Joi.string().pattern(eventIdPattern),
    eventIdSchema,
    'Only events that are older than the event with this id, whatever its type. Empty if the log does not keep this event any more. Not together with another page than 1.',
  ),
  type: Joi.string()
    .valid(...eventTypes, testEventType)
    .description('Only events of this type.')
    .meta({ schema: eventTypeSchema }),
});

const resendsQuery = listQuery<{ since: Date }>(pageSizes.unspecified, {
  since: queryMoment.required().description('Only events that were sent again at this time or later.'),
});

const eventsTag = { tag: 'Webhook events', scope: 'webhooks' } as const;
const eventPath = { id: eventIdSchema };

export const webhookEventRoutes: ApiRoutes = {
  'GET /api/v1/webhooks/events': {
    ...eventsTag,
    id: 'listWebhookEvents',
    summary: 'List events',
    description: 'Events are kept for 90 days, with or without endpoints.',
    query: eventsQuery,
    responses: { 200: page('The events as sent, newest first.', webhookEvent) },
    errors: positionErrors(['before_id']),
    handler: (deps) => async (request, response) => {
      const { type, ...query } = validListQuery(eventsQuery, request);
      const clientId = clientOf(response).id;
      const events: ReadableList<StoredEvent, string> = {
        page: (slice) => listEvents(deps.database, clientId, type, slice),
        beyond: ({ id: beforeId }, limit) => listOlderEvents(deps.database, clientId, type, beforeId, limit),
      };
      await sendList(response, query, events, (event) => envelopeToRead(deps.sealer, event));
    },
  },
  'GET /api/v1/webhooks/events/:id': {
    ...eventsTag,
    id: 'getWebhookEvent',
    summary: 'Read an event and its attempts',
    description: `Shows the newest ${MAX_ATTEMPTS_SHOWN} attempts.`,
    path: eventPath,
    responses: { 200: json('The event.', webhookEventDetail) },
    errors: [errors.notFound('Event', 'id')],
    handler: (deps) => async (request, response) => {
      const clientId = clientOf(response).id;
      const event = await eventOf(deps, request, clientId);
      const { deliveries, attempts } = await deliveryHistory(deps.database, clientId, event.sequence);
      response.json({
        ...envelopeToRead(deps.sealer, event),
        deliveries: deliveries.map(deliveryView),
        attempts: attempts.map(attemptView),
      });
    },
  },
  'GET /api/v1/webhooks/resends': {
    ...eventsTag,
    id: 'listWebhookResends',
    summary: 'List events that were sent again',
    description:
      'Each event of a redelivery or a replay, once for each time. They are kept for a day. `dgo listen` of the client library follows this list.',
    query: resendsQuery,
    responses: { 200: page('The events, the newest request first.', webhookResend) },
    handler: (deps) => async (request, response) => {
      const { since, ...query } = validQuery(resendsQuery, request);
      const clientId = clientOf(response).id;
      const rows = rowsOf(query);
      await schedulePage(response, rows, async () => {
        const { total, resends } = await listResends(deps.database, clientId, since, rows);
        const views = resends.map((resend) => ({
          id: resend.resendId,
          requested_at: resend.requestedAt.toISOString(),
          event: envelopeToRead(deps.sealer, resend),
        }));
        sendPage(response, { ...query, total }, views);
      });
    },
  },
  'POST /api/v1/webhooks/events/:id/redeliver': {
    ...eventsTag,
    id: 'redeliverWebhookEvent',
    summary: 'Send an event again',
    description: 'Sends the event to every enabled endpoint that takes its type, or to which it was sent before.',
    path: eventPath,
    responses: {
      202: json(
        'The event is being sent.',
        object({
          event_id: eventIdSchema,
          endpoint_ids: listOf(id('An endpoint.', 3), 'The endpoints that receive it.'),
        }),
      ),
    },
    errors: [errors.notFound('Event', 'id'), errors.validation('No enabled endpoint takes this event')],
    handler: (deps) => async (request, response) => {
      const event = await eventOf(deps, request, clientOf(response).id);
      const endpointIds = await redeliverEvent(deps.database, callerOf(request, response), event);
      if (!endpointIds) throw errors.notFound('Event', 'id');
      if (endpointIds.length === 0) throw errors.validation('No enabled endpoint takes this event');
      response.status(202).json({ event_id: event.id, endpoint_ids: endpointIds });
    },
  },
};

async function eventOf({ database }: Dependencies, request: Request, clientId: number): Promise<LoggedEvent> {
  const id = String(request.params['id']);
  const event = eventIdPattern.test(id) ? await findEvent(database, clientId, id) : undefined;
  if (!event) throw errors.notFound('Event', 'id');
  return event;
}

const statuses = {
  DUE: 'PENDING',
  RETRY: 'PENDING',
  DELIVERED: 'DELIVERED',
  FAILED: 'FAILED',
  SKIPPED: 'SKIPPED',
} as const;

function deliveryView({ endpointId, state, attempts, nextAttemptAt }: EventDelivery) {
  return {
    endpoint_id: endpointId,
    status: statuses[state],
    tries: attempts,
    next_try_at: nextAttemptAt?.toISOString() ?? null,
  };
}

function attemptView({ endpointId, attemptedAt, ...outcome }: EventAttempt) {
  return { endpoint_id: endpointId, attempted_at: attemptedAt.toISOString(), ...outcomeView(outcome) };
}

/** Shows only the status of the endpoint's response. */
export function outcomeView({ durationMs, responseStatus, error }: AttemptOutcome) {
  return {
    duration_ms: durationMs,
    success: isSuccess({ status: responseStatus }),
    response_status: responseStatus,
    error,
  };
}
