/** The routes of the orders of a family. docs/specification.md#creating-an-order, docs/specification.md#lists-and-pages. */
import type { RequestHandler } from 'express';
import Joi from 'joi';
import type { Client } from '../../data/clients/clients';
import type { ListPosition } from '../../data/database/slices';
import { attachEmail } from '../../data/orders/order-mails';
import { listOrders, listOrdersBeyond, type OrderListFilter } from '../../data/orders/order-reads';
import { listCreditedRefunds } from '../../data/orders/stored-refunds';
import type { RowOf, SingleOf } from '../../data/purchases/families';
import { orderCalls } from '../../domain/clients/rate-classes';
import { orderScopes } from '../../domain/clients/scopes';
import { errors, type ApiError } from '../../domain/errors';
import { families, type Family, ordersPath } from '../../domain/orders/families';
import { sandboxFaults } from '../../domain/orders/sandbox-faults';
import { emailAddress } from '../../notifications/mail/address';
import { emailHashes } from '../../ordering/placement/recipient-hashes';
import { orderField } from '../../security/sealing';
import type { Dependencies } from '../dependencies';
import { callerOf, clientOf } from '../middleware/caller';
import { fileClaimRoute } from '../claims/routes';
import { admitOrderRequest } from '../middleware/order-admission';
import { familyInWords, json, page, type Body, type ApiOperation } from '../openapi/operation';
import { flag, id, listOf, object, text, type Schema } from '../openapi/schema';
import type { ApiRoute, ApiRoutes } from '../server/route';
import { forCaller } from './recipients';
import { handleOrderRequest, sendOrder, type OrderInBody, type OrderView } from './order-request';
import type { OrdersQuery } from './order-fields';
import { invalidOrderId, ownOrder } from './own-order';
import { orderRefund, refundView } from './refund-schemas';
import { positionErrors, sendList, validListQuery } from '../shared/list-positions';
import { jsonObject, pathId, validBody } from '../shared/validation';

export interface OrderViews<F extends Family> {
  created: OrderView<F>;
  single: OrderView<F>;
  listed: (order: RowOf[F]) => object;
}

/** The differences between the families. */
interface OrderResource<F extends Family, Filter> extends Pick<ApiOperation, 'tag'> {
  family: F;
  /** Part of the ids of operations, such as `createTopupOrder`. */
  noun: 'Voucher' | 'Topup' | 'Esim';
  create: Pick<ApiOperation, 'description' | 'errors'> & {
    body: Body;
    created: Schema;
    /** Throws if the body is invalid, with the messages of the contract. */
    read: (deps: Dependencies, client: Client, body: Record<string, unknown>) => OrderInBody | Promise<OrderInBody>;
  };
  list: Pick<ApiOperation, 'description'> & {
    query: Joi.ObjectSchema<OrdersQuery & Filter>;
    filterOf: (query: Filter) => OrderListFilter;
    listed: Schema;
    /** The error for a list without a match, for families that return no empty list. */
    noMatch?: () => ApiError;
  };
  single: Pick<ApiOperation, 'description'> & {
    schema: Schema;
    /** The error for an invalid id in the path. Default: `invalidOrderId`. */
    invalidId?: () => ApiError;
    /** Brings the order up to date with its supplier before it is shown. */
    refresh?: (deps: Dependencies, client: Client, order: SingleOf[F]) => Promise<SingleOf[F]>;
  };
  views: (deps: Dependencies) => OrderViews<F>;
}

const notificationEmailBody = Joi.object<{ email: string }>({
  email: emailAddress
    .empty(null)
    .required()
    .messages({
      'any.required': 'email is required',
      'string.empty': 'email is required',
      'string.max': 'email is too long (max 254 characters)',
      '*': 'email is invalid',
    })
    .description('An address that gets one email when the order ends.')
    .example('buyer@client.example'),
});

