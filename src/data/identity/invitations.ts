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
 * Stores an invitation that is open for some days. It replaces an open one of the same address. Undefined if the address or the inviter
 * had the invitations of this hour.
 */
export async function storeInvitation(
  pool: IdentityConnection,
  {
    days,
    ...invitation
  }: Pick<StoredInvitation, 'email' | 'name' | 'role' | 'invitedBy' | 'inviterId'> & { days: number },
): Promise<StoredInvitation | undefined> {
  const [stored] = await identityRows<StoredInvitation>(
    pool,
    `INSERT INTO invitations (email, name, role, invited_by, inviter_id, expires_at)
     VALUES (lower($email), $name, $role, $invitedBy, $inviterId, now() + make_interval(days => $days))
     ON CONFLICT (email) WHERE accepted_at IS NULL
     DO UPDATE SET name = excluded.name, role = excluded.role, invited_by = excluded.invited_by,
                   inviter_id = excluded.inviter_id, expires_at = excluded.expires_at
     RETURNING email, name, role, invited_by AS "invitedBy", inviter_id AS "inviterId", expires_at AS "expiresAt"`,
    { ...invitation, days },
  ).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === 'DGKEY') return [];
    throw error;
  });
  return stored;
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

/** The addresses of the open invitations by the person. */
export async function listInvitationsBy(pool: IdentityConnection, inviterId: string): Promise<string[]> {
  const invited = await identityRows<{ email: string }>(
    pool,
    `SELECT email FROM invitations WHERE inviter_id = $inviterId AND ${unspentInvitation} ORDER BY email`,
    { inviterId },
  );
  return invited.map(({ email }) => email);
}
