/** The addresses of a stack's programs, by its environment. */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAKE_NAMES, FAKES, portNameOf, type FakeName } from '../../dev/stack/fakes';
import { ROOT, RunDirectory } from '../../dev/stack/run-directory';
import { externalServices } from '../../dev/stack/services';
import { environmentOf, portsNeeded, readSettings } from '../../dev/stack/settings';
import { loadConfig, loadOperatorsConfig } from '../../src/settings/config';
import { checkedCatalogue } from '../../src/operators/operations/catalogue/catalogue-file';
import { supplierSettings } from '../../src/settings/supplier-settings';

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
const directory = new RunDirectory(folder);
const own = 'http://127.0.0.1:4999';
const proxy = 'http://127.0.0.1:4998';

function demoOf(name: FakeName) {
  const content = readFileSync(join(ROOT, FAKES[name].catalogue), 'utf8');
  return JSON.parse(content) as { catalogue: unknown; orders: { name: string; sku: string }[] };
}

const catalogueOf = (name: FakeName) => checkedCatalogue(demoOf(name).catalogue, FAKES[name].catalogue);

afterAll(() => rmSync(folder, { recursive: true }));

test('When SIMULATOR_URL is set, then the service uses it, and the simulator keeps its address', () => {
  const { environment, addresses } = readSettings(directory, { SIMULATOR_PORT: '4999', SIMULATOR_URL: proxy });
  expect(environment).toMatchObject({ SIMULATOR_URL: proxy, SIMULATOR_PORT: '4999' });
  expect(addresses).toMatchObject({ simulator_url: own, supplier_url: proxy });
});

test('When SIMULATOR_URL is set, then the readiness of the simulator is checked at its own address', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = readSettings(directory, { SIMULATOR_PORT: String(port), SIMULATOR_URL: proxy });
  const simulator = externalServices(directory, settings).find(({ name }) => name === 'simulator');
  expect(await simulator?.isReady()).toBe(true);
  expect(asked).toEqual(['/health']);
  server.close();
});

test.each([undefined, ''])('When SIMULATOR_URL is %j, then the service uses the address of the simulator', (url) => {
  const { environment, addresses } = readSettings(directory, { SIMULATOR_PORT: '4999', SIMULATOR_URL: url });
  expect(environment['SIMULATOR_URL']).toBe(own);
  expect(addresses).toMatchObject({ simulator_url: own, supplier_url: own });
});

test('When SIMULATOR_MAX_UNITS is set, then simulator and service both get it', () => {
  const { environment } = readSettings(directory, { SIMULATOR_MAX_UNITS: '1' });
  expect(environment['SIMULATOR_MAX_UNITS']).toBe('1');
});

test('When suppliers have settings, then the service gets all of them, the simulator its own, and other programs none', () => {
  const all = Object.values(supplierSettings).flatMap((each) => Object.values(each));
  const names = all.map(({ variable }) => variable);
  const environment = Object.fromEntries(names.map((name) => [name, 'any']));
  const ofSimulator = names.filter((name) => name.startsWith('SIMULATOR_'));
  expect(Object.keys(environmentOf('api', environment))).toEqual(names);
  expect(Object.keys(environmentOf('worker', environment))).toEqual(names);
  expect(Object.keys(environmentOf('bulk-worker', environment))).toEqual(names);
  expect(Object.keys(environmentOf('simulator', environment))).toEqual(ofSimulator);
  for (const program of ['mail-catcher', 'temporal', 'dtone'] as const)
    expect(environmentOf(program, environment)).toEqual({});
});

test('When people sign in with OpenID Connect, then only the process of the operators has the secret, with which it starts', () => {
  const { environment } = readSettings(directory, {
    OPS_OIDC_ISSUER: 'https://id.shop.example',
    OPS_OIDC_CLIENT_ID: 'ops',
    OPS_OIDC_CLIENT_SECRET: 'a-secret-of-the-provider',
  });
  const { signIn } = loadOperatorsConfig(environmentOf('operators', environment));
  expect(signIn.provider).toMatchObject({ clientId: 'ops', clientSecret: 'a-secret-of-the-provider' });
  for (const program of ['api', 'worker', 'bulk-worker', 'simulator', 'mail-catcher', 'temporal'] as const)
    expect(environmentOf(program, environment)).not.toHaveProperty('OPS_OIDC_CLIENT_SECRET');
});

