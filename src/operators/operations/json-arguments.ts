/** A call of an operation over HTTP: its path, and its arguments in JSON. */
import { errors } from '../../domain/errors';
import { unstorableCharacterOf } from '../../domain/shown-text';
import { isObject } from '../../domain/unknown-values';
import { sharedBytes } from '../../async/shared-bytes';
import {
  InvalidArgument,
  isGivenFile,
  type Argument,
  type Arguments,
  type Given,
  type GivenFile,
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
    return [name, writtenIn(key, value, described[name]?.maxBytes)];
  });
  return Object.fromEntries(given);
}

function writtenIn(key: string, value: unknown, maxBytes: number | undefined): Written {
  if (value instanceof Uint8Array) return storable(key, Buffer.from(value).toString());
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return storable(key, value);
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((item) => textOf(key, item));
  if (maxBytes !== undefined && isObject(value)) return fileIn(key, value, maxBytes);
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

/** The file: its bytes in base64, or its text. Throws 413 if it is larger than its operation takes. */
function fileIn(key: string, { name, text, base64 }: Readonly<Record<string, unknown>>, maxBytes: number): GivenFile {
  const content = bytesOf(key, text ?? base64);
  if (typeof name !== 'string' || !content || (text === undefined) === (base64 === undefined))
    throw new InvalidArgument(`${key}: give a file as its name and either base64 or text.`);
  const bytes = text === undefined ? decodedBase64(key, content) : content;
  if (bytes.length > maxBytes) throw errors.payloadTooLarge();
  return { name: storable(key, name), bytes };
}

/** A long string of a body comes as its bytes. */
function bytesOf(key: string, value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return undefined;
  // UTF-8 has no half of a surrogate pair. The reader of the file names the lines of other characters.
  return Buffer.from(/\p{Cs}/u.test(value) ? storable(key, value) : value);
}

function decodedBase64(key: string, written: Uint8Array): Uint8Array {
  const text = Buffer.from(written).toString('latin1');
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  // Node leaves out what is no base64: then it writes fewer bytes.
  const bytes = sharedBytes((text.length / 4) * 3 - padding);
  if (text.length % 4 === 0 && bytes.write(text, 'base64') === bytes.length) return bytes;
  throw new InvalidArgument(`${key}: base64 is not valid.`);
}

/** The JSON of arguments, as a program sends it. */
export function jsonOf(given: Given): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, written]) => [
      jsonName(name),
      isGivenFile(written) ? sentFile(written) : written,
    ]),
  );
}

function sentFile({ name, bytes }: GivenFile) {
  return { name, base64: Buffer.from(bytes).toString('base64') };
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
  required: ['name'],
  properties: {
    name: { type: 'string' },
    base64: { type: 'string', contentEncoding: 'base64', description: 'the bytes of the file' },
    text: { type: 'string', description: 'the text of the file, in place of its bytes' },
  },
  oneOf: [{ required: ['base64'] }, { required: ['text'] }],
} as const;
