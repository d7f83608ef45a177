/** Validates query parameters, ids in paths and JSON bodies. */
import type { Request } from 'express';
import Joi from 'joi';
import { errors, type ApiError } from '../../domain/errors';
import { hasUnstorableText, hiddenCharacterOfLine, storableText } from '../../domain/shown-text';
import { rfc3339Moment } from '../../domain/time';
import { readRequestBody } from '../middleware/request-body';
import { isObject } from '../../domain/unknown-values';

/** The largest id of the tables that clients read (PostgreSQL `integer`). */
export const MAX_ID = 2_147_483_647;

/** Stands for every id beyond the largest. No row has it. */
const NO_ID = 0;

const decimalDigits = /^(0|[1-9][0-9]{0,9})$/;
const positiveDigits = /^[1-9][0-9]*$/;

/** The id, or `NO_ID` if it is beyond the largest: such ids do not exist. docs/specification.md#conventions. */
export function idOrNone(id: number): number {
  return id > MAX_ID ? NO_ID : id;
}

/** A query parameter that is a positive id. No row has an id beyond the largest. */
export const queryId: Joi.Schema<number> = Joi.any()
  .custom((text: unknown, helpers) => {
    const isId = typeof text === 'string' && positiveDigits.test(text);
    return isId ? idOrNone(Number(text)) : helpers.error('any.invalid');
  })
  .meta({ schema: { type: 'integer', minimum: 1, maximum: MAX_ID } });

/** A query parameter that is a whole number from `min` to `max`, in decimal digits. */
export function queryInteger(min: number, max: number): Joi.Schema<number> {
  return Joi.any()
    .custom((text: unknown, helpers) => {
      const value = typeof text === 'string' && decimalDigits.test(text) ? Number(text) : NaN;
      return value >= min && value <= max ? value : helpers.error('any.invalid');
    })
    .meta({ schema: { type: 'integer', minimum: min, maximum: max } });
}

/** A query parameter that is an RFC 3339 date and time with its offset. */
export const queryMoment: Joi.Schema<Date> = Joi.any()
  .custom((text: unknown, helpers) => {
    const at = typeof text === 'string' ? rfc3339Moment(text) : undefined;
    return at ?? helpers.error('any.invalid');
  })
  .meta({ schema: { type: 'string', format: 'date-time', examples: ['2026-01-31T00:00:00Z'] } });

/**
 * The query parameters that the schema names. Throws 400 `Invalid query parameters` if one of them is invalid or repeated, and
 * if any parameter is a list (`name[]`) or contains a character that cannot be stored. The error names the parameter if the schema
 * has it. `withAnyText`: parameters that may contain any character.
 */
export function validQuery<T>(schema: Joi.ObjectSchema<T>, request: Request, withAnyText: readonly string[] = []): T {
  // The parser of the query has read it as U+FFFD.
  const unreadableText = halfPair.test(request.originalUrl) ? /[\0\uFFFD]/ : /\0/;
  const unreadable = Object.entries(request.query).find(
    ([name, value]) =>
      name.includes('[') || (typeof value === 'string' && unreadableText.test(value) && !withAnyText.includes(name)),
  );
  if (unreadable) {
    const [name = ''] = unreadable[0].split('[');
    throw errors.invalidQuery(keyNames(schema).includes(name) ? name : undefined);
  }
  const result = schema.validate(known(schema, request.query), { stripUnknown: true });
  if (result.error) throw errors.invalidQuery(fieldOf(result.error));
  return result.value;
}

/** Half of a surrogate pair as it would be in UTF-8, which forbids it (RFC 3629, section 3). */
const halfPair = /%ED%[AB][0-9A-F]/i;

/** The key of the schema that has the error; undefined if the error is about several keys. */
function fieldOf({ details }: Joi.ValidationError): string | undefined {
  const [name] = details[0]?.path ?? [];
  return name === undefined ? undefined : String(name);
}

/** The positive id in a path. Throws the error of `onInvalid`, which names the parameter, for anything else. */
export function pathId(text: unknown, onInvalid: () => ApiError): number {
  if (typeof text !== 'string' || !positiveDigits.test(text)) throw onInvalid();
  return idOrNone(Number(text));
}

/** Like `pathId`, for paths whose range the specification names: an id beyond 2,147,483,647 is invalid, too. */
export function boundedPathId(text: unknown, onInvalid: () => ApiError): number {
  const id = pathId(text, onInvalid);
  if (id === NO_ID) throw onInvalid();
  return id;
}

