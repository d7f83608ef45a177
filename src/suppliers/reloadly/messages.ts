/** Reloadly's responses: errors, tokens, pages, balances, the codes of gift cards, and webhooks. */
import Joi from 'joi';
import type { ReportedUnit } from '../../domain/orders/goods';
import { safeText } from '../../domain/safe-text';
import { second } from '../../domain/time';
import { isSuccess } from '../kit/exchange';
import type { Meaning, SupplierResponse } from '../kit/http';
import {
  isSigned,
  MAX_ROWS,
  pageCount,
  parseJson,
  read,
  readTexts,
  text,
  unreadable,
  voucherUnit,
} from '../kit/messages';
import type { IssuedToken } from '../kit/shared-state';
import type { Money, PushHint, ReceivedPush } from '../port';
import { errorCodes, INCONCLUSIVE, mayBeUsed, REFUSING_STATUSES } from './error-codes';

interface ErrorMessage {
  message: string;
  errorCode: string | null;
  timeStamp?: string;
  path?: string;
}

const errorFields = { message: text.allow('').required(), errorCode: text.allow(null).required() };
/** An error of the token host. */
const tokenErrorSchema = Joi.object<ErrorMessage>(errorFields);
/** An error of the three products. The body of an unknown path has neither `timeStamp` nor `errorCode`. */
const errorSchema = Joi.object<ErrorMessage>({
  ...errorFields,
  timeStamp: text.required(),
  path: text.required(),
});
const withErrorCode = Joi.object({ errorCode: Joi.any().required() }).unknown();

/** The meaning of a response of one of the three products. */
export function classify(response: SupplierResponse): Meaning | undefined {
  return meaningOf(response, errorSchema);
}

/** The meaning of a response of the token host. */
export function classifyToken(response: SupplierResponse): Meaning | undefined {
  return meaningOf(response, tokenErrorSchema);
}

/**
 * A rejection needs Reloadly's format. A known code needs one of its statuses; an unknown one is final with 400, 404 and 409,
 * unless it may mean that the reference of a purchase was used before. An error without a code proves nothing: it may say that
 * the reference was used before. An error under a successful status is no answer: the purchase may exist.
 */
function meaningOf(
  { status, headers, body, reference }: SupplierResponse,
  schema: Joi.Schema<ErrorMessage>,
): Meaning | undefined {
  if (isSuccess(status))
    return body === undefined || read(withErrorCode, body) ? undefined : { meaning: 'answered' };
  const error = read(schema, body);
  if (!error) return undefined;
  const code = error.errorCode ?? '';
  if (status === 429) {
    const isToWait = headers['retry-after'] === undefined;
    return { meaning: 'not-run', code, ...(isToWait && { retryAfterMs: second }) };
  }
  if (code === '' || code === INCONCLUSIVE) return undefined;
  if (reference !== undefined && mayBeUsed(code)) return { meaning: 'reference-used', code };
  const { statuses, meaning } = errorCodes[code] ?? { statuses: REFUSING_STATUSES, meaning: 'rejected' };
  return statuses.includes(status) ? { meaning, code } : undefined;
}

const tokenSchema = Joi.object<{ access_token: string; expires_in: number; token_type: string }>({
  access_token: text.required(),
  expires_in: Joi.number().positive().required(),
  token_type: text.valid('Bearer').insensitive().required(),
});

/** The token. Its life counts from `requestedAt` and is what Reloadly states, because it differs between environments. */
export function readToken(requestedAt: number) {
  return (body: unknown): IssuedToken | undefined => {
    const message = read(tokenSchema, body);
    if (!message) return undefined;
    const expiresAt = new Date(requestedAt + message.expires_in * second);
    return Number.isNaN(expiresAt.getTime()) ? undefined : { value: message.access_token, expiresAt };
  };
}

/** One page of transactions. */
export interface RowsPage {
  rows: unknown[];
  totalRows: number;
  totalPages: number;
}

const pageSchema = Joi.object<{ content: unknown[]; totalElements: number; totalPages: number }>({
  content: Joi.array().max(MAX_ROWS).required(),
  totalElements: pageCount,
  totalPages: pageCount,
});

export function readPage(body: unknown): RowsPage | undefined {
  const page = read(pageSchema, body);
  return page && { rows: page.content, totalRows: page.totalElements, totalPages: page.totalPages };
}

const balanceSchema = Joi.object<{ balance: string; currencyCode: string }>({
  balance: text.pattern(/^-?\d+(\.\d+)?$/).required(),
  currencyCode: text.pattern(/^[A-Z]{3}$/).required(),
});

/** The balance of our account. */
export function readBalances(body: unknown): Money[] | undefined {
  const message = read(balanceSchema, body);
  return message && [{ amount: message.balance, currency: message.currencyCode }];
}

const cardFields = ['cardNumber', 'pinCode', 'redemptionUrl'] as const;

/** The codes of an order: a list, or the only one by itself. Undefined for anything else. */
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
/** Published programs disagree about the form of webhooks, so the reference is accepted wherever one of them has it. */
const pushSchema = Joi.object<Record<string, unknown>>({
  ...referenceField,
  data: Joi.object({ ...referenceField, transaction: Joi.object(referenceField) }),
  transaction: Joi.object(referenceField),
});

/**
 * The purchase of a webhook that is signed with the secret. The signature covers a time, whose form is not known. Therefore an
 * old webhook is accepted, too: it only causes a look-up.
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
  for (const value of Object.values(message) as unknown[]) {
    const reference =
      typeof value === 'object' && value !== null ? referenceIn(value) : (value as string | undefined);
    if (reference !== undefined) return reference;
  }
  return undefined;
}
