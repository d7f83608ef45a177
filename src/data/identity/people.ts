/** People of one door. A person is never deleted: the audit names people for years. */
import { contains, matching } from '../database/conditions';
import { identityRows, type IdentityConnection } from './identity-pool';
import { unspentInvitation } from './invitations';
import { canAct, leavesAnAdmin, lockedAdmins, type WaysIn } from './last-admin-stays';

export interface StoredPerson {
  id: string;
  name: string;
  email: string;
  role: string;
  hasSecondFactor: boolean;
  /** Whether the person signs in by OpenID Connect, and so by nothing else. */
  hasAccount: boolean;
  suspendedAt: Date | null;
  createdAt: Date;
}

const person = `
id, name, email, role, coalesce("twoFactorEnabled", false) AS "hasSecondFactor", "suspendedAt", "createdAt",
EXISTS (SELECT FROM account WHERE "userId" = "user".id) AS "hasAccount"`;

export function listPeople(pool: IdentityConnection): Promise<StoredPerson[]> {
  return identityRows(pool, `SELECT ${person} FROM "user" ORDER BY email`);
}

export const personStates = ['ACTIVE', 'SUSPENDED', 'INVITED'] as const;
export const personOrders = ['address', 'name', 'role'] as const;

/** A person, or an open invitation. */
export interface ListedPerson extends Omit<StoredPerson, 'id' | 'createdAt' | 'suspendedAt'> {
  state: (typeof personStates)[number];
  createdAt: Date | null;
  /** The end of an invitation; null for a person. */
  expiresAt: Date | null;
}