const idempotencyKey: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x20-\\x7e]+$',
  description: 'A unique key for this request. If you repeat the request with the key, it returns the first order.',
  examples: ['9f1c1a52-7d0e-4b0e-8f3b-1f2f6f0a7c11'],
};

const sandboxFault: Schema = {
  type: 'string',
  enum: sandboxFaults,
  description:
    'Only in a sandbox: the failure of the first request with this `client_reference` or `Idempotency-Key`. Its repetition is answered normally. Production ignores the header.',
  examples: ['504-placed'],
};

/** Errors of every order request. docs/specification.md#creating-an-order. */
const orderRequestErrors = [
  errors.validation('Invalid Idempotency-Key: too long', 'Idempotency-Key'),
  errors.validation('Invalid Idempotency-Key: must be printable ASCII', 'Idempotency-Key'),
  errors.badRequest('Invalid Sandbox-Fault', 'Sandbox-Fault'),
  errors.idempotencyKeyInUse(),
  errors.idempotencyKeyReused(),
  errors.duplicateReference('/api/v1/orders/17'),
  errors.priceChanged('10.50', 'USD'),
  errors.insufficientBalance(),
  errors.exchangeRateUnavailable(),
  errors.notFound('Wallet', 'wallet_id'),
  errors.addressNotAllowed(),
  errors.noWorkers(10),
  errors.overloaded(),
  errors.outcomeUnknown(),
];

const emailAttached = object({
  success: flag('Always true.', true),
  message: text('The result.', 'Notification email updated'),
});

const orderPath = { id: id('The order.', 17) };

/** POST, GET, GET /:id, GET /:id/refunds, POST /:id/claims and PATCH /:id/notification-email of the family's orders. */
export function orderRoutes<F extends Family, Filter>(resource: OrderResource<F, Filter>): ApiRoutes {
  const path = ordersPath(resource.family);
  return {
    [`POST ${path}`]: createRoute(resource),
    [`GET ${path}`]: listRoute(resource),
    [`GET ${path}/:id`]: singleRoute(resource),
    [`GET ${path}/:id/refunds`]: refundsRoute(resource),
    [`POST ${path}/:id/claims`]: fileClaimRoute(resource.family, resource.noun),
    [`PATCH ${path}/:id/notification-email`]: emailRoute(resource),
  };
}

function commonOf({ family, tag }: Pick<OrderResource<Family, never>, 'family' | 'tag'>) {
  return { tag, feature: families[family].feature };
}

function createRoute<F extends Family, Filter>(resource: OrderResource<F, Filter>): ApiRoute {
  const { family, noun, create, views } = resource;
  return {
    ...commonOf(resource),
    scope: orderScopes[family],
    id: `create${noun}Order`,
    summary: `Place ${familyInWords[noun].one} order`,
    description: create.description,
    rateClass: orderCalls(family),
    headers: { 'Idempotency-Key': idempotencyKey, 'Sandbox-Fault': sandboxFault },
    body: create.body,
    responses: {
      200: json('The order in its current state: branch on `status`.', create.created, {
        headers: ['Idempotent-Replayed'],
      }),
    },
    errors: [...(create.errors ?? []), ...orderRequestErrors],
    admission: ({ creation }) => admitOrderRequest(creation, family),
    handler: (deps) =>
      handleOrderRequest(deps, {
        family,
        read: (client, body) => create.read(deps, client, body),
        view: views(deps).created,
      }),
  };
}

function listRoute<F extends Family, Filter>(resource: OrderResource<F, Filter>): ApiRoute {
  const { family, noun, list, views } = resource;
  return {
    ...commonOf(resource),
    scope: 'read',
    id: `list${noun}Orders`,
    summary: `List your ${familyInWords[noun].name} orders`,
    description: list.description,
    query: list.query,
    responses: { 200: page('Newest first.', list.listed) },
    errors: [...positionErrors(), ...(list.noMatch ? [list.noMatch()] : [])],
    handler: (deps) => {
      const { listed } = views(deps);
      return async (request, response) => {
        const query = validListQuery(list.query, request);
        const clientId = clientOf(response).id;
        const { placed_after: placedAfter, placed_before: placedBefore } = query;
        const filter = { ...list.filterOf(query), placedAfter, placedBefore };
        const orders = {
          page: async (slice: { offset: number; limit: number }) => {
            const page = await listOrders(deps.database, family, clientId, filter, slice);
            if (page.total === 0 && list.noMatch) throw list.noMatch();
            return page;
          },
          beyond: (position: ListPosition, limit: number) =>
            listOrdersBeyond(deps.database, family, clientId, filter, position, limit),
        };
        await sendList(response, query, orders, (order) => forCaller(response, listed(order)));
      };
    },
  };
}

