/** The log of a client's events. docs/clients/webhooks.md#the-log. */
import { Router, type Request } from 'express';
import Joi from 'joi';
import { deliveryHistory, findEvent, listEvents, type LoggedEvent } from '../../data/webhooks/events';
import { redeliverEvent } from '../../data/webhooks/redelivery';
import { errors } from '../../domain/errors';
import { eventTypes, testEventType } from '../../domain/webhook-events';
import { envelopeToRead } from '../../notifications/webhooks/envelope';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/authenticate';
import { listQuery, rowsOf, sendPage } from '../shared/pagination';
import { validQuery } from '../shared/validation';
import { attemptView, deliveryView } from './view';

export const eventsQuery = listQuery<{ type?: string }>(
  { defaultSize: 50, maxSize: 500 },
  {
    type: Joi.string()
      .valid(...eventTypes, testEventType)
      .description('Only events of this type.'),
  },
);

/** GET /, GET /:id, POST /:id/redeliver. */
export function webhookEventRoutes({ database, sealer }: Dependencies): Router {
  const router = Router();

  router.get('/', async (request, response) => {
    const query = validQuery(eventsQuery, request);
    const { total, events } = await listEvents(database, clientOf(response).id, query.type, rowsOf(query));
    const envelopes = events.map((event) => envelopeToRead(sealer, event));
    sendPage(response, { ...query, total }, envelopes);
  });

  router.get('/:id', async (request, response) => {
    const clientId = clientOf(response).id;
    const event = await eventOf(request, clientId);
    const { deliveries, attempts } = await deliveryHistory(database, clientId, event.sequence);
    response.json({
      ...envelopeToRead(sealer, event),
      deliveries: deliveries.map(deliveryView),
      attempts: attempts.map(attemptView),
    });
  });

  router.post('/:id/redeliver', async (request, response) => {
    const clientId = clientOf(response).id;
    const event = await eventOf(request, clientId);
    const endpointIds = await redeliverEvent(database, callerOf(request, response), event);
    if (endpointIds.length === 0) throw errors.validation('No enabled endpoint takes this event');
    response.status(202).json({ event_id: event.id, endpoint_ids: endpointIds });
  });

  async function eventOf(request: Request, clientId: number): Promise<LoggedEvent> {
    const id = String(request.params.id);
    const event = /^evt_[0-9a-f]{32}$/.test(id) ? await findEvent(database, clientId, id) : undefined;
    if (!event) throw errors.notFound('Event');
    return event;
  }

  return router;
}
