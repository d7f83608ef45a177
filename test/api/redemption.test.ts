/** `redeem_voucher_code`: a voucher of the house brand pays for a top-up or an eSIM. */
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { settleOrder } from '../../src/data/orders/settle-order';
import { placeOrder } from '../../src/data/orders/place-order';
import type { OrderKey } from '../../src/domain/orders/order-messages';
import { reserve } from '../../dev/testbed/ledger-rows';
import { importProducts, newMark, voucherProduct } from '../support/catalogue';
import { fund } from '../../dev/testbed/clients';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { orderOf, place, type Voucher } from '../support/orders';
import { balanceOf, boughtFor, entriesOf, eventsOf, orderCount, unsoundWallets } from '../support/records';
import { refusal, type Json } from '../support/stack';
import { accepted, esimOrders, topupOrders, type VariantOrder } from '../support/variant-orders';

const database = useDatabase();

const topup = orderOf('topup_instant');

/** The client pays nothing for the top-up. */
function giveTopups(clientId: number) {
  return ops`discounts set ${clientId} topups ${topup['product_id']} 100 --reason Test --force`;
}
const esim = orderOf('esim_instant');
const families = [
  ['top-up', topupOrders, topup, 10],
  ['eSIM', esimOrders, esim, 5],
] as const;
const refused = refusal('VOUCHER_NOT_REDEEMABLE', 'Voucher cannot be redeemed');

interface Holder extends OwnClient {
  code: string;
  voucherOrder: number;
}

/** A client with a voucher of 25 USD, or of another product or value, and no other money. */
async function holder(special: Json = {}, wallets: Record<string, number> = {}): Promise<Holder> {
  const body = orderOf('voucher_redeemable', special);
  const price = body['denomination'] as number;
  const client = await newClient(database, { USD: price, ...wallets });
  const order = await place(client.api, body);
  return { ...client, code: order.vouchers[0]?.card_number as string, voucherOrder: order.id };
}

function balance({ wallets }: OwnClient, currency = 'USD'): Promise<string> {
  return balanceOf(database, wallets[currency] as number);
}

async function isRedeemed(orderId: number): Promise<boolean> {
  return (
    (
      await sql(database)<{ redeemed_at: Date | null }>`SELECT redeemed_at FROM vouchers
       WHERE order_id = ${orderId}`
    )[0]?.redeemed_at !== null
  );
}

describe.each(families)('%s', (_family, path, body, price) => {
  test('When a voucher pays, then its value is credited and the price is debited, whatever the balance', async () => {
    const client = await holder();
    expect(await balance(client)).toBe('0');
    const order = await accepted(client.api, path, { ...body, redeem_voucher_code: client.code });
    expect(order).toMatchObject({ status: 'DELIVERED', amount: price });
    expect(await entriesOf(database, order.id)).toEqual([
      { kind: 'REDEMPTION', type: 'CREDIT', amount: '25' },
      { kind: 'ORDER', type: 'DEBIT', amount: String(price) },
    ]);
    expect(await balance(client)).toBe(String(25 - price));
    const debit = await client.api.get(`/api/v1/transactions/${order.transaction_id}`);
    const family = { order_family: path === topupOrders ? 'TOPUP' : 'ESIM' };
    expect(debit.body).toMatchObject({ transaction_type: 'DEBIT', amount: price, ...family });
    const ofWallet = (await eventsOf(database, order.id)).filter(({ type }) => type.startsWith('wallet.'));
    expect(ofWallet).toMatchObject([
      { type: 'wallet.credited', data: family },
      { type: 'wallet.debited', data: family },
    ]);
    expect(await boughtFor(order.id)).toHaveLength(1);
    expect(await client.api.post(path, { ...body, redeem_voucher_code: client.code })).toMatchObject(refused);
  });
});

test.each(families)(
  'When a voucher pays for a %s, then max_total_payable limits the price and not the value of the voucher',
  async (_family, path, body, price) => {
    const client = await holder();
    const paid = { ...body, redeem_voucher_code: client.code };
    const dear = { ...paid, max_total_payable: price - 0.01 };
    const changed = refusal('PRICE_CHANGED', `The total is ${price.toFixed(2)} USD`);
    expect(await client.api.post(path, dear)).toMatchObject(changed);
    expect(await client.api.post(path, { ...dear, redeem_voucher_code: 'none' })).toMatchObject(changed);
    expect(await isRedeemed(client.voucherOrder)).toBe(false);
    await accepted(client.api, path, { ...paid, max_total_payable: price });
    expect(await balance(client)).toBe(String(25 - price));
  },
);

