/** Service accounts: programs that call operations without a person. */
import { contains, matching } from '../database/conditions';
import { identityRows, type IdentityPool } from './identity-pool';

export interface ServiceAccount {
  id: string;
  name: string;
  role: string;
  /** The only operations that the account may use. */
  operations: string[];
  /** The only networks that the account may call from. Empty: all. */
  networks: string[];
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const columns = `
id::text, name, role, operations, networks, created_by AS "createdBy", created_at AS "createdAt",
expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"`;

/** Stores an account with the hash of its token. Undefined if an account of this name is not revoked. */
export async function addServiceAccount(
  pool: IdentityPool,
  account: Pick<ServiceAccount, 'name' | 'role' | 'operations' | 'networks' | 'createdBy' | 'expiresAt'> & {
    tokenHash: Buffer;
  },
): Promise<ServiceAccount | undefined> {
  const [added] = await identityRows<ServiceAccount>(
    pool,
    `INSERT INTO service_accounts (name, role, operations, networks, created_by, expires_at, token_hash)
     VALUES ($name, $role, $operations, $networks, $createdBy, $expiresAt, $tokenHash)
     ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING ${columns}`,
    { ...account },
  );
  return added;
}

export const serviceAccountStates = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const;

/** The conditions of a list of accounts. An undefined condition matches every account. */
export interface ServiceAccountFilter {
  state?: (typeof serviceAccountStates)[number] | undefined;
  role?: string | undefined;
  /** A part of the name, in any case. */
  search?: string | undefined;
  /** Only accounts behind the one with this id. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** The columns by which the list is sorted: the accounts that are not revoked come first. */
const sorted = `coalesce(revoked_at, '-infinity'), name, service_accounts.id`;

/** The accounts that match all conditions. */
export function listServiceAccounts(
  pool: IdentityPool,
  { limit, ...filter }: ServiceAccountFilter = {},
): Promise<ServiceAccount[]> {
  const { where, binds } = matching(filter, {
    state: `$state = CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED' WHEN expires_at <= now() THEN 'EXPIRED' ELSE 'ACTIVE' END`,
    role: 'role = $role',
    search: contains('name'),
    after: `(${sorted}) > (SELECT ${sorted} FROM service_accounts WHERE id::text = $after)`,
  });
  return identityRows(
    pool,
    `SELECT ${columns} FROM service_accounts WHERE ${where} ORDER BY ${sorted} LIMIT $limit`,
    { ...binds, limit: limit ?? null },
  );
}

/** Revokes the account: its next call is rejected. False if there is none. */
export async function revokeServiceAccount(pool: IdentityPool, name: string): Promise<boolean> {
  const revoked = await identityRows(
    pool,
    'UPDATE service_accounts SET revoked_at = now() WHERE name = $name AND revoked_at IS NULL RETURNING id',
    { name },
  );
  return revoked.length > 0;
}

/** Returns the account of the token and notes its use. Undefined if it is revoked or has expired. */
export async function useServiceAccount(
  pool: IdentityPool,
  tokenHash: Buffer,
): Promise<ServiceAccount | undefined> {
  const [found] = await identityRows<ServiceAccount>(
    pool,
    `WITH used AS (
       UPDATE service_accounts SET last_used_at = now()
        WHERE token_hash = $tokenHash AND (last_used_at IS NULL OR last_used_at < now() - interval '20 seconds'))
     SELECT ${columns} FROM service_accounts
      WHERE token_hash = $tokenHash AND revoked_at IS NULL AND expires_at > now()`,
    { tokenHash },
  );
  return found;
}
