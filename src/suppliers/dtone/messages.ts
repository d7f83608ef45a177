/** DT One's responses: errors, pages, balances and the status of eSIMs. */
import Joi from 'joi';
import type { EsimStatus } from '../../domain/esims/esim-lifecycle';
import { megabytesOf, usageOf, type EsimUsage } from '../../domain/esims/esim-usage';
import { second } from '../../domain/time';
import { isSuccessStatus } from '../kit/exchange';
import type { Meaning, SupplierResponse } from '../kit/http';
import type { CountedSupplierPage, SupplierPage } from '../kit/limits';
import { decimal, lastEnd, MAX_ROWS, optionalText, read, reportedTime, text } from '../kit/messages';
import type { Money } from '../../domain/suppliers/port';
import { errorCodes, REFERENCE_USED } from './error-codes';

const errorSchema = Joi.object<{ errors: { code: string; message: string }[] }>({
  errors: Joi.array().items({ code: text.required(), message: text.required() }).min(1).max(MAX_ROWS).required(),
});

/**
 * The meaning of a response. A rejection is `{errors: [{code, message}]}` with documented codes that all have this status. Only a
 * purchase can get `reference-used`. An error under a successful status is no rejection: the transaction may exist.
 */
export function classify({ status, headers, body, reference }: SupplierResponse): Meaning | undefined {
  const errors = read(errorSchema, body)?.errors ?? [];
  const [error] = errors;
  if (isSuccessStatus(status)) return body === undefined || error ? undefined : { meaning: 'answered' };
  const isUsed = reference !== undefined && errors.some(({ code }) => code === REFERENCE_USED);
  if (isUsed) return { meaning: 'reference-used', code: REFERENCE_USED };
  const known = error && errorCodes[error.code];
  const provesNothingRan = errors.every(({ code }) => errorCodes[code]?.statuses.includes(status));
  if (!error || !known || !provesNothingRan) return undefined;
  const needsWait = known.meaning === 'not-run' && headers['retry-after'] === undefined;
  return { meaning: known.meaning, code: error.code, ...(needsWait && { retryAfterMs: second }) };
}

/** A list with the number of its pages, which DT One names in a header. */
export function pageOf<T>(
  items: T[] | undefined,
  headers: Readonly<Record<string, string>>,
): SupplierPage<T> | undefined {
  const pages = headers['x-total-pages'] ?? '';
  if (!items || !/^\d{1,6}$/.test(pages)) return undefined;
  return { items, totalPages: Number(pages) };
}

/** As `pageOf`, with the number of rows in the page and in the whole list, which DT One names in another header. */
export function countedPageOf<T>(
  listed: { items: T[]; rows: number } | undefined,
  headers: Readonly<Record<string, string>>,
): CountedSupplierPage<T> | undefined {
  const page = pageOf(listed?.items, headers);
  const total = headers['x-total'] ?? '';
  return listed && page && /^\d{1,9}$/.test(total) ? { ...listed, ...page, totalRows: Number(total) } : undefined;
}

interface BalanceMessage {
  unit_type: string;
  unit: string;
  available: string;
}

const balanceSchema = Joi.object<BalanceMessage>({
  unit_type: text.required(),
  unit: text.required(),
  available: decimal.required(),
});
const balancesSchema = Joi.array<BalanceMessage[]>().items(balanceSchema).max(MAX_ROWS);

/** The available balance in each currency. */
export function readBalances(body: unknown): Money[] | undefined {
  return read(balancesSchema, body)
    ?.filter(({ unit_type: type }) => type === 'CURRENCY')
    .map(({ unit, available }) => ({ currency: unit, amount: available }));
}

const statusSchema = Joi.object<{ installation_date?: string; activation_date?: string }>({
  installation_date: optionalText,
  activation_date: optionalText,
});

/** When the profile was installed and first used. */
export function readDates(body: unknown): EsimStatus | undefined {
  const message = read(statusSchema, body);
  if (!message) return undefined;
  const { installation_date: installed, activation_date: used } = message;
  const [installedAt, firstUsedAt] = [reportedTime(installed), reportedTime(used)];
  return { ...(installedAt && { installedAt }), ...(firstUsedAt && { firstUsedAt }) };
}

interface BenefitMessage {
  type: string;
  unit?: string;
  amount: string;
  expiration_date?: string;
}

const benefitSchema = Joi.object<BenefitMessage>({
  type: text.required(),
  unit: optionalText,
  amount: decimal.required(),
  expiration_date: optionalText,
});
const benefitsSchema = Joi.array<BenefitMessage[]>().items(benefitSchema).max(MAX_ROWS);

/**
 * The usage, and whether every data benefit is used up (`isDepleted`). An amount of -1 is unlimited. The usage has no total,
 * because DT One reports only the remaining data.
 */
export function readBenefits(body: unknown): Pick<EsimStatus, 'isDepleted' | 'usage'> | undefined {
  const benefits = read(benefitsSchema, body)?.filter(({ type }) => type === 'DATA');
  if (!benefits) return undefined;
  const isDepleted = benefits.length > 0 && benefits.every(isUsedUp);
  return { ...(isDepleted && { isDepleted }), usage: usageIn(benefits) };
}

function isUsedUp({ amount }: BenefitMessage): boolean {
  return Number(amount) === 0;
}

function usageIn(benefits: BenefitMessage[]): EsimUsage {
  const left = benefits.filter((benefit) => !isUsedUp(benefit)).map(megabytesIn);
  const isKnown = benefits.length > 0 && left.every((megabytes) => megabytes !== undefined);
  return usageOf({
    leftMb: isKnown ? left.reduce<number>((sum, megabytes = 0) => sum + megabytes, 0) : null,
    endsAt: lastEnd(benefits.map(({ expiration_date: end }) => end)),
  });
}

/** Undefined for unlimited data and for another unit. */
function megabytesIn({ unit, amount }: BenefitMessage): number | undefined {
  if (amount.startsWith('-')) return undefined;
  if (unit === 'GB') return megabytesOf(amount);
  return unit === 'MB' ? Number(amount) : undefined;
}
