/** The bodies and queries of calls, and their validation. */
import type { Request } from 'express';
import Joi from 'joi';
import { validation } from '../kit/requests';
import { validationError } from './errors';
import type { PageQuery } from './paging';

export interface OrderRequest {
  quantity: number;
  package_id: string;
  type?: 'sim';
  description?: string;
  /** The eSIM that gets the package; absent for a new one. */
  iccid?: string;
}

/** Fields for mails and unknown fields have no effect: the documentation does not say that Airalo rejects unknown fields. */
export const orderBody = Joi.object<OrderRequest>({
  quantity: Joi.number().integer().min(1).max(50).required(),
  package_id: Joi.string().required(),
  type: Joi.valid('sim'),
  description: Joi.string().allow(''),
}).unknown();

export const topupBody = Joi.object<OrderRequest>({
  quantity: Joi.forbidden().default(1),
  package_id: Joi.string().required(),
  iccid: Joi.string().required(),
  description: Joi.string().allow(''),
}).unknown();

export const tokenBody = Joi.object<{ client_id: string; client_secret: string; grant_type: string }>({
  client_id: Joi.string().required(),
  client_secret: Joi.string().required(),
  grant_type: Joi.valid('client_credentials').required(),
}).unknown();

export interface OrdersQuery extends PageQuery {
  include: string;
  'filter[description]'?: string;
  'filter[created_at]'?: string;
}

/** The documentation does not say how many orders a page has without `limit`. The fake shows few, so that buyers set it. */
export const ordersQuery = Joi.object<OrdersQuery>({
  include: Joi.string().default(''),
  'filter[description]': Joi.string().allow(''),
  'filter[created_at]': Joi.string().pattern(/^\d{4}-\d\d-\d\d - \d{4}-\d\d-\d\d$/),
  limit: Joi.number().integer().min(1).max(100).default(10),
  page: Joi.number().integer().min(1).default(1),
}).unknown();

/** Throws a validation error with one text for each field. */
export const validated = validation((faults) => {
  const texts = faults.map(({ path, message }) => [String(path[0] ?? 'body'), `The ${message}.`] as const);
  return validationError(Object.fromEntries(texts));
});

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of a body. Token requests are form-encoded and orders are multipart. A body in any other form has no fields. */
export async function fieldsOf(request: Request): Promise<Fields> {
  const raw: unknown = request.body;
  const contentType = request.headers['content-type'] ?? '';
  const needed = neededForms[request.path];
  if (!Buffer.isBuffer(raw) || needed === undefined || !contentType.startsWith(needed)) return {};
  try {
    const body = new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } });
    // Files do not count as fields.
    return Object.fromEntries([...(await body.formData())].filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

const neededForms: Readonly<Record<string, string>> = {
  '/token': 'application/x-www-form-urlencoded',
  '/orders': 'multipart/form-data',
  '/orders/topups': 'multipart/form-data',
};
