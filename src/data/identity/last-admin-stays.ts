/**
 * No change takes the last admin who can act from the operators.
 * Rule: the last admin among operators stays
 */

/** The ways in that this installation has. */
export interface WaysIn {
  /** Whether there is a provider of OpenID Connect. Without one, its people cannot sign in. */
  hasProvider: boolean;
  /** The address of an admin that exists in sandboxes only, and cannot sign in here. */
  withoutMailbox: string | null;
}

/** SQL: a person who can act: not suspended, and with a way in. */
export const canAct = `"suspendedAt" IS NULL AND email IS DISTINCT FROM $withoutMailbox
  AND ($hasProvider::boolean OR NOT EXISTS (SELECT FROM account WHERE "userId" = "user".id))`;

/** The admins who can act, locked, so that of two changes at once the second one sees the first. */
export const lockedAdmins = `
admins AS (SELECT id FROM "user" WHERE role = 'admin' AND ${canAct} ORDER BY id FOR UPDATE)`;
/** SQL: without the person of the row, one of them is left. */
export const leavesAnAdmin = `(role <> 'admin' OR EXISTS (SELECT FROM admins WHERE id <> "user".id))`;
