/** The stored form of client secrets. */
import { createHash } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { printedBy } from '../support/operator';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const scratch = scratchDatabase();

test('When an operator creates an API key on a new installation, then its secret is stored as a keyed hash', async () => {
  const { clientId } = await newHolder(scratch.database);
  const printed = await printedBy(scratch.url, 'keys', 'create', clientId);
  const [secret = ''] = /dgs_[\w-]{43}/.exec(printed) ?? [];
  const found = await sql(scratch.database)<{ keyId: string; hash: string }>`
    SELECT hash_key_id AS "keyId", encode(secret_hash, 'hex') AS hash FROM api_keys
     WHERE client_id = ${clientId}`;
  expect(found).toEqual([
    { keyId: expect.stringMatching(/^[0-9a-f]{8}$/), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
  ]);
  expect(found[0]?.hash).not.toBe(createHash('sha256').update(secret).digest('hex'));
});
