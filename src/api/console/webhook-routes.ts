/** The events of an account with the states of their deliveries. docs/developers/console.md#data-of-the-console. */
import Joi from 'joi';
import {
  countWaitingEvents,
  eventStates,
  listClientEvents,
  type EventState,
  type ListedEvent,
  type WaitingEvents,
} from '../../data/webhooks/client-events';
import { MAX_COUNTED } from '../../data/webhooks/deliveries';
import { eventTypes, testEventType, typesOnlyByName } from '../../domain/webhooks/event-payloads';
import { clientOf } from '../middleware/caller';
import type { Routes } from '../server/route';
import { sendCsv } from '../shared/csv-response';
import { scheduleLargeRead } from '../shared/large-reads';
import { queryId, validQuery } from '../shared/validation';
import { before, linesOf, rowLimit } from './page-query';

interface EventsQuery {
  type?: string;
  state?: EventState;
  endpoint?: number;
  order?: number;
  before?: number;
  limit: number;
}

const eventsQuery = Joi.object<EventsQuery>({
  type: Joi.valid(...eventTypes, testEventType),
  state: Joi.valid(...eventStates),
  endpoint: queryId,
  order: queryId,
  before,
  limit: rowLimit,
});

const eventColumns = [
  'id',
  'type',
  'order_id',
  'created_at',
  'state',
  'waiting',
  'failed',
  'delivered',
  'next_attempt_at',
] as const;

/** Served to the console's session alone. docs/developers/console.md#data-of-the-console. */
export const consoleWebhookRoutes: Routes = {
  'GET /console/api/events': {
    scope: 'webhooks',
    handler: (deps) => async (request, response) => {
      const { type, state, endpoint: endpointId, order: orderId, ...page } = validQuery(eventsQuery, request);
      const filter = { type, state, endpointId, orderId };
      const { events, next } = await scheduleLargeRead(response, () =>
        listClientEvents(deps.database, clientOf(response).id, filter, page),
      );
      response.json({ events: events.map(eventView), next });
    },
  },
  'GET /console/api/events.csv': {
    scope: 'webhooks',
    handler: (deps) => async (request, response) => {
      const { type, state, endpoint: endpointId, order: orderId } = validQuery(eventsQuery, request);
      const { id } = clientOf(response);
      const filter = { type, state, endpointId, orderId };
      const read = async (page: { before?: number | undefined; limit: number }) => {
        const { events: items, next } = await listClientEvents(deps.database, id, filter, page);
        return { items, next };
      };
      await sendCsv(response, 'events.csv', eventColumns, linesOf(read, eventView));
    },
  },
  'GET /console/api/endpoints': {
    scope: 'webhooks',
    handler: (deps) => async (_request, response) => {
      const waiting = await countWaitingEvents(deps.database, clientOf(response).id);
      response.json({ endpoints: waiting.map(waitingView) });
    },
  },
  'GET /console/api/event-types': {
    scope: 'webhooks',
    handler: () => (_request, response) => {
      response.json({ event_types: eventTypes, only_by_name: typesOnlyByName });
    },
  },
};

function eventView(event: ListedEvent) {
  return {
    id: event.id,
    type: event.type,
    order_id: event.orderId,
    created_at: event.createdAt.toISOString(),
    state: event.state,
    waiting: event.waiting,
    failed: event.failed,
    delivered: event.delivered,
    next_attempt_at: event.nextAttemptAt?.toISOString() ?? null,
  };
}

function waitingView({ endpointId, waiting, nextAttemptAt }: WaitingEvents) {
  return {
    id: endpointId,
    waiting,
    is_more: waiting === MAX_COUNTED,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
  };
}
