/** A client's own API keys, allowed networks and activity. docs/specification.md#keys-networks-activity. */
import type { Request } from 'express';
import { listActivity, type Activity } from '../../data/clients/activity';
import { findClient } from '../../data/clients/clients';
import { createKey, listKeyPage, revokeKey, rollKey, setNetworks, type OwnKey } from '../../data/clients/own-keys';
import { isAllowedAddress } from '../../domain/clients/networks';
import { pageSizes } from '../../domain/clients/page-sizes';
import { errors } from '../../domain/errors';
import { hashApiSecret, newApiKey, newApiSecret } from '../../security/api-secrets';
import type { KeyRing } from '../../security/key-ring';
import { callerOf, clientOf } from '../middleware/caller';
import { json, page } from '../openapi/operation';
import { id } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';
import { schedulePage } from '../shared/large-reads';
import { listQuery, rowsOf, sendPage, sendRows } from '../shared/pagination';
import { found, hasBody, jsonObject, pathId, validBody, validQuery } from '../shared/validation';
import { asApiError, rejections } from './rejections';
import {
  activitySchema,
  apiKeySchema,
  createdApiKeySchema,
  keyBody,
  networksBody,
  networksSchema,
  rollBody,
} from './schemas';

const common = { tag: 'Keys and access', scope: 'admin' } as const;
const keyPath = { id: id('The key.', 7) };
const invalidId = () => errors.badRequest('Invalid key ID', 'id');
const unknownKey = [invalidId(), errors.notFound('Key', 'id')];
const expiresInPast = () => errors.validation('expires_at must be in the future', 'expires_at');

const pageQuery = listQuery(pageSizes.unspecified);

export const accessRoutes: ApiRoutes = {
  'GET /api/v1/api-keys': {
    ...common,
    id: 'listApiKeys',
    summary: 'List your API keys',
    query: pageQuery,
    responses: { 200: page('Newest first, ended ones included.', apiKeySchema) },
    handler: (deps) => async (request, response) => {
      const query = validQuery(pageQuery, request);
      const { total, keys } = await listKeyPage(deps.database, clientOf(response).id, rowsOf(query));
      sendPage(response, { ...query, total }, keys.map(keyView));
    },
  },
  'POST /api/v1/api-keys': {
    ...common,
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Returns the key and its secret, which is shown only now. A key cannot give another key a scope that it lacks.',
    body: { schema: keyBody, title: 'ApiKeyRequest' },
    responses: { 201: json('The key and its secret.', createdApiKeySchema) },
    errors: [expiresInPast(), rejections.TOO_MANY_KEYS(), errors.scopeMissing('wallets')],
    handler: (deps) => async (request, response) => {
      const { expires_at: expiresAt, ...rest } = validBody(keyBody, jsonObject(request));
      if (expiresAt && expiresAt.getTime() <= Date.now()) throw expiresInPast();
      const { secret, ...key } = newCredentials(deps.keyRing);
      const caller = callerOf(request, response);
      const created = await createKey(deps.database, caller, key, { ...rest, expiresAt }).catch(asApiError);
      response.status(201).json({ ...keyView(created), api_secret: secret });
    },
  },
  'POST /api/v1/api-keys/:id/roll': {
    ...common,
    id: 'rollApiKey',
    summary: 'Replace an API key',
    description:
      'Returns a new key with its secret, which is shown only now. It has the label and the scopes of the old key, and is valid for as long as the old one was. The old key expires after the overlap. A key can be rolled once. It cannot roll a key that has a scope that it lacks, nor itself without an overlap.',
    path: keyPath,
    body: { schema: rollBody, title: 'ApiKeyRoll', isOptional: true },
    responses: { 201: json('The new key and its secret.', createdApiKeySchema) },
    errors: [
      ...unknownKey,
      rejections.ROLLED(),
      rejections.ENDED(),
      rejections.OWN_KEY(),
      errors.scopeMissing('wallets'),
    ],
    handler: (deps) => async (request, response) => {
      const keyId = idOf(request);
      const body = hasBody(request) ? jsonObject(request) : {};
      const { overlap_hours: overlapHours } = validBody(rollBody, body);
      const { secret, ...successor } = newCredentials(deps.keyRing);
      const caller = callerOf(request, response);
      const rolledTo = await rollKey(deps.database, caller, { id: keyId, overlapHours }, successor).catch(asApiError);
      response.status(201).json({ ...keyView(found(rolledTo, 'Key')), api_secret: secret });
    },
  },
  'POST /api/v1/api-keys/:id/revoke': {
    ...common,
    id: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Ends its sessions at once. Its access tokens can still read until they expire.',
    path: keyPath,
    responses: { 200: json('The revoked key.', apiKeySchema) },
    errors: [...unknownKey, rejections.OWN_KEY()],
    handler: (deps) => async (request, response) => {
      const caller = callerOf(request, response);
      const revoked = await revokeKey(deps.database, caller, idOf(request)).catch(asApiError);
      response.json(keyView(found(revoked, 'Key')));
    },
  },
  'GET /api/v1/allowed-networks': {
    ...common,
    id: 'getAllowedNetworks',
    summary: 'Read the networks from which you may order',
    responses: { 200: json('The networks.', networksSchema) },
    handler: (deps) => async (request, response) => {
      const known = clientOf(response);
      const { allowedCidrs } = (await findClient(deps.database, known.id)) ?? known;
      response.json(networksView(request, allowedCidrs));
    },
  },
  'PUT /api/v1/allowed-networks': {
    ...common,
    id: 'setAllowedNetworks',
    summary: 'Set the networks from which you may order',
    description:
      'Replaces the list, for all keys of the account. Order requests from other addresses are rejected; every other call stays possible.',
    body: { schema: networksBody, title: 'AllowedNetworksRequest' },
    responses: { 200: json('The networks.', networksSchema) },
    handler: (deps) => async (request, response) => {
      const { networks } = validBody(networksBody, jsonObject(request));
      await setNetworks(deps.database, callerOf(request, response), networks).catch(asApiError);
      response.json(networksView(request, networks));
    },
  },
  'GET /api/v1/activity': {
    ...common,
    id: 'listActivity',
    summary: 'List the activity of your account',
    description:
      'Sign-ins, changes of keys, networks, members and webhook endpoints, codes shown to members, and other calls that the audit records. Kept for 400 days.',
    query: pageQuery,
    responses: { 200: page('Newest first.', activitySchema) },
    handler: (deps) => async (request, response) => {
      const query = validQuery(pageQuery, request);
      const rows = rowsOf(query);
      await schedulePage(response, rows, async () => {
        const { total, entries } = await listActivity(deps.database, clientOf(response).id, rows);
        await sendRows(response, { ...query, total }, entries, activityView);
      });
    },
  },
};

function idOf(request: Request): number {
  return pathId(request.params['id'], invalidId);
}

function newCredentials(keyRing: KeyRing) {
  const [apiKey, secret] = [newApiKey(), newApiSecret()];
  return { apiKey, secret, ...hashApiSecret(keyRing, { apiKey, secret }) };
}

/** A key as the client reads it. */
export function keyView(key: OwnKey) {
  return {
    id: key.id,
    api_key: key.apiKey,
    label: key.label,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

function networksView({ ip }: Request, networks: readonly string[]) {
  return { networks, your_address: ip ?? null, your_address_is_allowed: isAllowedAddress(ip, networks) };
}

/** An entry of the activity as the client reads it. */
export function activityView({ id: entryId, at, actor, action, object, address }: Activity) {
  return { id: entryId, at: at.toISOString(), actor, action, object, address };
}
