/** Reads command-line arguments; each refuses with a sentence what it cannot take. */
import { InvalidArgumentError } from 'commander';
import { Exact } from '../domain/prices/money';
import {
  familyOfFeature,
  features as knownFeatures,
  type Family,
  type Feature,
} from '../domain/orders/families';
import { day, hour, minute } from '../domain/time';
import { rateClasses } from '../domain/clients/rate-classes';
import { isCidr } from '../domain/clients/networks';
import { isEmailAddress } from '../notifications/mail/address';

/** A whole number from 1. */
export function positiveInteger(text: string): number {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Give a whole number from 1.');
  return number;
}

/** The most vouchers in one order: 1 to 5,000. */
export function bulkLimit(text: string): number {
  const number = positiveInteger(text);
  if (number > 5_000) throw new InvalidArgumentError('Give a whole number from 1 to 5000.');
  return number;
}

/** An exact decimal, with a sign where one is meant, such as `12.50` or `-3`. */
export function decimal(text: string): Exact {
  if (!/^-?[0-9]{1,18}(\.[0-9]{1,18})?$/.test(text)) {
    throw new InvalidArgumentError('Give a decimal number such as 12.50.');
  }
  return new Exact(text);
}

/** A decimal above 0. */
export function positiveDecimal(text: string): Exact {
  const number = decimal(text);
  if (!number.greaterThan(0)) throw new InvalidArgumentError('Give a decimal number above 0.');
  return number;
}

/** A percentage from 0 to 100 with at most four decimals. */
export function percent(text: string): Exact {
  const number = decimal(text);
  if (number.lessThan(0) || number.greaterThan(100) || number.decimalPlaces() > 4) {
    throw new InvalidArgumentError('Give a percentage from 0 to 100 with at most 4 decimals.');
  }
  return number;
}

/** A moment by ISO 8601, such as `2026-11-01` or `2026-11-01T12:00:00Z`. */
function moment(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text) ? new Date(text) : new Date(NaN);
  if (Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError(
      'Give a time such as 2026-11-01 or 2026-11-01T12:00:00Z, or how long ago it was: 90m, 12h, 1d.',
    );
  }
  return time;
}

/** A moment, or how long ago it was: `90m`, `12h`, `1d`. */
export function since(text: string): Date {
  const [, count, unit] = /^([1-9][0-9]{0,5})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return moment(text);
  const units: Readonly<Record<string, number>> = { m: minute, h: hour, d: day };
  return new Date(Date.now() - Number(count) * (units[unit as string] as number));
}

export function currencyCode(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new InvalidArgumentError('Give an ISO 4217 code such as USD.');
  return text;
}

/** A product family by the name of its feature. */
export function family(text: string): Family {
  const found = familyOfFeature(text);
  if (!found) throw new InvalidArgumentError(`Give one of ${knownFeatures.join(', ')}.`);
  return found;
}

/** Features, separated by commas; nothing for none. */
export function features(text: string): Feature[] {
  const names = list(text);
  if (!names.every((name): name is Feature => familyOfFeature(name) !== undefined)) {
    throw new InvalidArgumentError(`Give some of ${knownFeatures.join(',')}, separated by commas.`);
  }
  return names;
}

/** Networks, separated by commas; nothing allows every address. */
export function cidrs(text: string): string[] {
  const networks = list(text);
  const faulty = networks.find((network) => !isCidr(network));
  if (faulty !== undefined) {
    throw new InvalidArgumentError(
      `${faulty} is no network: give CIDRs such as 203.0.113.0/24,2001:db8::/32.`,
    );
  }
  return networks;
}

/** Why something is done, in words: never blank. */
export function reason(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Give the reason in a few words.');
  return text.trim();
}

export function email(text: string): string {
  if (!isEmailAddress(text)) throw new InvalidArgumentError('Give an e-mail address.');
  return text;
}

/** Words separated by commas, without empty ones. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** `<class>=<n>`, or `<class>=default`; adds to what earlier options said. */
export function rateLimit(
  text: string,
  earlier: Record<string, number | null> = {},
): Record<string, number | null> {
  const [name = '', value = ''] = text.split('=');
  const known = rateClasses.map((rateClass) => rateClass.name);
  if (!known.includes(name)) {
    throw new InvalidArgumentError(`Give <class>=<n> with one of the classes ${known.join(', ')}.`);
  }
  return { ...earlier, [name]: value === 'default' ? null : positiveInteger(value) };
}

/** `<currency>=<amount>`; adds to what earlier options said. */
export function money(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [currency = '', amount = ''] = text.split('=');
  return { ...earlier, [currencyCode(currency)]: positiveDecimal(amount).toFixed() };
}