test('When the order fails, then the price is refunded to the wallet and the voucher stays redeemed', async () => {
  const client = await holder();
  const body = { ...orderOf('topup_reject_recipient_barred'), redeem_voucher_code: client.code };
  const order = await accepted(client.api, topupOrders, body);
  expect(order).toMatchObject({ status: 'FAILED' });
  expect(await entriesOf(database, order.id)).toEqual([
    { kind: 'REDEMPTION', type: 'CREDIT', amount: '25' },
    { kind: 'ORDER', type: 'DEBIT', amount: '10' },
    { kind: 'REFUND', type: 'CREDIT', amount: '10' },
  ]);
  expect(await balance(client)).toBe('25');
  expect(await client.api.post(topupOrders, body)).toMatchObject(refused);
});

test('When the discount is 100 %, then the whole value of the voucher stays in the wallet', async () => {
  const client = await holder();
  await giveTopups(client.id);
  const order = await accepted(client.api, topupOrders, { ...topup, redeem_voucher_code: client.code });
  expect(order).toMatchObject({ status: 'DELIVERED', amount: 0 });
  expect(order).not.toHaveProperty('transaction_id');
  expect(await balance(client)).toBe('25');
});

test('When 50 concurrent orders redeem one voucher, then exactly one order succeeds', async () => {
  const client = await holder();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const [, path, body] = families[index % 2] as (typeof families)[number];
      return client.api.order<VariantOrder>(path, { ...body, redeem_voucher_code: client.code });
    }),
  );
  const [order, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(refused);
  const price = order?.body.amount as number;
  expect(await balance(client)).toBe(String(25 - price));
  expect(await boughtFor(order?.body.id as number)).toHaveLength(1);
  // The order of the voucher, and the order that the voucher paid.
  expect(await orderCount(database, client.id)).toBe(2);
  expect(await unsoundWallets(database)).toEqual([]);
});

