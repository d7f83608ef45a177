/** For which client a member's session of the sign-in works. `rules/member-changes.sql`. */
import type { MemberRole } from '../../domain/clients/member-limits';
import { firstRow, oneRow, rows, type Database, type Transaction } from '../database/database';

/** The member for whom a session works. */
export interface SessionMember {
  id: number;
  clientId: number;
  email: string;
  name: string;
  role: MemberRole;
  /** Whether the member may use the console: false after a suspension or a removal. */
  isPresent: boolean;
  /** Whether the client wants a second factor of every member. */
  needsSecondFactor: boolean;
}

interface SignedIn {
  /** The id of the session at the sign-in. */
  id: string;
  email: string;
}

/** The member that the person of the session chose; undefined before the choice. */
export function findSessionMember(database: Database, { id, email }: SignedIn) {
  return firstRow<SessionMember>(
    database,
    `SELECT member.id, member.client_id AS "clientId", member.email, member.name, member.role,
            member.state = 'ACTIVE' AND member.removed_at IS NULL AS "isPresent",
            client.members_need_second_factor AS "needsSecondFactor"
       FROM member_sessions session JOIN members member ON member.id = session.member_id
       JOIN clients client ON client.id = member.client_id
      WHERE session.session_id = $id AND member.email = $email`,
    { id, email },
  );
}

/** An account that a person may use. */
export interface Membership {
  memberId: number;
  /** The name of the client. */
  client: string;
}

/** The accounts that the person with the address may use, open invitations included. */
export function listMemberships(database: Database, email: string) {
  return rows<Membership>(
    database,
    `SELECT member.id AS "memberId", client.name AS client FROM members member JOIN clients client ON client.id = member.client_id
      WHERE member.email = $email AND member.removed_at IS NULL
        AND (member.state = 'ACTIVE' OR member.state = 'INVITED' AND member.invited_until > now())
      ORDER BY client.name`,
    { email },
  );
}

/**
 * Lets the session work for the member, and audits it. Accepts an open invitation. Then no key of the client signs in to the console any
 * more. False unless the member has this address and may sign in.
 */
export async function enterMember(
  database: Database,
  { id, email }: SignedIn,
  memberId: number,
  from: { address: string | null; requestId: string },
): Promise<boolean> {
  const statement = 'SELECT enter_member($memberId, $email, $id, $address, $requestId) AS "hasEntered"';
  const { hasEntered } = await oneRow<{ hasEntered: boolean }>(database, statement, { id, email, memberId, ...from });
  return hasEntered;
}

/** The email addresses of the client's members. */
export async function listMemberEmails(database: Database, clientId: number): Promise<string[]> {
  const members = await rows<{ email: string }>(
    database,
    'SELECT email FROM members WHERE client_id = $clientId AND removed_at IS NULL',
    { clientId },
  );
  return members.map(({ email }) => email);
}

/** The sessions among `ids` that work for this client. */
export async function listSessionsOfClient(
  database: Database,
  clientId: number,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    database,
    `SELECT session_id AS id FROM member_sessions session JOIN members member ON member.id = session.member_id
      WHERE member.client_id = $clientId AND session_id = ANY ($ids::text[])`,
    { clientId, ids },
  );
  return new Set(found.map(({ id }) => id));
}

/** A session of a member, for operators. */
export interface ListedMemberSession {
  email: string;
  browser: string | null;
  address: string | null;
  started_at: Date;
  last_used_at: Date;
  expires_at: Date;
}

/**
 * The sessions of the client's members that have not expired, those used last first. One of them may have ended by its rest. `of`: only
 * those of the member with this address.
 */
export function listMemberSessions(database: Database, clientId: number, of?: string) {
  return rows<ListedMemberSession>(
    database,
    'SELECT * FROM sessions_of_members($clientId) WHERE $of::text IS NULL OR email = lower($of)',
    { clientId, of: of ?? null },
  );
}

/** Ends the sessions of all members of the client, by an operator. Returns their number. */
export async function endMemberSessions(
  database: Database,
  clientId: number,
  transaction?: Transaction,
): Promise<number> {
  const statement = 'SELECT end_sessions_of_members($clientId) AS ended';
  return (await oneRow<{ ended: number }>(database, statement, { clientId }, transaction)).ended;
}
