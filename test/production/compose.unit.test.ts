/** `docker-compose.yml` keeps the rules of production, as far as the file itself tells. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readCompose, variablesOf } from '../../deploy/production/compose-file';
import { root, textOf } from '../documents/documents';

const text = textOf('docker-compose.yml');
/** Settings by name, as `.env.example` has them; those that are commented out too. */
const example = new Map(
  [...textOf('.env.example').matchAll(/^#?([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace(/^"(.*)"$/, '$1'),
  ]),
);
const services = Object.entries(
  readCompose(
    text,
    Object.fromEntries(variablesOf(text).map(({ name }) => [name, example.get(name) || 'x'])),
  ),
);
/** What runs until it is stopped; the others are jobs. */
const lasting = services.filter(([, { restart }]) => restart === 'unless-stopped');
const jobs = services.filter(([, { restart }]) => restart !== 'unless-stopped');
const ours = services.filter(([, { image }]) => image.startsWith('digital-goods-ordering-service'));

test('When services are counted, then all that an installation needs are there', () => {
  expect(lasting.map(([name]) => name)).toEqual(
    expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', 'codec-server', 'api', 'worker']),
  );
  expect(jobs.map(([name]) => name)).toEqual(['temporal-schema', 'temporal-namespace', 'migrate', 'seed']);
});

test.each(lasting)('When %s runs, then something looks whether it is well', (_, { healthcheck }) => {
  expect(healthcheck?.test[0]).toBe('CMD');
});

test.each(services)('When %s writes its log, then the disk does not fill', (_, { logging }) => {
  expect(logging?.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
});

test.each(services)(
  'When %s waits for another, then for its end or its health',
  (_, { depends_on: waits = {} }) => {
    for (const [name, { condition }] of Object.entries(waits)) {
      const ends = jobs.some(([job]) => job === name);
      expect(condition).toBe(ends ? 'service_completed_successfully' : 'service_healthy');
    }
  },
);

test.each(services)('When %s is reached from outside, then from this machine alone', (_, { ports = [] }) => {
  for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test.each(services)('When %s has a file of the project, then it is there', (_, { volumes = [] }) => {
  for (const volume of volumes.filter((each) => each.startsWith('.')))
    expect(existsSync(join(root, volume.split(':')[0] ?? ''))).toBe(true);
});

test.each(ours)('When %s is told a setting, then .env.example explains it', (_, { environment = {} }) => {
  const unknown = Object.keys(environment).filter((name) => !example.has(name));
  // What only containers are told: where the catcher listens, and what the seeding prints.
  expect(unknown.filter((name) => !['MAIL_CATCHER_HOST', 'PUBLIC_API_URL'].includes(name))).toEqual([]);
});

test('When the file names a variable, then .env.example does, with the same default', () => {
  for (const { name, default: given } of variablesOf(text)) {
    expect([...example.keys()]).toContain(name);
    if (given !== undefined && given !== '') expect([name, given]).toEqual([name, example.get(name)]);
  }
});

test('When a secret is missing, then compose says which', () => {
  expect(() => readCompose(text, {})).toThrow(/^\w+ is missing, see \.env\.example$/);
});

test('When API and worker stop, then they are given longer than they take', () => {
  const grace = Object.fromEntries(services.map(([name, { stop_grace_period: period }]) => [name, period]));
  expect(grace).toMatchObject({ api: '15s', worker: '30s', temporal: '30s', postgres: '1m' });
});

test('When a server of Temporal starts, then on a number of shards that is said, and on settings of ours', () => {
  const { temporal } = Object.fromEntries(services);
  expect(temporal?.environment).toMatchObject({
    NUM_HISTORY_SHARDS: '512',
    DYNAMIC_CONFIG_FILE_PATH: '/temporal-config/dynamicconfig/service.yaml',
  });
});

test('When the schema and the namespace of Temporal are made, then by tools of the version of the server', () => {
  const versions = services.flatMap(
    ([, { image }]) => /^temporalio\/(?:server|admin-tools):(.+)$/.exec(image)?.[1] ?? [],
  );
  expect(versions).toHaveLength(3);
  expect(new Set(versions).size).toBe(1);
});
