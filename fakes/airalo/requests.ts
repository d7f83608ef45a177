/** The bodies and queries of calls, and their validation. */
import type { Request } from 'express';
import Joi from 'joi';
import { validationError } from './errors';
import type { PageQuery } from './paging';

export interface OrderRequest {
  quantity: number;
  package_id: string;
  description?: string;
  webhook_url?: string;
  /** For top-ups only. */
  iccid?: string;
}

const url = Joi.string().uri({ scheme: ['http', 'https'] });
const orderFields = {
  quantity: Joi.number().integer().min(1).max(50).required(),
  package_id: Joi.string().required(),
  type: Joi.valid('sim'),
  description: Joi.string().allow(''),
};

/** The mail fields and unknown fields have no effect: the documentation does not say that Airalo rejects unknown ones. */
export const orderBody = Joi.object<OrderRequest>(orderFields).unknown();
export const asyncOrderBody = Joi.object<OrderRequest>({ ...orderFields, webhook_url: url }).unknown();
export const topupBody = Joi.object<OrderRequest & { iccid: string }>({
  quantity: Joi.any().strip(),
  package_id: Joi.string().required(),
  iccid: Joi.string().required(),
  description: Joi.string().allow(''),
}).unknown();

export const tokenBody = Joi.object<{ client_id: string; client_secret: string; grant_type: string }>({
  client_id: Joi.string().required(),
  client_secret: Joi.string().required(),
  grant_type: Joi.valid('client_credentials').required(),
}).unknown();

export const notificationTypes = ['async_orders', 'webhook_low_data', 'webhook_credit_limit'] as const;
export type NotificationType = (typeof notificationTypes)[number];

const type = Joi.valid(...notificationTypes).required();
export const optInBody = Joi.object<{ type: NotificationType; webhook_url: string; levels: number[] }>({
  type,
  webhook_url: url.required(),
  levels: Joi.array()
    .single()
    .items(Joi.number().valid(50, 70, 80, 90))
    .default([50, 70, 80, 90]),
}).unknown();
export const optOutBody = Joi.object<{ type: NotificationType }>({ type }).unknown();
export const simulatorBody = Joi.object<{ event: string; type: NotificationType; webhook_url: string }>({
  event: Joi.string().required(),
  type,
  webhook_url: url.required(),
}).unknown();
/** The documentation says "at most 5 ICCIDs" without the name of the field. */
export const refundBody = Joi.object<{ iccids: string[]; reason: string; notes?: string }>({
  iccids: Joi.array().single().items(Joi.string()).min(1).max(5).required(),
  reason: Joi.string().required(),
  notes: Joi.string().allow(''),
}).unknown();

const page = Joi.number().integer().min(1).default(1);

export interface PackagesQuery extends PageQuery {
  'filter[type]'?: 'local' | 'global';
  'filter[country]'?: string;
  include: string;
}

/** Without `limit`, everything is on one page. */
export const packagesQuery = Joi.object<PackagesQuery>({
  'filter[type]': Joi.valid('local', 'global'),
  'filter[country]': Joi.string().length(2),
  include: Joi.string().default(''),
  limit: Joi.number().integer().min(1),
  page,
}).unknown();

export interface OrdersQuery extends PageQuery {
  include: string;
  'filter[description]'?: string;
  'filter[code]'?: string;
  'filter[iccid]'?: string;
  'filter[order_status]'?: string;
  'filter[created_at]'?: string;
}

/** The documentation does not say how many orders are on a page without `limit`. So there are few. */
export const ordersQuery = Joi.object<OrdersQuery>({
  include: Joi.string().default(''),
  'filter[description]': Joi.string().allow(''),
  'filter[code]': Joi.string(),
  'filter[iccid]': Joi.string(),
  'filter[order_status]': Joi.valid('completed', 'failed', 'partially_refunded', 'refunded'),
  'filter[created_at]': Joi.string().pattern(/^\d{4}-\d\d-\d\d - \d{4}-\d\d-\d\d$/),
  limit: Joi.number().integer().min(1).max(100).default(10),
  page,
}).unknown();

export const includeQuery = Joi.object<{ include: string }>({
  include: Joi.string().default(''),
}).unknown();

/** The validated value. Throws a validation error with one text for each field. */
export function validated<T>(schema: Joi.ObjectSchema<T>, value: unknown): T {
  const result = schema.required().validate(value ?? {}, {
    abortEarly: false,
    errors: { wrap: { label: false } },
  });
  if (!result.error) return result.value;
  const texts = result.error.details.map(
    ({ path, message }) => [String(path[0] ?? 'body'), `The ${message}.`] as const,
  );
  throw validationError(Object.fromEntries(texts));
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields of a body. Token requests are form-encoded and orders are multipart, so those have no fields in another form.
 * The documentation does not state a form for the other calls, so they accept both and JSON.
 */
export async function fieldsOf(request: Request): Promise<Fields> {
  const raw: unknown = request.body;
  const contentType = request.headers['content-type'] ?? '';
  const needed = neededForms[request.path] ?? '';
  if (!Buffer.isBuffer(raw) || !contentType.startsWith(needed)) return {};
  try {
    if (contentType.startsWith('application/json')) return objectOf(JSON.parse(raw.toString()));
    const body = new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } });
    return formFields(await body.formData());
  } catch {
    return {};
  }
}

const neededForms: Readonly<Record<string, string>> = {
  '/token': 'application/x-www-form-urlencoded',
  '/orders': 'multipart/form-data',
  '/orders-async': 'multipart/form-data',
};

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** `name[]` is a list. Files are no fields. */
function formFields(form: FormData): Fields {
  const fields: Record<string, string | string[]> = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).flatMap((value) => (typeof value === 'string' ? value : []));
    if (name.endsWith('[]')) fields[name.slice(0, -2)] = values;
    else fields[name] = values.at(-1) ?? '';
  }
  return fields;
}
