/** Webhook endpoints, their secrets, tests and replays. docs/clients/webhooks.md#endpoints. */
import { randomBytes } from 'node:crypto';
import type { Request } from 'express';
import { recordAudit } from '../../data/audit/audit-entries';
import {
  findSecret,
  reportUnreadableSecret,
  rotateSecret,
  type EndpointSecret,
} from '../../data/webhooks/endpoint-secrets';
import {
  addEndpoint,
  changeEndpoint,
  deleteEndpoint,
  findEndpoint,
  listEndpoints,
  type Endpoint,
} from '../../data/webhooks/endpoints';
import { replayEvents, writeTestEvent } from '../../data/webhooks/redelivery';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { day, timeAt } from '../../domain/time';
import { MAX_ENDPOINTS, MAX_OPEN_REPLAYS, MAX_PREVIOUS_SECRETS } from '../../domain/webhooks/endpoint-limits';
import { envelopeToRead } from '../../notifications/webhooks/envelope';
import { newWebhookSecret } from '../../notifications/webhooks/signing';
import { webhookSecret } from '../../security/sealing';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/caller';
import { json, page } from '../openapi/operation';
import { count, id, object } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { scheduleLargeRead } from '../shared/large-reads';
import { listQuery, rowsOf, sendPage } from '../shared/pagination';
import { found, jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { documentedEndpointBody, endpointSchemas, replayBody } from './endpoint-body';
import { anyEvent, webhookEvent } from './event-schemas';
import { createdWebhookEndpoint, webhookEndpointSchema, webhookSecretSchema } from './schemas';

const endpointsQuery = listQuery(pageSizes.unspecified);

const endpointsTag = { tag: 'Webhook endpoints', scope: 'webhooks' } as const;
const endpointPath = { id: id('The endpoint.', 3) };
const invalidId = () => errors.badRequest('Invalid endpoint ID', 'id');
const unknownEndpoint = [invalidId(), errors.notFound('Endpoint', 'id')];
const endpointDisabled = () => errors.validation('Endpoint is disabled');
const tooManyEndpoints = () => errors.validation(`No more than ${MAX_ENDPOINTS} endpoints are allowed`);
const tooManySecrets = () =>
  errors.validation(`No more than ${MAX_PREVIOUS_SECRETS} secrets can be replaced in 24 hours`);

/** The errors of a URL: `urlProblem` in src/notifications/webhooks/addresses.ts. */
const urlErrors = [
  errors.validation('url is too long (max 2048 characters)', 'url'),
  errors.validation('url must begin with https:// or http://', 'url'),
  errors.validation('url must not contain credentials', 'url'),
  errors.validation('url must lead to a public address', 'url'),
];

export const webhookEndpointRoutes: ApiRoutes = {
  'GET /api/v1/webhooks/endpoints': {
    ...endpointsTag,
    id: 'listWebhookEndpoints',
    summary: 'List your endpoints',
    query: endpointsQuery,
    responses: { 200: page('Newest first.', webhookEndpointSchema) },
    handler: (deps) => async (request, response) => {
      const query = validQuery(endpointsQuery, request);
      const { total, endpoints } = await listEndpoints(deps.database, clientOf(response).id, rowsOf(query));
      sendPage(response, { ...query, total }, endpoints.map(endpointView));
    },
  },
  'POST /api/v1/webhooks/endpoints': {
    ...endpointsTag,
    showsSecret: true,
    id: 'createWebhookEndpoint',
    summary: 'Register an endpoint',
    description: 'The endpoint first receives a `webhook.test`.',
    body: { schema: documentedEndpointBody.create, title: 'WebhookEndpointRequest' },
    sends: anyEvent,
    responses: { 201: json('The endpoint and its secret.', createdWebhookEndpoint, { headers: ['Location'] }) },
    errors: [...urlErrors, tooManyEndpoints()],
    handler: ({ config, database, sealer }) => {
      const schema = endpointSchemas(config).create;
      return async (request, response) => {
        const { event_types: eventTypes, ...rest } = validBody(schema, jsonObject(request));
        const nonce = randomBytes(9).toString('hex');
        const secret = newWebhookSecret();
        const sealedSecret = sealer.seal(webhookSecret(nonce), secret);
        const settings = { ...rest, eventTypes };
        const endpoint = await addEndpoint(database, callerOf(request, response), settings, { nonce, sealedSecret });
        if (!endpoint) throw tooManyEndpoints();
        response.status(201).location(`/api/v1/webhooks/endpoints/${endpoint.id}`);
        response.json({ ...endpointView(endpoint), secret });
      };
    },
  },
  'GET /api/v1/webhooks/endpoints/:id': {
    ...endpointsTag,
    id: 'getWebhookEndpoint',
    summary: 'Read an endpoint',
    path: endpointPath,
    responses: { 200: json('The endpoint.', webhookEndpointSchema) },
    errors: unknownEndpoint,
    handler: (deps) => async (request, response) => {
      const endpoint = await findEndpoint(deps.database, clientOf(response).id, endpointId(request));
      response.json(endpointView(found(endpoint, 'Endpoint')));
    },
  },
  'PATCH /api/v1/webhooks/endpoints/:id': {
    ...endpointsTag,
    id: 'changeWebhookEndpoint',
    summary: 'Change an endpoint',
    description: 'Missing fields stay as they are. Disabling gives up pending events.',
    path: endpointPath,
    body: { schema: documentedEndpointBody.change, title: 'WebhookEndpointChange' },
    responses: { 200: json('The updated endpoint.', webhookEndpointSchema) },
    errors: [...unknownEndpoint, ...urlErrors],
    handler: ({ config, database }) => {
      const schema = endpointSchemas(config).change;
      return async (request, response) => {
        const id = endpointId(request);
        const { event_types: eventTypes, ...rest } = validBody(schema, jsonObject(request));
        const changes = { ...rest, ...(eventTypes && { eventTypes }) };
        const endpoint = await changeEndpoint(database, callerOf(request, response), id, changes);
        response.json(endpointView(found(endpoint, 'Endpoint')));
      };
    },
  },
  'DELETE /api/v1/webhooks/endpoints/:id': {
    ...endpointsTag,
    id: 'deleteWebhookEndpoint',
    summary: 'Delete an endpoint',
    path: endpointPath,
    responses: { 204: { description: 'The endpoint is deleted.' } },
    errors: unknownEndpoint,
    handler: (deps) => async (request, response) => {
      const deleted = await deleteEndpoint(deps.database, callerOf(request, response), endpointId(request));
      if (!deleted) throw errors.notFound('Endpoint', 'id');
      response.status(204).end();
    },
  },
  'GET /api/v1/webhooks/endpoints/:id/secret': {
    ...endpointsTag,
    showsSecret: true,
    id: 'getWebhookSecret',
    summary: 'Read the secret of an endpoint',
    path: endpointPath,
    responses: { 200: json('The secret.', webhookSecretSchema) },
    errors: [...unknownEndpoint, errors.secretUnreadable()],
    handler: (deps) => async (request, response) => {
      const id = endpointId(request);
      const row = found(await findSecret(deps.database, clientOf(response).id, id), 'Endpoint');
      const secret = deps.sealer.openForView(webhookSecret(row.nonce), row.sealedSecret);
      if (secret === null) {
        await reportUnreadableSecret(deps.database, id, [row.sealedSecret]);
        throw errors.secretUnreadable();
      }
      const entry = { action: 'webhook_secret.shown', object: `webhook_endpoint/${id}` } as const;
      await recordAudit(deps.database, callerOf(request, response), entry);
      response.json(secretView(row, secret));
    },
  },
  'POST /api/v1/webhooks/endpoints/:id/secret/rotate': {
    ...endpointsTag,
    showsSecret: true,
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret of an endpoint',
    description: 'The old secret also signs for 24 hours.',
    path: endpointPath,
    responses: { 200: json('The new secret.', webhookSecretSchema) },
    errors: [...unknownEndpoint, tooManySecrets()],
    handler: (deps) => async (request, response) => {
      const id = endpointId(request);
      const caller = callerOf(request, response);
      const { nonce } = found(await findSecret(deps.database, caller.clientId, id), 'Endpoint');
      const secret = newWebhookSecret();
      const sealed = deps.sealer.seal(webhookSecret(nonce), secret);
      const row = found(await rotateSecret(deps.database, caller, id, sealed), 'Endpoint');
      if (row === 'TOO_MANY') throw tooManySecrets();
      response.json(secretView(row, secret));
    },
  },
  'POST /api/v1/webhooks/endpoints/:id/test': {
    ...endpointsTag,
    id: 'testWebhookEndpoint',
    summary: 'Send a test',
    path: endpointPath,
    responses: { 202: json('The event that is being sent.', webhookEvent) },
    errors: [...unknownEndpoint, endpointDisabled()],
    handler: (deps) => async (request, response) => {
      const clientId = clientOf(response).id;
      const { id } = await enabledEndpoint(deps, request, clientId);
      const event = found(await writeTestEvent(deps.database, clientId, id), 'Endpoint');
      response.status(202).json(envelopeToRead(deps.sealer, event));
    },
  },
  'POST /api/v1/webhooks/endpoints/:id/replay': {
    ...endpointsTag,
    id: 'replayWebhookEvents',
    summary: 'Send events again',
    description: 'Sends every event since then that the endpoint takes, whether delivered before or not, oldest first.',
    path: endpointPath,
    body: { schema: replayBody, title: 'ReplayRequest' },
    responses: { 202: json('The replay has started.', object({ events: count('The number of events.', 12) })) },
    errors: [
      ...unknownEndpoint,
      endpointDisabled(),
      errors.replayInProgress(),
      errors.tooManyReplays(MAX_OPEN_REPLAYS),
    ],
    handler: (deps) => async (request, response) => {
      const { id } = await enabledEndpoint(deps, request, clientOf(response).id);
      const { since } = validBody(replayBody, jsonObject(request));
      // Older events are deleted, or are about to be.
      const from = Math.max(since.getTime(), Date.now() - deps.config.eventRetentionDays * day);
      // A replay counts its events, which may be a million.
      const events = await scheduleLargeRead(response, () =>
        replayEvents(deps.database, callerOf(request, response), id, timeAt(from)),
      );
      if (events === 'IN_PROGRESS') throw errors.replayInProgress();
      if (events === 'TOO_MANY') throw errors.tooManyReplays(MAX_OPEN_REPLAYS);
      response.status(202).json({ events });
    },
  },
};

/** The endpoint of the path. Throws 400 if it is disabled, because it would receive nothing. */
async function enabledEndpoint({ database }: Dependencies, request: Request, clientId: number): Promise<Endpoint> {
  const endpoint = found(await findEndpoint(database, clientId, endpointId(request)), 'Endpoint');
  if (!endpoint.enabled) throw endpointDisabled();
  return endpoint;
}

function endpointId(request: Request): number {
  return pathId(request.params['id'], invalidId);
}

function secretView({ previousSecretUntil }: EndpointSecret, secret: string): object {
  return { secret, previous_secret_valid_until: previousSecretUntil?.toISOString() ?? null };
}

function endpointView(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.eventTypes,
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    verified_at: endpoint.verifiedAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}
