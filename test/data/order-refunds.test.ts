/** Refunds after delivery, as the database decides and credits them. docs/specification.md#refunds. */
import { randomUUID } from 'node:crypto';
import { sql } from '../../dev/testbed/sql';
import { verifyLedger } from '../../src/data/ledger-verification';
import { reportMargins } from '../../src/data/orders/margin-report';
import { findOrder } from '../../src/data/orders/order-reads';
import { statedOrders, type StatedOrder } from '../../src/data/orders/order-statement';
import { listCreditedRefunds, listOrderRefunds, refundOrder } from '../../src/data/orders/stored-refunds';
import { creditDeferredRefund, creditRefundIfOpen } from '../../src/data/orders/settle-order';
import { reopenWallet } from '../../src/data/wallets/operated-wallets';
import { Exact } from '../../src/domain/prices/money';
import { sendRefundMails } from '../../src/notifications/mail/refund-mail';
import { MailNotSent, type Mail } from '../../src/notifications/mail/send';
import { storeUnits } from '../support/fulfilment';
import { createOrder, deliver, deliveredOrder, endOrder, houseBrand, type OrderWish } from '../support/ledger-orders';
import { newHolder, rejectionOf } from '../../dev/testbed/ledger-rows';
import { balanceOf, entriesOf, eventsOf } from '../support/records';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { useNew } from '../support/made';
import { goodwill } from '../support/claims';

const { database } = scratchDatabase();
const holder = useNew(() => newHolder(database, 1_000));
/** A product whose gift cards do not pay. */
const PRODUCT = 999;

/** An order that ends with `units` delivered; by default all of them. */
const ended = (wish: OrderWish, units?: number, of = holder) =>
  deliveredOrder(database, of, { productId: PRODUCT, ...wish }, units);

