/** Checks that every resource shares: query parameters, ids in paths, JSON bodies. */
import type { Request } from 'express';
import Joi from 'joi';
import { ApiError, errors } from '../../domain/errors';

/** The largest id of the tables that clients read (PostgreSQL `integer`). */
export const MAX_ID = 2_147_483_647;

/** Stands for every id beyond the largest: nothing has it, so it is found as little as any other unknown id. */
const NO_ID = 0;

const decimalDigits = /^(0|[1-9][0-9]{0,9})$/;
const positiveDigits = /^[1-9][0-9]*$/;

/**
 * The id, or one that nothing has where it is beyond the largest. Such ids do not exist:
 * docs/specification.md#conventions.
 */
export function idOrNone(id: number): number {
  return id > MAX_ID ? NO_ID : id;
}

/** A query parameter that is a positive id, however large. */
export const queryId: Joi.Schema<number> = Joi.any()
  .custom((text: unknown, helpers) => {
    const isId = typeof text === 'string' && positiveDigits.test(text);
    return isId ? idOrNone(Number(text)) : helpers.error('any.invalid');
  })
  .meta({ schema: { type: 'integer', minimum: 1 } });

/** A query parameter that is a whole number from `min` to `max`, written in decimal digits and nothing else. */
export function queryInteger(min: number, max: number): Joi.Schema<number> {
  return Joi.any()
    .custom((text: unknown, helpers) => {
      const value = typeof text === 'string' && decimalDigits.test(text) ? Number(text) : NaN;
      return value >= min && value <= max ? value : helpers.error('any.invalid');
    })
    .meta({ schema: { type: 'integer', minimum: min, maximum: max } });
}

/**
 * The query parameters the schema names; others are ignored. 400 `Invalid query parameters` where one
 * is wrong, given twice or as a list, or holds a NUL, which PostgreSQL text cannot.
 */
export function validQuery<T>(schema: Joi.ObjectSchema<T>, request: Request): T {
  const hasUnreadable = Object.entries(request.query).some(
    ([name, value]) => name.includes('[') || (typeof value === 'string' && value.includes('\0')),
  );
  const result = schema.validate(known(schema, request.query), { stripUnknown: true });
  if (hasUnreadable || result.error) throw errors.invalidQuery();
  return result.value;
}

/** A positive id in a path, to be looked up; throws what `onInvalid` makes for anything else. */
export function pathId(text: unknown, onInvalid: () => ApiError): number {
  if (typeof text !== 'string' || !positiveDigits.test(text)) throw onInvalid();
  return idOrNone(Number(text));
}

/** Like `pathId`, where the specification names the range: an id beyond 2,147,483,647 is invalid too. */
export function boundedPathId(text: unknown, onInvalid: () => ApiError): number {
  const id = pathId(text, onInvalid);
  if (id === NO_ID) throw onInvalid();
  return id;
}

/** The body as a JSON object. 400 `Invalid request body` where it is anything else, 413 where it is too large. */
export function jsonObject(request: Request): Record<string, unknown> {
  const body: unknown = request.body;
  if (body instanceof ApiError) throw body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw errors.invalidBody();
  return body as Record<string, unknown>;
}

/**
 * The body checked against the schema, without the keys it does not name. Throws the message of the
 * first fault, by the order of the schema's keys; faults without one are `Invalid request body`.
 */
export function validBody<T>(schema: Joi.ObjectSchema<T>, body: Record<string, unknown>): T {
  const checked = schema.validate(known(schema, body), {
    stripUnknown: true,
    messages: { '*': errors.invalidBody().message },
  });
  if (checked.error) {
    throw errors.validation(checked.error.details[0]?.message ?? errors.invalidBody().message);
  }
  return checked.value;
}

/** What schemas of bodies and queries name, read once from each: keys, and the highest number of elements of those that are arrays. */
const namesOf = new WeakMap<Joi.ObjectSchema, Names>();
type Names = readonly (readonly [name: string, maxItems: number | undefined])[];

/**
 * What the schema names of the given. What a caller sends beside it costs no validation, and of an array that is too long
 * one element too many is enough: Joi validates all elements before it counts them.
 */
function known(schema: Joi.ObjectSchema, given: object): object {
  const names = namesOf.get(schema) ?? namesIn(schema);
  namesOf.set(schema, names);
  const values = new Map<string, unknown>(Object.entries(given));
  const found = names.filter(([name]) => values.has(name));
  return Object.fromEntries(found.map(([name, maxItems]) => [name, startOf(values.get(name), maxItems)]));
}

function namesIn(schema: Joi.ObjectSchema): Names {
  const { keys = {} } = schema.describe() as { keys?: Record<string, Joi.Description> };
  return Object.entries(keys).map(([name, { type, rules }]) => {
    const max = (rules as Rule[] | undefined)?.find((rule) => type === 'array' && rule.name === 'max');
    return [name, max?.args?.limit];
  });
}

/** A rule of a schema as Joi describes it. */
interface Rule {
  name: string;
  args?: { limit?: number };
}

function startOf(value: unknown, maxItems: number | undefined): unknown {
  return maxItems !== undefined && Array.isArray(value) ? value.slice(0, maxItems + 1) : value;
}
