/** The operations on orders that the three families have in common, in the document. */
import type Joi from 'joi';
import { errors } from '../../domain/errors';
import { families, ordersPath, type Family } from '../../domain/orders/families';
import { json, page, type Body, type Operation, type Operations } from '../openapi/operation';
import { flag, id, object, text, type Schema } from '../openapi/schema';
import type { Tag } from '../openapi/tags';
import { notificationEmailBody } from './notification-email';

/** What is the family's own in the document of its orders. */
export interface OrderOperations {
  family: Family;
  tag: Tag;
  /** In names of operations. */
  noun: 'Voucher' | 'Topup' | 'Esim';
  create: Pick<Operation, 'description' | 'errors'> & { body: Body; created: Schema };
  list: Pick<Operation, 'description' | 'errors'> & { query: Joi.ObjectSchema; listed: Schema };
  read: Pick<Operation, 'description' | 'errors'> & { single: Schema };
}

/** Creates take it: docs/specification.md#idempotency-key. */
const idempotencyKey: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: '^[\\x20-\\x7e]+$',
  description: 'A name of yours for the request: sent again with it, the order is answered and none is made.',
  examples: ['9f1c1a52-7d0e-4b0e-8f3b-1f2f6f0a7c11'],
};

/** What every create can be refused with. docs/specification.md#creating-an-order. */
const refusals = [
  errors.validation('Invalid Idempotency-Key: too long'),
  errors.validation('Invalid Idempotency-Key: must be printable ASCII'),
  errors.idempotencyKeyInUse(),
  errors.idempotencyKeyReused(),
  errors.duplicateReference('/api/v1/orders/17'),
  errors.insufficientBalance(),
  errors.exchangeRateUnavailable(),
  errors.notFound('Wallet'),
  errors.addressNotAllowed(),
  errors.noWorkers(10),
  errors.overloaded(),
  errors.outcomeUnknown(),
];

const emailAttached = object({
  success: { ...flag('Always true.', true), const: true },
  message: text('What was done.', 'Notification email updated'),
});

/** POST /, GET /, GET /:id, PATCH /:id/notification-email of the family's orders. */
export function orderOperations({ family, tag, noun, create, list, read }: OrderOperations): Operations {
  const path = ordersPath(family);
  const { feature } = families[family];
  const order = { id: id('The order.', 17) };
  const common = { tag, feature };
  return {
    [`POST ${path}`]: {
      ...common,
      id: `create${noun}Order`,
      summary: 'Place an order',
      ...(create.description !== undefined && { description: create.description }),
      headers: { 'Idempotency-Key': idempotencyKey },
      body: create.body,
      answers: {
        200: json('The order, whatever became of it: branch on `status`.', create.created, {
          headers: ['Idempotent-Replayed'],
        }),
      },
      errors: [...(create.errors ?? []), ...refusals],
    },
    [`GET ${path}`]: {
      ...common,
      id: `list${noun}Orders`,
      summary: 'List your orders',
      ...(list.description !== undefined && { description: list.description }),
      query: list.query,
      answers: { 200: page('Newest first.', list.listed) },
      errors: list.errors ?? [],
    },
    [`GET ${path}/:id`]: {
      ...common,
      id: `get${noun}Order`,
      summary: 'Read an order',
      ...(read.description !== undefined && { description: read.description }),
      path: order,
      answers: { 200: json('The order as it stands.', read.single) },
      errors: [...(read.errors ?? []), errors.notFound('Order')],
    },
    [`PATCH ${path}/:id/notification-email`]: {
      ...common,
      id: `set${noun}OrderEmail`,
      summary: 'Attach a notification email',
      description:
        'The address gets one mail when the order ends. It can be changed while the order is PENDING.',
      path: order,
      body: {
        schema: notificationEmailBody,
        title: 'NotificationEmail',
        example: { email: 'buyer@client.example' },
      },
      answers: { 200: json('It is attached.', emailAttached) },
      errors: [
        errors.validation('Invalid order ID'),
        errors.validation('Notification email can no longer be changed'),
        errors.notFound('Order'),
      ],
    },
  };
}
