/** Zendit's responses apart from purchases and offers: errors, pages, money, our balance and the plans of an eSIM. */
import Joi from 'joi';
import type { EsimStatus } from '../../domain/esims/esim-lifecycle';
import { megabytesOf, usageOf, type EsimUsage } from '../../domain/esims/esim-usage';
import { Exact } from '../../domain/prices/money';
import { isSuccessStatus } from '../kit/exchange';
import type { Meaning, SupplierResponse } from '../kit/http';
import type { SupplierPage } from '../kit/limits';
import { count, lastEnd, MAX_ROWS, numberOf, optionalText, read, reportedTime, text } from '../kit/messages';
import type { Money } from '../../domain/suppliers/port';
import { errorCodes, INVALID_REQUEST } from './error-codes';

interface ErrorMessage {
  errorCode: string;
  message: string;
  fields: Record<string, unknown>;
}

const errorSchema = Joi.object<ErrorMessage>({
  errorCode: text.required(),
  message: text.allow('').required(),
  fields: Joi.object().pattern(text, Joi.any()).empty(null).default({}),
});
const withErrorCode = Joi.object({ errorCode: Joi.any().required() }).unknown();

/**
 * The meaning of a response. A rejection is `{errorCode, message, fields}` with a documented code and its status. An error under
 * a successful status is no rejection: the purchase may exist.
 */
export function classify({ status, body }: SupplierResponse): Meaning | undefined {
  if (isSuccessStatus(status)) {
    const isError = body === undefined || read(withErrorCode, body) !== undefined;
    return isError ? undefined : { meaning: 'answered' };
  }
  const error = read(errorSchema, body);
  const known = error && errorCodes[error.errorCode];
  if (!known || mayMeanRepeated(error)) return undefined;
  const [lowest, highest] = known.statuses;
  if (status < lowest || status > highest) return undefined;
  return { meaning: known.meaning, code: error.errorCode };
}

/**
 * Whether the error may mean that a purchase with our reference exists. Zendit does not say how it answers a repeated
 * `transactionId`. An `INVALID_REQUEST` is certainly about something else only if it names other fields.
 */
function mayMeanRepeated({ errorCode, fields }: ErrorMessage): boolean {
  const names = Object.keys(fields);
  const namesOnlyOthers = names.length > 0 && !names.some((name) => /transaction/i.test(name));
  return errorCode === INVALID_REQUEST && !namesOnlyOthers;
}

interface ListMessage {
  total: number;
  list: unknown[];
}

const listSchema = Joi.object<ListMessage>({ total: count, list: Joi.array().max(MAX_ROWS).required() });

/** A page of at most `size` rows from `offset`, as read by `readRow`. Undefined if a row is missing or cannot be read. */
export function readPage<T>(
  body: unknown,
  { offset, size }: { offset: number; size: number },
  readRow: (row: unknown) => T[] | undefined,
): SupplierPage<T> | undefined {
  const message = read(listSchema, body);
  const expected = Math.min(size, Math.max(0, (message?.total ?? 0) - offset));
  if (message?.list.length !== expected) return undefined;
  const rows = message.list.map(readRow);
  if (rows.includes(undefined)) return undefined;
  return { items: rows.flatMap((items) => items ?? []), totalPages: Math.ceil(message.total / size) };
}

const integer = /^-?\d{1,30}$/;
const powerOfTen = /^10{0,8}$/;

/** Money, which Zendit writes as an integer of minor units with the currency's divisor. Undefined for any other form. */
export function moneyOf(amount: unknown, currency: unknown, divisor: unknown): Money | undefined {
  if (typeof amount !== 'string' || !integer.test(amount)) return undefined;
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return undefined;
  if (typeof divisor !== 'string' || !powerOfTen.test(divisor)) return undefined;
  return { amount: new Exact(amount).dividedBy(divisor).toFixed(), currency };
}

const balanceSchema = Joi.object<Record<'availableBalance' | 'currency' | 'currencyDivisor', string>>({
  availableBalance: text.required(),
  currency: text.required(),
  currencyDivisor: text.required(),
});

/** The available balance of our wallet, which has one currency. */
export function readBalances(body: unknown): Money[] | undefined {
  const balance = read(balanceSchema, body);
  const money = balance && moneyOf(balance.availableBalance, balance.currency, balance.currencyDivisor);
  return money && [money];
}

interface PlanMessage {
  status: string;
  startAt?: string;
  endAt?: string;
  initialDataGB?: unknown;
  remainingDataGB?: unknown;
  unlimited?: unknown;
}

interface PlansMessage {
  firstInstalledAt?: string;
  total: number;
  list: PlanMessage[];
}

const plansSchema = Joi.object<PlansMessage>({
  firstInstalledAt: optionalText,
  total: count,
  list: Joi.array()
    .items({
      status: text.required(),
      startAt: optionalText,
      endAt: optionalText,
      initialDataGB: Joi.any(),
      remainingDataGB: Joi.any(),
      unlimited: Joi.any(),
    })
    .max(MAX_ROWS)
    .required(),
});

/**
 * The status of an eSIM from its plans. The first use is the start of its first plan. An installed eSIM is depleted if none of its
 * plans is active or queued. Zendit documents no state of an ended plan, so an installed eSIM without plans is depleted, too.
 */
export function readEsimStatus(body: unknown): EsimStatus | undefined {
  const message = read(plansSchema, body);
  if (!message || message.list.length !== message.total) return undefined;
  const { firstInstalledAt: installed, list } = message;
  const installedAt = reportedTime(installed);
  const [firstUsedAt] = list.flatMap(({ startAt }) => reportedTime(startAt) ?? []).sort(byTime);
  const isOver = ({ status }: PlanMessage) => !['ACTIVE', 'QUEUED'].includes(status);
  return {
    ...(installedAt && { installedAt }),
    ...(firstUsedAt && { firstUsedAt }),
    ...(installedAt && list.every(isOver) && { isDepleted: true }),
    usage: usageIn(list),
  };
}

/** The usage of all listed plans together. With an unlimited plan, a negative total or an unreadable amount, the data are unknown. */
function usageIn(list: readonly PlanMessage[]): EsimUsage {
  const endsAt = lastEnd(list.map(({ endAt }) => endAt));
  if (list.length === 0 || list.some(hasNoTotal)) return usageOf({ endsAt });
  const sum = (amounts: unknown[]): number | null => {
    let megabytes = 0;
    for (const amount of amounts) {
      const gigabytes = typeof amount === 'string' ? numberOf(amount) : undefined;
      if (gigabytes === undefined) return null;
      megabytes += megabytesOf(gigabytes);
    }
    return megabytes;
  };
  return usageOf({
    totalMb: sum(list.map(({ initialDataGB }) => initialDataGB)),
    leftMb: sum(list.map(({ remainingDataGB }) => remainingDataGB)),
    endsAt,
  });
}

function hasNoTotal({ unlimited, initialDataGB: total }: PlanMessage): boolean {
  return String(unlimited) === 'true' || (typeof total === 'string' && Number(total) < 0);
}

function byTime(one: Date, other: Date): number {
  return one.getTime() - other.getTime();
}

/** The filter for the plans of an eSIM product, from its SKU: `country:<alpha-2>` or `brand:<brand>`. */
export function esimFilterOf(productSku: string): { by: 'brand' | 'country'; value: string } | undefined {
  const [, by, value] = /^(brand|country):(.{1,100})$/.exec(productSku) ?? [];
  return value !== undefined && (by === 'brand' || by === 'country') ? { by, value } : undefined;
}
