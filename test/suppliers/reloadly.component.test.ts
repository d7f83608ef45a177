/** The adapter of Reloadly against its fake, which was written from the same facts without the adapter. */
import { createHmac } from 'node:crypto';
import type { Modes } from '../../fakes/kit/modes';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { SupplierOutcomeUnknown } from '../../src/domain/suppliers/supplier-errors';
import type { Fault, PassedRequest } from '../support/hostile-proxy';
import { adapterAt, instead, secret } from '../support/fake-suppliers';
import {
  shop,
  misbehave,
  salesOf,
  card,
  topup,
  bill,
  requestOf,
  buy,
  outcome,
  concluded,
  isPurchase,
  isOfCards,
  isSearch,
  refusal,
  replace,
} from '../support/reloadly';
import { forgedSignatures, supplierContract, type Situation } from './contract';
import { withstandsFaults } from './faults';

const faults: Partial<Record<Situation, (request: PassedRequest) => Fault | undefined>> = {
  'answer-lost-before-buying': (request) => (isPurchase(request) ? { do: 'lose-request' } : undefined),
  'answer-lost-after-buying': (request) => (isPurchase(request) ? { do: 'lose-answer' } : undefined),
  'refusing-with-an-echo': (request) =>
    isPurchase(request) ? instead(400, refusal('INVALID_RECIPIENT_PHONE', request.body)) : undefined,
  'failing-with-an-echo': (request) =>
    isPurchase(request) ? instead(500, refusal('PROVIDER_INTERNAL_ERROR', request.body)) : undefined,
  'broken-with-an-echo': (request) => (isPurchase(request) ? instead(502, `<p>${request.body}</p>`) : undefined),
  'first-unit-unreadable': (request) =>
    isOfCards(request) ? instead(200, [{ cardNumber: null, pinCode: '007' }]) : undefined,
};
const modesOf: Partial<Record<Situation, Modes>> = {
  'account-blocked': { rejects: { code: 'INACTIVE_ACCOUNT', count: 1 } },
  'rate-limited': { rejects: { code: '429', count: 1 } },
  'two-rows-for-a-reference': { second_row: true },
};

supplierContract('Reloadly', async () => {
  // Fetches a token, so that the first response of a test does not reject the former token.
  await shop.supplier.balances?.();
  return {
    supplier: shop.supplier,
    unreachable: adapterAt('reloadly', 'http://127.0.0.1:1'),
    arrange: async (situation) => {
      shop.proxy.meddle = faults[situation] ?? (() => undefined);
      await misbehave(modesOf[situation] ?? {});
    },
    soldUnits: shop.soldUnits,
    delivered: [card, { ...card, sku: 'gift:102:EUR', unitValue: '12.34' }],
    refused: { ...topup, input: { phone_number: '+9198200005550' } },
    secretWords: ['98200005550'],
    push: () => {
      const reference = purchaseReference(7, 'nonce1234567', 1);
      const rawBody = Buffer.from(
        JSON.stringify({ type: 'giftcard_transaction.status', data: { customIdentifier: reference } }),
      );
      const time = String(Date.now());
      const signature = createHmac('sha256', secret)
        .update(`${String(rawBody)}:${time}`)
        .digest('hex');
      const headers = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': time };
      const push = { headers, rawBody, pathSecret: undefined };
      return { push, hint: { kind: 'purchase', reference }, forged: forgedSignatures(push) };
    },
  };
});

