/** A call of an operation over HTTP: its path, and its arguments in JSON. */
import { unstorableCharacterOf } from '../../domain/shown-text';
import {
  InvalidArgument,
  type Argument,
  type Arguments,
  type Given,
  type NamedText,
  type Written,
} from './arguments';

/** Who calls with the token of a local admin, percent-encoded. No other caller can name itself. */
export const OPERATOR_HEADER = 'X-Operator';

/** Where the local admin of a sandbox gets a link that signs in once, as `{link}`. */
export const SIGN_IN_LINK = '/ops/v1/sign-in-link';

/** The path of an operation, such as `/ops/v1/wallets/fund`. */
export function pathOf({ name }: { name: string }): string {
  return `/ops/v1/${name.replaceAll(' ', '/')}`;
}

/** `costPercent` as `cost_percent`, the name in JSON. */
export function jsonName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What the body writes, by the operation's own names. Throws `InvalidArgument` for a body that is no object or has an unknown name. */
export function givenIn(described: Arguments, body: unknown): Given {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidArgument('Send the arguments as a JSON object.');
  const names = new Map(Object.keys(described).map((name) => [jsonName(name), name]));
  const given = Object.entries(body).map(([key, value]): [string, Written] => {
    const name = names.get(key);
    if (name === undefined)
      throw new InvalidArgument(
        `${key}: there is no such argument. ${names.size === 0 ? 'Give none' : `Give some of ${[...names.keys()].join(', ')}`}.`,
      );
    return [name, writtenIn(key, value)];
  });
  return Object.fromEntries(given);
}

function writtenIn(key: string, value: unknown): Written {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return storable(key, value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((item) => textOf(key, item));
  if (isFile(value)) return { name: storable(key, value.name), text: storableFile(value) };
  throw new InvalidArgument(`${key}: give a text, a number, a list or a file.`);
}

function textOf(key: string, item: unknown): string {
  if (typeof item === 'string' || typeof item === 'number') return storable(key, String(item));
  throw new InvalidArgument(`${key}: give texts or numbers in the list.`);
}

/** The text. Throws if it has NUL or half of a surrogate pair, with which storing it would fail, or a mark of costs. */
function storable(key: string, text: string): string {
  const character = unstorableCharacterOf(text);
  if (character === undefined) return text;
  throw new InvalidArgument(`${key}: remove the character ${character}, which cannot be stored.`);
}

/** The same for the text of a file. The message names the line. */
function storableFile({ name, text }: NamedText): string {
  if (unstorableCharacterOf(text) === undefined) return text;
  const lines = text.split('\n');
  const index = lines.findIndex((line) => unstorableCharacterOf(line) !== undefined);
  return storable(`${name}, line ${index + 1}`, lines[index] ?? '');
}

function isFile(value: object): value is NamedText {
  return (
    'name' in value && 'text' in value && typeof value.name === 'string' && typeof value.text === 'string'
  );
}

/** The JSON of arguments, as a program sends it. */
export function jsonOf(given: Given): Record<string, Written> {
  return Object.fromEntries(Object.entries(given).map(([name, written]) => [jsonName(name), written]));
}

/** The JSON Schema of an argument. */
export function schemaOf({
  place,
  about,
  repeats,
  kind,
  opposite,
  standard,
  isConfidential,
}: Argument<unknown>): object {
  const said = {
    description: about,
    ...(standard !== undefined && { default: standard }),
    ...(isConfidential && { writeOnly: true }),
  };
  if (place === 'flag' || place === 'switch')
    return { type: 'boolean', ...said, ...(opposite !== undefined && { 'x-opposite': opposite }) };
  if (place === 'file' || place === 'file option') return { ...fileSchema, ...said };
  const one = place === 'secret' ? { format: 'password', ...kind?.schema } : kind?.schema;
  return repeats ? { type: 'array', items: one, ...said } : { ...one, ...said };
}

const fileSchema = {
  type: 'object',
  required: ['name', 'text'],
  properties: { name: { type: 'string' }, text: { type: 'string' } },
} as const;
