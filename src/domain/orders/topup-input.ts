/** What the customer gives for a top-up, checked field by field. docs/specification.md#input-field. */
import { errors } from '../errors';
import type { InputField } from './input-fields';
import { matchesPattern } from './pattern';

/** The customer's input by field name, validated and normalised. Numbers stay what they were sent as. */
export type TopupInput = Readonly<Record<string, string | number>>;

/** The number that is topped up, as `topupInput` writes one; undefined where the product asks for none. */
export function phoneOf(input: TopupInput): string | undefined {
  const numbers = Object.values(input).map(String);
  return numbers.find((value) => /^\+[0-9]{4,15}$/.test(value));
}

/** Shorter values occur in a supplier's ids by chance. */
const SHORTEST_REPEATED = 6;

/**
 * Whether the text repeats a value of the input, however either is punctuated. A phone number is repeated by its last
 * 8 digits: its country code may be left out.
 */
export function repeatsInput(text: string, input: TopupInput): boolean {
  const shown = unpunctuated(text);
  return Object.values(input).some((value) => {
    const given = unpunctuated(String(value)).replace(/^\d+(?=\d{8}$)/, '');
    return given.length >= SHORTEST_REPEATED && shown.includes(given);
  });
}

function unpunctuated(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The longest value; it also bounds what a pattern has to look at. */
const LONGEST = 500;

/**
 * Throws 400 that names the first field that the product does not have, or requires and was not given.
 * Empty values count as not given.
 */
export function checkInputFields(
  fields: readonly InputField[],
  given: Readonly<Record<string, unknown>>,
): void {
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.field_name === name));
  if (unknown !== undefined) throw errors.validation(`Unknown input field: ${unknown.slice(0, 64)}`);
  const values = new Map(Object.entries(given));
  const missing = fields.find((field) => field.is_required && isEmpty(values.get(field.field_name)));
  if (missing) throw errors.validation(`Missing input field: ${missing.field_name}`);
}

/**
 * The input of a top-up with exactly the fields of its product. Throws as `checkInputFields` does, then
 * 400 that names the first field whose value is wrong.
 */
export function topupInput(
  fields: readonly InputField[],
  given: Readonly<Record<string, unknown>>,
): TopupInput {
  checkInputFields(fields, given);
  const values = new Map(Object.entries(given));
  const checked = fields.flatMap((field): [string, string | number][] => {
    const value = values.get(field.field_name);
    return isEmpty(value) ? [] : [[field.field_name, valueOf(field, value)]];
  });
  return Object.fromEntries(checked);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function valueOf(field: InputField, value: unknown): string | number {
  if (typeof value === 'string' && value.length > LONGEST)
    throw wrong(field, `longer than ${LONGEST} characters`);
  const normalised = readers[field.field_type](field, value);
  // Clients check what the customer typed against the pattern: so do we, before it is normalised.
  if (field.validation_regex && !matchesPattern(field.validation_regex, String(value))) {
    throw wrong(field, 'not of the expected format');
  }
  return normalised;
}

const readers: Readonly<
  Record<InputField['field_type'], (field: InputField, value: unknown) => string | number>
> = {
  text(field, value) {
    if (typeof value !== 'string') throw wrong(field, 'must be text');
    return value;
  },

  number(field, value) {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && decimal.test(value));
    if (!isNumber || !Number.isFinite(Number(value))) throw wrong(field, 'must be a number');
    return value;
  },

  phone(field, value) {
    const digits = typeof value === 'string' ? phoneDigits(value) : undefined;
    if (digits === undefined) throw wrong(field, 'must be a phone number of 4 to 15 digits');
    return `+${digits}`;
  },

  select(field, value) {
    const options = (field.options ?? []).map((option) => option.value);
    if (typeof value !== 'string' || !options.includes(value)) {
      throw wrong(field, `must be one of ${options.join(', ')}`);
    }
    return value;
  },
};

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The digits of a number in international form, with `+`, `00` or nothing before the country code,
 * which never begins with 0 (ITU-T E.164).
 */
function phoneDigits(text: string): string | undefined {
  const compact = text.replace(/[\s().-]/g, '');
  return /^(?:\+|00)?([1-9]\d{3,14})$/.exec(compact)?.[1];
}

function wrong({ field_name: name }: InputField, reason: string) {
  return errors.validation(`Invalid input field: ${name} (${reason})`);
}
