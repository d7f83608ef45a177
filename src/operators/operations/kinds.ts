/** The types of values that operations take. Each says what is valid (`InvalidArgument`). */
import { MAX_OVERLAP_HOURS } from '../../domain/clients/key-limits';
import { isScope, scopes as knownScopes, type Scope } from '../../domain/clients/scopes';
import { cidrOf, isCidr } from '../../domain/clients/networks';
import { familyOfFeature, features as knownFeatures, type Family, type Feature } from '../../domain/orders/families';
import { Exact } from '../../domain/prices/money';
import { isEmailAddress } from '../../notifications/mail/address';
import { InvalidArgument, type Kind } from './arguments';

type Schema = Kind<unknown>['schema'];

/** The kind whose values `read` reads. */
export function kindBy<T>(
  placeholder: string,
  read: (text: string) => T,
  schema: Schema = { type: 'string' },
): Kind<T> {
  return { placeholder, schema, read };
}

/** The kind whose values people write in a form of its own. `example`: one of them. */
export function ofForm<T>(placeholder: string, example: string, read: (text: string) => T): Kind<T> {
  return kindBy(placeholder, read, { type: 'string', examples: [example] });
}

/** The same values under another placeholder. */
export function withPlaceholder<T>(placeholder: string, values: Kind<T>): Kind<T> {
  return { ...values, placeholder };
}

/** The same values, which pages ask for with a control of this kind. */
export function askedBy<T>(
  control: 'day' | 'month' | 'time' | 'numbers' | 'object' | 'operation',
  values: Kind<T>,
): Kind<T> {
  return { ...values, schema: { ...values.schema, 'x-control': control } };
}

/** The text as it was written. */
export const text: Kind<string> = kindBy('text', (written) => written);
export const nameText = withPlaceholder('name', text);

/** The name of a supplier, which pages let a person pick, whatever the argument is called. */
export const supplierName: Kind<string> = kindBy('name', (written) => written, {
  type: 'string',
  'x-subject': 'supplier',
});

/** The word among `known`, in any case, with hyphens or underscores. */
export function oneOf<T extends string>(placeholder: string, known: readonly T[]): Kind<T> {
  const comparable = (word: string) => word.toUpperCase().replace(/-/g, '_');
  const read = (written: string): T => {
    const found = known.find((value) => comparable(value) === comparable(written));
    if (found === undefined) throw new InvalidArgument(`Give one of ${known.join(', ')}.`);
    return found;
  };
  return kindBy(placeholder, read, { type: 'string', enum: known });
}

/** The words of `oneOf`, for descriptions that do not name them otherwise. */
export function choices(known: readonly string[]): string {
  return `(choices: ${known.map((word) => `"${word}"`).join(', ')})`;
}

/** Values separated by commas. Empty items are left out. */
export function commaListOf<T>({ read, schema }: Kind<T>): Kind<T[]> {
  const choices = schema['enum'];
  return kindBy('list', (written) => items(written).map(read), {
    type: 'string',
    ...(choices !== undefined && { 'x-choices': choices }),
  });
}

