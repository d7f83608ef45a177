/** Webhook endpoints, their secrets, tests and replays. docs/clients/webhooks.md#endpoints. */
import { randomBytes } from 'node:crypto';
import { Router, type Request } from 'express';
import { clearAttention } from '../../data/operations/attention';
import { recordAudit } from '../../data/operations/audit';
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  findEndpoint,
  findSecret,
  listEndpoints,
  reportUnreadableSecret,
  rotateSecret,
  type Endpoint,
  type EndpointSecret,
} from '../../data/webhooks/endpoints';
import { replayEvents, writeTestEvent } from '../../data/webhooks/redelivery';
import { errors } from '../../domain/errors';
import { day } from '../../domain/time';
import { MAX_ENDPOINTS, MAX_OPEN_REPLAYS, MAX_PREVIOUS_SECRETS } from '../../domain/webhooks';
import { envelopeToRead } from '../../notifications/webhooks/envelope';
import { newWebhookSecret } from '../../notifications/webhooks/signing';
import { webhookSecret } from '../../security/encryption-context';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/authenticate';
import { listQuery, rowsOf, sendPage } from '../shared/pagination';
import { jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { endpointSchemas, replayBody } from './endpoint-body';
import { endpointView } from './view';

export const endpointsQuery = listQuery({ defaultSize: 50, maxSize: 500 });

/** GET|POST /, GET|PATCH|DELETE /:id, GET /:id/secret, POST /:id/secret/rotate, /:id/test, /:id/replay. */
export function webhookEndpointRoutes(deps: Dependencies): Router {
  const { config, database, sealer } = deps;
  const router = Router();
  const schemas = endpointSchemas(config);

  router.get('/', async (request, response) => {
    const query = validQuery(endpointsQuery, request);
    const { total, endpoints } = await listEndpoints(database, clientOf(response).id, rowsOf(query));
    sendPage(response, { ...query, total }, endpoints.map(endpointView));
  });

  router.post('/', async (request, response) => {
    const { event_types: eventTypes, ...rest } = validBody(schemas.create, jsonObject(request));
    const nonce = randomBytes(9).toString('hex');
    const secret = newWebhookSecret();
    const sealedSecret = sealer.seal(webhookSecret(nonce), secret);
    const settings = { ...rest, eventTypes };
    const endpoint = await addEndpoint(database, callerOf(request, response), settings, {
      nonce,
      sealedSecret,
    });
    if (!endpoint) throw errors.validation(`No more than ${MAX_ENDPOINTS} endpoints are allowed`);
    response.status(201).location(`/api/v1/webhooks/endpoints/${endpoint.id}`);
    response.json({ ...endpointView(endpoint), secret });
  });

  router.get('/:id', async (request, response) => {
    const endpoint = await findEndpoint(database, clientOf(response).id, endpointId(request));
    response.json(endpointView(found(endpoint)));
  });

  router.patch('/:id', async (request, response) => {
    const id = endpointId(request);
    const { event_types: eventTypes, ...rest } = validBody(schemas.change, jsonObject(request));
    const changes = { ...rest, ...(eventTypes && { eventTypes }) };
    const endpoint = await changeEndpoint(database, callerOf(request, response), id, changes);
    response.json(endpointView(found(endpoint)));
  });

  router.delete('/:id', async (request, response) => {
    const deleted = await deleteEndpoint(database, callerOf(request, response), endpointId(request));
    if (!deleted) throw errors.notFound('Endpoint');
    response.status(204).end();
  });

  addSecretRoutes(router, deps);

  router.post('/:id/test', async (request, response) => {
    const { id } = await enabledEndpoint(request, clientOf(response).id);
    const event = found(await writeTestEvent(database, clientOf(response).id, id));
    response.status(202).json(envelopeToRead(sealer, event));
  });

  router.post('/:id/replay', async (request, response) => {
    const { id } = await enabledEndpoint(request, clientOf(response).id);
    const { since } = validBody(replayBody, jsonObject(request));
    // Older events are deleted, or about to be.
    const from = Math.max(Date.parse(since), Date.now() - config.eventRetentionDays * day);
    const events = await replayEvents(database, callerOf(request, response), id, new Date(from));
    if (events === 'IN_PROGRESS') throw errors.replayInProgress();
    if (events === 'TOO_MANY') throw errors.tooManyReplays(MAX_OPEN_REPLAYS);
    response.status(202).json({ events });
  });

  /** The endpoint of the path. Throws 400 if it is disabled, because nothing would be sent. */
  async function enabledEndpoint(request: Request, clientId: number): Promise<Endpoint> {
    const endpoint = found(await findEndpoint(database, clientId, endpointId(request)));
    if (!endpoint.enabled) throw errors.validation('Endpoint is disabled');
    return endpoint;
  }

  return router;
}

/** GET /:id/secret, POST /:id/secret/rotate. */
function addSecretRoutes(router: Router, { database, sealer }: Dependencies): void {
  router.get('/:id/secret', async (request, response) => {
    const id = endpointId(request);
    const row = found(await findSecret(database, clientOf(response).id, id));
    const secret = sealer.openForView(webhookSecret(row.nonce), row.sealedSecret);
    if (secret === null) {
      await reportUnreadableSecret(database, id);
      throw errors.secretUnreadable();
    }
    const entry = { action: 'webhook_secret.shown', object: `webhook_endpoint/${id}` } as const;
    await recordAudit(database, callerOf(request, response), entry);
    response.json(secretView(row, secret));
  });

  router.post('/:id/secret/rotate', async (request, response) => {
    const id = endpointId(request);
    const caller = callerOf(request, response);
    const { nonce } = found(await findSecret(database, caller.clientId, id));
    const secret = newWebhookSecret();
    const sealed = sealer.seal(webhookSecret(nonce), secret);
    const row = found(await rotateSecret(database, caller, id, sealed));
    if (row === 'TOO_MANY')
      throw errors.validation(`No more than ${MAX_PREVIOUS_SECRETS} secrets can be replaced in 24 hours`);
    await clearAttention(database, { endpointId: id }, ['SECRET_UNREADABLE']);
    response.json(secretView(row, secret));
  });
}

function endpointId(request: Request): number {
  return pathId(request.params.id, () => errors.badRequest('Invalid endpoint ID'));
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw errors.notFound('Endpoint');
  return row;
}

function secretView({ previousSecretUntil }: EndpointSecret, secret: string): object {
  return { secret, previous_secret_valid_until: previousSecretUntil?.toISOString() ?? null };
}
