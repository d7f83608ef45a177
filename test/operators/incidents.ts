/**
 * The incidents of the runbook (docs/operators/runbook.md), as they begin and as they must end. A person ends each in the browser
 * (`office/incidents.test.ts`), and the commands of the runbook end it, too (`runbook`).
 */
import type { Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { until } from '../../dev/testbed/waiting';
import { monthOf } from '../../src/domain/books/calendar-months';
import { newClient, type OwnClient } from '../support/clients';
import { ended, orderOf, ordersPath, place, read, scenarioNamed } from '../support/orders';
import { Receiver, register } from '../support/receiver';
import { balanceOf, kindsMovedBy } from '../support/records';
import { ApiClient } from '../support/stack';
import { accepted } from '../support/variant-orders';

/** What entries of the attention list are about. An undefined part matches every entry. */
interface Subject {
  order?: number;
  endpoint?: number;
  supplier?: string;
}

/** The open entry of the kind about the subject. */
export const listed = (database: Database, kind: string, { order, endpoint, supplier }: Subject = {}) =>
  sql.first(database)<{ id: number }>`SELECT id FROM attention WHERE kind = ${kind} AND cleared_at IS NULL
     AND order_id IS NOT DISTINCT FROM coalesce(${order ?? null}, order_id)
     AND endpoint_id IS NOT DISTINCT FROM coalesce(${endpoint ?? null}, endpoint_id)
     AND supplier IS NOT DISTINCT FROM coalesce(${supplier ?? null}, supplier)`;

export const untilListed = (database: Database, kind: string, of?: Subject) =>
  until(`${kind} on the list`, () => listed(database, kind, of), 90);

export const untilUnlisted = (database: Database, kind: string, of?: Subject) =>
  until(`${kind} off the list`, async () => !(await listed(database, kind, of)), 90);

export const mailedAt = async (database: Database, id: number) =>
  (await sql.one(database)<{ at: Date | null }>`SELECT mailed_at AS at FROM orders WHERE id = ${id}`).at ?? undefined;

/** The last month but one, which can be closed. */
export const monthToClose = () => {
  const now = new Date();
  return monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2)));
};

/** Balance and movements of the client's wallet. */
async function expectMoney(
  database: Database,
  { id, wallets }: OwnClient,
  money: { balance: number; moved: Record<string, number> },
): Promise<void> {
  expect(Number(await balanceOf(database, wallets['USD'] as number))).toBeCloseTo(money.balance, 2);
  expect(await kindsMovedBy(database, id)).toEqual(money.moved);
}

/** An endpoint that has failed for an event. */
export async function failingEndpoint(database: Database) {
  const owner = await newClient(database, { USD: 100 });
  const receiver = await Receiver.listen();
  const { id } = await register(owner.api, receiver);
  receiver.answer = () => 500;
  const order = await place(owner.api, orderOf('voucher_instant'));
  await until('its first attempt', async () => receiver.seen.length > 0);
  return { owner, receiver, endpoint: Number(id), order };
}

/** An order that failed after its wallet was closed. `outage`: stops and resumes the supplier. */
export async function dueRefund(database: Database, outage: (seconds: number) => Promise<void>) {
  const { path, body } = scenarioNamed('topup_failed_later');
  const owner = await newClient(database, { USD: Number(body['amount']) });
  const wallet = owner.wallets['USD'] as number;
  await outage(3_600);
  const order = await accepted(owner.api, path, body);
  await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${wallet}`;
  await outage(0);
  await untilListed(database, 'REFUND_DUE', { order: order.id });
  const credited = async () => {
    expect(await balanceOf(database, wallet)).toBe(String(body['amount']));
    await untilUnlisted(database, 'REFUND_DUE', { order: order.id });
  };
  return { owner, wallet, order, credited };
}

/** Two orders, of which the second was a mistake. */
export async function doubleCharge(database: Database) {
  const shop = await newClient(database, { USD: 100 });
  const ordered = (word: string) =>
    place(shop.api, orderOf('voucher_instant', { client_reference: `${word}-${shop.id}` }));
  const [once, twice] = [await ordered('once'), await ordered('again')];
  for (const { id } of [once, twice]) await ended(shop.api, id);
  const refunded = async () => {
    expect(await read(shop.api, twice.id)).toMatchObject({ status: 'DELIVERED', refunded_amount: 9.8 });
    const moved = { FUNDING: 1, ORDER: 2, REFUND_AFTER: 1 };
    await expectMoney(database, shop, { balance: 90.2, moved });
  };
  return { shop, twice, refunded };
}

/** The command, without `ops`, that demands a second person for the refunds of a file. */
export const refundsNeedTwo =
  'approval-rules set refunds-import --currency USD --amount 10 --roles admin --reason Agreed --operator alice'.split(
    ' ',
  );

/** Fifty orders that paid 0.80 too much. `text`: the file that refunds it. */
export async function wrongPrice(database: Database) {
  const shop = await newClient(database, { USD: 10_000 });
  const orders: number[] = [];
  for (let placed = 0; placed < 50; placed++) orders.push((await place(shop.api, orderOf('voucher_instant'))).id);
  for (const id of orders) await ended(shop.api, id);
  const lines = orders.map((order) => `${order},0.80,WRONG_PRICE,ticket-4720`);
  const before = 10_000 - 50 * 9.8;
  const unchanged = () => expectMoney(database, shop, { balance: before, moved: { FUNDING: 1, ORDER: 50 } });
  const refunded = async () => {
    await until('the credited refunds', async () => (await kindsMovedBy(database, shop.id))['REFUND_AFTER'] === 50);
    const moved = { FUNDING: 1, ORDER: 50, REFUND_AFTER: 50 };
    await expectMoney(database, shop, { balance: before + 40, moved });
    expect(await read(shop.api, orders[49] as number)).toMatchObject({ refunded_amount: 0.8 });
  };
  return { shop, text: ['order,amount,reason_code,reference', ...lines].join('\n'), unchanged, refunded };
}

/** The client with the key that a text shows. */
export function clientWithKeyIn(text: string, url: string): ApiClient {
  const [apiKey = '', secret = ''] = text.match(/\bdg[ks]_[\w-]+/g) ?? [];
  return new ApiClient(url, { api_key: apiKey, api_secret: secret });
}

/** An order with a claim about each of its three codes: one to refund, one to replace, one to reject. */
export async function invalidCodes(database: Database) {
  const shop = await newClient(database, { USD: 100 });
  const { id: order } = await place(shop.api, orderOf('voucher_instant', { quantity: 3 }));
  await ended(shop.api, order);
  const text = 'The shop says that the code is unknown';
  const claim = async (unit: number) => {
    const body = { kind: 'INVALID_CODE', unit, text };
    return (await shop.api.post<{ id: number }>(`${ordersPath}/${order}/claims`, body)).body.id;
  };
  const [refunded, replaced, rejected] = [await claim(1), await claim(2), await claim(3)];
  const decided = async () => {
    expect((await shop.api.get(`/api/v1/claims?order_id=${order}`)).body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: refunded, outcome: 'REFUNDED' }),
        expect.objectContaining({ id: replaced, outcome: 'REPLACED' }),
        expect.objectContaining({ id: rejected, state: 'REJECTED' }),
      ]),
    );
    const moved = { FUNDING: 1, ORDER: 1, REFUND_AFTER: 1 };
    await expectMoney(database, shop, { balance: 100 - 2 * 9.8, moved });
  };
  return { shop, order, text, refunded, replaced, rejected, decided };
}
