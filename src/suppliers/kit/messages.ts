/**
 * Reads a supplier's messages: ignores unknown fields, and checks the fields that the adapter uses. A reader returns undefined for
 * a message that cannot be relied on.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import Joi from 'joi';
import { normalIccid, normalLpaString } from '../../domain/esims/profile-codes';
import type {
  EsimGoods,
  RechargedProfile,
  ReportedUnit,
  UnreadableGoods,
  VoucherGoods,
} from '../../domain/orders/goods';
import { Exact } from '../../domain/prices/money';
import { safeText, type SafeText } from '../../domain/safe-text';
import { expiryOf, momentOf, standsForNone, timeAt } from '../../domain/time';
import { isObject } from '../../domain/unknown-values';

export const text = Joi.string();
/** Text that may be empty or null. */
export const optionalText = text.empty(['', null]);
/** A decimal in plain digits. One with an exponent is converted: Java writes 100 as `1E+2`, and JavaScript a millionth as `1e-6`. */
export const decimal = text.custom(inPlainDigits).pattern(/^-?\d+(\.\d+)?$/);
/** A number of rows or of pages. */
export const count = Joi.number().integer().min(0).required();
/** A time, in UTC unless it names a zone. */
export const isoDate: Joi.Schema<Date> = Joi.any<Date>().custom(
  (value: unknown, helpers) => (typeof value === 'string' ? timeOf(value) : undefined) ?? helpers.error('any.invalid'),
);
/** The maximum number of rows in a page, plans of a product or units of a purchase. A message with more is invalid. */
export const MAX_ROWS = 10_000;

/** The value without fields that the schema does not name; undefined if it does not fit the schema. */
export function read<T>(schema: Joi.Schema<T>, body: unknown): T | undefined {
  const result = required(schema).validate(body, { stripUnknown: true });
  return result.error ? undefined : result.value;
}

/** Schemas that reject a missing body. They are cached, because creating one takes as long as using it. */
const requiredSchemas = new WeakMap<Joi.Schema, Joi.Schema>();

function required<T>(schema: Joi.Schema<T>): Joi.Schema<T> {
  const known = requiredSchemas.get(schema) ?? schema.required();
  requiredSchemas.set(schema, known);
  return known;
}

/** A decimal with an exponent in plain digits. Returns other texts unchanged, also one whose exponent would make millions of digits. */
export function inPlainDigits(value: string): string {
  return /^-?\d{1,15}(\.\d{1,30})?e[+-]?\d\d?$/i.test(value) ? new Exact(value).toFixed() : value;
}

/** The number of a decimal, also of one with an exponent; undefined for any other text and from 1e15 on. */
export function numberOf(text: string | undefined): number | undefined {
  const digits = inPlainDigits(text ?? '');
  return /^-?\d{1,15}(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}

/**
 * The named texts of a message without those that are missing, empty or null. Undefined if one has another type. Uses no
 * schema: a purchase holds hundreds of units, and validation would take most of the time of a large order.
 */
export function readTexts<Name extends string>(
  names: readonly Name[],
  body: unknown,
): Partial<Record<Name, string>> | undefined {
  if (!isObject(body)) return undefined;
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = body[name];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') return undefined;
    texts[name] = value;
  }
  return texts;
}

/** The deepest nesting of a message. Beyond it, recursive readers could exhaust the stack. */
const MAX_DEPTH = 32;

/**
 * Matches a JSON string (an unterminated one up to the end of the text) or a number outside strings. A number may have leading
 * zeros, which JSON forbids: some suppliers send PINs like that.
 */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * The value of JSON text, with every number as the text that the supplier wrote: an ICCID has more digits than a JavaScript
 * number can hold. Undefined for other text and for JSON that is nested too deeply.
 */
