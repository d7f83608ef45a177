/** Claims about delivered goods. docs/specification.md#claims. */
import type { Response } from 'express';
import Joi from 'joi';
import {
  findClaim,
  findOpenClaim,
  insertClaim,
  listClaims,
  readClaimable,
  type ClaimableUnit,
  type ClientClaim,
  type ClaimedUnit,
} from '../../data/orders/client-claims';
import { pageSizes } from '../../domain/clients/page-sizes';
import { orderScopes } from '../../domain/clients/scopes';
import { errors, type ApiError } from '../../domain/errors';
import { canClaim, claimStates, type ClaimState } from '../../domain/orders/claim-kinds';
import { families, type Family } from '../../domain/orders/families';
import type { OrderKey } from '../../domain/orders/order-messages';
import { isNotInstalled, signalMonitor } from '../../ordering/esims/esim-status';
import { orderField } from '../../security/sealing';
import type { Dependencies } from '../dependencies';
import { clientOf } from '../middleware/caller';
import { familyInWords, json, page } from '../openapi/operation';
import { id } from '../openapi/schema';
import { invalidOrderId, ownOrder } from '../orders/own-order';
import type { ApiRoute, ApiRoutes } from '../server/route';
import { listQuery, rowsOf, sendPage } from '../shared/pagination';
import { found, jsonObject, pathId, queryId, validBody, validQuery } from '../shared/validation';
import { claimBody, claimSchema, claimState, claimView, type ClaimBody } from './schemas';

const claimsQuery = listQuery<{ state?: ClaimState; order_id?: number }>(pageSizes.unspecified, {
  state: Joi.valid(...claimStates)
    .description('Only claims in this state.')
    .meta({ schema: claimState }),
  order_id: queryId.description('Only claims about this order.'),
});

const otherKind = () => errors.validation('kind is not possible for this order', 'kind');
export const invalidClaimId = () => errors.validation('Invalid claim ID', 'id');

export const claimRoutes: ApiRoutes = {
  'GET /api/v1/claims': {
    id: 'listClaims',
    tag: 'Claims',
    scope: 'read',
    summary: 'List your claims',
    query: claimsQuery,
    responses: { 200: page('Newest first.', claimSchema) },
    handler: (deps) => async (request, response) => {
      const { state, order_id: orderId, ...query } = validQuery(claimsQuery, request);
      const filter = { state, orderId };
      const { total, claims } = await listClaims(deps.database, clientOf(response).id, filter, rowsOf(query));
      const shown = claims.map((claim) => claimView(deps, response, claim));
      sendPage(response, { ...query, total }, shown);
    },
  },
  'GET /api/v1/claims/:id': {
    id: 'getClaim',
    tag: 'Claims',
    scope: 'read',
    summary: 'Read a claim',
    path: { id: id('The claim.', 7) },
    responses: { 200: json('The claim.', claimSchema) },
    errors: [invalidClaimId(), errors.notFound('Claim', 'id')],
    handler: (deps) => async (request, response) => {
      const claimId = pathId(request.params['id'], invalidClaimId);
      response.json(claimView(deps, response, await ownClaim(deps, response, claimId)));
    },
  },
};

/** The caller's claim. Throws 404 `Claim not found` without one. */
export async function ownClaim({ database }: Dependencies, response: Response, claimId: number): Promise<ClientClaim> {
  return found(await findClaim(database, clientOf(response).id, claimId), 'Claim');
}

/** The route that files a claim about an order of the family. */
export function fileClaimRoute(family: Family, noun: keyof typeof familyInWords): ApiRoute {
  const schema = claimBody(family);
  return {
    id: `file${noun}Claim`,
    tag: 'Claims',
    scope: orderScopes[family],
    feature: families[family].feature,
    summary: `Claim goods of ${familyInWords[noun].one} order`,
    description:
      'Returns the open claim if there is one: repeat the request after a lost response. After a rejection, a new claim is possible while the time to claim lasts.',
    path: { id: id('The order.', 17) },
    body: { schema, title: `${noun}ClaimRequest` },
    responses: { 200: json('The open claim about the same goods.', claimSchema), 201: json('The claim.', claimSchema) },
    errors: [
      invalidOrderId(),
      errors.notFound('Order', 'id'),
      ...(family === 'VOUCHER' ? [errors.validation('unit was not delivered', 'unit')] : []),
      ...(family === 'ESIM' ? [errors.esimInstalled()] : [otherKind()]),
      errors.claimTooLate(),
      errors.nothingToClaim(),
      errors.unitSettled(family),
    ],
    handler: (deps) => async (request, response) => {
      const orderId = pathId(request.params['id'], invalidOrderId);
      const body = validBody(schema, jsonObject(request));
      const { nonce } = await ownOrder(deps, family, response, orderId);
      if (!canClaim(family, body.kind)) throw otherKind();
      const claimed = { clientId: clientOf(response).id, orderId, unit: body.unit ?? null };
      const { claim, isNew } = await fileClaim(deps, { ...claimed, nonce }, body);
      response.status(isNew ? 201 : 200).json(claimView(deps, response, claim));
    },
  };
}

/** The error for a claim that is not possible; undefined if it is. */
function claimRejection({
  family,
  deliveredUnits,
  isDelivered,
  isSettled,
  isTooLate,
}: ClaimableUnit): ApiError | undefined {
  if (deliveredUnits === 0) return errors.nothingToClaim();
  if (!isDelivered) return errors.validation('unit was not delivered', 'unit');
  if (isSettled) return errors.unitSettled(family);
  return isTooLate ? errors.claimTooLate() : undefined;
}

/** Files the claim, unless the unit has an open one. The database decides: a unit never has two. Throws if no claim is possible. */
async function fileClaim(
  deps: Dependencies,
  { nonce, ...claimed }: ClaimedUnit & { nonce: string },
  { kind, text }: ClaimBody,
): Promise<{ claim: ClientClaim; isNew: boolean }> {
  const { database, sealer, config } = deps;
  const open = await findOpenClaim(database, claimed);
  if (open) return { claim: open, isNew: false };
  const rejection = claimRejection(await readClaimable(database, claimed, config.claims.days));
  if (rejection) throw rejection;
  if (kind === 'UNUSED') await requireNotInstalled(deps, { orderId: claimed.orderId, nonce });
  const sealedText = sealer.seal(orderField(nonce, 'claim'), text);
  const filed = await insertClaim(database, { ...claimed, kind, sealedText, dueDays: config.claims.dueDays });
  const claim =
    filed === undefined ? await findOpenClaim(database, claimed) : await findClaim(database, claimed.clientId, filed);
  // The open claim was closed in the meantime: the caller may try again.
  if (!claim) throw errors.serviceUnavailable();
  return { claim, isNew: filed !== undefined };
}

/** Polls the supplier. Throws 503 if it does not answer, and 409 if the eSIM is installed. */
export async function requireNotInstalled(deps: Dependencies, order: OrderKey): Promise<void> {
  const wakeMonitor = () => signalMonitor(deps, order);
  const isUnused = await isNotInstalled(deps, order, wakeMonitor).catch((error: unknown) => {
    deps.log.warn({ err: error, orderId: order.orderId }, 'an eSIM could not be polled for a claim');
    throw errors.serviceUnavailable();
  });
  if (!isUnused) throw errors.esimInstalled();
}
