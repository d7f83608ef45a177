/** Units of a report, made of what a supplier's message holds: one that is damaged costs no other. */
import Joi from 'joi';
import type { EsimGoods, ReportedUnit, UnreadableGoods, VoucherGoods } from '../../domain/orders/goods';
import { safeText, type SafeText } from '../../domain/safe-text';
import { read } from './reading';

/** Fields as read from a message; undefined if the supplier sent none. */
type Fields<G> = { [K in Exclude<keyof G, 'kind'>]?: string | undefined };

/** A voucher with what it has, or what is wrong with it: it lives by its code or its claim URL. */
export function voucherUnit(fields: Fields<VoucherGoods>): ReportedUnit {
  const { cardNumber, pinCode, claimUrl, referenceNumber } = fields;
  if (!cardNumber && !claimUrl)
    return unreadable(safeText`there is neither card number nor claim URL`, fields);
  const expiresAt = fields.expiresAt && readTime(fields.expiresAt);
  if (fields.expiresAt && !expiresAt) return unreadable(safeText`the expiry is no date`, fields);
  return {
    kind: 'voucher',
    ...(cardNumber && { cardNumber }),
    ...(pinCode && { pinCode }),
    ...(claimUrl && { claimUrl }),
    ...(expiresAt && { expiresAt }),
    ...(referenceNumber && { referenceNumber }),
  };
}

/** A profile, or what is wrong with it. */
export function esimUnit(fields: Fields<EsimGoods>): ReportedUnit {
  const { iccid, activationCode } = fields;
  if (!iccid) return unreadable(safeText`there is no ICCID`, fields);
  if (!activationCode) return unreadable(safeText`there is no activation code`, fields);
  return { kind: 'esim', iccid, activationCode };
}

/** A unit that cannot be read; `fault` says why, without its contents. `sent` is what the supplier sent, in JSON's terms. */
export function unreadable(fault: SafeText, sent: unknown): UnreadableGoods {
  return { kind: 'unreadable', fault, contents: JSON.stringify(sent) };
}

const timeSchema: Joi.Schema<Date> = Joi.date().iso();

/** The time in RFC 3339 and UTC, or undefined for what is none or has no year of four digits. */
function readTime(time: string): string | undefined {
  // As most suppliers write it, and each of the hundreds of units of a purchase: the schema takes ten times as long.
  return isOurs(time) ? time : rewritten(time);
}

/** Whether it is written as we write it: then it is what it would be rewritten to. */
function isOurs(time: string): boolean {
  const instant = /^\d{4}-/.test(time) ? Date.parse(time) : NaN;
  return !Number.isNaN(instant) && new Date(instant).toISOString() === time;
}

function rewritten(time: string): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(time)?.map(Number) ?? [];
  const instant = read(timeSchema, time);
  if (!instant || year === undefined || month === undefined || day === undefined) return undefined;
  // Days that their month has not would become days of the next.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day <= lastDay ? instant.toISOString() : undefined;
}