function items(written: string): string[] {
  return written
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function positiveInteger(written: string): number {
  const number = /^[1-9][0-9]{0,15}$/.test(written) ? Number(written) : NaN;
  if (!Number.isSafeInteger(number)) throw new InvalidArgument('Give a whole number from 1.');
  return number;
}

export const id: Kind<number> = kindBy('id', positiveInteger, { type: 'integer', minimum: 1 });
/** At most the largest integer of the database. */
export const count = upTo('n', 2 ** 31 - 1);

/** A whole number, optionally negative. */
export const wholeNumber: Kind<number> = kindBy(
  'n',
  (written) => {
    if (!/^-?[0-9]{1,9}$/.test(written)) throw new InvalidArgument('Give a whole number.');
    return Number(written);
  },
  { type: 'integer' },
);

export const eventId: Kind<string> = kindBy(
  'event',
  (written) => {
    if (/^evt_\w+$/.test(written)) return written;
    throw new InvalidArgument('Give the id of an event, evt_... See them with: webhooks list <client>');
  },
  { type: 'string', pattern: '^evt_\\w+$' },
);

/** What names a client: its id, name or API key. `clientNamed` finds it. */
export const client = withPlaceholder('client', text);

/** A whole number from 1 to `max`. */
function upTo(placeholder: string, max: number): Kind<number> {
  const read = (written: string): number => {
    const number = positiveInteger(written);
    if (number > max) throw new InvalidArgument(`Give a whole number from 1 to ${max}.`);
    return number;
  };
  return kindBy(placeholder, read, { type: 'integer', minimum: 1, maximum: max });
}

/** A client's maximum number of vouchers in one order. */
export const bulkLimit = upTo('n', 5_000);

/** How long a held order waits for a decision. */
export const reviewHours = upTo('hours', 720);

const decimalSchema = { type: 'string', pattern: '^-?[0-9]{1,18}(\\.[0-9]{1,18})?$' } as const;

function exact(written: string): Exact {
  if (!new RegExp(decimalSchema.pattern).test(written))
    throw new InvalidArgument('Give a decimal number such as 12.50.');
  return new Exact(written);
}

/** An exact decimal, optionally negative, such as `12.50` or `-3`. */
export const decimal: Kind<Exact> = kindBy('amount', exact, decimalSchema);

export const positiveDecimal: Kind<Exact> = kindBy(
  'amount',
  (written) => {
    const number = exact(written);
    if (!number.greaterThan(0)) throw new InvalidArgument('Give a decimal number above 0.');
    return number;
  },
  decimalSchema,
);

/** A percentage from `min` to `max` with at most four decimals. */
function percentBetween(min: number, max: number): Kind<Exact> {
  const read = (written: string): Exact => {
    const number = exact(written);
    if (number.lessThan(min) || number.greaterThan(max) || number.decimalPlaces() > 4)
      throw new InvalidArgument(`Give a percentage from ${min} to ${max} with at most 4 decimals.`);
    return number;
  };
  return kindBy('percent', read, decimalSchema);
}

export const percent = percentBetween(0, 100);
export const markup = percentBetween(0, 999);
/** In percent of the price. A negative margin is a loss. */
export const margin = percentBetween(-999, 100);

/** The name of a group of clients; empty for no group. */
export const groupName: Kind<string> = kindBy(
  'name',
  (written) => {
    if (/^[\w-]{0,50}$/.test(written)) return written;
    throw new InvalidArgument('Give up to 50 letters, digits, hyphens and underscores.');
  },
  { type: 'string', pattern: '^[\\w-]{0,50}$' },
);

export const currencyCode: Kind<string> = kindBy(
  'code',
  (written) => {
    if (/^[A-Z]{3}$/.test(written)) return written;
    throw new InvalidArgument('Give an ISO 4217 code such as USD.');
  },
  { type: 'string', pattern: '^[A-Z]{3}$' },
);

/** A product family, by the name of its feature. */
export const family: Kind<Family> = kindBy(
  'family',
  (written) => {
    const found = familyOfFeature(written);
    if (found) return found;
    throw new InvalidArgument(`Give one of ${knownFeatures.join(', ')}.`);
  },
  { type: 'string', enum: knownFeatures },
);

/** Features, separated by commas; empty for none. */
export const featureList: Kind<Feature[]> = kindBy(
  'list',
  (written) => {
    const names = items(written);
    if (names.every((one): one is Feature => familyOfFeature(one) !== undefined)) return names;
    throw new InvalidArgument(`Give some of ${knownFeatures.join(',')}, separated by commas.`);
  },
  { type: 'string', 'x-choices': knownFeatures },
);

/** Scopes of an API key, separated by commas. */
export const scopeList: Kind<Scope[]> = kindBy(
  'list',
  (written) => {
    const names = [...new Set(items(written))];
    if (names.length > 0 && names.every(isScope)) return names;
    throw new InvalidArgument(`Give some of ${knownScopes.join(',')}, separated by commas.`);
  },
  { type: 'string', 'x-choices': knownScopes },
);

/** The hours for which a rolled key stays valid. */
export const overlapHours: Kind<number> = kindBy('hours', (written) => {
  if (/^[0-9]{1,3}$/.test(written) && Number(written) <= MAX_OVERLAP_HOURS) return Number(written);
  throw new InvalidArgument(`Give a whole number from 0 to ${MAX_OVERLAP_HOURS}.`);
});

/** Networks in CIDR notation or addresses, separated by commas; empty for no restriction. An address is a network of one. */
export const cidrs: Kind<string[]> = ofForm('list', '203.0.113.0/24', (written) => {
  const networks = items(written).map(cidrOf);
  const faulty = networks.find((network) => !isCidr(network));
  if (faulty === undefined) return networks;
  throw new InvalidArgument(`${faulty} is not a network: give addresses or CIDRs such as 203.0.113.7,2001:db8::/32.`);
});

/** A text of 1 to `most` characters, without the blanks around it. `noun`: what the message calls it. */
export const boundedText = (noun: string, most: number, placeholder = 'text'): Kind<string> =>
  kindBy(
    placeholder,
    (written) => {
      const trimmed = written.trim();
      if (trimmed !== '' && trimmed.length <= most) return trimmed;
      throw new InvalidArgument(`Give a ${noun} of at most ${most} characters.`);
    },
    { type: 'string', maxLength: most },
  );

/** Much more than a reason needs. A reason of 9 kB would fail later, with an error that does not name it. */
const MAX_REASON_CHARACTERS = 1_000;

export const reasonText: Kind<string> = kindBy(
  'text',
  (written) => {
    const trimmed = written.trim();
    if (trimmed === '') throw new InvalidArgument('Give the reason in a few words.');
    if (trimmed.length > MAX_REASON_CHARACTERS)
      throw new InvalidArgument(`Give the reason in at most ${MAX_REASON_CHARACTERS} characters.`);
    return trimmed;
  },
  { type: 'string', maxLength: MAX_REASON_CHARACTERS },
);

export const email: Kind<string> = kindBy(
  'email',
  (written) => {
    if (isEmailAddress(written)) return written;
    throw new InvalidArgument('Give an email address.');
  },
  { type: 'string', format: 'email' },
);

/** An amount in a currency, `<currency>=<amount>`. */
export const money: Kind<readonly [string, string]> = ofForm('currency=amount', 'USD=12.50', (written) => {
  const [currency = '', amount, ...rest] = written.split('=');
  if (amount === undefined || rest.length > 0)
    throw new InvalidArgument('Give a currency and an amount, such as USD=12.50.');
  return [currencyCode.read(currency), positiveDecimal.read(amount).toFixed()];
});
