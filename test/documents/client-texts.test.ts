/**
 * The texts that clients read in successful responses. A change of a text also needs a change here and in
 * docs/specification.md. The tests in `test/api` compare the texts of errors, `mail-texts.unit.test.ts` those of mails, and
 * `every-text.unit.test.ts` finds missing texts.
 */
import { esimOrderView } from '../../src/api/esim/order-routes';
import { topupOrderView } from '../../src/api/topups/order-routes';
import { Sealer } from '../../src/security/sealing';
import type { EsimOrderRow } from '../../src/data/purchases/families/esim';
import type { TopupOrderRow } from '../../src/data/purchases/families/topup';
import { findOrder } from '../../src/data/orders/order-reads';
import type { OrderRow } from '../../src/data/orders/order-rows';
import { createdView } from '../../src/api/vouchers/order-view';
import { newClient, type OwnClient, useClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, ordersPath, place, reached } from '../support/orders';
import type { Answer, Json } from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { newKeyRing } from '../support/keys';

const database = useDatabase();
const client = useClient(database, { USD: 2_000 });

test('When the address of an order is set, then the client reads this text', async () => {
  const { id } = await place(client.api, orderOf('voucher_delayed'));
  const path = `${ordersPath}/${id}/notification-email`;
  expect((await client.api.patch(path, { email: 'ann@shop.example' })).body).toEqual({
    success: true,
    message: 'Notification email updated',
  });
});

describe('The message of a voucher order', () => {
  const messageOf = ({ body }: Answer<Json>) => body['message'];
  const read = (id: number) => client.api.get(`${ordersPath}/${id}`);

  test('When it is placed and delivered later, then its messages say so', async () => {
    const order = await place(client.api, orderOf('voucher_delayed'));
    expect(order['message']).toBe('Order accepted; the vouchers are being prepared');
    await reached(client.api, order.id, 'DELIVERED');
    expect(messageOf(await read(order.id))).toBe('All vouchers are delivered');
  });

  test('When it is partly delivered, then its message announces the rest, or the refund of a failed rest', async () => {
    const { id } = await place(client.api, orderOf('voucher_partial_then_failed'));
    await reached(client.api, id, 'PARTIALLY_DELIVERED');
    expect(messageOf(await read(id))).toBe('Some vouchers are delivered; the rest is being prepared');
    await reached(client.api, id, 'FAILED');
    expect(messageOf(await read(id))).toBe(
      'The order could not be fulfilled; what was not delivered has been refunded',
    );
  });

  test('When the order failed or was cancelled, then its message states the refund', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant'));
    const order = (await findOrder(database, 'VOUCHER', client.id, id)) as OrderRow;
    const message = (changes: Partial<OrderRow>) =>
      (createdView({ ...order, ...changes }, null) as { message: string }).message;
    const refunded = { isRefunded: true };
    const free = { transactionId: null };
    expect([
      message({ status: 'FAILED' }),
      message({ status: 'CANCELLED', ...refunded }),
      message({ status: 'CANCELLED' }),
      message({ status: 'CANCELLED', ...free }),
    ]).toEqual([
      'The order could not be fulfilled; no refund has been credited yet',
      'The order was cancelled; what was not delivered has been refunded',
      'The order was cancelled; no refund has been credited yet',
      'The order was cancelled; nothing was debited',
    ]);
  });
});