/** The row that a read has found. Throws 404 `<noun> not found` if it found none. `param`: the name of the row's id in the request. */
export function found<Row>(row: Row | undefined, noun: string, param = 'id'): Row {
  if (row === undefined) throw errors.notFound(noun, param);
  return row;
}

/** Whether the request has a body. Only requests with an optional body need to ask. */
export function hasBody(request: Request): boolean {
  return Number(request.get('content-length') ?? 0) > 0 || request.get('transfer-encoding') !== undefined;
}

/** The body as a JSON object. Throws 400 `Invalid request body` for anything else, and 413 if it is too large. */
export function jsonObject(request: Request): Readonly<Record<string, unknown>> {
  const body = readRequestBody(request);
  if (!isObject(body)) throw errors.invalidBody();
  return body;
}

/**
 * The values of the body that the schema names. Throws the message of the first error, in the order of the schema's
 * keys, with the name of its field. The default message is `Invalid request body`, also for a character that cannot be stored.
 */
export function validBody<T extends object>(schema: Joi.ObjectSchema<T>, body: Readonly<Record<string, unknown>>): T {
  const checked = schema.validate(known(schema, body), {
    stripUnknown: true,
    messages: { '*': errors.invalidBody().message },
  });
  if (checked.error) {
    const message = checked.error.details[0]?.message ?? errors.invalidBody().message;
    throw errors.validation(message, fieldOf(checked.error));
  }
  const unstorable = unstorableField(checked.value);
  if (unstorable !== undefined) throw errors.validation(errors.invalidBody().message, unstorable);
  return checked.value;
}

function unstorableField(values: object): string | undefined {
  const fields: [string, unknown][] = Object.entries(values);
  return fields.find(([, value]) => hasUnstorableText(value))?.[0];
}

/** A name: one line without control and direction characters. */
export const oneLine: Joi.CustomValidator<string> = (text, helpers) =>
  hiddenCharacterOfLine(text) === undefined ? text : helpers.error('any.invalid');

/** A text of at most so many code points, as JSON Schema counts; Joi would count an emoji as two. Fails as `text.long`. */
export const maxCharacters =
  (maximum: number): Joi.CustomValidator<string> =>
  (text, helpers) =>
    [...text].length > maximum ? helpers.error('text.long') : text;

/** A text that the service only compares with stored ones. A character that cannot be stored then matches none. */
export const comparedText: Joi.CustomValidator<string> = (text) => storableText(text);

/** The keys of a schema, and the maximum length of each array. */
type SchemaKeys = readonly (readonly [name: string, maxItems: number | undefined])[];
/** Read from each schema once. */
const keysBySchema = new WeakMap<Joi.ObjectSchema, SchemaKeys>();

/**
 * The values that the schema names. Unknown keys then cost no validation. Arrays are cut after one element too many,
 * because Joi validates all elements before it counts them.
 */
function known(schema: Joi.ObjectSchema, given: object): object {
  const keys = schemaKeys(schema);
  const values = new Map<string, unknown>(Object.entries(given));
  const present = keys.filter(([name]) => values.has(name));
  return Object.fromEntries(present.map(([name, maxItems]) => [name, startOf(values.get(name), maxItems)]));
}

/** The names of its keys. */
export function keyNames(schema: Joi.ObjectSchema): string[] {
  return schemaKeys(schema).map(([name]) => name);
}

function schemaKeys(schema: Joi.ObjectSchema): SchemaKeys {
  const keys = keysBySchema.get(schema) ?? keysOf(schema);
  keysBySchema.set(schema, keys);
  return keys;
}

function keysOf(schema: Joi.ObjectSchema): SchemaKeys {
  const { keys = {} } = schema.describe() as DescribedObject;
  return Object.entries(keys).map(([name, { type, rules }]) => {
    const max = rules?.find((rule) => type === 'array' && rule.name === 'max');
    return [name, max?.args?.limit];
  });
}

/** The part of Joi's description of an object that names its keys and the limits of their lists. */
interface DescribedObject {
  keys?: Record<string, { type?: string; rules?: { name: string; args?: { limit?: number } }[] }>;
}

function startOf(value: unknown, maxItems: number | undefined): unknown {
  return maxItems !== undefined && Array.isArray(value) ? value.slice(0, maxItems + 1) : value;
}
