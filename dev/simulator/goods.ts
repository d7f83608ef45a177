/**
 * The goods of a purchase, derived from a random seed of the purchase. So the journal has one short line for any number
 * of codes, and every read gives the same goods.
 */
import { createHmac } from 'node:crypto';
import type { Purchase } from './purchases';

const msPerDay = 86_400_000;
const voucherLifeDays = 365;
/** Crockford's base 32: no letter that reads like a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** One unit in a response. */
export type UnitGoods = Readonly<Record<string, string | boolean>>;

/** The first `count` units of a purchase, always in the same order. */
export function goodsOf(purchase: Purchase, count: number): UnitGoods[] {
  return Array.from({ length: count }, (_, unit) => unitOf(purchase, unit));
}

/** The ICCID of an eSIM purchase, or of an additional unit that it shows: 19 or 20 digits with a Luhn check digit. */
export function iccidOf(purchase: Purchase, unit = 0): string {
  const bytes = unitBytes(purchase, unit);
  const digits = bytes.readBigUInt64BE(0).toString().padStart(14, '0').slice(-14);
  // Real ICCIDs have either length.
  const body = `8988${digits}${bytes.readUInt8(8) % 2 === 0 ? '' : '7'}`;
  return body + luhnCheckDigit(body);
}

/** The digit that makes `body` followed by it pass the Luhn check (ITU-T E.118). */
export function luhnCheckDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

function unitOf(purchase: Purchase, unit: number): UnitGoods {
  const bytes = unitBytes(purchase, unit);
  switch (purchase.form) {
    case 'CODE_WITH_PIN':
      return { card_number: letters(bytes, 0, 16), pin_code: pin(bytes), ...voucherCommon(purchase, bytes) };
    case 'URL':
      return {
        claim_url: `https://claim.sandbox-gifts.example/${letters(bytes, 0, 20)}`,
        ...voucherCommon(purchase, bytes),
      };
    case 'RECHARGE':
      return { operator_reference: `OP${letters(bytes, 0, 12)}` };
    case 'PROFILE':
      return {
        iccid: iccidOf(purchase, unit),
        activation_code: `LPA:1$smdp.sandbox-esim.example$${letters(bytes, 9, 20)}`,
      };
  }
}

function voucherCommon(purchase: Purchase, bytes: Buffer): UnitGoods {
  return {
    expires_at: new Date(purchase.at + voucherLifeDays * msPerDay).toISOString(),
    reference_number: `VR${letters(bytes, 24, 8)}`,
  };
}

/** 32 unique bytes for each unit. */
function unitBytes(purchase: Purchase, unit: number): Buffer {
  return createHmac('sha256', purchase.seed).update(String(unit)).digest();
}

function letters(bytes: Buffer, from: number, count: number): string {
  let text = '';
  for (let at = from; at < from + count; at++) text += alphabet.charAt(bytes.readUInt8(at) % alphabet.length);
  return text;
}

function pin(bytes: Buffer): string {
  return String(bytes.readUInt32BE(20) % 1_000_000).padStart(6, '0');
}
