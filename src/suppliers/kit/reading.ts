/**
 * Reading a supplier's messages leniently: what we do not know is passed over, what we rely on is
 * checked. A reader gives undefined for a message that cannot be relied on.
 */
import Joi from 'joi';

/** Why a supplier would not do something. */
export interface Refusal {
  code: string;
  message: string;
}

export const text = Joi.string();
/** Text that suppliers also send empty or null if there is none. */
export const optionalText = text.empty(['', null]);
export const pageCount = Joi.number().integer().min(0).required();

/** The value that fits the schema, without what the schema does not name. */
export function read<T>(schema: Joi.Schema<T>, body: unknown): T | undefined {
  const read = schema.required().validate(body, { stripUnknown: true });
  return read.error ? undefined : read.value;
}
