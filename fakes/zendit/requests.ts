/** The bodies and queries of calls, and their validation. */
import Joi from 'joi';
import { phoneNumber, validation } from '../kit/requests';
import { malformed } from './errors';
import type { Family } from './offers';
import { momentMs } from '../kit/times';

/** The meaning of `value`: the amount that the recipient gets, that the customer pays, or that we pay. */
export type ValueType = 'ZEND' | 'PRICE' | 'COST';

export interface RequestedValue {
  type: ValueType;
  value: number;
}

export interface Field {
  key: string;
  value: string;
}

/** A purchase request. Each family has some of the fields. */
export interface PurchaseRequest {
  transactionId: string;
  offerId: string;
  value?: RequestedValue;
  recipientPhoneNumber?: string;
  sender?: { phoneNumber?: string; country?: string };
  fields?: Field[];
  iccid?: string;
}

const identity = {
  // Documented as "alphanumeric", but used with UUIDs. The maximum length is not known, so the fake accepts that of a UUID.
  transactionId: Joi.string()
    .pattern(/^[A-Za-z0-9-]+$/)
    .max(36)
    .required(),
  offerId: Joi.string().required(),
};
const value = Joi.object<RequestedValue>({
  type: Joi.valid('ZEND', 'PRICE', 'COST').required(),
  value: Joi.number().strict().integer().required(),
});
const field = Joi.object<Field>({ key: Joi.string().required(), value: Joi.string().required() });

/** Unknown fields, such as `quantity`, are rejected: the documentation does not say that Zendit ignores them. */
export const purchaseRequests: Readonly<Record<Family, Joi.ObjectSchema<PurchaseRequest>>> = {
  topups: Joi.object<PurchaseRequest>({
    ...identity,
    recipientPhoneNumber: Joi.string().pattern(phoneNumber).required(),
    value,
    sender: Joi.object({ phoneNumber: Joi.string().pattern(phoneNumber), country: Joi.string().pattern(/^[A-Z]{2}$/) }),
  }),
  vouchers: Joi.object<PurchaseRequest>({ ...identity, fields: Joi.array().items(field).required(), value }),
  esim: Joi.object<PurchaseRequest>({ ...identity, iccid: Joi.string().pattern(/^\d{18,22}$/) }),
};

export interface PageQuery {
  _limit: number;
  _offset: number;
}

/** The fields that a request for a list requires. */
const page = {
  _limit: Joi.number().integer().min(1).max(1_024).required(),
  _offset: Joi.number().integer().min(0).required(),
};

export interface OffersQuery extends PageQuery {
  brand?: string;
  country?: string;
}

/** The documentation names more filters. The fake has the filters that its buyer uses, and rejects the others. */
export const offersQuery = Joi.object<OffersQuery>({
  brand: Joi.string(),
  country: Joi.string().pattern(/^[A-Z]{2}$/),
  ...page,
});

export interface PurchasesQuery extends PageQuery {
  createdAt?: string;
  status?: string;
}

const rfc3339 = /^(lte|lt|gte|gt)(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))$/;

/** The documentation always shows `createdAt` with a prefix, so the fake requires the prefix. */
export const purchasesQuery = Joi.object<PurchasesQuery>({
  createdAt: Joi.string().pattern(rfc3339),
  status: Joi.string(),
  ...page,
});

/** Returns whether a time in milliseconds is in the period of `createdAt`. Without a period, every time is. */
export function periodOf(createdAt: string | undefined): (ms: number) => boolean {
  const [, prefix, time] = rfc3339.exec(createdAt ?? '') ?? [];
  if (prefix === undefined || time === undefined) return () => true;
  const limit = momentMs(time);
  if (Number.isNaN(limit)) throw malformed({ createdAt: 'is not a time' });
  if (prefix === 'lt') return (ms) => ms < limit;
  if (prefix === 'lte') return (ms) => ms <= limit;
  return prefix === 'gt' ? (ms) => ms > limit : (ms) => ms >= limit;
}

/** Throws INVALID_REQUEST with one text for each faulty field. */
export const validated = validation((faults) => {
  const texts = faults.map(({ path, message }) => [path.join('.') || 'body', message] as const);
  return malformed(Object.fromEntries(texts));
});
