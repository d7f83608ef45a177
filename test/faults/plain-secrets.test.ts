/** A client whose secret the release before stored by its plain hash, while an API process is replaced. */
import { createHash } from 'node:crypto';
import { insertApiKey } from '../../src/data/api-keys';
import { rows } from '../../src/data/database';
import { newApiKey, newApiSecret } from '../../src/security/api-secrets';
import { newClient, stackDatabase } from '../support/clients';
import { kill, ready, startOwnStack, type OwnStack } from '../support/own-stack';
import { apiAsNobody } from '../support/stack';

let stack: OwnStack;
beforeAll(async () => {
  stack = await startOwnStack('plain-secrets');
});
afterAll(() => stack.stop());

test('When the API starts, then plain hashes are keyed, and their secrets log in: no sooner', async () => {
  const database = stackDatabase();
  const { id: clientId } = await newClient(database);
  const [apiKey, secret] = [newApiKey(), newApiSecret()];
  const secretHash = createHash('sha256').update(secret).digest();
  await insertApiKey(database, { clientId, apiKey, secretHash, hashKeyId: null });
  const login = () => apiAsNobody().post('/auth/login', { username: apiKey, password: secret });
  expect((await login()).status).toBe(401);

  await kill(stack, 'api');
  await ready(stack);

  const plain = 'SELECT FROM api_keys WHERE hash_key_id IS NULL OR secret_hash = $secretHash';
  expect(await rows(database, plain, { secretHash })).toEqual([]);
  expect((await login()).status).toBe(200);
  await database.close();
});