describe('The status texts of top-ups and eSIMs', () => {
  const textOf = async (path: string, scenario: string) =>
    (await accepted(client.api, path, orderOf(scenario)))['status_text'];

  test('When a top-up is placed, delivered, failed or cancelled, then its text says so', async () => {
    expect(await textOf(topupOrders, 'topup_pending')).toBe('The top-up is being processed');
    expect(await textOf(topupOrders, 'topup_instant')).toBe('The top-up was delivered');
    expect(await textOf(topupOrders, 'topup_reject_unknown')).toBe(
      'The top-up could not be delivered; what was not delivered has been refunded',
    );
  });

  test('When a top-up exceeds the daily cap, then its text says that nothing was debited', async () => {
    const capped = await newClient(database, { USD: 100 });
    await ops`clients cap ${capped.id} topups --value USD=1`;
    const order = await accepted(capped.api, topupOrders, orderOf('topup_instant'));
    expect(order['status_text']).toBe('The top-up could not be delivered; nothing was debited');
  });

  test('When an eSIM is delivered or failed, then its text says so', async () => {
    expect(await textOf(esimOrders, 'esim_instant')).toBe('The eSIM was delivered');
    expect(await textOf(esimOrders, 'esim_failed_now')).toBe(
      'The eSIM could not be delivered; what was not delivered has been refunded',
    );
  });

  test('When a top-up or an eSIM was cancelled, or an eSIM takes long, then its text says so', async () => {
    const calledOff = { status: 'CANCELLED', isRefunded: true } as const;
    const topup = await accepted(client.api, topupOrders, orderOf('topup_instant'));
    const esim = await accepted(client.api, esimOrders, orderOf('esim_instant'));
    const topupRow = (await findOrder(database, 'TOPUP', client.id, topup.id)) as TopupOrderRow;
    const esimRow = (await findOrder(database, 'ESIM', client.id, esim.id)) as EsimOrderRow;
    const sealer = new Sealer(newKeyRing());
    const text = 'The order was cancelled; what was not delivered has been refunded';
    expect(topupOrderView({ ...topupRow, ...calledOff })).toMatchObject({ status_text: text });
    expect(esimOrderView(sealer, { ...esimRow, ...calledOff })).toMatchObject({ status_text: text });
    expect(esimOrderView(sealer, { ...esimRow, status: 'PENDING' })).toMatchObject({
      status_text: 'The eSIM is being prepared',
    });
  });

  test.each([
    ['INVALID_RECIPIENT', true, 'The recipient identifier is malformed or not recognised. Check it and order again.'],
    ['RECIPIENT_BARRED', false, 'The operator has blocked this recipient.'],
    ['RECIPIENT_INELIGIBLE', true, 'This recipient cannot receive the plan. Pick another plan.'],
    ['RECIPIENT_LIMIT_EXCEEDED', false, 'The recipient has reached the cap for top-ups. Try again later.'],
    ['OPERATOR_UNAVAILABLE', false, 'The operator is temporarily unavailable. Try again later.'],
    ['OPERATOR_LIMIT_EXCEEDED', false, 'The operator has reached its cap. Try again later.'],
    [
      'CLIENT_LIMIT_EXCEEDED',
      false,
      'The transaction count or value cap of the account is reached. Contact the account manager.',
    ],
    ['PRODUCT_UNAVAILABLE', true, 'The plan is not for sale. Pick another plan.'],
    ['PRODUCT_OUT_OF_STOCK', true, 'The product is out of stock. Pick another or try again later.'],
    ['AMOUNT_OUT_OF_RANGE', true, 'The amount is not among the allowed denominations or outside the range.'],
    ['UNKNOWN', false, 'The order could not be fulfilled.'],
  ])('When a top-up fails with %s, then order and event give the reason', async (code, fixable, reason) => {
    const scenario = `topup_reject_${code.toLowerCase()}`;
    const order = await accepted(client.api, topupOrders, orderOf(scenario));
    const failure = { failure_code: code, failure_reason: reason, is_user_fixable: fixable };
    expect(order).toMatchObject({ status: 'FAILED', ...failure });
    const { body: events } = await client.api.get<{ data: Json }[]>('/api/v1/webhooks/events?type=topup.failed');
    expect(events.find(({ data }) => data['id'] === order.id)?.data).toMatchObject(failure);
  });
});

describe('The texts of the ledger', () => {
  const remarksOf = async (owner: OwnClient) => {
    const { body } = await owner.api.get<Json[]>('/api/v1/transactions');
    return body.map(({ remarks, reference_number: reference }) => `${String(reference)}: ${String(remarks)}`);
  };

  test('When an order is debited and refunded, then transactions and events name it and its product', async () => {
    const owner = await newClient(database, { USD: 100 });
    const { id } = await accepted(owner.api, topupOrders, orderOf('topup_reject_unknown'));
    expect((await remarksOf(owner)).slice(0, 2)).toEqual([
      `order-${id}: Refund of order ${id}: Liberty Mobile`,
      `order-${id}: Order ${id}: Liberty Mobile`,
    ]);
    const { body: events } = await owner.api.get<{ type: string; data: Json }[]>('/api/v1/webhooks/events');
    const wallets = events.filter(({ data }) => data['reference_number'] === `order-${id}`);
    expect(wallets.map(({ type, data }) => `${type}: ${String(data['remarks'])}`)).toEqual([
      `wallet.credited: Refund of order ${id}: Liberty Mobile`,
      `wallet.debited: Order ${id}: Liberty Mobile`,
    ]);
  });

  test('When a voucher pays, then its credit names both orders', async () => {
    const owner = await newClient(database, { USD: 100 });
    const voucher = await place(owner.api, orderOf('voucher_redeemable'));
    const code = voucher.vouchers[0]?.card_number;
    const { id } = await accepted(owner.api, topupOrders, orderOf('topup_instant', { redeem_voucher_code: code }));
    expect((await remarksOf(owner))[1]).toBe(`order-${id}: Voucher of order ${voucher.id} redeemed for order ${id}`);
  });

  test('When an operator funds or adjusts a wallet without a remark, then the entry has a default text', async () => {
    const owner = await newClient(database, { USD: 1 });
    const wallet = owner.wallets['USD'] as number;
    const [first, second] = [`first-${wallet}`, `second-${wallet}`];
    await ops`wallets fund ${wallet} 5 --reference ${first}`;
    await ops`wallets adjust ${wallet} 5 --reference ${second} --reason Test`;
    expect((await remarksOf(owner)).slice(0, 2)).toEqual([`${second}: Adjustment`, `${first}: Wallet funding`]);
  });
});
