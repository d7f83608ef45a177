/** The session of a checkout's admin, over several starts of the local stack. docs/developers/local-stack.md. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunDirectory } from '../../dev/stack/run-directory';
import { seedDemo } from '../../dev/stack/services';
import { sql } from '../../dev/testbed/sql';
import { day } from '../../src/domain/time';
import { emptyScratchDatabase } from '../../dev/testbed/scratch-database';
import { serviceEnvironment } from '../support/service-process';

const { url, database } = emptyScratchDatabase();
const path = mkdtempSync(join(tmpdir(), 'local-admin-'));
const directory = new RunDirectory(path);
afterAll(() => rmSync(path, { recursive: true }));

/** Prepares the database as each start does. Returns the token of the admin. */
async function start(): Promise<string> {
  const own = { DATABASE_URL: url, OPS_IDENTITY_DATABASE_URL: url };
  const { operator } = await seedDemo(directory, { ...serviceEnvironment(), ...own });
  directory.keepOperatorToken(operator.token);
  return operator.token;
}

const sessions = () =>
  sql(database)<{ id: string; expiresAt: Date }>`SELECT id, "expiresAt" FROM identity_operators.session`;

test('When a stack starts again, then its admin keeps token and session for another 30 days, until the session is ended', async () => {
  const first = await start();
  const [opened] = await sessions();
  await sql(database)`UPDATE identity_operators.session SET "expiresAt" = "expiresAt" - interval '29 days'`;
  expect(await start()).toBe(first);
  const [kept, ...others] = await sessions();
  expect([kept?.id, others]).toEqual([opened?.id, []]);
  expect(Number(kept?.expiresAt)).toBeGreaterThan(Date.now() + 29 * day);

  await sql(database)`DELETE FROM identity_operators.session`;
  const next = await start();
  expect(next).not.toBe(first);
  expect(await start()).toBe(next);
  expect(await sessions()).toHaveLength(1);
}, 60_000);
