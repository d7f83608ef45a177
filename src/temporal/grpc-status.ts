/** What the Temporal server answers where it does not do what it was asked: statuses of gRPC. */
import { isGrpcServiceError } from '@temporalio/client';

export const INVALID_ARGUMENT = 3;
export const NOT_FOUND = 5;
export const ALREADY_EXISTS = 6;
export const FAILED_PRECONDITION = 9;

/** Whether the server gave this status, also where the client wraps what it gave. */
export function hasStatus(error: unknown, status: number): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code as number) === status;
}
