/** Sealed values that cannot be decrypted because they are damaged or lack their key. Responses omit only these values. */
import { sql } from '../../dev/testbed/sql';
import { reportUnreadableSecret } from '../../src/data/webhooks/endpoint-secrets';
import { useClient, useDatabase } from '../support/clients';
import { ended, orderOf, ordersPath, place, scenarioNamed, type VoucherOrder } from '../support/orders';
import { register, useReceivers } from '../support/receiver';
import type { Json, Resource } from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { until } from '../../dev/testbed/waiting';

const database = useDatabase();
const newReceiver = useReceivers();
const endpointsPath = '/api/v1/webhooks/endpoints';
const eventsPath = '/api/v1/webhooks/events';
const client = useClient(database, { USD: 1_000 });

const get = async <Body = Json>(path: string): Promise<Body> => {
  const { status, body } = await client.api.get<Body>(path);
  expect(status).toBe(200);
  return body;
};

test('When an ICCID cannot be decrypted, then orders and events omit it, and only its own event is not sent', async () => {
  const kept = await accepted(client.api, esimOrders, scenarioNamed('esim_instant').body);
  const damaged = await accepted(client.api, esimOrders, scenarioNamed('esim_instant').body);
  await sql(database)`UPDATE esim_orders SET iccid = '\\x00', activation_code = '\\x00'
       WHERE order_id = ${damaged.id}`;

  expect(await get(`${esimOrders}/${damaged.id}`)).toMatchObject({ iccid: null, activation_code: null });
  const iccids = (await get<Json[]>(esimOrders)).map(({ id, iccid }) => [id, iccid]);
  expect(iccids).toEqual([
    [damaged.id, null],
    [kept.id, expect.any(String)],
  ]);
  const delivered = await get<(Resource & { data: Json })[]>(`${eventsPath}?type=esim.delivered`);
  expect(delivered.map(({ data }) => data['iccid'])).toEqual([null, kept['iccid']]);

  const receiver = await newReceiver();
  const { id } = await register(client.api, receiver);
  const since = '2026-01-01T00:00:00Z';
  const replay = await client.api.post<{ events: number }>(`${endpointsPath}/${id}/replay`, { since });
  await receiver.untilTaken(replay.body.events - 1);
  const [unsent] = delivered;
  const log = await until('the try', async () => {
    const event = await get<{ deliveries: Json[]; attempts: Json[] }>(`${eventsPath}/${unsent?.id}`);
    return event.attempts.length > 0 ? event : undefined;
  });
  expect(log).toMatchObject({
    data: { iccid: null },
    deliveries: [{ status: 'PENDING', tries: 1, next_try_at: expect.any(String) }],
    attempts: [{ success: false, response_status: null, error: 'event could not be built' }],
  });
  expect(receiver.seen).toHaveLength(replay.body.events - 1);
});

test('When voucher codes or an address do not open, then the order and the list omit them', async () => {
  const { id } = await place(client.api, orderOf('voucher_instant', { quantity: 2, email: 'a@example.com' }));
  const { vouchers } = await ended(client.api, id);
  await sql(database)`UPDATE vouchers SET sealed_codes = '\\x00' WHERE order_id = ${id} AND unit = 1`;
  await sql(database)`UPDATE orders SET sealed_email = '\\x00' WHERE id = ${id}`;
  const order = await get<VoucherOrder>(`${ordersPath}/${id}`);
  const without = { card_number: null, pin_code: null, claim_url: null, voucher_reference_number: null };
  expect(order.vouchers).toEqual([{ ...vouchers[0], ...without }, vouchers[1]]);
  expect(await get<Json[]>(ordersPath)).toEqual([expect.objectContaining({ id, email: '' })]);
});

test('When the input of a top-up cannot be decrypted, then the order omits the input', async () => {
  const { id } = await accepted(client.api, topupOrders, scenarioNamed('topup_instant').body);
  await sql(database)`UPDATE topup_orders SET sealed_input = '\\x00' WHERE order_id = ${id}`;
  expect(await get(`${topupOrders}/${id}`)).toMatchObject({ status: 'DELIVERED', input_data: null });
  expect(await get<Json[]>(topupOrders)).toEqual([expect.objectContaining({ id })]);
});

test('When a signing secret cannot be decrypted, then the client must rotate it, operators see the fault, and the new secret signs', async () => {
  const receiver = await newReceiver();
  const { body: endpoint } = await client.api.post<Resource>(endpointsPath, { url: receiver.url });
  const path = `${endpointsPath}/${endpoint.id}/secret`;
  await sql(database)`UPDATE webhook_endpoints SET sealed_secret = '\\x00' WHERE id = ${endpoint.id}`;
  const listed = () =>
    sql(database)`SELECT kind FROM attention WHERE endpoint_id = ${endpoint.id} AND cleared_at IS NULL`;

  expect(await client.api.get(path)).toMatchObject({
    status: 409,
    body: { error: { name: 'ConflictError', code: 'SECRET_UNREADABLE' } },
  });
  expect(await listed()).toEqual([{ kind: 'SECRET_UNREADABLE' }]);

  const rotated = await client.api.post<{ secret: string }>(`${path}/rotate`, {});
  expect(rotated.status).toBe(200);
  expect(await get(path)).toMatchObject({ secret: rotated.body.secret });
  // A delivery that began before the rotation read the earlier secret.
  await reportUnreadableSecret(database, endpoint.id, [Buffer.from([0])]);
  expect(await listed()).toEqual([]);
  receiver.secret = rotated.body.secret;
  await client.api.post(`${endpointsPath}/${endpoint.id}/test`, {});
  await receiver.untilTaken(1);
});

test('When events are stored, then no event has an ICCID or a phone number in plain text', async () => {
  const { body } = scenarioNamed('topup_instant');
  const topup = await accepted(client.api, topupOrders, body);
  const esim = await accepted(client.api, esimOrders, scenarioNamed('esim_instant').body);
  const numbers = JSON.stringify(body['input_data']).match(/\d{6,}/g) ?? [];
  const secrets = [...numbers, String(esim['iccid'])];
  expect(secrets.length).toBeGreaterThanOrEqual(2);
  const stored = await sql.first(database)<{ events: number; text: string }>`
    SELECT count(*) AS events, string_agg(event::text || coalesce(delivery::text, ''), ' ') AS text
       FROM events event LEFT JOIN webhook_deliveries delivery ON delivery.event_sequence = event.sequence
      WHERE event.order_id = ANY (${[topup.id, esim.id]})`;
  expect(stored?.events).toBeGreaterThanOrEqual(4);
  expect(secrets.filter((secret) => stored?.text.includes(secret))).toEqual([]);
});
