/**
 * `deploy/postgres-config/roles.sh` and `migrate` on the oldest and the newest supported PostgreSQL, whose administrator is no superuser,
 * as on a managed server.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseUrl, query } from '../../dev/stack/postgres';
import { openDatabase } from '../../src/data/database/database';
import { untilDueMs } from '../../src/data/purchases/purchases';
import { migrate } from '../../src/data/schema/migrate';
import { roleNames } from '../../src/data/schema/roles';
import { root } from '../documents/documents';
import { mailServer, received } from '../support/mail-server';
import { OwnPostgres } from '../support/own-postgres';
import { oldestPostgres } from '../support/oldest-postgres';

const isInstalled = spawnSync('psql', ['--version']).status === 0;
if (!isInstalled) console.warn('psql is not installed, which creates the roles. The tests that need it are skipped.');

const password = randomBytes(16).toString('hex');
const passwords = Object.fromEntries(
  ['OWNER', 'SERVICE', 'OPERATOR', 'RETENTION', 'OPERATOR_IDENTITY', 'MEMBER_IDENTITY', 'TEMPORAL'].map((role) => [
    `${role}_PASSWORD`,
    password,
  ]),
);
/** The names that an installation may choose. */
const [administrator, database] = ['cloud_admin', 'shop-goods'];

(isInstalled ? describe : describe.skip).each([
  // Whose rules of the locale the database has: the machine's, or PostgreSQL's own.
  { version: 15, locale: 'c', packaged: oldestPostgres },
  { version: 18, locale: 'b', packaged: () => undefined },
])('PostgreSQL $version', ({ version, locale, packaged }) => {
  let server: OwnPostgres;
  const urlAs = (user: string, name = database) =>
    databaseUrl(server.port, password, name).replace('//postgres:', `//${user}:`);

  beforeAll(async () => {
    server = await OwnPostgres.start(packaged());
    const superuser = server.url('postgres');
    await query(superuser, `CREATE ROLE ${administrator} LOGIN CREATEDB CREATEROLE PASSWORD '${password}'`);
  });
  afterAll(() => server?.stop());

  const createRoles = (asUser = { PGUSER: administrator, PGPASSWORD: password }) =>
    execFileSync('sh', [join(root, 'deploy/postgres-config/roles.sh')], {
      env: {
        ...passwords,
        PATH: process.env['PATH'],
        PGHOST: '127.0.0.1',
        PGPORT: String(server.port),
        ...asUser,
        DATABASE: database,
      },
    });

  test('When an administrator who is no superuser creates database and roles, once or again, then the owner can migrate', async () => {
    const [shown] = await query<{ version: string }>(urlAs(administrator, 'postgres'), 'SHOW server_version_num');
    expect(Math.floor(Number(Object.values(shown ?? {})[0]) / 10_000)).toBe(version);
    createRoles();
    createRoles();
    const [created] = await query<{ locale: string; encoding: string }>(
      urlAs(administrator, 'postgres'),
      `SELECT datlocprovider::text AS locale, pg_encoding_to_char(encoding)::text AS encoding
         FROM pg_database WHERE datname = '${database}'`,
    );
    expect(created).toEqual({ locale, encoding: 'UTF8' });
    expect(await migrate(urlAs(`${database}_owner`))).not.toEqual([]);
  });

  test('When the roles log in, then only they can, and the service reads the catalogue but does not change it', async () => {
    const names = roleNames(database);
    for (const name of Object.values(names))
      expect(await query(urlAs(name), 'SELECT current_user::text AS name')).toEqual([{ name }]);
    await expect(query(urlAs('temporal'), 'SELECT 1')).rejects.toThrow('permission denied for database');
    await query(urlAs(names.service), 'SELECT FROM voucher_denominations');
    await expect(query(urlAs(names.service), 'DELETE FROM voucher_denominations')).rejects.toThrow(
      'permission denied for table',
    );
  });

  test('When a superuser repeats the script, then the service may ask for the age of the base backup', async () => {
    const asked = () => query(urlAs(roleNames(database).service), 'SELECT FROM pg_ls_archive_statusdir()');
    await expect(asked()).rejects.toThrow('permission denied for function');
    const { username, password: PGPASSWORD } = new URL(server.url());
    createRoles({ PGUSER: username, PGPASSWORD });
    expect(await asked()).toEqual([]);
  });

  test('When a local command runs in production, then it needs no settings but those that it reads', async () => {
    const words = [join(root, 'dist/src/operators/cli/main.js'), 'secret-keys', 'list'];
    const { stdout } = await promisify(execFile)(process.execPath, words, {
      env: {
        SERVICE_MODE: 'production',
        DATABASE_URL: `${urlAs(`${database}_owner`)}?sslmode=disable`,
        SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      },
    });
    expect(stdout).toMatch(/^k1#\w+ +key-encryption /m);
  });

  test('When the operators’ process invites the first admin, then its roles suffice', async () => {
    const names = roleNames(database);
    const words = ['invite-admin', 'ada@goods.example', '--name', 'Ada', '--operator', 'Kim'];
    await promisify(execFile)(process.execPath, [join(root, 'dist/src/operators/cli/main.js'), ...words], {
      env: {
        DATABASE_URL: urlAs(names.operator),
        OPS_IDENTITY_DATABASE_URL: urlAs(names.operatorIdentity),
        OPS_IDENTITY_SECRET: password,
        OPS_URL: 'https://ops.goods.example',
        SMTP_URL: await mailServer(),
        MAIL_FROM: 'ops@goods.example',
      },
    });
    expect(received[0]?.to).toMatchObject([{ address: 'ada@goods.example' }]);
    expect(received[0]?.text).toContain('https://ops.goods.example/');
    expect(received[0]?.text).toContain('Kim invites you to ');
  });

  test('When a purchase of an order is due, then the worker does not wait for it', async () => {
    // Without its order, which takes a whole catalogue.
    await query(
      server.url(database),
      `SET session_replication_role = replica;
       INSERT INTO supplier_purchases (reference, order_id, batch, first_unit, units, source_id, supplier, sku, why)
       VALUES ('order-1-0001', 1, 1, 1, 1, 1, 'simulator', 'SIM', 'FIRST')`,
    );
    const service = openDatabase(urlAs(roleNames(database).service), 1);
    expect(await untilDueMs(service, { orderId: 1, nonce: 'n' })).toBeUndefined();
    await service.close();
  });

  test('When Temporal logs in, then it can create its databases', async () => {
    await query(urlAs('temporal', 'postgres'), 'CREATE DATABASE temporal');
  });
});
