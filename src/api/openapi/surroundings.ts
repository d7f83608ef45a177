/**
 * What any operation of a kind can be refused with, by what surrounds its handler: middleware, limits, whatever
 * cannot be reached. docs/specification.md#errors.
 */
import { accessErrors, errors, type ApiError } from '../../domain/errors';
import type { Operation } from './operation';

interface Surrounding {
  errors: readonly ApiError[];
  surrounds: (method: string, operation: Operation) => boolean;
}

const hasToken = ({ access = 'token' }: Operation) => access === 'token';
export const isCounted = (operation: Operation) => hasToken(operation) || operation.tag === 'Authentication';
const reachesOthers = ({ tag }: Operation) => tag !== 'Reference';
/** A create is answered otherwise: docs/specification.md#when-it-cannot-be-answered-so. */
const createsOrder = ({ headers = {} }: Operation) => 'Idempotency-Key' in headers;

/** By the name each has among the document's responses. */
export const surroundings: Readonly<Record<string, Surrounding>> = {
  FeatureOff: {
    errors: [errors.invalidFeature()],
    surrounds: (_method, { feature }) => feature !== undefined,
  },
  /** Production has no sandbox. */
  NoSandbox: { errors: [errors.notFound('Path')], surrounds: (_method, { tag }) => tag === 'Sandbox' },
  InvalidQuery: { errors: [errors.invalidQuery()], surrounds: (_method, { query }) => query !== undefined },
  InvalidBody: { errors: [errors.invalidBody()], surrounds: (_method, { body }) => body !== undefined },
  Unauthorized: {
    errors: [errors.authorizationRequired(), errors.unauthorized('Invalid or expired access token')],
    surrounds: (_method, operation) => hasToken(operation),
  },
  AccessEnded: {
    errors: Object.values(accessErrors).map((error) => error()),
    surrounds: (method, operation) =>
      hasToken(operation) && method !== 'GET' && !operation.id.endsWith('Charges'),
  },
  PayloadTooLarge: {
    errors: [errors.payloadTooLarge()],
    surrounds: (_method, { body, access }) => body !== undefined || access === 'signature',
  },
  TooManyRequests: {
    errors: [errors.tooManyRequests(3)],
    surrounds: (_method, operation) => isCounted(operation),
  },
  InternalError: {
    errors: [errors.internal()],
    surrounds: (_method, operation) => !createsOrder(operation),
  },
  ServiceUnavailable: {
    errors: [errors.serviceUnavailable()],
    surrounds: (_method, operation) => reachesOthers(operation),
  },
};

/** What surrounds an operation. */
export function surroundingErrors(method: string, operation: Operation): readonly ApiError[] {
  return Object.values(surroundings).flatMap(({ errors: theirs, surrounds }) =>
    surrounds(method, operation) ? theirs : [],
  );
}
