/** The metrics of the WAL archive and of base backups, on a server of its own and with the rights of the service. */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts } from '../../dev/stack/ports';
import { databaseUrl, postgresSpec, query, removePostgres } from '../../dev/stack/postgres';
import { Program } from '../../dev/stack/program';
import { RunDirectory } from '../../dev/stack/run-directory';
import { openDatabase, type Database } from '../../src/data/database/database';
import { readStoredMetrics } from '../../src/data/maintenance/metrics';
import { migrate } from '../../src/data/schema/migrate';
import { roleNames } from '../../src/data/schema/roles';
import { until } from '../../dev/testbed/waiting';

const password = randomBytes(16).toString('hex');
let directory: RunDirectory;
let server: Program;
let url: string;
let service: Database;
/** While this file exists, the archive command succeeds. */
let works: string;

beforeAll(async () => {
  directory = new RunDirectory(mkdtempSync(join(tmpdir(), 'wal-archive-')));
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  // Readable by PostgreSQL's user.
  chmodSync(folder, 0o755);
  works = join(folder, 'works');
  const { POSTGRES_PORT } = await freePorts();
  const port = Number(POSTGRES_PORT);
  const spec = await postgresSpec(directory, port, password);
  const settings = ['archive_mode=on', `archive_command=test -f ${works}`].flatMap((setting) => ['-c', setting]);
  server = new Program(
    { ...spec, args: [...spec.args, ...settings] },
    { changed: () => undefined, said: () => undefined },
  );
  await server.start();
  url = databaseUrl(port, password);
  for (const role of Object.values(roleNames('digital_goods')))
    await query(url, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  await migrate(url);
  service = openDatabase(url.replace('//postgres:', '//digital_goods_service:'), 1);
});
afterAll(async () => {
  await service?.close();
  await server?.stop();
  removePostgres(directory);
  for (const path of [directory.path, dirname(works)]) rmSync(path, { recursive: true });
});

const lag = async () => (await readStoredMetrics(service)).archive[0]?.lag;

/** Finishes the present WAL file. */
async function switchWal(): Promise<void> {
  await query(url, `SELECT pg_logical_emit_message(true, '', '')`);
  await query(url, 'SELECT pg_switch_wal()');
}

test('When the archive command fails, then the metric grows until a file is archived', async () => {
  writeFileSync(works, '');
  await switchWal();
  await until('the archived file', async () => (await lag()) === 0);
  rmSync(works);
  await switchWal();
  await until('the metric', async () => ((await lag()) ?? 0) > 1);
  writeFileSync(works, '');
  await switchWal();
  await until('the metric to be 0', async () => (await lag()) === 0, 90);
});

test('When base backups are interrupted or finish, then the metric is the age of the last that finished', async () => {
  const age = async () => (await readStoredMetrics(service)).backup[0]?.age;
  expect(await age()).toBe(0);
  await query(url, 'GRANT EXECUTE ON FUNCTION pg_ls_archive_statusdir() TO digital_goods_service');
  const [{ uptime } = { uptime: NaN }] = await query<{ uptime: number }>(
    url,
    'SELECT seconds_since(pg_postmaster_start_time()) AS uptime',
  );
  const start = `PERFORM pg_backup_start('night', fast => true)`;
  await query(url, `DO $$ BEGIN ${start}; END $$`);
  expect(await age()).toBeGreaterThan(uptime);
  await query(url, `DO $$ BEGIN ${start}; PERFORM pg_backup_stop(wait_for_archive => false); END $$`);
  expect(await age()).toBeLessThan(uptime);
});
