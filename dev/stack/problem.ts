/** Something the user can put right: shown as one sentence, without a stack trace. */
export class Problem extends Error {}

/** What an unknown error says. Some have their words inside: several addresses that refused, a failed fetch. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}: ${messageOf(error.cause)}` : error.message;
}