export function parseJson(text: string): unknown {
  try {
    const numbersAsText = text.replace(stringOrNumber, (part) => (part.startsWith('"') ? part : `"${part}"`));
    const value: unknown = JSON.parse(numbersAsText);
    return isShallow(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isShallow(value: unknown, maxDepth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return maxDepth > 0 && Object.values(value).every((member) => isShallow(member, maxDepth - 1));
}

/** Fields as read from a message; undefined if absent. */
type Fields<G> = { [K in Exclude<keyof G, 'kind'>]?: string | undefined };

/** A voucher, which needs a card number or a claim URL. Unreadable if it has neither, or if its expiry is not a date. */
export function voucherUnit(fields: Fields<VoucherGoods>): ReportedUnit {
  const { cardNumber, pinCode, claimUrl, referenceNumber } = fields;
  if (!cardNumber && !claimUrl) return unreadable(safeText`there is neither card number nor claim URL`, fields);
  const expiry = fields.expiresAt ? expiryOf(fields.expiresAt) : null;
  if (expiry === undefined) return unreadable(safeText`the expiry is not a date`, fields);
  return {
    kind: 'voucher',
    ...(cardNumber && { cardNumber }),
    ...(pinCode && { pinCode }),
    ...(claimUrl && { claimUrl }),
    ...(expiry && { expiresAt: expiry.toISOString() }),
    ...(referenceNumber && { referenceNumber }),
  };
}

/** A profile. Unreadable without ICCID or activation code. */
export function esimUnit(fields: Fields<EsimGoods>): ReportedUnit {
  const { iccid, activationCode } = fields;
  if (!iccid) return unreadable(safeText`there is no ICCID`, fields);
  if (!activationCode) return unreadable(safeText`there is no activation code`, fields);
  const suppliersIccid = iccid.trim();
  const isNormal = suppliersIccid === normalIccid(iccid);
  return { kind: 'esim', iccid, ...(!isNormal && { suppliersIccid }), activationCode };
}

/**
 * The plan that was added to the profile. Another profile in the response is unusable: the purchase has bought something else. The
 * response may repeat the ICCID and the activation code of the recharged profile, in any spelling.
 */
export function rechargeUnit(recharged: RechargedProfile, stated: Fields<EsimGoods>): ReportedUnit {
  const { iccid, activationCode } = stated;
  const isOther =
    (iccid && normalIccid(iccid) !== normalIccid(recharged.iccid)) ||
    (activationCode && normalLpaString(activationCode) !== normalLpaString(recharged.activationCode));
  return isOther ? unreadable(safeText`it is a profile, and the order recharges one`, stated) : { kind: 'recharge' };
}

/** An unreadable unit. `fault` says why, without its contents. `sent` is the supplier's JSON value. */
export function unreadable(fault: SafeText, sent: unknown): UnreadableGoods {
  return { kind: 'unreadable', fault, contents: JSON.stringify(sent) };
}

/** The time that a supplier reports, in UTC unless it names a zone; undefined for other text, and for one that stands for no time. */
export function timeOf(text: string): Date | undefined {
  return standsForNone(text) ? undefined : momentOf(text);
}

/**
 * When something happened or ends, as a supplier reports it. Undefined if there is no such time, and `Invalid Date` for text that is no
 * time.
 */
export function reportedTime(text: string | null | undefined): Date | undefined {
  if (!text || standsForNone(text)) return undefined;
  return momentOf(text) ?? timeAt(NaN);
}

/** The last of the reported ends; null if none is reported, or one does not end. */
export function lastEnd(texts: readonly (string | undefined)[]): Date | null {
  const ends = texts.filter((text) => text !== undefined).map((text) => reportedTime(text)?.getTime());
  if (ends.length === 0 || ends.includes(undefined)) return null;
  return new Date(Math.max(...ends.map((end = NaN) => end)));
}

/** A callback with its signature. */
export interface SignedPush {
  algorithm: 'sha256' | 'sha512';
  secret: string;
  /** The signed parts in sequence; the body as its raw bytes. */
  signed: readonly (string | Buffer)[];
  received: string;
  encoding: 'hex' | 'base64';
}

/**
 * Whether the signature is exactly the HMAC of the parts, compared in constant time. Compares texts, because decoding
 * would ignore trailing characters. Accepts hexadecimal digits in upper case.
 */
export function isSigned({ algorithm, secret, signed, received, encoding }: SignedPush): boolean {
  const hmac = createHmac(algorithm, secret);
  for (const part of signed) hmac.update(part);
  return isSecret(encoding === 'hex' ? received.toLowerCase() : received, hmac.digest(encoding));
}

/** Whether the received text is the secret. Takes the same time for every text of the secret's length. */
export function isSecret(received: string, secret: string): boolean {
  const [given, expected] = [Buffer.from(received), Buffer.from(secret)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
