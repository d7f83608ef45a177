/** Fills a stack with clients, their webhook endpoints, and the events of one endpoint. */
import { copyRows, nextId, spread } from '../copies';
import type { Side } from '../side';
import { until } from '../../../testbed/waiting';
import { countedEntries } from './orders';

/** Clients with a wallet, a key, and a session each. Returns the id before the first. */
export async function addClients(side: Side, count: number): Promise<number> {
  const last = await side.number('SELECT max(id) FROM clients');
  const key = await side.number('SELECT max(id) FROM api_keys');
  const ofClient = { where: `client_id = ${side.clientId}` };
  const client_id = `${last} + n`;
  const session = `md5('growth ' || (${client_id}))::uuid`;
  const oneSession = `(SELECT min(id::text)::uuid FROM token_families WHERE client_id = ${side.clientId})`;
  await copyRows(
    side,
    [
      {
        table: 'clients',
        where: `id = ${side.clientId}`,
        values: { id: client_id, name: `'growth ' || (${client_id})` },
      },
      { table: 'wallets', ...ofClient, values: { client_id, id: await nextId(side, 'wallets') } },
      { table: 'client_clocks', ...ofClient, values: { client_id } },
      {
        table: 'api_keys',
        ...ofClient,
        values: { client_id, id: `${key} + n`, api_key: `'growth-' || (${client_id})` },
      },
      {
        table: 'token_families',
        where: `id = ${oneSession}`,
        values: { id: session, client_id, api_key_id: `${key} + n` },
      },
      {
        table: 'refresh_tokens',
        where: `family_id = ${oneSession} AND rotated_at IS NULL`,
        values: { id: session, family_id: session },
      },
    ],
    count,
  );
  for (const statement of countedEntries) await side.database.query(statement);
  return last;
}

/**
 * Endpoints of other clients, ten of each client. One of a hundred is dead: its URL refuses connections, and 50 events wait for it.
 * Returns once the service has found all dead endpoints failing.
 */
export async function addEndpoints(side: Side, count: number): Promise<void> {
  const client = await addClients(side, Math.ceil(count / 10));
  const original = await side.client.register('http://127.0.0.1:9/', ['order.delivered']);
  const { id: order } = await side.client.order('voucher_instant');
  await side.client.unregister(original);
  const id = await nextId(side, 'webhook_endpoints');
  const values = {
    id,
    client_id: `${client} + (n + 9) / 10`,
    enabled: 'true',
    deleted_at: 'NULL',
    failing_since: 'NULL',
    failures: '0',
    circuit_open_until: 'NULL',
    verified_at: 'now()',
    is_test_written: 'true',
  };
  await copyRows(side, [{ table: 'webhook_endpoints', where: `id = ${original}`, values }], count);
  const dead = `webhook_endpoints WHERE id > ${original} AND id % 100 = 0`;
  await side.database.query(
    `WITH written AS (
       INSERT INTO events (client_id, order_id, type, data)
       SELECT endpoint.client_id, 1e9::bigint + row_number() OVER (), event.type, event.data
         FROM (SELECT client_id FROM ${dead}) endpoint, generate_series(1, 50), events event
        WHERE event.order_id = ${order} AND event.type = 'order.delivered' RETURNING sequence, order_id, client_id)
     INSERT INTO webhook_deliveries (endpoint_id, event_sequence, order_id)
     SELECT endpoint.id, sequence, order_id FROM written JOIN (SELECT id, client_id FROM ${dead}) endpoint USING (client_id)`,
  );
  await until(
    'all dead endpoints to fail',
    async () => (await side.number(`SELECT count(*) FROM ${dead} AND failing_since IS NULL`)) === 0 || undefined,
  );
}

/** Delivered events of one endpoint of the measured client, each with its attempt. The endpoint calls this URL. */
export async function addEvents(side: Side, count: number, url: string): Promise<void> {
  const endpoint = await side.client.register(url, ['order.delivered']);
  await side.client.orderOne();
  const delivered = `endpoint_id = ${endpoint} AND state = 'DELIVERED'`;
  await until(
    'the delivery',
    async () => (await side.number(`SELECT count(*) FROM webhook_deliveries WHERE ${delivered}`)) > 0 || undefined,
  );
  const original = await side.number(`SELECT max(event_sequence) FROM webhook_deliveries WHERE ${delivered}`);
  const last = await side.number('SELECT max(sequence) FROM events');
  const event_sequence = `${last} + n`;
  const ofEvent = { where: `event_sequence = ${original}` };
  const order_id = '1e9::bigint + n';
  const moment = spread(count, 29);
  await copyRows(
    side,
    [
      {
        table: 'events',
        where: `sequence = ${original}`,
        values: { id: `'evt_growth' || n`, sequence: event_sequence, order_id, created_at: moment },
      },
      { table: 'webhook_deliveries', ...ofEvent, values: { event_sequence, order_id } },
      { table: 'webhook_attempts', ...ofEvent, values: { event_sequence, attempted_at: moment } },
    ],
    count,
  );
  await side.database.query(countedEvents);
}

/** What the maintenance counts of events. */
export const countedEvents = `
  WITH counted AS (UPDATE events_counted SET through = (SELECT max(sequence) FROM events))
  INSERT INTO event_counts SELECT client_id, type, count(*) FROM events GROUP BY 1, 2
  ON CONFLICT (client_id, type) DO UPDATE SET count = excluded.count`;
