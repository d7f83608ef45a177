/** Reloadly's responses: errors, tokens, pages, balances, the codes of gift cards, and webhooks. */
import Joi from 'joi';
import type { ReportedUnit } from '../../domain/orders/goods';
import { safeText } from '../../domain/safe-text';
import { second } from '../../domain/time';
import { isSuccessStatus } from '../kit/exchange';
import type { Meaning, SupplierResponse } from '../kit/http';
import {
  count,
  decimal,
  isSigned,
  MAX_ROWS,
  parseJson,
  read,
  readTexts,
  text,
  unreadable,
  voucherUnit,
} from '../kit/messages';
import type { IssuedToken } from '../../domain/suppliers/shared-state';
import type { Money, PushHint, ReceivedPush } from '../../domain/suppliers/port';
import { errorCodes, INCONCLUSIVE, mayMeanUsedReference, REJECTING_STATUSES } from './error-codes';

interface ErrorMessage {
  message: string;
  errorCode: string | null;
  timeStamp?: string;
  path?: string;
}

const errorFields = { message: text.allow('').required(), errorCode: text.allow(null).required() };
/** An error of the token host. */
const tokenErrorSchema = Joi.object<ErrorMessage>(errorFields);
/** An error of a product line (gift cards, top-ups, utilities). An error for an unknown path has another form. */
const errorSchema = Joi.object<ErrorMessage>({ ...errorFields, timeStamp: text.required(), path: text.required() });
const withErrorCode = Joi.object({ errorCode: Joi.any().required() }).unknown();

/** The meaning of a response of a product line. */
export function classify(response: SupplierResponse): Meaning | undefined {
  return meaningOf(response, errorSchema);
}

/** The meaning of a response of the token host. */
export function classifyToken(response: SupplierResponse): Meaning | undefined {
  return meaningOf(response, tokenErrorSchema);
}

/**
 * The meaning of a response. An error counts as a rejection only in Reloadly's error format and, if its code is known, with one of
 * the code's statuses. An unknown code is a final rejection with one of `REJECTING_STATUSES`, unless the code may mean that the
 * reference is used. An error without a code may mean that, too, and under a successful status, the purchase may exist.
 */
function meaningOf(
  { status, headers, body, reference }: SupplierResponse,
  schema: Joi.Schema<ErrorMessage>,
): Meaning | undefined {
  if (isSuccessStatus(status))
    return body === undefined || read(withErrorCode, body) ? undefined : { meaning: 'answered' };
  const error = read(schema, body);
  if (!error) return undefined;
  const code = error.errorCode ?? '';
  if (status === 429) {
    const needsWait = headers['retry-after'] === undefined;
    return { meaning: 'not-run', code, ...(needsWait && { retryAfterMs: second }) };
  }
  if (code === '' || code === INCONCLUSIVE) return undefined;
  if (reference !== undefined && mayMeanUsedReference(code)) return { meaning: 'reference-used', code };
  const { statuses, meaning } = errorCodes[code] ?? { statuses: REJECTING_STATUSES, meaning: 'rejected' };
  return statuses.includes(status) ? { meaning, code } : undefined;
}

const tokenSchema = Joi.object<{ access_token: string; expires_in: number; token_type: string }>({
  access_token: text.required(),
  expires_in: Joi.number().positive().required(),
  token_type: text.valid('Bearer').insensitive().required(),
});

/** Returns the reader of a token. Its life begins at `requestedAt`. Reloadly states the length, which differs by environment. */
export function readToken(requestedAt: number) {
  return (body: unknown): IssuedToken | undefined => {
    const message = read(tokenSchema, body);
    if (!message) return undefined;
    const expiresAt = new Date(requestedAt + message.expires_in * second);
    return Number.isNaN(expiresAt.getTime()) ? undefined : { value: message.access_token, expiresAt };
  };
}

export interface RowsPage {
  rows: unknown[];
  totalRows: number;
  totalPages: number;
}

const pageSchema = Joi.object<{ content: unknown[]; totalElements: number; totalPages: number }>({
  content: Joi.array().max(MAX_ROWS).required(),
  totalElements: count,
  totalPages: count,
});

export function readPage(body: unknown): RowsPage | undefined {
  const page = read(pageSchema, body);
  return page && { rows: page.content, totalRows: page.totalElements, totalPages: page.totalPages };
}

const balanceSchema = Joi.object<{ balance: string; currencyCode: string }>({
  balance: decimal.required(),
  currencyCode: text.pattern(/^[A-Z]{3}$/).required(),
});

export function readBalances(body: unknown): Money[] | undefined {
  const message = read(balanceSchema, body);
  return message && [{ amount: message.balance, currency: message.currencyCode }];
}

const cardFields = ['cardNumber', 'pinCode', 'redemptionUrl'] as const;

/** The codes of an order. Reloadly sends a list, or a single code as an object. Undefined for any other body. */
export function readCards(body: unknown): ReportedUnit[] | undefined {
  if (Array.isArray(body)) return body.length > MAX_ROWS ? undefined : body.map(cardOf);
  const isCard = typeof body === 'object' && body !== null && cardFields.some((name) => name in body);
  return isCard ? [cardOf(body)] : undefined;
}

function cardOf(card: unknown): ReportedUnit {
  const texts = readTexts(cardFields, card);
  if (!texts) return unreadable(safeText`a field of the code is not text`, card);
  const { cardNumber, pinCode, redemptionUrl } = texts;
  return voucherUnit({ cardNumber, pinCode, claimUrl: redemptionUrl });
}

const referenceField = { customIdentifier: text, referenceId: text };
/** Published client programs expect our reference in different places of a webhook. The reference is accepted in all of them. */
const pushSchema = Joi.object<Record<string, unknown>>({
  ...referenceField,
  data: Joi.object({ ...referenceField, transaction: Joi.object(referenceField) }),
  transaction: Joi.object(referenceField),
});

/**
 * The purchase that a webhook names; undefined unless the webhook is signed with the secret. The signature also covers a timestamp,
 * but its format is not known, so the age of a webhook is not checked. An old webhook does no harm: it only causes a lookup.
 */
export function readPush(secret: string, { headers, rawBody }: ReceivedPush): PushHint | undefined {
  const { 'x-reloadly-signature': received, 'x-reloadly-request-timestamp': time } = headers;
  if (!received || !time) return undefined;
  const signed = [rawBody, `:${time}`];
  if (!isSigned({ algorithm: 'sha256', secret, signed, received, encoding: 'hex' })) return undefined;
  const push = read(pushSchema, parseJson(rawBody.toString('utf8')));
  const reference = push && referenceIn(push);
  return reference === undefined ? undefined : { kind: 'purchase', reference };
}

/** The first reference in the message. The schema has removed everything else. */
function referenceIn(message: object): string | undefined {
  for (const value of Object.values<object | string | undefined>({ ...message })) {
    const reference = typeof value === 'object' ? referenceIn(value) : value;
    if (reference !== undefined) return reference;
  }
  return undefined;
}
