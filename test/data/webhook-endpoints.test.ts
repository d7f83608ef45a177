/** Only the client of an endpoint can change it. */
import { rows } from '../../src/data/database/database';
import { addEndpoint, changeEndpoint } from '../../src/data/webhooks/endpoints';
import { callerOf } from '../support/callers';
import { newHolder } from '../support/ledger-rows';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();

test("When a client enables another client's endpoint, then the deliveries of that endpoint are unchanged", async () => {
  const [owner, other] = [await newHolder(database), await newHolder(database)];
  const settings = { url: 'https://client.example/', description: '', eventTypes: [], enabled: false };
  const secret = { nonce: 'n', sealedSecret: Buffer.from('sealed') };
  const endpoint = await addEndpoint(database, callerOf(owner.clientId), settings, secret);
  const id = endpoint?.id as number;
  await rows(database, 'INSERT INTO webhook_deliveries (endpoint_id, event_sequence) VALUES ($id, 1)', {
    id,
  });
  expect(await changeEndpoint(database, callerOf(other.clientId), id, { enabled: true })).toBeUndefined();
  const states = await rows(database, 'SELECT state FROM webhook_deliveries WHERE endpoint_id = $id', { id });
  expect(states).toEqual([{ state: 'DUE' }]);
});
