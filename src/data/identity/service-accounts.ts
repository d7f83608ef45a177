/** Service accounts: programs that call operations without a person. */
import { contains, matching } from '../database/conditions';
import { identityRows, type IdentityConnection } from './identity-pool';

export interface ServiceAccount {
  id: string;
  name: string;
  /** As it was created. */
  role: string;
  /** What the owner has of it now. */
  roleNow: string;
  /** The only operations that the account may use. */
  operations: string[];
  /** The only networks that the account may call from. Empty: all. */
  networks: string[];
  /** The name of the person who made it. In a sandbox, of the one behind the local admin. */
  createdBy: string;
  /** The person who made it. Null for an account from before owners were stored, of which no person, or several, has the name. */
  ownerId: string | null;
  /** The address of the owner. */
  owner: string | null;
  state: ServiceAccountState;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** `ASLEEP`: its owner is suspended, or does not have its role now. */
export const serviceAccountStates = ['ACTIVE', 'ASLEEP', 'EXPIRED', 'REVOKED'] as const;
export type ServiceAccountState = (typeof serviceAccountStates)[number];

/**
 * SQL: all accounts, with what their owners give them now. An account never has more than its owner. An admin may do what every role may,
 * and no other role what a second one may. So the account of an owner who is no admin has the owner's role, or sleeps. `lock_account` has
 * the same rule.
 */
const accounts = `
  SELECT account.id::text, account.name, account.role, operations, networks, created_by AS "createdBy", owner_id AS "ownerId",
         CASE account.role WHEN 'admin' THEN coalesce(owner.role, 'admin') ELSE account.role END AS "roleNow",
         owner.email AS owner, created_at AS "createdAt", expires_at AS "expiresAt",
         last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", token_hash,
         CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED' WHEN expires_at <= now() THEN 'EXPIRED'
              WHEN owner."suspendedAt" IS NOT NULL OR owner.role <> 'admin' AND account.role NOT IN ('admin', owner.role)
              THEN 'ASLEEP' ELSE 'ACTIVE' END AS state
    FROM service_accounts account LEFT JOIN "user" owner ON owner.id = owner_id`;

const columns = `
id, name, role, "roleNow", operations, networks, "createdBy", "ownerId", owner, "createdAt", "expiresAt", "lastUsedAt", "revokedAt", state`;

/** A new account. It belongs to a person. */
export interface StoredServiceAccount extends Pick<
  ServiceAccount,
  'name' | 'role' | 'operations' | 'networks' | 'createdBy' | 'expiresAt'
> {
  ownerId: string;
  tokenHash: Buffer;
}

/** Stores an account with the hash of its token. False if an account of this name is not revoked. */
export async function addServiceAccount(pool: IdentityConnection, account: StoredServiceAccount): Promise<boolean> {
  const added = await identityRows(
    pool,
    `INSERT INTO service_accounts (name, role, operations, networks, created_by, owner_id, expires_at, token_hash)
     VALUES ($name, $role, $operations, $networks, $createdBy, $ownerId, $expiresAt, $tokenHash)
     ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING id`,
    { ...account },
  );
  return added.length > 0;
}

/** The conditions of a list of accounts. An undefined condition matches every account. */
export interface ServiceAccountFilter {
  state?: ServiceAccountState | undefined;
  role?: string | undefined;
  /** Only accounts of this person. */
  ownerId?: string | undefined;
  /** A part of the name, in any case. */
  search?: string | undefined;
  /** Only accounts behind the one with this id. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** The columns by which the list is sorted: the accounts that are not revoked come first. */
const sorted = `coalesce("revokedAt", '-infinity'), name, id::bigint`;

/** The accounts that match all conditions. */
export function listServiceAccounts(
  pool: IdentityConnection,
  { limit, ...filter }: ServiceAccountFilter = {},
): Promise<ServiceAccount[]> {
  const { where, binds } = matching(filter, {
    state: 'state = $state',
    ownerId: '"ownerId" = $ownerId',
    role: 'role = $role',
    search: contains('name'),
    after: `(${sorted}) > (SELECT ${sorted} FROM accounts WHERE id = $after)`,
  });
  return identityRows(
    pool,
    `WITH accounts AS (${accounts}) SELECT ${columns} FROM accounts WHERE ${where} ORDER BY ${sorted} LIMIT $limit`,
    { ...binds, limit: limit ?? null },
  );
}

/** Revokes the account: its next call is rejected. False if there is none. */
export async function revokeServiceAccount(pool: IdentityConnection, name: string): Promise<boolean> {
  const revoked = await identityRows(
    pool,
    'UPDATE service_accounts SET revoked_at = now() WHERE name = $name AND revoked_at IS NULL RETURNING id',
    { name },
  );
  return revoked.length > 0;
}

/** Returns the account of the token and notes its use. Undefined if it is revoked, has expired, or sleeps with its owner. */
export async function useServiceAccount(
  pool: IdentityConnection,
  tokenHash: Buffer,
): Promise<ServiceAccount | undefined> {
  const [found] = await identityRows<ServiceAccount>(
    pool,
    `WITH used AS (
       UPDATE service_accounts SET last_used_at = now()
        WHERE token_hash = $tokenHash AND (last_used_at IS NULL OR last_used_at < now() - interval '20 seconds'))
     SELECT ${columns} FROM (${accounts}) account WHERE token_hash = $tokenHash AND state = 'ACTIVE'`,
    { tokenHash },
  );
  return found;
}
