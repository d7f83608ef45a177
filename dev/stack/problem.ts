/** An error that the user can resolve. It is shown as one sentence, without a stack trace. */
export class Problem extends Error {}

/** The message of an unknown error. Includes inner errors, as of several addresses or a failed fetch. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${messageOf(error.cause)}` : error.message;
}
