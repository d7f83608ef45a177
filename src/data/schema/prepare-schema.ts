/** The schema as a process that starts needs it. docs/decisions/0033-give-each-role-only-what-it-needs.md. */
import pg from 'pg';
import type { Config } from '../../config';
import { migrate, missingFromSchema } from './migrate';

/**
 * Brings the schema up to date where DATABASE_URL logs in as its owner, which production refuses; else makes sure that
 * it is not older than this release. Throws a sentence.
 */
export async function prepareSchema({
  mode,
  database,
}: {
  mode: Config['mode'];
  database: Pick<Config['database'], 'url'>;
}): Promise<void> {
  const standing = await standingOf(database.url);
  if (standing.owns && mode === 'production') {
    throw new Error(
      'its user owns the schema, which production refuses: give the service a role of its own (docs/operators/operations.md#roles)',
    );
  }
  if (standing.owns) {
    await migrate(database.url);
    return;
  }
  const [missing] = standing.missing;
  if (missing !== undefined) {
    throw new Error(
      `its schema is older than this release (${missing} is missing): run npm run ops -- migrate with DATABASE_URL of its owner`,
    );
  }
}

async function standingOf(url: string): Promise<{ owns: boolean; missing: string[] }> {
  const client = new pg.Client({ connectionString: url, application_name: 'digital-goods-migrate' });
  await client.connect();
  try {
    const { rows } = await client.query<{ owns: boolean; exists: boolean }>(
      `SELECT coalesce(pg_has_role(current_user, owner.relowner, 'MEMBER'), has_schema_privilege('public', 'CREATE')) AS owns,
              owner.relowner IS NOT NULL AS exists
         FROM (SELECT) AS always LEFT JOIN pg_class owner ON owner.oid = to_regclass('public.migrations')`,
    );
    const [{ owns, exists } = { owns: false, exists: false }] = rows;
    return { owns, missing: await missingFromSchema(exists ? client : undefined) };
  } finally {
    await client.end();
  }
}