const refund = (...given: Parameters<typeof goodwill>) => refundOrder(database, goodwill(...given));
const amount = (text: string) => ({ amount: new Exact(text) });
const balance = () => balanceOf(database, holder.walletId);
const close = () => sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${holder.walletId}`;

async function openAttention(orderId: number): Promise<string[]> {
  return (
    await sql(database)<{ kind: string }>`SELECT kind FROM attention WHERE order_id = ${orderId}
       AND cleared_at IS NULL ORDER BY kind`
  ).map(({ kind }) => kind);
}

test('When an order of 10 at 10.00 is refunded by 3 units, by 50.00 and by 30.00, then the third is rejected and nothing moves', async () => {
  const orderId = await ended({ quantity: 10 });
  expect(await refund(orderId, { units: 3 })).toMatchObject({ number: 1, amount: '30', units: 3, isNew: true });
  expect(await refund(orderId, amount('50'))).toMatchObject({ number: 2, amount: '50', units: null });
  const before = await balance();
  await expect(refund(orderId, amount('30'))).rejects.toThrow(
    `Order ${orderId} kept 100 USD, of which 80 are refunded or replaced: 30 more are not left`,
  );
  await expect(refund(orderId, { units: 3 })).rejects.toThrow('30 more are not left');
  expect(await balance()).toBe(before);
  expect(await entriesOf(database, orderId)).toEqual([
    { kind: 'ORDER', type: 'DEBIT', amount: '100' },
    { kind: 'REFUND_AFTER', type: 'CREDIT', amount: '30' },
    { kind: 'REFUND_AFTER', type: 'CREDIT', amount: '50' },
  ]);
  expect(await listOrderRefunds(database, orderId)).toHaveLength(2);
});

test('When one refund is sent 20 times in parallel with one reference, then it is credited once', async () => {
  const orderId = await ended({ quantity: 10 });
  const same = goodwill(orderId, amount('50'));
  const sent = await Promise.all(Array.from({ length: 20 }, () => refundOrder(database, same)));
  expect(sent.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(sent.map(({ transaction_id: id }) => id)).size).toBe(1);
  expect(await balance()).toBe('950');
});

test('When 20 refunds together exceed what the order kept, then only those within the limit are credited', async () => {
  const orderId = await ended({ quantity: 10 });
  const sent = await Promise.allSettled(Array.from({ length: 20 }, () => refund(orderId, amount('30'))));
  expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await balance()).toBe('990');
});

test('When a reference is sent again for another refund, then it is rejected', async () => {
  const orderId = await ended({ quantity: 2 });
  await refund(orderId, { units: 1 }, { reference: 'T-1' });
  await expect(refund(orderId, amount('5'), { reference: 'T-1' })).rejects.toThrow(
    `Reference T-1 belongs to another refund of order ${orderId}: refund 1, 10 of 1 units`,
  );
});

test('When a reference differs only in case, width or invisible characters, then it is the same reference', async () => {
  const orderId = await ended({ quantity: 2 });
  const first = await refund(orderId, amount('5'), { reference: 'Ticket-1' });
  for (const reference of ['TICKET-1', 'Ｔicket-１', 'Tic\u200bket\u00ad-1', ' ticket-1\u00a0']) {
    expect(await refund(orderId, amount('5'), { reference })).toMatchObject({ number: 1, isNew: false });
    await expect(refund(orderId, amount('4'), { reference })).rejects.toThrow('belongs to another refund of order');
  }
  const written = `INSERT INTO order_refunds (order_id, reference, amount, reason_code, mail) VALUES ($orderId, 'tIcket-1', 1, 'OTHER', false)`;
  expect(await rejectionOf(database, written, { orderId })).toMatch('operator_references');
  expect(first.reference).toBe('Ticket-1');
  const other = await ended({ quantity: 1 });
  expect(await refund(other, amount('5'), { reference: 'ticket-1' })).toMatchObject({ isNew: true });
});

test('When JPY 100 for 3 units are refunded one by one, then they give 100 in all', async () => {
  const wallet = await sql.one(database)<{ id: number }>`INSERT INTO wallets (client_id, currency_code)
       VALUES (${holder.clientId}, 'JPY') RETURNING id`;
  const yen = { ...holder, walletId: wallet.id };
  await sql(database)`SELECT
       FROM post_entry(${yen.walletId}, 'FUNDING', 'CREDIT', 100, NULL, ${randomUUID()}, 'x', NULL, NULL, NULL, NULL)`;
  // Posted by the owner of the schema, which the audit does not name.
  const orderId = await ended({ quantity: 3, price: '100', currency: 'JPY' }, 3, yen);
  const amounts = [];
  for (const units of [1, 1, 1]) amounts.push((await refund(orderId, { units })).amount);
  expect(amounts).toEqual(['33', '34', '33']);
  expect(await balanceOf(database, yen.walletId)).toBe('100');
  await expect(refund(orderId, { units: 1 })).rejects.toThrow('3 are refunded or replaced: 1 cannot be refunded');
});

test('When an amount has more decimals than its currency, or a share rounds to 0, then it is rejected', async () => {
  const orderId = await ended({ quantity: 3, price: '0.01', faceValue: '10' });
  await expect(refund(orderId, amount('0.001'))).rejects.toThrow('0.001 is not an amount of USD');
  await expect(refund(orderId, { units: 1 })).rejects.toThrow('rounds to 0 USD: refund more units at once');
  expect(await refund(orderId, { units: 3 })).toMatchObject({ amount: '0.01' });
});

test('When an order is open or does not exist, then its refund is rejected', async () => {
  const { orderId } = await createOrder(database, holder, { quantity: 2 });
  await expect(refund(orderId, { units: 1 })).rejects.toThrow(
    `Order ${orderId} is PENDING: only an order that has ended can be refunded`,
  );
  await expect(refund(999_999, { units: 1 })).rejects.toThrow('There is no order 999999');
  await deliver(database, orderId, 2);
});

test('When an order is refunded, then its status, its counts and the daily cap stay, and every read shows the same sums', async () => {
  const orderId = await ended({ quantity: 3, clientReference: 'read' }, 1);
  const counts = () => sql(database)`SELECT * FROM daily_orders WHERE client_id = ${holder.clientId}`;
  const before = { counts: await counts(), order: await findOrder(database, 'VOUCHER', holder.clientId, orderId) };
  const { transaction_id: second } = await refund(orderId, amount('4'));
  const order = await findOrder(database, 'VOUCHER', holder.clientId, orderId);
  expect(await counts()).toEqual(before.counts);
  expect(order).toMatchObject({ status: 'FAILED', deliveredQuantity: 1, refund: '24.0000', isRefunded: true });
  expect(order?.refundTransactionId).toBe(before.order?.refundTransactionId);
  expect(await listCreditedRefunds(database, orderId)).toMatchObject([
    { id: 1, amount: '4.0000', currency: 'USD', units: null, reasonCode: 'GOODWILL', transactionId: second },
    { id: 0, amount: '20.0000', units: 2, reasonCode: 'NOT_DELIVERED' },
  ]);
  const period = { from: new Date(Date.now() - 60_000), to: new Date(Date.now() + 60_000) };
  const stated: StatedOrder[] = [];
  for await (const each of statedOrders(database, holder.clientId, period)) stated.push(each);
  expect(stated).toMatchObject([{ charged: '30.00', refunded: '24.00' }]);
  expect(
    await sql.first(database)`SELECT trim_scale(sold)::text AS sold FROM orders o CROSS
       JOIN LATERAL order_margin(o) WHERE o.id = ${orderId}`,
  ).toEqual({ sold: '6' });
});

test('When an order of a past month is refunded, then the report of that month stays and the present month has the refund', async () => {
  const { name } = await sql.one(database)<{ name: string }>`SELECT name FROM clients
       WHERE id = ${holder.clientId}`;
  const orderId = await ended({ quantity: 3 });
  const { at } = await sql.one(database)<{ at: Date }>`UPDATE orders
       SET completed_at = completed_at - interval '40 days' WHERE id = ${orderId}
       RETURNING completed_at AS "at"`;
  const monthOf = (time: Date) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
  const report = async (time: Date) => {
    const found = await reportMargins(database, monthOf(time), 'client');
    return found.filter(({ client }) => client === name);
  };
  const before = await report(at);
  expect(before).toMatchObject([{ orders: 1, sold: '30.00', refunded: '0.00' }]);
  await refund(orderId, { units: 2 });
  expect(await report(at)).toEqual(before);
  expect(await report(new Date())).toMatchObject([{ orders: 0, sold: '0.00', refunded: '20.00', margin: '0.00' }]);
  const bySupplier = await reportMargins(database, monthOf(new Date()), 'supplier');
  expect(bySupplier.find(({ supplier }) => supplier === 'simulator')?.refunded).not.toBe('0.00');
});

test('When a failed order waits for its refund because the wallet is closed, then a refund never takes what is due', async () => {
  const { orderId } = await createOrder(database, holder, { quantity: 3 });
  await storeUnits(database, orderId, 1);
  await close();
  await endOrder(database, orderId);
  await expect(refund(orderId, amount('10.01'))).rejects.toThrow('kept 10 USD');
  expect(await refund(orderId, { units: 1 }, { reference: 'T-2' })).toMatchObject({
    amount: '10',
    transaction_id: null,
    isNew: true,
  });
  expect(await openAttention(orderId)).toEqual(['REFUND_AFTER_DUE', 'REFUND_DUE']);
  expect(await findOrder(database, 'VOUCHER', holder.clientId, orderId)).toMatchObject({ refund: null });
  expect(await listCreditedRefunds(database, orderId)).toEqual([]);
  expect((await verifyLedger(database, 10)).findings).toEqual([]);

  for (const run of [1, 2]) {
    await reopenWallet(database, holder.walletId);
    expect([run, await openAttention(orderId), await balance()]).toEqual([run, [], '1000']);
  }
  expect(await refund(orderId, { units: 1 }, { reference: 'T-2' })).toMatchObject({ isNew: false });
  expect(await findOrder(database, 'VOUCHER', holder.clientId, orderId)).toMatchObject({
    refund: '30.0000',
    isRefunded: true,
  });
  expect(await listCreditedRefunds(database, orderId)).toMatchObject([
    { id: 1, amount: '10.0000' },
    { id: 0, amount: '20.0000', reasonCode: 'NOT_DELIVERED' },
  ]);
  expect((await verifyLedger(database, 10)).findings).toEqual([]);
});

test('When orders fail while their wallet is reopened, then each is refunded once, and none stays on the attention list', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => createOrder(database, holder, {})));
  await close();
  const [early, late] = [orders.slice(0, 10), orders.slice(10)];
  await Promise.all(early.map(({ orderId }) => endOrder(database, orderId)));
  await Promise.all([
    ...late.map(({ orderId }) => endOrder(database, orderId)),
    ...[1, 2].map(() => reopenWallet(database, holder.walletId)),
    ...early.map(({ orderId }) => creditRefundIfOpen(database, orderId)),
  ]);
  expect(await balance()).toBe('1000');
  expect((await Promise.all(orders.map(({ orderId }) => openAttention(orderId)))).flat()).toEqual([]);
  expect((await verifyLedger(database, 10)).findings).toEqual([]);
});

test('When a due refund is credited by many calls at once, then it is credited once, and the others say why they did nothing', async () => {
  const { orderId } = await createOrder(database, holder, { quantity: 3 });
  await close();
  await endOrder(database, orderId);
  // As an earlier release reopened it, which left the refund to another command.
  const { walletId } = holder;
  await sql(database)`UPDATE wallets SET closed_at = NULL WHERE id = ${walletId}`;
  const credits = Array.from({ length: 10 }, () =>
    creditDeferredRefund(database, orderId).catch((error: Error) => error.message),
  );
  const done = `Order ${orderId} is refunded already, or its wallet is closed: reopen it first`;
  expect((await Promise.all(credits)).sort()).toEqual(['30', ...Array.from({ length: 9 }, () => done)]);
  expect(await balance()).toBe('1000');
});

test('When a wallet is reopened while refunds to it are requested, then each is credited once', async () => {
  const orderId = await ended({ quantity: 20 });
  await close();
  const work = Array.from({ length: 20 }, (_, index) => refund(orderId, { units: 1 }, { reference: `T-${index}` }));
  await Promise.all([...work, reopenWallet(database, holder.walletId)]);
  expect((await listOrderRefunds(database, orderId)).filter(({ transaction_id: id }) => id === null)).toEqual([]);
  expect(await balance()).toBe('1000');
  expect(await openAttention(orderId)).toEqual([]);
});

test('When the code of a redeemable gift card is redeemed and refunded at once, 20 times, then exactly one of them succeeds', async () => {
  const productId = await houseBrand(database);
  const orderId = await ended({ quantity: 20, productId });
  for (let unit = 1; unit <= 20; unit++) {
    const [redeemed, refunded] = await Promise.allSettled([
      createOrder(database, holder, { family: 'TOPUP', redeems: { orderId, unit } }),
      refund(orderId, { unit }),
    ]);
    if (redeemed.status === 'rejected') throw redeemed.reason;
    const { orderId: paidId, placement } = redeemed.value;
    const isRedeemed = placement.outcome === 'PLACED';
    expect([isRedeemed, refunded.status === 'fulfilled'].sort()).toEqual([false, true]);
    if (isRedeemed) {
      await deliver(database, paidId);
    }
  }
});

test('When a gift card is redeemable, then its refund names it, and neither an amount nor units are accepted', async () => {
  const orderId = await ended({ quantity: 2, productId: await houseBrand(database) });
  const rejected = `The gift cards of order ${orderId} can pay for orders`;
  await expect(refund(orderId, amount('5'))).rejects.toThrow(rejected);
  await expect(refund(orderId, { units: 1 })).rejects.toThrow(rejected);
  expect(await refund(orderId, { unit: 2 })).toMatchObject({ amount: '10', unit: 2, units: 1 });
  await expect(refund(orderId, { unit: 2 })).rejects.toThrow('is no gift card that can be refunded');
  await expect(refund(orderId, { unit: 3 })).rejects.toThrow('is no gift card that can be refunded');
});

test.each(['VOUCHER', 'TOPUP', 'ESIM'] as const)(
  'When an order of the family %s is refunded, then each refund has one event with the data of the family',
  async (family) => {
    const orderId = await ended({ family, price: '9.80', clientReference: 'mine' });
    await refund(orderId, amount('1.5'));
    await refund(orderId, amount('2'), { reasonCode: 'NOT_RECEIVED' });
    const events = (await eventsOf(database, orderId)).filter(({ type }) => type.endsWith('.refunded'));
    expect(events).toEqual(
      [
        { refund_id: 1, refund_amount: 1.5, reason_code: 'GOODWILL' },
        { refund_id: 2, refund_amount: 2, reason_code: 'NOT_RECEIVED' },
      ].map((data) => ({
        type: { VOUCHER: 'order', TOPUP: 'topup', ESIM: 'esim' }[family] + '.refunded',
        data: expect.objectContaining({ id: orderId, status: 'DELIVERED', client_reference: 'mine', ...data }),
      })),
    );
  },
);

describe('When the operator asks for a mail about a refund', () => {
  let sent: Mail[];
  let givenUp: number[];
  beforeEach(() => {
    [sent, givenUp] = [[], []];
  });
  const send = (error?: MailNotSent) =>
    sendRefundMails({
      database,
      mailer: { sendMail: async (mail) => (error ? Promise.reject(error) : void sent.push(mail)) },
      onGivenUp: (orderId) => void givenUp.push(orderId),
    });
  const due = () => sql(database)`UPDATE refund_mails SET due_at = now() RETURNING number`;

  test('then the contact is mailed once the refund is credited, without the note', async () => {
    const orderId = await ended({ quantity: 1, clientReference: 'A-1' });
    await close();
    await refund(orderId, { units: 1 }, { mail: true, note: 'called twice', reasonCode: 'INVALID_GOODS' });
    await send();
    expect(sent).toEqual([]);
    await reopenWallet(database, holder.walletId);
    await send();
    await send();
    expect(sent).toEqual([
      expect.objectContaining({
        to: 'test@client.example',
        subject: `Refund of 10.00 USD for order ${orderId}`,
        messageId: `refund-order-${orderId}-r1`,
        text:
          `We refunded 10.00 USD of your order ${orderId} (Voucher, your reference A-1) to your wallet ${holder.walletId}. Reason: the goods were not valid.\n\n` +
          `The order keeps its state. To list its refunds, call GET /api/v1/orders/${orderId}/refunds.\n`,
      }),
    ]);
    expect(await due()).toEqual([]);
  });

  test('then each mail that the mail server does not accept is due again, and one that it rejects for good is given up', async () => {
    const orderId = await ended({ quantity: 3 });
    for (const unit of [1, 2]) await refund(orderId, { unit }, { mail: true });
    await send(new MailNotSent('The mail server answered 451 to DATA', false));
    await send();
    expect(sent).toEqual([]);
    expect(await due()).toEqual([{ number: 1 }, { number: 2 }]);
    await send();
    expect(sent.map(({ messageId }) => messageId)).toEqual([1, 2].map((n) => `refund-order-${orderId}-r${n}`));
    await refund(orderId, { unit: 3 }, { mail: true });
    await send(new MailNotSent('The mail server answered 550 to RCPT TO', true));
    expect(givenUp).toEqual([orderId]);
    expect(await due()).toEqual([]);
  });
});

test('When an entry is posted that no refund allows, then the database rejects it', async () => {
  const orderId = await ended({ quantity: 2 });
  await refund(orderId, { units: 1 });
  const post = (value: number, number: number) =>
    rejectionOf(
      database,
      `SELECT FROM post_entry($walletId, 'REFUND_AFTER', 'CREDIT', $value, $orderId, $reference, 'x', NULL, NULL, NULL, NULL)`,
      { walletId: holder.walletId, value, orderId, reference: `order-${orderId}-r${number}` },
    );
  expect(await post(10, 1)).toMatch(/no refund allows the entry|transactions_once_per_order/);
  expect(await post(10, 2)).toMatch('no refund allows the entry');
  await close();
  await refund(orderId, { units: 1 });
  await sql(database)`UPDATE wallets SET closed_at = NULL WHERE id = ${holder.walletId}`;
  expect(await post(9, 2)).toMatch('no refund allows the entry');
  expect(await sql.first(database)`SELECT carry_out_refund(${orderId}, 2) AS credited`).toEqual({ credited: true });
  expect(await sql.first(database)`SELECT carry_out_refund(${orderId}, 2) AS credited`).toEqual({ credited: false });
});

test('When orders were refunded in all these ways, then the ledger verification finds nothing wrong', async () => {
  expect((await verifyLedger(database, 10)).findings).toEqual([]);
});
