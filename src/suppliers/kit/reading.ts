/**
 * Reading a supplier's messages leniently: what we do not know is passed over, what we rely on is
 * checked. A reader gives undefined for a message that cannot be relied on.
 */
import Joi from 'joi';

export const text = Joi.string();
/** Text that suppliers also send empty or null if there is none. */
export const optionalText = text.empty(['', null]);
export const pageCount = Joi.number().integer().min(0).required();
/** The most rows of a page, plans of a product and units of a purchase. A message with more is not believed. */
export const MAX_ROWS = 10_000;

/** The value that fits the schema, without what the schema does not name. */
export function read<T>(schema: Joi.Schema<T>, body: unknown): T | undefined {
  const read = demanded(schema).validate(body, { stripUnknown: true });
  return read.error ? undefined : read.value;
}

/** Schemas as they refuse a body that is missing: to make one takes as long as to use it. */
const demandedSchemas = new WeakMap<Joi.Schema, Joi.Schema>();

function demanded<T>(schema: Joi.Schema<T>): Joi.Schema<T> {
  const known = demandedSchemas.get(schema) ?? schema.required();
  demandedSchemas.set(schema, known);
  return known;
}

/**
 * The named texts of a message, each undefined where it is missing, empty or null. Undefined where one of them is no
 * text. Without a schema, because a purchase holds hundreds of units: with one they are most of what an order of
 * thousands takes.
 */
export function readTexts<Name extends string>(
  names: readonly Name[],
  body: unknown,
): Partial<Record<Name, string>> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const texts: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = (body as Partial<Record<Name, unknown>>)[name];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') return undefined;
    texts[name] = value;
  }
  return texts;
}
