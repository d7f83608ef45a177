/**
 * The roles that use the schema without owning it, and their rights.
 * docs/decisions/0033-give-each-role-only-what-it-needs.md.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { bound } from '../database/binds';
import { readSchemaSql } from './schema-change';

/** For API and worker, for the operators' process, for its sign-in and that of clients' members, and for the maintenance of the audit. */
export const databaseRoles = ['service', 'operator', 'operatorIdentity', 'memberIdentity', 'retention'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** The roles of a database. Their names contain its name, because roles belong to the whole server. */
export function roleNames(databaseName: string): Record<DatabaseRole, string> {
  return {
    service: `${databaseName}_service`,
    operator: `${databaseName}_operator`,
    retention: `${databaseName}_retention`,
    operatorIdentity: `${databaseName}_operator_identity`,
    memberIdentity: `${databaseName}_member_identity`,
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
    bound('SELECT rolname::text AS name, oid::int8 FROM pg_roles WHERE rolname = ANY ($names) ORDER BY rolname', {
      names: Object.values(names),
    }),
  );
  if (existing.length === 0) return undefined;
  const missing = Object.values(names).filter((name) => !existing.some((role) => role.name === name));
  if (missing.length > 0) {
    throw new Error(
      `PostgreSQL has no role ${missing.join(', ')}: make it (docs/operators/configuration.md#roles), then migrate again`,
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
