/** Airalo's responses: results, errors, tokens, balances and the status of eSIMs. */
import Joi from 'joi';
import { usageOf, type EsimUsage } from '../../domain/esims/esim-usage';
import { retryAfterMs, second } from '../../domain/time';
import { isSuccessStatus } from '../kit/exchange';
import { isObject } from '../../domain/unknown-values';
import type { Meaning, Rejection, SupplierResponse } from '../kit/http';
import { decimal, lastEnd, MAX_ROWS, numberOf, optionalText, read, text } from '../kit/messages';
import type { Money } from '../../domain/suppliers/port';
import {
  ANOTHER_FIELD,
  errorCodes,
  fieldFailures,
  NOT_AUTHORIZED,
  AIRALO_NOT_FOUND,
  OUT_OF_STOCK,
  TOO_MANY_CALLS,
  usageStates,
  type UsageState,
} from './error-codes';

const resultSchema = Joi.object({ data: Joi.alternatives(Joi.object(), Joi.array()).required() });
const errorSchema = Joi.object<{ code: string; reason: string }>({ code: text.required(), reason: text.required() });
const envelope = { meta: Joi.object({ message: text.required() }).required() };
const envelopeSchema = Joi.object(envelope);
const validationSchema = Joi.object<{ data: Readonly<Record<string, string>> }>({
  data: Joi.object().pattern(text, text.required()).min(1).required(),
  ...envelope,
});
const messageSchema = Joi.object<{ message: string }>({ message: text.required() });

/**
 * The meaning of a response. Airalo has three forms of errors, each with its own statuses. Neither an error under a
 * successful status nor an error of the server proves anything: the order may exist.
 */
export function classify(response: SupplierResponse): Meaning | undefined {
  const { status, headers, body, reference } = response;
  if (isSuccessStatus(status))
    return read(resultSchema, body) && !read(errorSchema, body) ? { meaning: 'answered' } : undefined;
  const error = read(errorSchema, body);
  const known = error && errorCodes[error.code];
  if (known && known.status === status) return { meaning: known.meaning, code: error.code };
  switch (status) {
    case 401:
      return isOwnUnauthorized(response) ? { meaning: 'unauthorized', code: NOT_AUTHORIZED } : undefined;
    case 404:
      // Airalo documents the status of an unknown eSIM, and no body. Only a purchase would need more proof.
      return isObject(body) && reference === undefined ? { meaning: 'rejected', code: AIRALO_NOT_FOUND } : undefined;
    case 422:
      return error ? undefined : rejectedFields(body);
    case 429: {
      const isOwn = read(messageSchema, body) && retryAfterMs(headers['retry-after'], Date.now()) !== undefined;
      return isOwn ? { meaning: 'not-run', code: TOO_MANY_CALLS } : undefined;
    }
    default:
      return undefined;
  }
}

/** As `classify`. A rejected request for a token means that our credentials are wrong. */
export function classifyToken(response: SupplierResponse): Meaning | undefined {
  const meaning = response.status === 404 ? undefined : classify(response);
  const isOurFault = meaning?.meaning === 'rejected' || meaning?.meaning === 'unauthorized';
  return isOurFault ? { ...meaning, meaning: 'account-blocked' } : meaning;
}

/**
 * Airalo does not document the body of a 401. Gateways also write `{message}`, so after a purchase that form proves nothing.
 * After any other call, a mistake costs at most a new token.
 */
function isOwnUnauthorized({ body, reference }: SupplierResponse): boolean {
  const forms: Joi.Schema<object>[] = [
    envelopeSchema,
    errorSchema,
    ...(reference === undefined ? [messageSchema] : []),
  ];
  return forms.some((schema) => read(schema, body) !== undefined);
}

/** A rejection that names the fields of the order. */
function rejectedFields(body: unknown): Rejection | undefined {
  const fields = read(validationSchema, body)?.data;
  if (!fields) return undefined;
  const words = Object.entries(fields).map(([name, sentence]) => wordOf(name, sentence));
  const code = Object.keys(fieldFailures).find((word) => words.includes(word)) ?? ANOTHER_FIELD;
  return { meaning: 'rejected', code };
}

function wordOf(name: string, sentence: string): string {
  if (name === 'quantity') return sentence.includes('not available') ? OUT_OF_STOCK : name;
  return name in fieldFailures ? name : ANOTHER_FIELD;
}

const tokenSchema = Joi.object<{ data: { access_token: string; expires_in: number } }>({
  data: Joi.object({ access_token: text.required(), expires_in: Joi.number().integer().min(0).required() }).required(),
});

/** A token and its life in milliseconds. */
export function readToken(body: unknown): { value: string; lifeMs: number } | undefined {
  const token = read(tokenSchema, body)?.data;
  return token && { value: token.access_token, lifeMs: token.expires_in * second };
}

const balanceSchema = Joi.object<{ data: { balances: { availableBalance: { amount: string; currency: string } } } }>({
  data: Joi.object({
    balances: Joi.object({
      availableBalance: Joi.object({ amount: decimal.required(), currency: text.length(3).required() }).required(),
    }).required(),
  }).required(),
});

export function readBalances(body: unknown): Money[] | undefined {
  const available = read(balanceSchema, body)?.data.balances.availableBalance;
  return available && [available];
}

const usageSchema = Joi.object<{ data: { status: string } }>({
  data: Joi.object({ status: text.required() }).required(),
});

const UNKNOWN_STATE: UsageState = { provesUse: false, isDepleted: false };

/**
 * The state of an eSIM, and its usage if that is readable. Remaining data of 0 does not prove that the eSIM is depleted, because an
 * unlimited plan also reports 0.
 */
export function readUsage(body: unknown): { state: UsageState; usage: { usage?: EsimUsage } } | undefined {
  const message = read(usageSchema, body)?.data;
  if (!message) return undefined;
  const usage = readData(body);
  return { state: usageStates[message.status] ?? UNKNOWN_STATE, usage: { ...(usage && { usage }) } };
}

const dataSchema = Joi.object<{ data: Partial<Record<'total' | 'remaining' | 'expired_at' | 'is_unlimited', string>> }>(
  {
    data: Joi.object({
      total: optionalText,
      remaining: optionalText,
      expired_at: optionalText,
      is_unlimited: Joi.any(),
    }).required(),
  },
);

/** The data usage. An unlimited plan reports 0, so its amounts are left out. */
function readData(body: unknown): EsimUsage | undefined {
  const data = read(dataSchema, body)?.data;
  if (!data) return undefined;
  const endsAt = lastEnd([data.expired_at]);
  if (String(data.is_unlimited) === 'true') return usageOf({ endsAt });
  return usageOf({ totalMb: numberOf(data.total), leftMb: numberOf(data.remaining), endsAt });
}

const historySchema = Joi.object<{ data: { activated_at?: string }[] }>({
  data: Joi.array()
    .items(Joi.object({ activated_at: optionalText }))
    .max(MAX_ROWS)
    .required(),
});

/** The activation times of an eSIM's packages (the original package and its top-ups), as Airalo writes them. */
export function readActivations(body: unknown): string[] | undefined {
  return read(historySchema, body)?.data.flatMap(({ activated_at: time }) => time ?? []);
}
