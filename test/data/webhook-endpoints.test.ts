/** Only the client of an endpoint can change it. A paused endpoint is on the attention list. */
import { rows } from '../../src/data/database/database';
import { addEndpoint, changeEndpoint } from '../../src/data/webhooks/endpoints';
import { reviewEndpointPauses, setPaused } from '../../src/data/webhooks/operated-endpoints';
import { callerOf } from '../support/callers';
import { newHolder, type Holder } from '../support/ledger-rows';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();

async function newEndpoint({ clientId }: Holder, enabled: boolean): Promise<number> {
  const settings = { url: 'https://client.example/', description: '', eventTypes: [], enabled };
  const secret = { nonce: 'n', sealedSecret: Buffer.from('sealed') };
  const endpoint = await addEndpoint(database, callerOf(clientId), settings, secret);
  return endpoint?.id as number;
}

test("When a client enables another client's endpoint, then the deliveries of that endpoint are unchanged", async () => {
  const [owner, other] = [await newHolder(database), await newHolder(database)];
  const id = await newEndpoint(owner, false);
  await rows(database, 'INSERT INTO webhook_deliveries (endpoint_id, event_sequence) VALUES ($id, 1)', {
    id,
  });
  expect(await changeEndpoint(database, callerOf(other.clientId), id, { enabled: true })).toBeUndefined();
  const states = await rows(database, 'SELECT state FROM webhook_deliveries WHERE endpoint_id = $id', { id });
  expect(states).toEqual([{ state: 'DUE' }]);
});

test('When paused endpoints are reviewed, then exactly the enabled ones are listed, each since its first review', async () => {
  const owner = await newHolder(database);
  const [paused, disabled, resumed] = [
    await newEndpoint(owner, true),
    await newEndpoint(owner, true),
    await newEndpoint(owner, true),
  ];
  const listed = () =>
    rows<{ id: number; since: Date }>(
      database,
      `SELECT endpoint_id AS id, since FROM attention
        WHERE kind = 'ENDPOINT_PAUSED' AND cleared_at IS NULL ORDER BY endpoint_id`,
    );
  for (const id of [paused, disabled, resumed]) await setPaused(database, id, true);
  const [first, ...others] = await listed();
  expect([first?.id, ...others.map(({ id }) => id)]).toEqual([paused, disabled, resumed]);

  await changeEndpoint(database, callerOf(owner.clientId), disabled, { enabled: false });
  await setPaused(database, resumed, false);
  await reviewEndpointPauses(database);
  expect(await listed()).toEqual([first]);
});
