/**
 * The roles that use the schema without owning it: their creation and their rights.
 * docs/decisions/0033-give-each-role-only-what-it-needs.md.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { bound } from '../database/binds';
import { readSchemaSql } from './schema-change';

/** For API and worker, for the codec server, and for the maintenance of the audit. */
export const roles = ['service', 'codec', 'retention'] as const;
export type Role = (typeof roles)[number];

/** The roles of a database. Their names contain its name, because roles belong to the whole server. */
export function roleNames(databaseName: string): Record<Role, string> {
  return {
    service: `${databaseName}_service`,
    codec: `${databaseName}_codec`,
    retention: `${databaseName}_retention`,
  };
}

/**
 * Returns the statements that grant the roles of this database their rights, and their digest. Undefined if no role exists:
 * every program then runs as the owner. Throws if only some of the roles exist.
 */
export async function grantsFor(client: pg.Client): Promise<{ sql: string; digest: string } | undefined> {
  const { rows: named } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = named[0]?.name ?? '';
  const names = roleNames(database);
  const { rows: existing } = await client.query<{ name: string; oid: number }>(
    bound(
      'SELECT rolname::text AS name, oid::int8 FROM pg_roles WHERE rolname = ANY ($names) ORDER BY rolname',
      { names: Object.values(names) },
    ),
  );
  if (existing.length === 0) return undefined;
  const missing = Object.values(names).filter((name) => !existing.some((role) => role.name === name));
  if (missing.length > 0) {
    throw new Error(
      `PostgreSQL has no role ${missing.join(', ')}: make it (docs/operators/operations.md#roles), then migrate again`,
    );
  }
  let sql = readSchemaSql('grants.sql');
  for (const [placeholder, name] of Object.entries({ ...names, database }))
    sql = sql.replaceAll(`{${placeholder}}`, pg.escapeIdentifier(name));
  // Recreated roles have no rights, even under an unchanged text.
  const digest = createHash('sha256')
    .update(JSON.stringify([sql, existing.map(({ oid }) => oid)]))
    .digest('hex');
  return { sql, digest };
}

/** The database URL of each role. */
export type RoleUrls = Record<Role, string>;

/** SQLSTATE: the role exists; the user has no right to create or change roles. */
const DUPLICATE_OBJECT = '42710';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Creates the roles of the database with these passwords, and returns the URL of each. Undefined if the user of the URL may not
 * create roles, or if the roles cannot log in.
 */
export async function ensureRoles(
  url: string,
  passwords: Readonly<Record<Role, string>>,
): Promise<RoleUrls | undefined> {
  const names = roleNames(decodeURIComponent(new URL(url).pathname.slice(1)));
  const urlAs = (role: Role) => urlOf(url, names[role], passwords[role]);
  const urls = { service: urlAs('service'), codec: urlAs('codec'), retention: urlAs('retention') };
  try {
    await withClient(url, async (client) => {
      for (const role of roles) await createLogin(client, names[role], passwords[role]);
    });
    for (const each of Object.values(urls)) await withClient(each, (client) => client.query('SELECT 1'));
    return urls;
  } catch (error) {
    if (error instanceof pg.DatabaseError && isRefusal(error)) return undefined;
    throw error;
  }
}

/** Whether the right to create a role is missing, or a login failed (SQLSTATE class 28; class 08 from a pooler). */
function isRefusal({ code = '' }: pg.DatabaseError): boolean {
  return code === INSUFFICIENT_PRIVILEGE || code.startsWith('28') || code.startsWith('08');
}

async function createLogin(client: pg.Client, name: string, password: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  await client.query(`CREATE ROLE ${role}`).catch((error: pg.DatabaseError) => {
    if (error.code !== DUPLICATE_OBJECT) throw error;
  });
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
}

function urlOf(owner: string, user: string, password: string): string {
  const url = new URL(owner);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.href;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