/** The conditions of a list of people. An undefined condition matches everyone. */
export interface PeopleFilter {
  state?: ListedPerson['state'] | undefined;
  role?: string | undefined;
  /** A part of the name or the address, in any case. */
  search?: string | undefined;
  /** Default: by address, the invitations last. */
  sort?: (typeof personOrders)[number] | undefined;
  /** Only those behind the one with this address. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** The columns by which a list is sorted. Each ends with the address, so that no two rows are equal. */
const columnsOfOrder: Readonly<Record<(typeof personOrders)[number], string>> = {
  address: `state = 'INVITED', email`,
  name: 'lower(name), email',
  role: 'role, email',
};

/** The people and the open invitations that match all conditions. An invitation of a person is spent. */
export function listPeopleAndInvitations(
  pool: IdentityConnection,
  { sort = 'address', limit, ...filter }: PeopleFilter,
): Promise<ListedPerson[]> {
  const columns = columnsOfOrder[sort];
  const { where, binds } = matching(filter, {
    state: 'state = $state',
    role: 'role = $role',
    search: contains('name', 'email'),
    after: `(${columns}) > (SELECT ${columns} FROM listed WHERE email = lower($after))`,
  });
  return identityRows(
    pool,
    `WITH people AS (SELECT ${person} FROM "user"), listed AS (
       SELECT email, name, role, CASE WHEN "suspendedAt" IS NULL THEN 'ACTIVE' ELSE 'SUSPENDED' END AS state,
              "hasSecondFactor", "hasAccount", "createdAt", NULL::timestamptz AS "expiresAt"
         FROM people
       UNION ALL
       SELECT email, name, role, 'INVITED', false, false, NULL, expires_at FROM invitations
        WHERE ${unspentInvitation} AND email NOT IN (SELECT email FROM people))
     SELECT * FROM listed WHERE ${where} ORDER BY ${columns} LIMIT $limit`,
    { ...binds, limit: limit ?? null },
  );
}

export async function findPersonByEmail(pool: IdentityConnection, email: string): Promise<StoredPerson | undefined> {
  const [found] = await identityRows<StoredPerson>(pool, `SELECT ${person} FROM "user" WHERE email = lower($email)`, {
    email,
  });
  return found;
}

export async function findPersonById(pool: IdentityConnection, id: string): Promise<StoredPerson | undefined> {
  const [found] = await identityRows<StoredPerson>(pool, `SELECT ${person} FROM "user" WHERE id = $id`, { id });
  return found;
}

/** The people with one of the roles who can act now. */
export function listActive(
  pool: IdentityConnection,
  roles: readonly string[],
  waysIn: WaysIn,
): Promise<StoredPerson[]> {
  return identityRows(
    pool,
    `SELECT ${person} FROM "user" WHERE role = ANY ($roles::text[]) AND ${canAct} ORDER BY email`,
    { roles, ...waysIn },
  );
}

/** The id of an admin with this address, who is created if there is none. For sandboxes. */
export async function ensureAdmin(
  pool: IdentityConnection,
  { email, name }: { email: string; name: string },
): Promise<string> {
  const [admin] = await identityRows<{ id: string }>(
    pool,
    `INSERT INTO "user" (id, name, email, "emailVerified", role) VALUES (gen_random_uuid()::text, $name, $email, true, 'admin')
     ON CONFLICT (email) DO UPDATE SET "updatedAt" = now() RETURNING id`,
    { email, name },
  );
  return admin?.id ?? '';
}

/** Gives the person the role. False if there is no such person, or if no admin who can act would be left. */
export async function setRole(
  pool: IdentityConnection,
  { email, role }: { email: string; role: string },
  waysIn: WaysIn,
): Promise<boolean> {
  const changed = await identityRows(
    pool,
    `WITH ${lockedAdmins}
     UPDATE "user" SET role = $role, "updatedAt" = now()
      WHERE email = lower($email) AND ($role = 'admin' OR ${leavesAnAdmin}) RETURNING id`,
    { email, role, ...waysIn },
  );
  return changed.length > 0;
}

/** Gives the person the role that the groups of the provider name, also to the last admin: the provider decides. */
export async function setProvidedRole(pool: IdentityConnection, id: string, role: string): Promise<void> {
  await identityRows(
    pool,
    'UPDATE "user" SET role = $role, "updatedAt" = now() WHERE id = $id AND role <> $role RETURNING id',
    { id, role },
  );
}

/** SQL: ends all sessions of the people with the ids, and all logins of the ops CLI that are approved and have no session yet. */
const ending = (ids: string) => `
  sessions AS (DELETE FROM session WHERE "userId" IN (${ids})),
  devices AS (DELETE FROM "deviceCode" WHERE "userId" IN (${ids}))`;

/**
 * SQL: ends what lets the people with the ids in without an approved device: sessions of browsers, codes and links by mail, and logins
 * of the ops CLI that have no session yet.
 */
const endingWaysIn = (ids: string) => `
  browsers AS (DELETE FROM session WHERE kind = 'BROWSER' AND "userId" IN (${ids})),
  devices AS (DELETE FROM "deviceCode" WHERE "userId" IN (${ids})),
  mailed AS (
    DELETE FROM verification USING "user" addressee
     WHERE addressee.id IN (${ids})
       -- The library names a code by its address, and has the address of a link in its JSON.
       AND (right(identifier, length(email) + 1) = '-' || email OR position(to_json(email)::text IN value) > 0))`;

/**
 * Suspends the person. Sessions of browsers and mailed codes end. What the person made sleeps: it is no credential of anyone until the
 * person is resumed. False if there is no such person, or if no admin who can act would be left.
 */
export async function suspendPerson(pool: IdentityConnection, email: string, waysIn: WaysIn): Promise<boolean> {
  const suspended = await identityRows(
    pool,
    `WITH ${lockedAdmins}, suspended AS (
       UPDATE "user" SET "suspendedAt" = coalesce("suspendedAt", now()), "updatedAt" = now()
        WHERE email = lower($email) AND ${leavesAnAdmin} RETURNING id),
     ${endingWaysIn('SELECT id FROM suspended')}
     SELECT id FROM suspended`,
    { email, ...waysIn },
  );
  return suspended.length > 0;
}

/** Lets the person sign in again. A session or code that began while the person was suspended ends. False if there is no such person. */
export async function resumePerson(pool: IdentityConnection, email: string): Promise<boolean> {
  const resumed = await identityRows(
    pool,
    `WITH resumed AS (
       UPDATE "user" SET "suspendedAt" = NULL, "updatedAt" = now()
        WHERE email = lower($email) AND "suspendedAt" IS NOT NULL RETURNING id),
     ${endingWaysIn('SELECT id FROM resumed')}
     SELECT id FROM "user" WHERE email = lower($email)`,
    { email },
  );
  return resumed.length > 0;
}

/** Whether the person is suspended. */
export async function isSuspended(pool: IdentityConnection, id: string): Promise<boolean> {
  const found = await identityRows(pool, 'SELECT id FROM "user" WHERE id = $id AND "suspendedAt" IS NOT NULL', { id });
  return found.length > 0;
}

/** Removes the person's second factor and ends all sessions. False if there is no such person. */
export async function removeSecondFactor(pool: IdentityConnection, email: string): Promise<boolean> {
  const found = await identityRows(
    pool,
    `WITH found AS (
       UPDATE "user" SET "twoFactorEnabled" = false, "updatedAt" = now() WHERE email = lower($email) RETURNING id),
     removed AS (DELETE FROM "twoFactor" WHERE "userId" IN (SELECT id FROM found)),
     ${ending('SELECT id FROM found')}
     SELECT id FROM found`,
    { email },
  );
  return found.length > 0;
}
