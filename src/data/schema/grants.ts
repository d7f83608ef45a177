/** The rights of the roles that work on the schema without owning it. docs/decisions/0033-give-each-role-only-what-it-needs.md. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { bound } from '../database/named-binds';
import { readSql } from '../database/sql-files';

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
    readSql('schema/grants.sql'),
  );
  // Roles that were made anew have no rights, whatever was given to those before.
  const digest = createHash('sha256')
    .update(JSON.stringify([sql, existing.map(({ oid }) => oid)]))
    .digest('hex');
  return { sql, digest };
}
