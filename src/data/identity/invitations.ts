/** Invitations of one door. */
import pg from 'pg';
import { identityRows, type IdentityConnection } from './identity-pool';

export interface StoredInvitation {
  email: string;
  name: string;
  role: string;
  invitedBy: string;
  /** The person who invited. Null for the machine of the service. */
  inviterId: string | null;
  expiresAt: Date;
}

/** SQL: an invitation that is neither accepted nor expired. */
export const unspentInvitation = 'accepted_at IS NULL AND expires_at > now()';
/** SQL: an invitation that can be accepted. It sleeps while its inviter is suspended, or is no admin, and so may not invite. */
export const openInvitation = `${unspentInvitation}
  AND (inviter_id IS NULL
       OR EXISTS (SELECT FROM "user" inviter WHERE inviter.id = inviter_id AND inviter.role = 'admin' AND inviter."suspendedAt" IS NULL))`;

/**
 * Stores an invitation that is open for some days, with the hash of the secret in its link. It replaces an open one of the same address:
 * that link ends. Undefined if the address or the inviter had the invitations of this hour.
 */
export async function storeInvitation(
  pool: IdentityConnection,
  {
    days,
    ...invitation
  }: Pick<StoredInvitation, 'email' | 'name' | 'role' | 'invitedBy' | 'inviterId'> & {
    days: number;
    secretHash: Buffer;
  },
): Promise<StoredInvitation | undefined> {
  const [stored] = await identityRows<StoredInvitation>(
    pool,
    `WITH invited AS (
       INSERT INTO invitations (email, name, role, invited_by, inviter_id, expires_at)
       VALUES (lower($email), $name, $role, $invitedBy, $inviterId, now() + make_interval(days => $days))
       ON CONFLICT (email) WHERE accepted_at IS NULL
       DO UPDATE SET name = excluded.name, role = excluded.role, invited_by = excluded.invited_by,
                     inviter_id = excluded.inviter_id, expires_at = excluded.expires_at, opened_browsers = '{}'
       RETURNING *),
     earlier AS (DELETE FROM invitation_links WHERE invitation_id = (SELECT id FROM invited)),
     link AS (INSERT INTO invitation_links (secret_hash, invitation_id) SELECT $secretHash, id FROM invited)
     SELECT email, name, role, invited_by AS "invitedBy", inviter_id AS "inviterId", expires_at AS "expiresAt" FROM invited`,
    { ...invitation, days },
  ).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === 'DGKEY') return [];
    throw error;
  });
  return stored;
}

/** The browsers that one invitation opens: those of a person, and one that was a mistake. */
const MAX_OPENED = 5;

/**
 * Opens the browser for the person whose open invitation has the link with this secret: until the invitation ends, it gets codes whatever
 * others do. `isNew`: it was not open before. Undefined if there is no such invitation, or it has opened its five browsers.
 */
export async function openBrowser(
  pool: IdentityConnection,
  link: { secretHash: Buffer; deviceHash: Buffer },
): Promise<{ email: string; isNew: boolean } | undefined> {
  const [opened] = await identityRows<{ email: string; isNew: boolean }>(
    pool,
    `WITH invited AS (
       SELECT id, $deviceHash::bytea <> ALL (opened_browsers) AS is_new FROM invitations
        WHERE id = (SELECT invitation_id FROM invitation_links WHERE secret_hash = $secretHash) AND ${openInvitation}
          AND ($deviceHash::bytea = ANY (opened_browsers) OR cardinality(opened_browsers) < ${MAX_OPENED})
          FOR UPDATE)
     UPDATE invitations SET opened_browsers = opened_browsers || CASE WHEN is_new THEN ARRAY[$deviceHash::bytea] ELSE '{}' END
       FROM invited WHERE invitations.id = invited.id
     RETURNING email, is_new AS "isNew"`,
    link,
  );
  return opened;
}

/** Withdraws the open invitation of the address. False if there is none. */
export async function withdrawInvitation(pool: IdentityConnection, email: string): Promise<boolean> {
  const withdrawn = await identityRows(
    pool,
    `DELETE FROM invitations WHERE email = lower($email) AND accepted_at IS NULL RETURNING id`,
    { email },
  );
  return withdrawn.length > 0;
}

/** Accepts the open invitation of the address: the first caller gets it, every other one undefined. */
export async function acceptInvitation(
  pool: IdentityConnection,
  email: string,
): Promise<Pick<StoredInvitation, 'name' | 'role'> | undefined> {
  const [accepted] = await identityRows<Pick<StoredInvitation, 'name' | 'role'>>(
    pool,
    `UPDATE invitations SET accepted_at = now() WHERE email = lower($email) AND ${openInvitation}
     RETURNING name, role`,
    { email },
  );
  return accepted;
}

/** Whether the address has an open invitation. */
export async function isInvited(pool: IdentityConnection, email: string): Promise<boolean> {
  const found = await identityRows(pool, `SELECT FROM invitations WHERE email = lower($email) AND ${openInvitation}`, {
    email,
  });
  return found.length > 0;
}

/** The addresses of the open invitations by the person. */
export async function listInvitationsBy(pool: IdentityConnection, inviterId: string): Promise<string[]> {
  const invited = await identityRows<{ email: string }>(
    pool,
    `SELECT email FROM invitations WHERE inviter_id = $inviterId AND ${unspentInvitation} ORDER BY email`,
    { inviterId },
  );
  return invited.map(({ email }) => email);
}
