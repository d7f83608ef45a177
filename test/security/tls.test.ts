/** TLS to PostgreSQL and Temporal, with servers that require it. */
import { chownSync, copyFileSync, chmodSync, statSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { pino } from 'pino';
import { loadConfig } from '../../src/settings/config';
import type { TemporalSettings } from '../../src/settings/temporal-settings';
import { firstRow, openDatabase, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { migrate } from '../../src/data/schema/migrate';
import { maintenanceSchedules } from '../../src/domain/maintenance';
import { connectionOptions, connectTemporal } from '../../src/temporal/connection';
import {
  missingSearchAttributes,
  prepareIfEmptied,
  prepareTemporal,
  searchAttributeTypes,
} from '../../src/temporal/prepare';
import { newAuthority } from '../support/certificates';
import { newKeyRing } from '../support/keys';
import { CloudProxy } from '../../dev/testbed/cloud-proxy';
import { emptyScratchDatabase } from '../../dev/testbed/scratch-database';
import { loadStack } from '../../dev/testbed/loaded-stack';
import { temporalClient } from '../../dev/testbed/temporal-clients';
import { until } from '../../dev/testbed/waiting';
import { emptyNamespace } from '../support/workflows';

const authority = newAuthority();
const stranger = newAuthority();
const ours = authority.issue('ours');
const strangers = stranger.issue('strangers');
const servers: Server[] = [];
const sockets = new Set<Socket>();

afterAll(() => {
  servers.forEach((server) => server.close());
  sockets.forEach((socket) => socket.destroy());
  authority.remove();
  stranger.remove();
});

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('PostgreSQL', () => {
  const scratch = emptyScratchDatabase();
  const server = openDatabase(loadStack().database_url, 1);

  /** The server still accepts connections without TLS, so the rest of the stack is not affected. */
  beforeAll(async () => {
    const place = await sql.first(server)<{ data_directory: string }>`SHOW data_directory`;
    const directory = (place as { data_directory: string }).data_directory;
    const { uid, gid } = statSync(directory);
    for (const [from, name] of [
      [ours.certFile, 'server.crt'],
      [ours.keyFile, 'server.key'],
    ] as const) {
      copyFileSync(from, join(directory, name));
      chmodSync(join(directory, name), 0o600);
      chownSync(join(directory, name), uid, gid);
    }
    await sql(server)`ALTER SYSTEM SET ssl = on`;
    await sql(server)`SELECT pg_reload_conf()`;
    await until('TLS', async () => {
      const shown = await sql.first(server)<{ ssl: string }>`SHOW ssl`;
      return shown?.ssl === 'on';
    });
  });
  afterAll(async () => {
    await sql(server)`ALTER SYSTEM RESET ssl`;
    await sql(server)`SELECT pg_reload_conf()`;
    await server.close();
  });

  const over = (parameters: string): string => `${scratch.url}?${parameters}`;

  test('When the certificate of the server is checked, then migrations and statements run encrypted', async () => {
    const url = over(`sslmode=verify-full&sslrootcert=${authority.caFile}`);
    expect((await migrate(url)).length).toBeGreaterThan(0);
    const database = openDatabase(url, 1);
    try {
      const own = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      expect(await firstRow(database, own)).toEqual({ ssl: true });
      expect((await database.transaction((transaction) => rows(database, own, {}, transaction)))[0]).toEqual({
        ssl: true,
      });
    } finally {
      await database.close();
    }
  });

  test.each([
    ['an authority that did not sign it', `sslmode=verify-full&sslrootcert=${stranger.caFile}`],
    ['the authorities of the system', 'sslmode=verify-full'],
  ])('When the certificate is checked with %s, then no connection succeeds', async (_with, parameters) => {
    await expect(migrate(over(parameters))).rejects.toThrow(/certificate/i);
    const database = openDatabase(over(parameters), 1);
    await expect(sql(database)`SELECT 1`).rejects.toThrow(/certificate/i);
    await database.close();
  });
});

describe('Temporal', () => {
  /** A TLS proxy that requires a client certificate, in front of the stack's server. */
  async function tlsProxy(): Promise<string> {
    const [host = '', port = ''] = loadStack().temporal_address.split(':');
    const options = {
      cert: ours.cert,
      key: ours.key,
      ca: authority.ca,
      ALPNProtocols: ['h2'],
      requestCert: true,
      rejectUnauthorized: true,
    };
    const server = createServer(options, (client) => {
      const upstream = connect(Number(port), host);
      client.pipe(upstream).pipe(client);
      for (const end of [client, upstream]) end.on('error', () => [client, upstream].forEach((one) => one.destroy()));
    });
    return listening(server.on('tlsClientError', () => undefined));
  }

  function settingsFor(address: string, extra: object = {}): TemporalSettings {
    return loadConfig({
      DATABASE_URL: 'postgres://127.0.0.1/any',
      SECRET_KEYS: process.env['SECRET_KEYS'] ?? aKey,
      SIMULATOR_SECRET: 'a-secret-of-the-tests',
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_CA_FILE: authority.caFile,
      ...extra,
    }).temporal;
  }
  const aKey = `test:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')}`;
  const withOurs = { TEMPORAL_TLS_CERT_FILE: ours.certFile, TEMPORAL_TLS_KEY_FILE: ours.keyFile };

  test('When the server requires a certificate and gets the right one, then clients and workers connect', async () => {
    const temporal = settingsFor(await tlsProxy(), withOurs);
    const client = await connectTemporal({ temporal }, newKeyRing());
    expect(await client.workflow.count()).toMatchObject({ count: expect.any(Number) });
    await client.connection.close();
    const connection = await NativeConnection.connect(connectionOptions(temporal));
    await connection.close();
  });

  test.each([
    ['gets no certificate', {}],
    [
      'gets a certificate of another authority',
      { TEMPORAL_TLS_CERT_FILE: strangers.certFile, TEMPORAL_TLS_KEY_FILE: strangers.keyFile },
    ],
    ['has another name', { ...withOurs, TEMPORAL_SERVER_NAME: 'temporal.example' }],
    ['is not trusted', { ...withOurs, TEMPORAL_TLS_CA_FILE: stranger.caFile }],
  ])(
    'When the server requires a certificate and %s, then no connection succeeds, and a message states the settings to check',
    async (_what, extra) => {
      const temporal = settingsFor(await tlsProxy(), extra);
      await expect(connectTemporal({ temporal }, newKeyRing())).rejects.toThrow(
        /^Temporal does not answer over TLS at .*TEMPORAL_TLS settings\.$/,
      );
      await expect(NativeConnection.connect(connectionOptions(temporal))).rejects.toThrow();
    },
  );

  test('When an API key is set, then every call of clients and workers contains it', async () => {
    const shown: (string | undefined)[] = [];
    const server = createSecureServer({ cert: ours.cert, key: ours.key });
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      shown.push(headers.authorization);
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16' }, { endStream: true });
    });
    const temporal = settingsFor(await listening(server), { TEMPORAL_API_KEY: 'the-key' });
    await expect(connectTemporal({ temporal }, newKeyRing())).rejects.toThrow();
    const calls = shown.length;
    await expect(NativeConnection.connect(connectionOptions(temporal))).rejects.toThrow();
    expect(calls).toBeGreaterThan(0);
    expect(shown.length).toBeGreaterThan(calls);
    expect(new Set(shown)).toEqual(new Set(['Bearer the-key']));
  });

  test('When the server keeps its operator service to itself, then a worker names the search attributes to create, and prepares all else once they are', async () => {
    const own = await temporalClient();
    const { options } = await emptyNamespace(own);
    const cloud = await CloudProxy.open({
      address: loadStack().temporal_address,
      apiKey: 'the-key',
      cert: ours.cert,
      key: ours.key,
    });
    const config = {
      temporal: settingsFor(cloud.address, { TEMPORAL_API_KEY: 'the-key', TEMPORAL_NAMESPACE: options.namespace }),
    };
    const client = await connectTemporal(config, newKeyRing());
    await expect(prepareTemporal(client)).rejects.toThrow(
      `Temporal lets this process create no search attributes in namespace ${options.namespace}. Create them there: ` +
        'OrderId (Int), ClientId (Int), ProductFamily (Keyword), OrderStatus (Keyword), Attention (Keyword), ' +
        'FailureCode (Keyword), Supplier (Keyword), ProductId (Int), ActivationStatus (Keyword)',
    );
    await own.connection.operatorService.addSearchAttributes({
      namespace: options.namespace,
      searchAttributes: searchAttributeTypes,
    });
    await until('the attributes', async () => (await missingSearchAttributes(client)).length === 0);
    await prepareTemporal(client);
    expect(await prepareIfEmptied(client, pino({ level: 'silent' }))).toBe(false);
    for (const { id } of maintenanceSchedules) await client.schedule.getHandle(id).delete();
    for (const { connection } of [client, own]) await connection.close();
    cloud.close();
  });
});
