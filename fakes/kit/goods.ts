/** Derives goods from a purchase, so that every read gives the same goods. `seed` names the purchase or one of its units. */
import { createHash } from 'node:crypto';

/** The digest for one part of the goods. */
export function hash(seed: string, purpose: string): Buffer {
  return createHash('sha256').update(`${seed} ${purpose}`).digest();
}

/** At most 20 digits for one part of the goods. */
export function digits(seed: string, purpose: string, count: number): string {
  return hash(seed, purpose).readBigUInt64BE(0).toString().padStart(20, '0').slice(-count);
}

/**
 * The ICCID that begins with these 17 digits: 19 digits with a Luhn check digit. It is odd, so that a buyer that reads it as a
 * double gets a wrong number.
 */
export function iccidFrom(body: string): string {
  const tens = [...'0123456789'].find((digit) => Number(luhnCheckDigit(body + digit)) % 2 === 1) ?? '0';
  return body + tens + luhnCheckDigit(body + tens);
}

/** A code with a leading zero, and a serial number with two. */
export function pinFrom(seed: string): { readonly code: string; readonly serial: string } {
  return { code: `0${digits(seed, 'code', 15)}`, serial: `00${digits(seed, 'serial', 10)}` };
}

/** The id with which a device finds its profile at the SM-DP+ server. */
export function matchingIdFrom(seed: string): string {
  return hash(seed, 'matching').toString('hex').slice(0, 20).toUpperCase();
}

/** The activation code of a profile. */
export function activationCodeOf(server: string, matchingId: string): string {
  return `LPA:1$${server}$${matchingId}`;
}

/** The page that installs the profile on an iPhone. */
export function appleLinkOf(activationCode: string): string {
  return `https://esimsetup.apple.example/esim_qrcode_provisioning?carddata=${activationCode}`;
}

/** The digit that makes `body` followed by it pass the Luhn check. */
function luhnCheckDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
