/**
 * The state of one supplier that all processes share: its access tokens and its rate limit. Some suppliers issue few tokens (Airalo:
 * three requests a minute), and all count calls for the whole account.
 */

/** The purpose of a call, which decides how long the call waits for its turn. */
export type TurnKind = 'purchase' | 'patient' | 'other';

export interface SharedState {
  /**
   * A token that is valid for at least another minute. `name` distinguishes the tokens of one supplier. Calls `issue` if no such
   * token is stored, or if the stored token is the one that the supplier rejected (`rejected`). At most one process calls `issue` at
   * a time, and all together call it at most three times a minute; the others wait for its token. Throws what `issue` throws, and
   * `SupplierUnavailable` if there is no token within seconds.
   */
  token: (name: string, issue: () => Promise<IssuedToken>, rejected?: string) => Promise<string>;
  /**
   * Resolves when the next call may be sent: at most `perSecond` calls a second over all processes, evenly spaced. Purchases and
   * other calls do not wait for each other. Throws `SupplierUnavailable` if too many calls wait.
   */
  turn: (perSecond: number, kind: TurnKind) => Promise<void>;
}

export interface IssuedToken {
  value: string;
  expiresAt: Date;
}

/** The shortest remaining time in milliseconds of a token that is still used. */
const TOKEN_RESERVE_MS = 60_000;

/** Whether there is a token that the supplier did not reject and that is valid for at least another minute. */
export function isUsable(token: IssuedToken | undefined, rejected: string | undefined): token is IssuedToken {
  return token !== undefined && token.value !== rejected && token.expiresAt.getTime() - Date.now() > TOKEN_RESERVE_MS;
}
