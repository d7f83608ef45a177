/**
 * The people of a client who use the console. docs/specification.md#members.
 * Rules in SQL: `scopes_of_role` (what a role may do), `require_admin_beside` (the last admin stays), `require_second_factor`.
 */
import { namesOf } from '../records';

/** Each role, with what it is for. */
export const memberRoleMeanings = {
  admin: 'everything, and keys, allowed networks, members, webhooks and the activity',
  finance: 'reads without codes and recipients, and works with wallets, statements and reports',
  support: 'places orders, and sees recipients and codes',
  viewer: 'reads without codes and recipients',
} as const;

export type MemberRole = keyof typeof memberRoleMeanings;

export const memberRoles = namesOf(memberRoleMeanings);

/** `INVITED`: has not signed in yet. */
export const memberStates = ['INVITED', 'ACTIVE', 'SUSPENDED'] as const;
export type MemberState = (typeof memberStates)[number];

/** Members of a client, invited ones included. */
export const MAX_MEMBERS = 200;

/** How often a client unlocks one member in a day. Operators do it more often. */
export const MAX_UNLOCKS = 3;

/** The number of days within which an invited member signs in. */
export const MEMBER_INVITATION_DAYS = 7;
