/** The rights of the roles that work on the schema without owning it. docs/decisions/0033-roles-hold-what-they-need.md. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { bound } from './named-binds';
import { readSql } from './sql-files';

/** The roles of a database, by its name: they belong to the whole server, where others may stand beside it. */
export function roleNames(databaseName: string): { service: string; codec: string } {
  return { service: `${databaseName}_service`, codec: `${databaseName}_codec` };
}

/**
 * The statements that give the roles of this database what they need, and what to know them by. Undefined where the
 * roles do not exist: whoever works on the database then does so as its owner.
 */
export async function grantsFor(client: pg.Client): Promise<{ sql: string; digest: string } | undefined> {
  const { rows: named } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const { service, codec } = roleNames(named[0]?.name ?? '');
  const { rows: roles } = await client.query<{ oid: number }>(
    bound('SELECT oid::int8 FROM pg_roles WHERE rolname = ANY ($names) ORDER BY rolname', {
      names: [service, codec],
    }),
  );
  if (roles.length < 2) return undefined;
  const sql = readSql('grants.sql')
    .replaceAll('{service}', pg.escapeIdentifier(service))
    .replaceAll('{codec}', pg.escapeIdentifier(codec));
  // Roles that were made anew have no rights, whatever was given to those before.
  const digest = createHash('sha256')
    .update(JSON.stringify([sql, roles]))
    .digest('hex');
  return { sql, digest };
}
