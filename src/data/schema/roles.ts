/**
 * The roles that work on the schema without owning it: their creation and their rights.
 * docs/decisions/0033-give-each-role-only-what-it-needs.md.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { bound } from '../database/binds';
import { readSchemaSql } from './schema-change';

/** API and worker, the codec server, and what maintenance does to the audit. */
export const roles = ['service', 'codec', 'retention'] as const;
export type Role = (typeof roles)[number];

/** The roles of a database, by its name: they belong to the whole server, where others may stand beside it. */
export function roleNames(databaseName: string): Record<Role, string> {
  return {
    service: `${databaseName}_service`,
    codec: `${databaseName}_codec`,
    retention: `${databaseName}_retention`,
  };
}

/**
 * Returns the statements that give the roles of this database what they need, and their digest. Undefined if no role
 * exists: every program then works as the owner. Throws a sentence if only some of the roles exist.
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
  const sql = Object.entries({ ...names, database }).reduce(
    (text, [placeholder, name]) => text.replaceAll(`{${placeholder}}`, pg.escapeIdentifier(name)),
    readSchemaSql('grants.sql'),
  );
  // Roles that were made anew have no rights, whatever was given to those before.
  const digest = createHash('sha256')
    .update(JSON.stringify([sql, existing.map(({ oid }) => oid)]))
    .digest('hex');
  return { sql, digest };
}

/** The URL of the database as each role. */
export type RoleUrls = Record<Role, string>;

/** SQLSTATE: the role exists; the user may not create or change roles. */
const DUPLICATE_OBJECT = '42710';
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Lets the roles of the database log in with these passwords, and returns the URL of each. Undefined if the user of the URL
 * may make no roles, or if they are not let in.
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
      for (const role of roles) await letIn(client, names[role], passwords[role]);
    });
    for (const each of Object.values(urls)) await withClient(each, (client) => client.query('SELECT 1'));
    return urls;
  } catch (error) {
    if (error instanceof pg.DatabaseError && isRefusal(error)) return undefined;
    throw error;
  }
}

/** A refusal to make a role, or (class 28, or a pooler's own word) to let it in. */
function isRefusal({ code = '' }: pg.DatabaseError): boolean {
  return code === INSUFFICIENT_PRIVILEGE || code.startsWith('28') || code.startsWith('08');
}

async function letIn(client: pg.Client, name: string, password: string): Promise<void> {
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
