/**
 * No text shown to a client claims a refund that was not credited.
 * docs/decisions/0022-keep-partial-deliveries-readable.md.
 */
import { sql } from '../../dev/testbed/sql';
import { creditDeferredRefund } from '../../src/data/orders/settle-order';
import { failureCodes, failureMeaning } from '../../src/domain/orders/failure-codes';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { orderOf, ordersPath } from '../support/orders';
import { eventsOf } from '../support/records';
import type { Json, Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';
import { esimOrders, topupOrders } from '../support/variant-orders';

const database = useDatabase();

const claim = /has been refunded|and refunded/;

interface Order extends Resource {
  status: string;
  transaction_id: number;
  charged_amount: number;
}

async function closeWallet(client: OwnClient): Promise<void> {
  await sql(database)`UPDATE wallets SET closed_at = now() WHERE client_id = ${client.id}`;
}

/** Everything that the client sees of the order: the order itself, the list and the events. */
async function shown(client: OwnClient, path: string, id: number) {
  const { body: order } = await client.api.get<Json>(`${path}/${id}`);
  const { body: listed } = await client.api.get<Json[]>(path);
  const { body: events } = await client.api.get<Json[]>('/api/v1/webhooks/events');
  return { order, listed, events };
}

test.concurrent.each([
  [ordersPath, 'voucher_partial_then_failed'],
  [topupOrders, 'topup_failed_later'],
  [esimOrders, 'esim_failed_later'],
])(
  'When the wallet is closed before an order at %s fails as %s, then texts mention a refund only after its credit',
  async (path, scenario) => {
    const client = await newClient(database, { USD: 500 });
    // An eSIM request returns only after the order has ended, so do not await it here.
    const reference = { client_reference: 'closed-meanwhile' };
    const create = client.api.order<Order>(path, orderOf(scenario, reference));
    const placed = async () =>
      (await sql(database)<{ id: number }>`SELECT id FROM orders WHERE client_id = ${client.id}`)[0];
    const { id } = await until('the order', placed, 10);
    await closeWallet(client);
    const ended = async () => {
      const { body } = await client.api.get<Order[]>(path);
      return body.find(({ status }) => status === 'FAILED');
    };
    await until('the end of the order', ended, 90);
    await create;

    const before = await shown(client, path, id);
    expect(JSON.stringify(before)).not.toMatch(claim);
    expect(before.order).toMatchObject({ refunded_amount: 0, charged_currency: 'USD' });
    expect(before.order).not.toHaveProperty('refund_transaction_id');

    await sql(database)`UPDATE wallets SET closed_at = NULL WHERE client_id = ${client.id}`;
    // The workflow may credit the refund first.
    await creditDeferredRefund(database, id).catch(() => undefined);
    const after = await shown(client, path, id);
    const refunded = after.order['refunded_amount'];
    expect(JSON.stringify(after.order)).toMatch(claim);
    expect(refunded).toBeGreaterThan(0);
    const { body: entry } = await client.api.get<Json>(
      `/api/v1/transactions/${String(after.order['refund_transaction_id'])}`,
    );
    expect(entry).toMatchObject({ transaction_type: 'CREDIT', amount: refunded });
    expect(JSON.stringify(await eventsOf(database, id))).not.toMatch(claim);
  },
  120_000,
);

test('When a failure code has a reason, then the reason does not mention a refund', () => {
  for (const code of failureCodes) expect(failureMeaning(code).reason).not.toMatch(/refund/i);
});
