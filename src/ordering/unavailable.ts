import { isGrpcServiceError } from '@temporalio/client';
import { isDatabaseUnavailable } from '../data/database/errors';
import { SupplierUnavailable } from '../domain/suppliers/supplier-errors';
import { TemporalUnreachable } from '../temporal/connection';

/** gRPC codes of a Temporal server that is unreachable or overloaded. */
const unavailableCodes: readonly number[] = [
  4 /* DEADLINE_EXCEEDED */, 8 /* RESOURCE_EXHAUSTED */, 14 /* UNAVAILABLE */,
];

/** Whether the error says that PostgreSQL, Temporal or a supplier does not answer, so the same call can succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof SupplierUnavailable || error instanceof TemporalUnreachable) return true;
  if (isDatabaseUnavailable(error)) return true;
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && unavailableCodes.includes(cause.code);
}