describe('rejections', () => {
  const order = (client: OwnClient, code: string, special: Json = {}) =>
    client.api.post(topupOrders, { ...topup, ...special, redeem_voucher_code: code });

  test('When the code is unknown, then the order is rejected, whatever the balance of the wallet', async () => {
    const rich = await newClient(database, { USD: 100 });
    for (const code of ['NO-SUCH-CODE', '', '  ', '\t', '\0', 'x'.repeat(5_000)]) {
      expect(await order(rich, code)).toMatchObject(refused);
    }
    expect(await balance(rich)).toBe('100');
  });

  test('When the code is null, then the wallet pays', async () => {
    const rich = await newClient(database, { USD: 100 });
    expect(await rich.api.post(topupOrders, { ...topup, redeem_voucher_code: null })).toMatchObject({
      status: 200,
      body: { status: 'DELIVERED' },
    });
    expect(await balance(rich)).toBe('90');
  });

  test('When the voucher is another client’s, then the order is rejected and the owner can still redeem the voucher', async () => {
    const [owner, thief] = [await holder(), await newClient(database, { USD: 100 })];
    expect(await order(thief, owner.code)).toMatchObject(refused);
    expect(await order(owner, ` ${owner.code} `)).toMatchObject({ status: 200 });
  });

  test('When the voucher is not of the house brand, then the order is rejected', async () => {
    const client = await holder({ ...orderOf('voucher_range'), denomination: 50 });
    expect(await order(client, client.code)).toMatchObject(refused);
  });

  test('When the voucher is worth less than the price or has another currency than the wallet, then the order is rejected', async () => {
    const client = await holder({ denomination: 10 }, { EUR: 100 });
    expect(await order(client, client.code, { amount: 10.01 })).toMatchObject(refused);
    expect(await order(client, client.code, { wallet_id: client.wallets['EUR'] })).toMatchObject(refused);
    expect(await order(client, client.code)).toMatchObject({ status: 200, body: { amount: 10 } });
    expect(await balance(client)).toBe('0');
  });

  test('When the voucher has expired, then the order is rejected', async () => {
    const client = await holder();
    await sql(database)`UPDATE vouchers SET expires_at = now() - interval '1 second'
         WHERE order_id = ${client.voucherOrder}`;
    expect(await order(client, client.code)).toMatchObject(refused);
  });

  test('When the order of the voucher does not show it yet, then the voucher is rejected, until it is delivered in part', async () => {
    const client = await holder();
    const put = (changes: string) =>
      rows(database, `UPDATE orders SET ${changes} WHERE id = $voucherOrder`, { voucherOrder: client.voucherOrder });
    await put(`status = 'PENDING', completed_at = NULL`);
    expect(await order(client, client.code)).toMatchObject(refused);
    await put(`status = 'FAILED', completed_at = now(), failure_code = 'UNKNOWN'`);
    expect(await order(client, client.code)).toMatchObject({ status: 200 });
    await put(`status = 'DELIVERED', failure_code = NULL`);
  });

  test('When the wallet is closed before the order is placed, then the balance does not change and the voucher is not redeemed', async () => {
    const client = await holder();
    const reserved = await reservedFor(client);
    await sql(database)`UPDATE wallets SET closed_at = now() WHERE client_id = ${client.id}`;
    expect(await placeOrder(database, reserved)).toEqual({ outcome: 'REFUSED', refusal: 'VOUCHER_NOT_REDEEMABLE' });
    expect(await isRedeemed(client.voucherOrder)).toBe(false);
    expect(await balance(client)).toBe('0');
  });

  test('When the placement of one order is repeated, then the voucher is redeemed once', async () => {
    const client = await holder();
    const reserved = await reservedFor(client);
    const placings = await Promise.all(Array.from({ length: 5 }, () => placeOrder(database, reserved)));
    expect(new Set(placings.map(({ outcome }) => outcome))).toEqual(new Set(['PLACED']));
    expect(await entriesOf(database, reserved.orderId)).toHaveLength(2);
    expect(await balance(client)).toBe('15');
    await settleOrder(database, reserved.orderId, { cancelled: true });
    expect(await balance(client)).toBe('25');
  });

  /** Reserves a top-up order of 10 USD that the client's voucher pays, without placing it. */
  async function reservedFor(client: Holder): Promise<OrderKey> {
    const wallet = { clientId: client.id, walletId: client.wallets['USD'] as number };
    const sealedInput = Buffer.from('sealed');
    const order = await reserve(database, wallet, 1, { family: 'TOPUP', sealedInput });
    const details = { variant_id: 1, variant_name: 'x', redeems_order_id: client.voucherOrder, redeems_unit: 1 };
    await sql(database)`UPDATE order_reservations SET details = details || ${JSON.stringify(details)}
         WHERE order_id = ${order.orderId}`;
    return order;
  }

  test('When two orders with one reference each redeem a voucher, then one voucher stays unredeemed', async () => {
    const client = await holder();
    await fund(database, client.wallets['USD'] as number, 25);
    const other = await place(client.api, orderOf('voucher_redeemable'));
    const codes = [client.code, other.vouchers[0]?.card_number as string];
    const answers = await Promise.all(codes.map((code) => order(client, code, { client_reference: 'one' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const redeemed = await Promise.all([client.voucherOrder, other.id].map(isRedeemed));
    expect(redeemed.sort()).toEqual([false, true]);
    expect(await balance(client)).toBe('15');
    expect(await unsoundWallets(database)).toEqual([]);
  });
});

test('When a code has been redeemed, then no table has the code in plain text', async () => {
  const client = await holder();
  const order = await accepted(client.api, topupOrders, { ...topup, redeem_voucher_code: client.code });
  const stored = await rows<{ line: string }>(
    database,
    `SELECT order_reservations::text AS line FROM order_reservations WHERE order_id = $id
     UNION ALL SELECT orders::text FROM orders WHERE id = $id
     UNION ALL SELECT topup_orders::text FROM topup_orders WHERE order_id = $id
     UNION ALL SELECT vouchers::text FROM vouchers WHERE order_id = $voucherOrder
     UNION ALL SELECT events::text FROM events WHERE order_id IN ($id, $voucherOrder)
     UNION ALL SELECT transactions::text FROM transactions WHERE order_id IN ($id, $voucherOrder)`,
    { id: order.id, voucherOrder: client.voucherOrder },
  );
  const hex = Buffer.from(client.code).toString('hex');
  expect(stored.length).toBeGreaterThan(8);
  expect(stored.filter(({ line }) => line.includes(client.code) || line.includes(hex))).toEqual([]);
});

describe('A redeemable product', () => {
  const product = voucherProduct(`House ${newMark()}`, { denominations: [{ min: '25', max: '25', discount: '20' }] });

  test('When a discounted product becomes redeemable, then it is sold at its face value, and only vouchers sold since then can pay', async () => {
    const client = await newClient(database, { USD: 100 });
    const id = (await importProducts(database, { voucherProducts: [product] })).get(product.sku) as number;
    // The simulator sells only the products that it lists.
    const sold = `UPDATE product_sources SET sku = 'SIM-GC-COFFEE-US' WHERE family = 'VOUCHER' AND item_id = $id`;
    await rows(database, sold, { id });
    await ops`discounts set ${client.id} vouchers ${id} 30 --force`;
    const charges = () => client.api.post(`/api/v1/products/${id}/charges`, { denomination: 25, quantity: 1 });
    expect((await charges()).body).toMatchObject({ discount: 30, total_payable: 17.5 });
    const [discounted] = (await place(client.api, { product_id: id, denomination: 25, quantity: 1 })).vouchers;

    await sql(database)`UPDATE voucher_products SET redeemable = true WHERE id = ${id}`;
    expect((await client.api.get(`/api/v1/products/${id}`)).body).toMatchObject({
      available_denominations: [{ discount: 0 }],
    });
    expect((await charges()).body).toMatchObject({ discount: 0, total_payable: 25 });
    const order = await place(client.api, { product_id: id, denomination: 25, quantity: 1 });
    expect(order).toMatchObject({ discount: 0, charged_amount: 25 });
    const paying = (voucher?: Voucher) => ({ ...topup, redeem_voucher_code: voucher?.card_number });
    expect(await client.api.post(topupOrders, paying(discounted))).toMatchObject(refused);
    expect(await accepted(client.api, topupOrders, paying(order.vouchers[0]))).toMatchObject({ amount: 10 });
    await expect(ops`discounts set ${client.id} vouchers ${id} 5`).rejects.toThrow(
      `Product ${id} is redeemable: it sells at face value. Set discounts of other products only`,
    );
    // A redeemable product with discounts is on the attention list.
    await sql(database)`UPDATE voucher_products SET redeemable = false WHERE id = ${id}`;
  });
});

test('When a client exchanges money by redeemable vouchers of two currencies in a circle, then no rates let it gain more than half a minor unit for each order', async () => {
  const client = await newClient(database, { GBP: 100, USD: 0 });
  const house = voucherProduct(`House ${newMark()}`, {
    currencyCode: 'GBP',
    denominations: [{ min: '30', max: '300', discount: '0' }],
    redeemable: true,
  });
  const id = (await importProducts(database, { voucherProducts: [house] })).get(house.sku) as number;
  await sql(database)`UPDATE product_sources SET sku = 'SIM-GC-GARDEN-GB' WHERE family = 'VOUCHER'
       AND item_id = ${id}`;
  await giveTopups(client.id);
  await ops`rates set USD GBP 0.8 --reason Test --force`;
  await ops`rates set GBP USD 1.25 --reason Test --force`;
  await expect(ops`rates set GBP USD 1.2 --reason Test --force`).rejects.toThrow(
    'A client gains in a circle of these rates',
  );

  /** Turns money of the one wallet into money of the other one: buys a voucher, which pays for a top-up that is free. */
  const carry = async (product: number, denomination: number, [from, to]: readonly [string, string]) => {
    const card = await place(client.api, {
      product_id: product,
      denomination,
      quantity: 1,
      wallet_id: client.wallets[from],
    });
    const paid = { wallet_id: client.wallets[to], redeem_voucher_code: card.vouchers[0]?.card_number };
    await accepted(client.api, topupOrders, { ...topup, ...paid });
  };
  const usdHouse = orderOf('voucher_redeemable')['product_id'] as number;
  const rounds = 3;
  for (let round = 0; round < rounds; round++) {
    await carry(usdHouse, 50, ['GBP', 'USD']);
    // The first one costs 49.9625 USD, rounded to 49.96.
    await carry(id, round === 0 ? 39.97 : 40, ['USD', 'GBP']);
  }
  const gained = Number(await balance(client, 'GBP')) + 0.8 * Number(await balance(client)) - 100;
  expect(gained).toBeLessThanOrEqual(rounds * 2 * 0.005);
  expect(gained).toBeGreaterThan(0);
  expect(await unsoundWallets(database)).toEqual([]);
});
