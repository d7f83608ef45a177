/** The setting SECRET_KEYS, and the file that can replace it. docs/operators/keys.md. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/settings/config';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
const file = join(folder, 'secret-keys');
afterAll(() => rmSync(folder, { recursive: true }));

const random = () => randomBytes(32).toString('base64');
const [first, second] = [random(), random()];
const same = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const fewBytes = Buffer.from(Array.from({ length: 32 }, (_, at) => at % 15)).toString('base64');

const keysOf = (environment: NodeJS.ProcessEnv) =>
  loadConfig({
    DATABASE_URL: 'postgres://127.0.0.1/any',
    SIMULATOR_SECRET: 'a-secret-of-the-tests',
    ...environment,
  }).secretKeys.map(({ id, secret }) => [id, secret.toString('base64')]);

const sentence = (fault: string) => `Configuration: ${fault}. See .env.example.`;

test('When keys are in SECRET_KEYS or in a file, then they are read newest first', () => {
  const keys = [
    ['new', second],
    ['old', first],
  ];
  expect(keysOf({ SECRET_KEYS: `new:${second},old:${first}` })).toEqual(keys);
  writeFileSync(file, `new:${second}\nold:${first}\n`);
  expect(keysOf({ SECRET_KEYS: '', SECRET_KEYS_FILE: file })).toEqual(keys);
});

test.each([
  ['no pair', first, 'must be id:base64 pairs of 32-byte keys, separated by commas'],
  ['a key of 16 bytes', 'a:AAAAAAAAAAAAAAAAAAAAAA==', 'must be id:base64 pairs of 32-byte keys, separated by commas'],
  ['an id twice', `a:${first},a:${second}`, 'must not hold two keys with the id a'],
  ['a key twice', `a:${first},b:${first}`, 'must not hold the same key under two ids'],
  ['zeros', `a:${first},z:${same(0)}`, 'must hold random keys: z is not one (openssl rand -base64 32)'],
  ['one repeated byte', `z:${same(7)}`, 'must hold random keys: z is not one (openssl rand -base64 32)'],
  ['few different bytes', `z:${fewBytes}`, 'must hold random keys: z is not one (openssl rand -base64 32)'],
])('When the keys contain %s, then a message rejects them', (_what, keys, fault) => {
  expect(() => keysOf({ SECRET_KEYS: keys })).toThrow(sentence(`SECRET_KEYS ${fault}`));
  writeFileSync(file, keys);
  expect(() => keysOf({ SECRET_KEYS_FILE: file })).toThrow(sentence(`SECRET_KEYS_FILE ${fault}`));
});

test('When both settings are set, or neither, then a message says so', () => {
  writeFileSync(file, `a:${first}`);
  expect(() => keysOf({ SECRET_KEYS: `a:${first}`, SECRET_KEYS_FILE: file })).toThrow(
    sentence('SECRET_KEYS must not be set with SECRET_KEYS_FILE'),
  );
  expect(() => keysOf({})).toThrow(sentence('SECRET_KEYS is required, or SECRET_KEYS_FILE'));
});

test('When the file cannot be read, then a message says why, without the path', () => {
  expect(() => keysOf({ SECRET_KEYS_FILE: join(folder, 'none') })).toThrow(
    sentence('SECRET_KEYS_FILE names a file that cannot be read (ENOENT)'),
  );
});
