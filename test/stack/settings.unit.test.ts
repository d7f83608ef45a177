/** Where the programs of a stack are sent, by the environment it is started with. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunDirectory } from '../../dev/stack/run-directory';
import { externalServices } from '../../dev/stack/services';
import { readSettings } from '../../dev/stack/settings';

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
const directory = new RunDirectory(folder);
const own = 'http://127.0.0.1:4999';
const proxy = 'http://127.0.0.1:4998';

afterAll(() => rmSync(folder, { recursive: true }));

test('When SIMULATOR_URL is set, then the service is sent there, and the simulator stays where it is', () => {
  const { environment, addresses } = readSettings(directory, {
    SIMULATOR_PORT: '4999',
    SIMULATOR_URL: proxy,
  });
  expect(environment).toMatchObject({ SIMULATOR_URL: proxy, SIMULATOR_PORT: '4999' });
  expect(addresses).toMatchObject({ simulator_url: own, supplier_url: proxy });
});

test('When SIMULATOR_URL is set, then the simulator is ready when it answers at its own address', async () => {
  const settings = readSettings(directory, { SIMULATOR_PORT: '4999', SIMULATOR_URL: proxy });
  const asked = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response());
  const simulator = externalServices(directory, settings).find(({ name }) => name === 'simulator');
  expect(await simulator?.isReady()).toBe(true);
  expect(asked.mock.calls.map(([url]) => url)).toEqual([`${own}/health`]);
  asked.mockRestore();
});

test.each([undefined, ''])('When SIMULATOR_URL is %j, then the service is sent to the simulator', (url) => {
  const { environment, addresses } = readSettings(directory, { SIMULATOR_PORT: '4999', SIMULATOR_URL: url });
  expect(environment['SIMULATOR_URL']).toBe(own);
  expect(addresses).toMatchObject({ simulator_url: own, supplier_url: own });
});

test('When SIMULATOR_MAX_UNITS is set, then simulator and service are both told', () => {
  const { environment } = readSettings(directory, { SIMULATOR_MAX_UNITS: '1' });
  expect(environment['SIMULATOR_MAX_UNITS']).toBe('1');
});

test('When SECRET_KEYS_FILE is set, then the programs are told of it, and of no other keys', () => {
  const { environment } = readSettings(directory, { SECRET_KEYS_FILE: '/run/secrets/secret-keys' });
  expect(environment).toMatchObject({ SECRET_KEYS_FILE: '/run/secrets/secret-keys', SECRET_KEYS: '' });
});
