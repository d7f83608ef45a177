/** The members of a client, as the client reads and changes them: `rules/member-changes.sql`. */
import {
  MAX_MEMBERS,
  MAX_UNLOCKS,
  MEMBER_INVITATION_DAYS,
  type MemberRole,
  type MemberState,
} from '../../domain/clients/member-limits';
import type { AuditedCaller } from '../../domain/audit';
import { contains, matching } from '../database/conditions';
import { firstRow, oneRow, rows, type Database } from '../database/database';
import { ofCaller, rejecting } from './access-changes';

export interface Member {
  id: number;
  email: string;
  name: string;
  role: MemberRole;
  state: MemberState;
}

const columns = 'id, email, name, role, state';

/** One page of the client's members, the newest first, with the number of all. Removed ones are absent. */
export async function listMemberPage(
  database: Database,
  clientId: number,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; members: Member[] }> {
  const present = 'FROM members WHERE client_id = $clientId AND removed_at IS NULL';
  const { total } = await oneRow<{ total: number }>(database, `SELECT count(*) AS total ${present}`, { clientId });
  const members = await rows<Member>(
    database,
    `SELECT ${columns} ${present} ORDER BY id DESC OFFSET $offset LIMIT $limit`,
    { clientId, offset, limit },
  );
  return { total, members };
}

/** The conditions of a list of members. An undefined condition matches every member. */
export interface MemberFilter {
  clientId: number;
  state?: MemberState | undefined;
  role?: MemberRole | undefined;
  /** A part of the name or the address, in any case. */
  search?: string | undefined;
  /** Only members behind the one with this id. */
  after?: number | undefined;
}

/** The members that match all conditions, the newest first. Removed ones are absent. */
export function listMembers(
  database: Database,
  { limit = MAX_MEMBERS, ...filter }: MemberFilter & { limit?: number | undefined },
): Promise<Member[]> {
  const { where, binds } = matching(filter, {
    clientId: 'client_id = $clientId',
    state: 'state = $state',
    role: 'role = $role',
    search: contains('name', 'email'),
    after: 'id < $after',
  });
  return rows<Member>(
    database,
    `SELECT ${columns} FROM members WHERE removed_at IS NULL AND ${where} ORDER BY id DESC LIMIT $limit`,
    { ...binds, limit },
  );
}

interface Invitation {
  email: string;
  name: string;
  role: MemberRole;
}

const invited = `$email, $name, $role, ${MEMBER_INVITATION_DAYS}, ${MAX_MEMBERS}`;

/** Invites a member, or repeats an open invitation. The mail is due at once. Throws `KeyChangeRejected`. */
export function inviteMember(database: Database, caller: AuditedCaller, invitation: Invitation) {
  const statement = `SELECT ${columns} FROM invite_member(${ofCaller}, ${invited})`;
  return rejecting(oneRow<Member>(database, statement, { ...caller, ...invitation }));
}

/** `inviteMember` by an operator. Throws `KeyChangeRejected`. */
export function addInvitation(database: Database, clientId: number, invitation: Invitation) {
  const statement = `SELECT ${columns} FROM add_invitation($clientId, ${invited})`;
  return rejecting(oneRow<Member>(database, statement, { clientId, ...invitation }));
}

/** Changes the values that are not null. Undefined if the client has no such member. Throws `KeyChangeRejected`. */
export function changeMember(
  database: Database,
  caller: AuditedCaller,
  id: number,
  changes: { name: string | null; role: MemberRole | null; state: MemberState | null },
) {
  const statement = `SELECT ${columns} FROM change_member(${ofCaller}, $id, $name, $role, $state)`;
  return rejecting(firstRow<Member>(database, statement, { ...caller, id, ...changes }));
}

/** Removes a member: the next call is rejected. Undefined if the client has no such member. Throws `KeyChangeRejected`. */
export function removeMember(database: Database, caller: AuditedCaller, id: number) {
  const statement = `SELECT ${columns} FROM remove_member(${ofCaller}, $id)`;
  return rejecting(firstRow<Member>(database, statement, { ...caller, id }));
}

/** Suspends a member or lets it in again, by an operator. Undefined if the client has no such member. Throws `KeyChangeRejected`. */
export function setMemberState(
  database: Database,
  clientId: number,
  id: number,
  state: Exclude<MemberState, 'INVITED'>,
) {
  const statement = `SELECT ${columns} FROM set_member_state($clientId, $id, $state)`;
  return rejecting(firstRow<Member>(database, statement, { clientId, id, state }));
}

/** `removeMember` by an operator. Undefined if the client has no such member. Throws `KeyChangeRejected`. */
export function takeMemberOut(database: Database, clientId: number, id: number) {
  const statement = `SELECT ${columns} FROM take_member_out($clientId, $id)`;
  return rejecting(firstRow<Member>(database, statement, { clientId, id }));
}

/** Forgets the wrong codes for the member's address. Undefined if the client has no such member. Throws `KeyChangeRejected`. */
export function unlockMember(database: Database, caller: AuditedCaller, id: number) {
  const statement = `SELECT ${columns} FROM unlock_member(${ofCaller}, $id, ${MAX_UNLOCKS})`;
  return rejecting(firstRow<Member>(database, statement, { ...caller, id }));
}

/** `unlockMember` by an operator. Returns the number of wrong codes. */
export async function forgetWrongCodesOf(database: Database, email: string): Promise<number> {
  const statement = 'SELECT forget_wrong_codes($email) AS wrong';
  return (await oneRow<{ wrong: number }>(database, statement, { email })).wrong;
}

/** Adds a link, of whose secret it stores the hash, to the open invitation of the address. False if none is open. */
export async function linkInvitation(database: Database, email: string, secretHash: Buffer): Promise<boolean> {
  const statement = 'SELECT link_invitation($email, $secretHash) AS "isOpen"';
  return (await oneRow<{ isOpen: boolean }>(database, statement, { email, secretHash })).isOpen;
}

/** Every member of the client, also the removed ones, whom the activity names. */
export function listMemberNames(database: Database, clientId: number) {
  return rows<Pick<Member, 'id' | 'email'>>(
    database,
    'SELECT id, email FROM members WHERE client_id = $clientId ORDER BY id',
    { clientId },
  );
}

/** Whether every member of the client needs a second factor. */
export async function membersNeedSecondFactor(database: Database, clientId: number): Promise<boolean> {
  const statement = 'SELECT members_need_second_factor AS "isRequired" FROM clients WHERE id = $clientId';
  const { isRequired } = await oneRow<{ isRequired: boolean }>(database, statement, { clientId });
  return isRequired;
}

/** Sets whether every member needs a second factor. It applies to the next call of each. Throws `KeyChangeRejected`. */
export async function requireSecondFactor(database: Database, caller: AuditedCaller, isRequired: boolean) {
  const statement = `SELECT require_second_factor(${ofCaller}, $isRequired)`;
  await rejecting(rows(database, statement, { ...caller, isRequired }));
}

/** Whether a member of the client has ever signed in. From then on, no key signs in to the console. */
export async function hasMembers(database: Database, clientId: number): Promise<boolean> {
  const statement = 'SELECT members_since IS NOT NULL AS "hasMembers" FROM clients WHERE id = $clientId';
  const client = await firstRow<{ hasMembers: boolean }>(database, statement, { clientId });
  return client?.hasMembers ?? false;
}
