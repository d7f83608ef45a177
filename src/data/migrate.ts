/** Brings the database to the newest schema: numbered migrations, each run once, in one transaction. */
import pg from 'pg';
import { Umzug } from 'umzug';
import { migrations } from './migrations';

/** Any constant will do, as long as every process of the service takes the same lock. */
const MIGRATION_LOCK = 7_203_415_880;

/**
 * Runs the migrations that have not run yet. Safe when several processes start at once: an advisory
 * lock lets one through at a time, and the others then find nothing to do.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'digital-goods-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now())',
    );
    const done = await migrator(client).up();
    return done.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

function migrator(client: pg.Client): Umzug<pg.Client> {
  return new Umzug({
    context: client,
    logger: undefined,
    migrations: migrations.map(({ name, sql }) => ({
      name,
      up: async () => {
        await inTransaction(client, async () => {
          await client.query(sql);
          await client.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
        });
      },
    })),
    storage: {
      // Written by the migration's own transaction above, so that schema and record cannot part.
      logMigration: async () => undefined,
      unlogMigration: async () => undefined,
      executed: async () => {
        const result = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY name');
        return result.rows.map((row) => row.name);
      },
    },
  });
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
