/** Parsers of command-line arguments. Each throws an `InvalidArgumentError` that says what is valid. */
import { InvalidArgumentError, Argument } from 'commander';
import { Exact } from '../domain/prices/money';
import {
  familyOfFeature,
  features as knownFeatures,
  type Family,
  type Feature,
} from '../domain/orders/families';
import { day, hour, isCalendarDay, minute } from '../domain/time';
import { rateClasses } from '../domain/clients/rate-classes';
import { isCidr } from '../domain/clients/networks';
import { isEmailAddress } from '../notifications/mail/address';
import { findAccount, type ClientRow } from '../data/clients/accounts';
import type { Database } from '../data/database/database';

export function positiveInteger(text: string): number {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('Give a whole number from 1.');
  return number;
}

/** A whole number, optionally negative. */
export function wholeNumber(text: string): number {
  if (!/^-?[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

/** The id of an event. */
export function eventId(text: string): string {
  if (!/^evt_\w+$/.test(text))
    throw new InvalidArgumentError('Give the id of an event, evt_... See them with: webhooks list <client>');
  return text;
}

/** The name of a new client. A name of digits would be read as an id. */
export function clientName(text: string): string {
  if (/^\s*[0-9]*\s*$/.test(text))
    throw new InvalidArgumentError(
      'Give a name that is not a number: commands read a number as the id of a client.',
    );
  return text;
}

/** A client's maximum number of vouchers in one order: from 1 to 5,000. */
export function bulkLimit(text: string): number {
  const number = positiveInteger(text);
  if (number > 5_000) throw new InvalidArgumentError('Give a whole number from 1 to 5000.');
  return number;
}

/** An exact decimal, optionally negative, such as `12.50` or `-3`. */
export function decimal(text: string): Exact {
  if (!/^-?[0-9]{1,18}(\.[0-9]{1,18})?$/.test(text)) {
    throw new InvalidArgumentError('Give a decimal number such as 12.50.');
  }
  return new Exact(text);
}

export function positiveDecimal(text: string): Exact {
  const number = decimal(text);
  if (!number.greaterThan(0)) throw new InvalidArgumentError('Give a decimal number above 0.');
  return number;
}

/** The parser of a percentage from `min` to `max` with at most four decimals. */
function percentBetween(min: number, max: number): (text: string) => Exact {
  return (text) => {
    const number = decimal(text);
    if (number.lessThan(min) || number.greaterThan(max) || number.decimalPlaces() > 4)
      throw new InvalidArgumentError(`Give a percentage from ${min} to ${max} with at most 4 decimals.`);
    return number;
  };
}

export const percent = percentBetween(0, 100);
export const markup = percentBetween(0, 999);
/** In percent of the price. A negative margin is a loss. */
export const margin = percentBetween(-999, 100);

/** The name of a group of clients; empty for no group. */
export function groupName(text: string): string {
  if (!/^[\w-]{0,50}$/.test(text))
    throw new InvalidArgumentError('Give up to 50 letters, digits, hyphens and underscores.');
  return text;
}

/** A month in UTC, such as `2026-11`. */
export function month(text: string): Date {
  const start = /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? new Date(`${text}-01T00:00:00Z`) : undefined;
  if (!start) throw new InvalidArgumentError('Give a month such as 2026-11.');
  return start;
}

/** A time in ISO 8601, such as `2026-11-01` or `2026-11-01T12:00:00Z`. */
function isoTime(text: string): Date {
  const hasForm = /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(text);
  const time = new Date(text);
  if (!hasForm || !isCalendarDay(text.slice(0, 10)) || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError(
      'Give a time such as 2026-11-01 or 2026-11-01T12:00:00Z, or an age such as 90m, 12h or 1d.',
    );
  }
  return time;
}

/** A time in ISO 8601, or an age such as `90m`, `12h` or `1d`. */
export function timeOrAge(text: string): Date {
  const [, count, unit] = /^([1-9][0-9]{0,5})([mhd])$/.exec(text) ?? [];
  if (count === undefined) return isoTime(text);
  const units: Readonly<Record<string, number>> = { m: minute, h: hour, d: day };
  return new Date(Date.now() - Number(count) * (units[unit as string] as number));
}

export function currencyCode(text: string): string {
  if (!/^[A-Z]{3}$/.test(text)) throw new InvalidArgumentError('Give an ISO 4217 code such as USD.');
  return text;
}

/** A product family, by the name of its feature. */
export function family(text: string): Family {
  const found = familyOfFeature(text);
  if (!found) throw new InvalidArgumentError(`Give one of ${knownFeatures.join(', ')}.`);
  return found;
}

/** Features, separated by commas; empty for none. */
export function featureList(text: string): Feature[] {
  const names = list(text);
  if (!names.every((name): name is Feature => familyOfFeature(name) !== undefined)) {
    throw new InvalidArgumentError(`Give some of ${knownFeatures.join(',')}, separated by commas.`);
  }
  return names;
}

/** Networks in CIDR notation, separated by commas; empty for no restriction. */
export function cidrs(text: string): string[] {
  const networks = list(text);
  const faulty = networks.find((network) => !isCidr(network));
  if (faulty !== undefined) {
    throw new InvalidArgumentError(
      `${faulty} is not a network: give CIDRs such as 203.0.113.0/24,2001:db8::/32.`,
    );
  }
  return networks;
}

/** Much more than a reason needs. A reason of 9 kB would fail later, with an error that does not name it. */
const MAX_REASON_CHARACTERS = 1_000;

export function reason(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('Give the reason in a few words.');
  if (trimmed.length > MAX_REASON_CHARACTERS)
    throw new InvalidArgumentError(`Give the reason in at most ${MAX_REASON_CHARACTERS} characters.`);
  return trimmed;
}

export function email(text: string): string {
  if (!isEmailAddress(text)) throw new InvalidArgumentError('Give an e-mail address.');
  return text;
}

/** The non-empty items of a comma-separated list. */
export function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Adds the rate limit `<class>=<n>` or `<class>=default` (null) to the limits of earlier `--rate-limit` options. */
export function rateLimit(
  text: string,
  earlier: Record<string, number | null> = {},
): Record<string, number | null> {
  const [name = '', value = ''] = text.split('=');
  const classNames = rateClasses.map((rateClass) => rateClass.name);
  if (!classNames.includes(name)) {
    throw new InvalidArgumentError(`Give <class>=<n> with one of the classes ${classNames.join(', ')}.`);
  }
  return { ...earlier, [name]: value === 'default' ? null : positiveInteger(value) };
}

/** Adds the amount `<currency>=<amount>` to the amounts of earlier `--value` options. */
export function money(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [currency = '', amount = ''] = text.split('=');
  return { ...earlier, [currencyCode(currency)]: positiveDecimal(amount).toFixed() };
}

/** The argument that names a client. `[client]` makes it optional. */
export function clientArgument(name: '<client>' | '[client]' = '<client>'): Argument {
  return new Argument(name, 'id, name or API key');
}

/** Finds the client that `clientArgument` names. Throws if there is none. */
export async function clientNamed(database: Database, named: string): Promise<ClientRow> {
  const client = await findAccount(database, named);
  if (!client) throw new Error(`There is no client "${named}". See them with: clients list`);
  return client;
}