test('When a setting is named as a secret, then a program that needs none gets none', () => {
  const named = Array.from(
    readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(
      /^#?([A-Z_]*(?:SECRET|KEYS?|DATABASE_URL|HEADERS)[A-Z_]*)=/gm,
    ),
    ([, name = '']) => name,
  );
  expect(named).toContain('OPS_OIDC_CLIENT_SECRET');
  const environment = Object.fromEntries(named.map((name) => [name, 'any']));
  expect(Object.keys(environmentOf('mail-catcher', environment))).toEqual([]);
});

test.each([' ', '\r'])('When DATABASE_URL is %j, then the stack starts its own PostgreSQL', (url) => {
  expect(readSettings(directory, { DATABASE_URL: url }).ownPostgres).toBe(true);
});

test('When CODEC_SERVER_PORT is set, then the stack needs no such port, and payloads are decrypted behind the sign-in', () => {
  const settings = readSettings(directory, { CODEC_SERVER_PORT: 'none', OPS_PORT: '3301' });
  expect(portsNeeded(settings)).not.toContain('CODEC_SERVER_PORT');
  expect(settings.addresses).toMatchObject({
    ops_url: 'http://127.0.0.1:3301',
    codec_url: 'http://127.0.0.1:3301/temporal/codec',
  });
});

test('When SECRET_KEYS_FILE is set, then the programs get it and no other keys', () => {
  const { environment } = readSettings(directory, { SECRET_KEYS_FILE: '/run/secrets/secret-keys' });
  expect(environment).toMatchObject({ SECRET_KEYS_FILE: '/run/secrets/secret-keys', SECRET_KEYS: '' });
});

test('When the demo products of all fakes are imported, then no two top-up products are merged', () => {
  const names = FAKE_NAMES.flatMap((name) =>
    catalogueOf(name).topupProducts.map((product) => `${product.name}, ${product.countryCode}`),
  );
  expect(new Set(names).size).toBe(names.length);
});

describe.each(FAKE_NAMES)('the fake %s', (name) => {
  const port = { [portNameOf(name)]: '4997' };
  const settings = readSettings(directory, port, true);
  const [access] = settings.fakes.filter((fake) => fake.name === name);

  test('When the stack has fakes, then the service is configured for the fake at its port', () => {
    const { suppliers } = loadConfig(settings.environment);
    expect(JSON.stringify(suppliers[name])).toContain('http://127.0.0.1:4997');
    expect(settings.addresses.suppliers?.[name]).toEqual({ url: 'http://127.0.0.1:4997' });
  });

  test('When the fake starts, then it has its own credentials and no secret of the service', () => {
    const spec = externalServices(directory, settings).find((program) => program.name === name);
    expect(spec?.env).toMatchObject({ ...access?.own, FAKE_PORT: '4997' });
    const secrets = ['SECRET_KEYS', 'SIMULATOR_SECRET', 'DATABASE_URL'];
    expect(secrets.filter((secret) => spec?.env[secret] !== undefined)).toEqual([]);
  });

  test('When the demo products of the fake are imported, then it is their supplier, and each has an order', () => {
    const { supplier, voucherProducts, topupProducts, esimProducts } = catalogueOf(name);
    const { orders } = demoOf(name);
    const skus = [...voucherProducts, ...topupProducts, ...esimProducts].map(({ sku }) => sku);
    expect(supplier).toBe(name);
    expect(orders.map(({ sku }) => sku).sort()).toEqual(skus.sort());
    expect(orders.filter((order) => !order.name.startsWith(`${name}_`))).toEqual([]);
  });

  test('When a stack starts without fakes, then neither their programs nor their settings exist', () => {
    const without = readSettings(directory, port);
    expect(without.addresses).not.toHaveProperty('suppliers');
    expect(Object.keys(access?.service ?? {}).filter((key) => key in without.environment)).toEqual([]);
    expect(externalServices(directory, without).map((program) => program.name)).not.toContain(name);
    expect(portsNeeded(without)).not.toContain(portNameOf(name));
  });
});
