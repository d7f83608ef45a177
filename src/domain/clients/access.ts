/** Why a client with an unexpired access token may only read. docs/specification.md#authentication. */
import { errors, type ApiError } from '../errors';

/** By the reason that `access_refusal` returns (`src/data/schema/functions/sessions.sql`). */
export const accessErrors = {
  API_KEY_REVOKED: errors.apiKeyRevoked,
  CLIENT_SUSPENDED: errors.suspended,
  SESSION_ENDED: errors.sessionEnded,
} as const satisfies Readonly<Record<string, () => ApiError>>;

export type AccessRefusal = keyof typeof accessErrors;

export function isAccessRefusal(text: string): text is AccessRefusal {
  return Object.hasOwn(accessErrors, text);
}