function singleRoute<F extends Family, Filter>(resource: OrderResource<F, Filter>): ApiRoute {
  const { family, noun, single, views } = resource;
  const { invalidId = invalidOrderId } = single;
  return {
    ...commonOf(resource),
    scope: 'read',
    id: `get${noun}Order`,
    summary: `Read ${familyInWords[noun].one} order`,
    description: single.description,
    path: orderPath,
    responses: { 200: json('The order in its current state.', single.schema) },
    errors: [invalidId(), errors.notFound('Order', 'id')],
    handler: (deps) => {
      const view = views(deps).single;
      return async (request, response) => {
        const id = pathId(request.params['id'], invalidId);
        const order = await ownOrder(deps, family, response, id);
        const current = single.refresh ? await single.refresh(deps, clientOf(response), order) : order;
        await sendOrder(response, current, view);
      };
    },
  };
}

function refundsRoute<F extends Family, Filter>(resource: OrderResource<F, Filter>): ApiRoute {
  const { family, noun } = resource;
  return {
    ...commonOf(resource),
    scope: 'read',
    id: `list${noun}Refunds`,
    summary: `List the refunds of ${familyInWords[noun].one} order`,
    description: 'The automatic refund of undelivered units has the id 0. A refund changes no state.',
    path: orderPath,
    responses: { 200: json('Every credited refund, newest first.', listOf(orderRefund)) },
    errors: [invalidOrderId(), errors.notFound('Order', 'id')],
    handler: (deps) => async (request, response) => {
      const { id: orderId } = await ownOrder(deps, family, response, pathId(request.params['id'], invalidOrderId));
      response.json((await listCreditedRefunds(deps.database, orderId)).map(refundView));
    },
  };
}

function emailRoute<F extends Family, Filter>(resource: OrderResource<F, Filter>): ApiRoute {
  const { family, noun } = resource;
  return {
    ...commonOf(resource),
    scope: orderScopes[family],
    id: `set${noun}OrderEmail`,
    summary: `Attach a notification email to ${familyInWords[noun].one} order`,
    description: 'The address gets one email when the order ends. It can be changed while the order is PENDING.',
    path: orderPath,
    body: { schema: notificationEmailBody, title: 'NotificationEmail' },
    responses: { 200: json('The address is attached.', emailAttached) },
    errors: [
      invalidOrderId(),
      errors.validation('Notification email can no longer be changed'),
      errors.notFound('Order', 'id'),
    ],
    handler: (deps) => patchNotificationEmail(family, deps),
  };
}

/** Attaches the address while the order is in flight. docs/specification.md#notification-email. */
function patchNotificationEmail(family: Family, deps: Dependencies): RequestHandler {
  const { config, database, sealer } = deps;
  return async (request, response) => {
    const id = pathId(request.params['id'], invalidOrderId);
    const { email } = validBody(notificationEmailBody, jsonObject(request));
    const order = await ownOrder(deps, family, response, id);
    const address = {
      sealedEmail: sealer.seal(orderField(order.nonce, 'email'), email),
      ...emailHashes(sealer, email, config.mailboxes),
    };
    if (!(await attachEmail(database, family, callerOf(request, response), id, address))) {
      throw errors.validation('Notification email can no longer be changed');
    }
    response.json({ success: true, message: 'Notification email updated' });
  };
}
