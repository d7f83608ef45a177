/** Voucher codes and customers' addresses are never stored in plain text and never reach Temporal. */
import { temporal as proto } from '@temporalio/proto';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { useClient, useDatabase } from '../support/clients';
import { callCodec } from '../support/operator';
import { ended, orderOf, ordersPath, place } from '../support/orders';
import { closed, workflowOf } from '../support/workflows';
import { serviceTemporalClient } from '../../dev/testbed/temporal-clients';
import { useMade } from '../support/made';

type Payload = proto.api.common.v1.IPayload;

const email = 'ann.secret@example.com';
const database = useDatabase();
const temporal = useMade(serviceTemporalClient, ({ connection }) => connection.close());
const client = useClient(database, { USD: 1_000 });
const order = useMade(() => place(client.api, orderOf('voucher_delayed', { quantity: 3 })));
let secrets: string[];

beforeAll(async () => {
  await client.api.patch(`${ordersPath}/${order.id}/notification-email`, { email });
  const { vouchers } = await ended(client.api, order.id);
  // Omits PINs, because any number may have their six digits by chance. A PIN is always stored with its card number.
  const codes = vouchers.flatMap((voucher) => [voucher.card_number, voucher.voucher_reference_number]);
  secrets = [email, ...codes.filter((code) => code !== null)];
});

/** The secrets that the text contains. */
function leaks(text: string): string[] {
  return secrets.filter((secret) => text.includes(secret));
}

test('When an order is delivered, then its goods have the secrets for which the next tests search', () => {
  expect(secrets).toHaveLength(1 + 3 * 2);
});

test('When the database is read, then no table has a secret in plain text', async () => {
  const tables = await sql(database)<{ name: string }>`SELECT quote_ident(table_name) AS name
       FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'order_id'`;
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['vouchers', 'order_reservations', 'supplier_purchases', 'events', 'transactions']),
  );
  const held = await Promise.all([
    ...tables.map(({ name }) => textOf(`SELECT * FROM ${name} WHERE order_id = $orderId`)),
    textOf('SELECT * FROM orders WHERE id = $orderId'),
  ]);
  expect(held.join()).toContain('Sandbox Delayed Gift Card');
  expect(leaks(held.join())).toEqual([]);
});

/** All values of the rows as text. Binary columns become one character per byte. */
async function textOf(statement: string): Promise<string> {
  const found = await rows(database, statement, { orderId: order.id });
  return JSON.stringify(found, (_key, value: unknown) => (isBytes(value) ? bytesOf(value) : value));
}

const isBytes = (value: unknown): value is { type: 'Buffer'; data: number[] } =>
  (value as { type?: unknown } | null)?.type === 'Buffer';
const bytesOf = ({ data }: { data: number[] }) => Buffer.from(data).toString('latin1');

test('When the history of the workflow is decrypted, then it contains no secret', async () => {
  const workflow = await workflowOf(temporal, database, order.id);
  await closed(workflow);
  const history = await workflow.fetchHistory();
  const payloads = payloadsIn(history);
  const decrypted = await decrypt(payloads);
  expect(decrypted).toContain(`"orderId":${order.id}`);
  expect(leaks(decrypted + JSON.stringify(history))).toEqual([]);
});

test('When the workflow is described, then the description contains no secret', async () => {
  const { raw } = await (await workflowOf(temporal, database, order.id)).describe();
  expect(leaks(JSON.stringify(raw) + (await decrypt(payloadsIn(raw))))).toEqual([]);
});

/** Every payload anywhere in a message. */
function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}

/** The contents of the payloads. The operators' process decrypts them, as it does for the Temporal UI. */
async function decrypt(payloads: Payload[]): Promise<string> {
  const { Payload: message } = proto.api.common.v1;
  const asJson = payloads.map((payload) => message.toObject(message.create(payload), { bytes: String }));
  const response = await callCodec('decode', asJson);
  const decoded = (await response.json()) as { payloads: { data?: string }[] };
  return decoded.payloads.map(({ data = '' }) => Buffer.from(data, 'base64').toString()).join('\n');
}
