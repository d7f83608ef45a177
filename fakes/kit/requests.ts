/** Requests: their credentials, bodies and queries. */
import type { Request, RequestHandler } from 'express';
import type Joi from 'joi';
import type { StatedError } from './errors';

/** The member of a body that no schema has checked yet. */
export function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

/** The credentials in `Authorization` for this scheme, whose case does not count. */
export function credentialsOf({ headers }: Pick<Request, 'headers'>, scheme: string): string | undefined {
  const [given, credentials] = (headers.authorization ?? '').split(' ');
  return given?.toLowerCase() === scheme.toLowerCase() ? credentials : undefined;
}

/** Passes on requests with accepted credentials. Answers others with the rejection. */
export function authenticated(
  scheme: string,
  accepts: (credentials: string) => boolean,
  rejection: StatedError,
): RequestHandler {
  return (request, _response, next) => {
    const credentials = credentialsOf(request, scheme);
    if (credentials === undefined || !accepts(credentials)) throw rejection;
    next();
  };
}

/** A phone number in E.164 with its plus sign. */
export const phoneNumber = /^\+[1-9]\d{6,14}$/;

export type Fault = Pick<Joi.ValidationErrorItem, 'path' | 'message'>;

/** Returns the value as the schema reads it. Throws if the value does not fit. */
export type Validate = <T>(schema: Joi.ObjectSchema<T>, value: unknown) => T;

/** The validation of a supplier. `rejection` makes its error of all faults of a value. */
export function validation(
  rejection: (faults: readonly Fault[]) => Error,
  options: Joi.ValidationOptions = {},
): Validate {
  return (schema, value) => {
    const settings = { abortEarly: false, errors: { wrap: { label: false } }, ...options } as const;
    const result = schema.required().label('body').validate(value, settings);
    if (result.error) throw rejection(result.error.details);
    return result.value;
  };
}
