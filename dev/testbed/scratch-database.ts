/** A separate database for a test, for locks, damage or a new schema that no other test may see. */
import { randomBytes } from 'node:crypto';
import { openDatabase, type Database } from '../../src/data/database/database';
import { migrate } from '../../src/data/schema/migrate';
import { query } from '../stack/postgres';
import { loadStack } from './loaded-stack';

export interface ScratchDatabase {
  url: string;
  database: Database;
  /** Closes and removes it. */
  drop(): Promise<void>;
}

/**
 * A newly installed database, created before the tests of the file and removed after them. Call it at
 * the top of the file.
 */
export function scratchDatabase(): ScratchDatabase {
  return forThisFile(install);
}

/** The same without schema and reference data. */
export function emptyScratchDatabase(): ScratchDatabase {
  return forThisFile(create);
}

function forThisFile(make: (scratch: ScratchDatabase) => Promise<void>): ScratchDatabase {
  const scratch = namedAtRandom();
  beforeAll(() => make(scratch));
  afterAll(() => scratch.drop());
  return scratch;
}

/** A newly installed database for a single test. Drop it after use. */
export function newDatabase(): Promise<ScratchDatabase> {
  return made(install);
}

/** An empty database for a single test, without schema and reference data. Drop it after use. */
export function emptyDatabase(): Promise<ScratchDatabase> {
  return made(create);
}

/** A copy of another database, which must have no connections: close it first. */
export function copyOf(original: ScratchDatabase): Promise<ScratchDatabase> {
  return made((copy) => create(copy, `TEMPLATE ${nameOf(original)}`));
}

async function made(make: (scratch: ScratchDatabase) => Promise<void>): Promise<ScratchDatabase> {
  const scratch = namedAtRandom();
  await make(scratch);
  return scratch;
}

/** Connects at its first statement. */
function namedAtRandom(): ScratchDatabase {
  const url = new URL(loadStack().database_url);
  url.pathname = `test_${randomBytes(6).toString('hex')}`;
  const database = openDatabase(url.href, 10);
  const scratch = {
    url: url.href,
    database,
    async drop() {
      await database.close();
      await onServer(`DROP DATABASE ${nameOf(scratch)} WITH (FORCE)`);
    },
  };
  return scratch;
}

export function nameOf({ url }: Pick<ScratchDatabase, 'url'>): string {
  return new URL(url).pathname.slice(1);
}

async function create(scratch: ScratchDatabase, options = ''): Promise<void> {
  await onServer(`CREATE DATABASE ${nameOf(scratch)} ${options}`);
}

/** Copies the template of the test run, which takes a tenth of the time of the migrations. The benchmark has no template. */
async function install(scratch: ScratchDatabase): Promise<void> {
  const template = process.env['SCRATCH_TEMPLATE'];
  if (template !== undefined) return create(scratch, `TEMPLATE ${template}`);
  await create(scratch);
  await migrate(scratch.url);
}

/** Without a limit: on a busy disk, PostgreSQL copies a database for longer than any statement of the service may take. */
async function onServer(statement: string): Promise<void> {
  await query(loadStack().database_url, statement);
}
