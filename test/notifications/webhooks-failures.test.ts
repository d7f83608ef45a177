/** What goes wrong beside the receiver: damaged values, lost records, races with the client, mail that hangs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { rows } from '../../src/data/database';
import { changeEndpoint, deleteEndpoint } from '../../src/data/webhooks/endpoints';
import { EndpointHarness, idsOf } from '../support/endpoint-harness';
import { placedOrder } from '../support/placed-order';
import { serverStartLimit } from '../support/time-skipping';
import { until } from '../support/waiting';

const second = 1_000;

let harness: EndpointHarness;
beforeAll(async () => {
  harness = await EndpointHarness.start();
}, serverStartLimit);
afterAll(() => harness.stop());

/** A moment that a test brings about. */
function moment(): { come: () => void; awaited: Promise<void> } {
  let come = () => undefined as void;
  const awaited = new Promise<void>((resolve) => (come = resolve));
  return { come, awaited };
}

describe('an event that cannot be built', () => {
  test('When the ICCID of one event does not open, then that event alone fails, and the others come once', async () => {
    const order = await placedOrder(harness.database, 'ESIM');
    const damage = `UPDATE esim_orders SET iccid = '\\x00' WHERE order_id = $1`;
    await rows(harness.database, damage, [order.orderId]);
    const { clientId, receiver } = await harness.newEndpoint(order.clientId);
    const sent: string[] = [];
    for (let other = 1; other <= 5; other++) sent.push(await harness.emit(clientId, -other));
    const damaged = await harness.emit(clientId, order.orderId, 'esim.delivered');
    sent.push(await harness.emit(clientId, order.orderId, 'wallet.credited'));
    for (let other = 6; other <= 10; other++) sent.push(await harness.emit(clientId, -other));
    await receiver.untilTaken(11);
    await sleep(3 * second);
    expect([...receiver.seen].sort()).toEqual([...sent].sort());
    expect(await harness.standing(clientId, damaged)).toMatchObject({
      state: 'RETRY',
      tries: 1,
      error: 'event could not be built',
    });
    for (const id of sent) expect((await harness.standing(clientId, id)).state).toBe('DELIVERED');
  });
});

test('When what was sent cannot be written down for a while, then only the last few events come again', async () => {
  const { clientId, receiver } = await harness.newEndpoint();
  const events = 60;
  const hide = (): Promise<unknown> =>
    rows(harness.database, 'ALTER TABLE webhook_attempts RENAME TO webhook_attempts_hidden');
  const isFortieth = () => receiver.seen.length === 40;
  receiver.answer = async () => {
    if (isFortieth()) await hide();
    return 204;
  };
  await rows(
    harness.database,
    `INSERT INTO events (client_id, order_id, type, data)
     SELECT $1, -99, 'wallet.credited', '{}' FROM generate_series(1, $2)`,
    [clientId, events],
  );
  await until('the fault', async () => (receiver.seen.length > 40 ? true : undefined));
  await sleep(2 * second);
  await rows(harness.database, 'ALTER TABLE webhook_attempts_hidden RENAME TO webhook_attempts');
  await until('every event', async () => (new Set(idsOf(receiver)).size === events ? true : undefined), 60);
  await sleep(2 * second);
  expect(receiver.seen.length).toBeLessThanOrEqual(events + 16);
});

describe('an endpoint that was disabled', () => {
  test('When it is enabled again while the mail server hangs, then it is sent to at once', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    const mailServer = moment();
    const { sendMail } = harness;
    harness.sendMail = async (mail) => mailServer.awaited.then(() => sendMail(mail));
    receiver.answer = () => 410;
    await harness.emit(clientId, 1);
    await until('the end', async () => ((await harness.endpoint(endpoint)).enabled ? undefined : true));
    await sleep(second);
    receiver.answer = () => 204;
    await changeEndpoint(harness.database, clientId, key.endpointId, { enabled: true });
    await harness.emit(clientId, 2);
    await receiver.untilTaken(1, 5);
    mailServer.come();
    harness.sendMail = sendMail;
    await until('the mail', async () => harness.mailsTo(endpoint)[0]);
    await sleep(11 * second);
    expect(harness.mailsTo(endpoint)).toHaveLength(1);
  });

  test('When it is deleted later, then there is no second mail', async () => {
    const endpoint = await harness.newEndpoint();
    const { clientId, receiver, key } = endpoint;
    receiver.answer = () => 410;
    await harness.emit(clientId, 1);
    await until('the mail', async () => harness.mailsTo(endpoint)[0]);
    await deleteEndpoint(harness.database, clientId, key.endpointId);
    await sleep(15 * second);
    expect(harness.mailsTo(endpoint)).toHaveLength(1);
  });

  test.each([410, 500])(
    'When its client enables it while a try is under way that ends in %i, then it begins anew',
    async (status) => {
      const endpoint = await harness.newEndpoint();
      const { clientId, receiver, key } = endpoint;
      const answered = moment();
      receiver.answer = () => answered.awaited.then(() => status);
      const id = await harness.emit(clientId, 1);
      await until('the try', async () => receiver.seen[0]);
      await changeEndpoint(harness.database, clientId, key.endpointId, { enabled: true });
      receiver.answer = () => 204;
      answered.come();
      await receiver.untilTaken(1, 4);
      expect(idsOf(receiver)).toEqual([id]);
      expect(await harness.endpoint(endpoint)).toMatchObject({ enabled: true, failingSince: null });
    },
  );
});
