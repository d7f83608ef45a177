/** Secrets that the release before stored by their plain hash: the API keys them when it starts. */
import { createHash, randomUUID } from 'node:crypto';
import { findApiKey, insertApiKey, keyPlainHashes } from '../../src/data/api-keys';
import { rows } from '../../src/data/database';
import { isApiSecret, keyedHash, newApiSecret } from '../../src/security/api-secrets';
import { stackDatabase } from '../support/clients';
import { newHolder } from '../support/ledger-rows';
import { newKeyRing } from '../support/keys';
import { printedBy } from '../support/operator';
import { scratchDatabase } from '../support/scratch-database';
import { loadStack } from '../support/stack';

const scratch = scratchDatabase();
const ring = newKeyRing();
const toKeyed = (apiKey: string, plain: Buffer) => keyedHash(ring, apiKey, plain);

interface Plain {
  apiKey: string;
  secret: string;
}

async function plainKey(): Promise<Plain> {
  const { clientId } = await newHolder(scratch.database);
  const [apiKey, secret] = [`key-${randomUUID()}`, newApiSecret()];
  const secretHash = createHash('sha256').update(secret).digest();
  await insertApiKey(scratch.database, { clientId, apiKey, secretHash, hashKeyId: null });
  return { apiKey, secret };
}

const logsIn = async ({ apiKey, secret }: Plain) =>
  isApiSecret(ring, { apiKey, secret }, await findApiKey(scratch.database, apiKey));

const hashes = () =>
  rows(scratch.database, 'SELECT id, secret_hash, hash_key_id, xmin::text FROM api_keys ORDER BY id');

test('When several processes start at once, then each secret is keyed once, logs in from then on, and none stays plain', async () => {
  const keys = [await plainKey(), await plainKey(), await plainKey()];
  for (const key of keys) expect(await logsIn(key)).toBe(false);
  const moved = await Promise.all([1, 2, 3].map(() => keyPlainHashes(scratch.database, toKeyed)));
  expect(moved.reduce((sum, count) => sum + count)).toBe(3);
  for (const key of keys) expect(await logsIn(key)).toBe(true);
  const stored = await rows<{ hash: string }>(
    scratch.database,
    `SELECT encode(secret_hash, 'hex') AS hash FROM api_keys`,
  );
  for (const { secret } of keys) {
    expect(stored.map(({ hash }) => hash)).not.toContain(createHash('sha256').update(secret).digest('hex'));
  }
});

test('When all are keyed, then the next start writes nothing', async () => {
  const before = await hashes();
  expect(await keyPlainHashes(scratch.database, toKeyed)).toBe(0);
  expect(await hashes()).toEqual(before);
});

test('When an operator makes a key on a new installation, then its secret is keyed', async () => {
  const { clientId } = await newHolder(scratch.database);
  await printedBy(scratch.url, 'keys', 'create', clientId);
  const found = await rows(scratch.database, 'SELECT hash_key_id FROM api_keys WHERE client_id = $clientId', {
    clientId,
  });
  expect(found).toEqual([{ hash_key_id: expect.stringMatching(/^[0-9a-f]{8}$/) }]);
});

test('When the stack has started, then no secret of its demo clients is plain', async () => {
  const database = stackDatabase();
  const clients = Object.values(loadStack().clients).map(({ api_key: apiKey }) => apiKey);
  const found = await rows(
    database,
    'SELECT FROM api_keys WHERE api_key = ANY ($clients) AND hash_key_id IS NOT NULL',
    { clients },
  );
  await database.close();
  expect(found).toHaveLength(clients.length);
});
