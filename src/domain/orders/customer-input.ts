/**
 * Validates the customer's input, and normalises it for searches of operators. docs/specification.md#input-field.
 * Rule: which input of a customer is valid
 */
import { domainToASCII } from 'node:url';
import { errors } from '../errors';
import { matchesPattern } from './pattern';
import { readPhoneNumber, visibleText } from './phone-numbers';

/** One field that a top-up product asks the customer for. */
export interface InputField {
  /** Key in the order's `input_data`. */
  field_name: string;
  field_label: string;
  field_type: 'text' | 'number' | 'phone' | 'select';
  is_required: boolean;
  validation_regex?: string;
  placeholder?: string;
  help_text?: string;
  /** The allowed values of a select field. */
  options?: { value: string; label: string }[];
}

/** The customer's input by field name, validated and normalised. Numbers keep the type in which they were sent. */
export type TopupInput = Readonly<Record<string, string | number>>;

/** Reads the JSON that the service stores of an order's input. */
export function parseInput(json: string): TopupInput {
  return JSON.parse(json) as TopupInput;
}

/** The first phone number in the input, as `topupInput` normalises it; undefined if the product asks for none. */
export function phoneOf(input: TopupInput): string | undefined {
  const numbers = Object.values(input).map(String);
  return numbers.find((value) => /^\+[0-9]{4,15}$/.test(value));
}

/** `repeatsInput` ignores shorter values, which may occur in a supplier's id by chance. */
const MIN_REPEATED_LENGTH = 6;

/**
 * Whether the text contains a value of the input, regardless of punctuation. Of a longer number, the last 8 digits suffice,
 * because the text may omit the country code.
 */
export function repeatsInput(text: string, input: TopupInput): boolean {
  const shown = unpunctuated(text);
  return Object.values(input).some((value) => {
    const given = unpunctuated(String(value)).replace(/^\d+(?=\d{8}$)/, '');
    return given.length >= MIN_REPEATED_LENGTH && shown.includes(given);
  });
}

/** An e-mail address in the form that keyed hashes compare: mail servers do not distinguish case. */
export function comparableEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * The mailbox of an e-mail address, in one plain form: no quotes, no tag (plus addressing), the domain in ASCII, and no dots in the local part
 * unless `dotsMatter`. It is `comparableEmail` of most addresses.
 */
export function comparableMailbox(email: string, { dotsMatter }: { dotsMatter: boolean }): string {
  const written = comparableEmail(email);
  const at = written.lastIndexOf('@');
  const quoted = /^"(.*)"$/s.exec(written.slice(0, at))?.[1]?.replace(/\\(.)/gs, '$1');
  const local = quoted ?? written.slice(0, at);
  const [, untagged = local] = /^([^+]+)\+/.exec(local) ?? [];
  const domain = written.slice(at + 1);
  return `${dotsMatter ? untagged : untagged.replaceAll('.', '')}@${domainToASCII(domain) || domain}`;
}

/** A phone number in the form that orders store (`+` and digits); undefined for other text. */
export function comparablePhone(text: string): string | undefined {
  return readPhoneNumber(text)?.number;
}

function unpunctuated(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The maximum length of a value. It also limits the time that a pattern takes to match. */
const MAX_LENGTH = 500;

/** Throws 400 for the first unknown field, or else the first missing one. An empty value counts as missing. */
export function checkInputFields(fields: readonly InputField[], given: Readonly<Record<string, unknown>>): void {
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.field_name === name));
  if (unknown !== undefined) throw errors.unknownInputField(unknown);
  const values = new Map(Object.entries(given));
  const missing = fields.find((field) => field.is_required && isEmpty(values.get(field.field_name)));
  if (missing) throw errors.validation(`Missing input field: ${missing.field_name}`, paramOf(missing));
}

/**
 * Returns the input of a top-up with exactly the fields of its product. Throws as `checkInputFields` does, then 400 for the
 * first invalid value.
 */
export function topupInput(fields: readonly InputField[], given: Readonly<Record<string, unknown>>): TopupInput {
  checkInputFields(fields, given);
  const values = new Map(Object.entries(given));
  const checked = fields.flatMap((field): [string, string | number][] => {
    const value = values.get(field.field_name);
    return isEmpty(value) ? [] : [[field.field_name, validValue(field, value)]];
  });
  return Object.fromEntries(checked);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function validValue(field: InputField, value: unknown): string | number {
  if (typeof value === 'string' && value.length > MAX_LENGTH)
    throw invalid(field, `longer than ${MAX_LENGTH} characters`);
  const normalised = normalisers[field.field_type](field, value);
  // Clients match the pattern against the text before normalisation, so the service does, too.
  const entered = field.field_type === 'phone' ? visibleText(String(value)) : String(value);
  if (field.validation_regex && !matchesPattern(field.validation_regex, entered)) {
    throw invalid(field, 'not of the expected format');
  }
  return normalised;
}

const normalisers: Readonly<Record<InputField['field_type'], (field: InputField, value: unknown) => string | number>> =
  {
    text(field, value) {
      if (typeof value !== 'string') throw invalid(field, 'must be text');
      return value;
    },

    number(field, value) {
      const isNumber = typeof value === 'number' || (typeof value === 'string' && decimal.test(value));
      if (!isNumber || !Number.isFinite(Number(value))) throw invalid(field, 'must be a number');
      return value;
    },

    phone(field, value) {
      if (typeof value !== 'string') throw invalid(field, 'must be text');
      const number = comparablePhone(value);
      if (number === undefined) throw invalid(field, 'must be a phone number with its country code');
      return number;
    },

    select(field, value) {
      const options = (field.options ?? []).map((option) => option.value);
      if (typeof value !== 'string' || !options.includes(value)) {
        throw invalid(field, `must be one of ${options.join(', ')}`);
      }
      return value;
    },
  };

/** The name of the field in errors. */
function paramOf({ field_name: name }: InputField): string {
  return `input_data.${name}`;
}

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function invalid(field: InputField, reason: string) {
  return errors.validation(`Invalid input field: ${field.field_name} (${reason})`, paramOf(field));
}
