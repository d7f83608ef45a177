/** The due mails about changes of clients' keys, networks, members and endpoints, and invitations of members. Triggers write them (`functions/access-mails.sql`). */
import type { MemberRole, MemberState } from '../../domain/clients/members';
import type { Scope } from '../../domain/clients/scopes';
import { countRows, rows, type Database } from '../database/database';

/** A key after its change. */
interface ChangedKey {
  api_key: string;
  label: string | null;
  scopes: Scope[];
  /** RFC 3339; null for never. */
  expires_at: string | null;
}

interface ChangedMember {
  email: string;
  name: string;
  role: MemberRole;
  state: MemberState | 'REMOVED';
}

interface ChangedEndpoint {
  id: number;
  /** Without path and query, which may hold a secret. */
  origin: string;
  enabled: boolean;
  change: 'ADDED' | 'CHANGED' | 'DELETED';
}

export interface Invitation extends ChangedMember {
  /** The name of the client. */
  client: string;
  /** RFC 3339. */
  until: string;
}

export type AccessChange =
  | { change: 'KEY_CREATED' | 'KEY_CHANGED' | 'KEY_REVOKED'; details: ChangedKey }
  | { change: 'NETWORKS_CHANGED'; details: { networks: string[] } }
  | { change: 'MEMBER_CHANGED'; details: ChangedMember }
  | { change: 'ENDPOINT_CHANGED'; details: ChangedEndpoint }
  | { change: 'INVITATION'; details: Invitation };

export type AccessMail = AccessChange & {
  id: number;
  clientId: number;
  changedAt: Date;
  /** Who gets it: an admin of the client or its contact, or the invited person. */
  email: string;
};

/** How long a mail belongs to the process that claimed it: longer than the mail server may take. */
const CLAIMED_FOR = `interval '15 minutes'`;
/** The wait after a failed attempt. */
const RETRY_AFTER = `interval '1 minute'`;
/** For how long attempts continue. */
const GIVEN_UP_AFTER = `interval '1 day'`;

/** Claims due mails, invitations and then the oldest first, at most `limit`. Another process can claim them only after 15 minutes. */
export async function claimAccessMails(database: Database, limit: number): Promise<AccessMail[]> {
  const claimed = await rows<AccessMail>(
    database,
    `UPDATE access_mails SET due_at = now() + ${CLAIMED_FOR}
      WHERE id IN (
        SELECT id FROM access_mails WHERE due_at <= now() ORDER BY change <> 'INVITATION', due_at, id LIMIT $limit FOR UPDATE SKIP LOCKED)
     RETURNING id, client_id AS "clientId", change, details, changed_at AS "changedAt", recipient AS email`,
    { limit },
  );
  return claimed.sort((one, other) => one.id - other.id);
}

/** Ends mails that were sent, or that the mail server rejected for good. */
export async function endAccessMails(database: Database, ids: readonly number[]): Promise<void> {
  await rows(database, 'DELETE FROM access_mails WHERE id = ANY ($ids)', { ids });
}

/** Makes mails due again in a minute, except those that have failed for a day. Returns the number of mails that are due again. */
export function retryAccessMails(database: Database, ids: readonly number[]): Promise<number> {
  return countRows(
    database,
    `UPDATE access_mails SET due_at = now() + ${RETRY_AFTER}
      WHERE id = ANY ($ids) AND changed_at > now() - ${GIVEN_UP_AFTER} RETURNING id`,
    { ids },
  );
}