describe('Responses of Reloadly', () => {
  withstandsFaults(shop, [card, topup, bill]);

  test.each([400, 401, 403, 404, 409, 422, 429, 500, 502, 503])(
    'When a gateway answers a purchase with %s, then its outcome is unknown',
    async (status) => {
      for (const wanted of [card, topup, bill]) {
        await misbehave({ gateway: { status, count: 1 } });
        expect(await outcome(requestOf(wanted))).toBeInstanceOf(SupplierOutcomeUnknown);
      }
    },
  );

  test('When the path is unknown, then the outcome of a purchase is unknown', async () => {
    replace(isPurchase, 404, { timestamp: '', status: 404, error: 'Not Found', message: '', path: '/orders' });
    expect(await outcome(requestOf(card))).toBeInstanceOf(SupplierOutcomeUnknown);
  });

  test('When the response has another reference, then the outcome is unknown', async () => {
    replace(isPurchase, 200, { transactionId: 7, status: 'SUCCESSFUL', customIdentifier: 'another' });
    for (const wanted of [card, topup]) expect(await outcome(requestOf(wanted))).toBeInstanceOf(SupplierOutcomeUnknown);
    replace(isPurchase, 200, { id: 7, status: 'PROCESSING', referenceId: 'another' });
    expect(await outcome(requestOf(bill))).toBeInstanceOf(SupplierOutcomeUnknown);
  });

  test('When our account is empty, then nothing was bought because of our account', async () => {
    await shop.fund('0.01');
    for (const wanted of [card, topup, bill])
      expect(await buy(requestOf(wanted))).toMatchObject({ state: 'NOT_BOUGHT', because: 'our-account' });
    expect(await shop.supplier.balances?.()).toEqual([{ amount: '0.01', currency: 'USD' }]);
  });

  test('When all products were sold, then the statement lists each sale with its price', async () => {
    const since = new Date(Date.now() - 60_000);
    const requests = [card, topup, bill].map(requestOf);
    for (const request of requests) await concluded(request, (await buy(request)).supplierOrderId);
    const listed = [];
    for await (const rows of shop.supplier.statement?.(since) ?? []) listed.push(...rows);
    expect(listed.map(({ reference }) => reference)).toEqual(requests.map(({ reference }) => reference));
    for (const { reference, cost, units } of listed) {
      const [sale] = await salesOf(reference);
      expect({ units, cost }).toEqual({ units: 1, cost: { amount: sale?.cost, currency: 'USD' } });
    }
    const later = [];
    for await (const rows of shop.supplier.statement?.(new Date(Date.now() + 60_000)) ?? []) later.push(...rows);
    expect(later).toEqual([]);
  });

  test('When sales have no reference, then the statement identifies them by their ids', async () => {
    const gift = { transactionId: 7, status: 'SUCCESSFUL', customIdentifier: null };
    shop.proxy.meddle = (request) => {
      const content = request.path.startsWith('/giftcards/reports') ? [gift, { ...gift, transactionId: 8 }] : [];
      return isSearch(request) ? instead(200, { content, totalElements: content.length, totalPages: 1 }) : undefined;
    };
    const listed = [];
    for await (const rows of shop.supplier.statement?.(new Date(0)) ?? []) listed.push(...rows);
    expect(listed).toMatchObject([
      { kind: 'sale', reference: '7', supplierOrderId: '7' },
      { kind: 'sale', reference: '8', supplierOrderId: '8' },
    ]);
  });

  const reference = 'order-7';

  test.each([
    ['at the top', JSON.stringify({ customIdentifier: reference })],
    ['in a transaction', JSON.stringify({ transaction: { customIdentifier: reference } })],
    ['deeper', JSON.stringify({ data: { transaction: { referenceId: reference } } })],
    ['nowhere', JSON.stringify({ data: { transactionId: 7 } })],
    ['in text that is no JSON', reference],
  ])('When a signed webhook has the reference %s, then its hint is the purchase or nothing', (where, body) => {
    const signature = createHmac('sha256', secret).update(`${body}:now`).digest('hex');
    const headers = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': 'now' };
    const hint = shop.supplier.verifyPush?.({ headers, rawBody: Buffer.from(body), pathSecret: undefined });
    const isReadable = !['nowhere', 'in text that is no JSON'].includes(where);
    expect(hint).toEqual(isReadable ? { kind: 'purchase', reference } : undefined);
  });
});
