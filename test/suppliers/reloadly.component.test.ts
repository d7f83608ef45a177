/** The adapter of Reloadly against its fake, which was written from the same facts without the adapter. */
import { createHmac } from 'node:crypto';
import { callControl } from '../../dev/stack/controls';
import type { Modes } from '../../fakes/kit/modes';
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { SupplierOutcomeUnknown } from '../../src/suppliers/port';
import type { Fault, PassedRequest } from '../support/hostile-proxy';
import {
  buysFromReloadly,
  webhookSecret,
  proxy,
  supplier,
  supplierAt,
  fake,
  misbehave,
  salesOf,
  card,
  topup,
  bill,
  requestOf,
  buy,
  outcome,
  find,
  concluded,
  bought,
  isPurchase,
  isOfCards,
  isSearch,
  refusal,
  answer,
  replace,
} from '../support/reloadly';
import { forgedSignatures, supplierContract, type Situation } from './contract';

buysFromReloadly();

const faults: Partial<Record<Situation, (request: PassedRequest) => Fault | undefined>> = {
  'answer-lost-before-buying': (request) => (isPurchase(request) ? { do: 'lose-request' } : undefined),
  'answer-lost-after-buying': (request) => (isPurchase(request) ? { do: 'lose-answer' } : undefined),
  'refusing-with-an-echo': (request) =>
    isPurchase(request) ? answer(400, refusal('INVALID_RECIPIENT_PHONE', request.body)) : undefined,
  'failing-with-an-echo': (request) =>
    isPurchase(request) ? answer(500, refusal('PROVIDER_INTERNAL_ERROR', request.body)) : undefined,
  'broken-with-an-echo': (request) =>
    isPurchase(request) ? answer(502, `<p>${request.body}</p>`) : undefined,
  'first-unit-unreadable': (request) =>
    isOfCards(request) ? answer(200, [{ cardNumber: null, pinCode: '007' }]) : undefined,
};
const modesOf: Partial<Record<Situation, Modes>> = {
  'account-blocked': { rejects: { code: 'INACTIVE_ACCOUNT', count: 1 } },
  'rate-limited': { rejects: { code: '429', count: 1 } },
  'two-rows-for-a-reference': { second_row: true },
};

supplierContract('Reloadly', async () => {
  // Fetches a token, so that the first response of a test does not reject the former token.
  await supplier.balances?.();
  return {
    supplier,
    unreachable: supplierAt('http://127.0.0.1:1'),
    arrange: async (situation) => {
      proxy.meddle = faults[situation] ?? (() => undefined);
      await misbehave(modesOf[situation] ?? {});
    },
    soldUnits: async (reference) => (await salesOf(reference)).filter(({ state }) => state === 'sold').length,
    delivered: [card, { ...card, sku: 'gift:102:EUR', unitValue: '12.34' }],
    refused: { ...topup, input: { phone_number: '+9198200005550' } },
    secretWords: ['98200005550'],
    push: () => {
      const reference = purchaseReference(7, 'nonce1234567', 1);
      const rawBody = Buffer.from(
        JSON.stringify({ type: 'giftcard_transaction.status', data: { customIdentifier: reference } }),
      );
      const time = String(Date.now());
      const signature = createHmac('sha256', webhookSecret)
        .update(`${String(rawBody)}:${time}`)
        .digest('hex');
      const headers = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': time };
      const push = { headers, rawBody, pathSecret: undefined };
      return { push, hint: { kind: 'purchase', reference }, forged: forgedSignatures(push) };
    },
  };
});

describe('Responses of Reloadly', () => {
  test('When Reloadly adds fields, then they are ignored', async () => {
    await misbehave({ additional_field: true });
    expect(await buy(requestOf(card))).toMatchObject({ state: 'DELIVERED' });
    expect(await bought(requestOf(topup))).toMatchObject({ state: 'DELIVERED' });
    expect(await bought(requestOf(bill))).toMatchObject({ state: 'DELIVERED' });
  });

  test.each(['error-under-200', 'half-json', 'empty'] as const)(
    'When the response to a purchase is %s, then its outcome is unknown and a lookup finds it',
    async (form) => {
      await misbehave({ nonsense: { form, count: 1 } });
      const request = requestOf(card);
      expect(await outcome(request)).toBeInstanceOf(SupplierOutcomeUnknown);
      expect(await find(request)).toMatchObject({ state: 'DELIVERED' });
    },
  );

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
    replace(isPurchase, 404, {
      timestamp: '',
      status: 404,
      error: 'Not Found',
      message: '',
      path: '/orders',
    });
    expect(await outcome(requestOf(card))).toBeInstanceOf(SupplierOutcomeUnknown);
  });

  test('When the response has another reference, then the outcome is unknown', async () => {
    replace(isPurchase, 200, { transactionId: 7, status: 'SUCCESSFUL', customIdentifier: 'another' });
    for (const wanted of [card, topup])
      expect(await outcome(requestOf(wanted))).toBeInstanceOf(SupplierOutcomeUnknown);
    replace(isPurchase, 200, { id: 7, status: 'PROCESSING', referenceId: 'another' });
    expect(await outcome(requestOf(bill))).toBeInstanceOf(SupplierOutcomeUnknown);
  });

  test('When our account is empty, then nothing was bought because of our account', async () => {
    await callControl(fake.url, 'PUT', 'account', { amount: '0.01' });
    for (const wanted of [card, topup, bill])
      expect(await buy(requestOf(wanted))).toMatchObject({ state: 'NOT_BOUGHT', because: 'our-account' });
    expect(await supplier.balances?.()).toEqual([{ amount: '0.01', currency: 'USD' }]);
  });

  test('When all products were sold, then the statement lists each sale with its price', async () => {
    const since = new Date(Date.now() - 60_000);
    const requests = [card, topup, bill].map(requestOf);
    for (const request of requests) await concluded(request, (await buy(request)).supplierOrderId);
    const listed = [];
    for await (const rows of supplier.statement?.(since) ?? []) listed.push(...rows);
    expect(listed.map(({ reference }) => reference)).toEqual(requests.map(({ reference }) => reference));
    for (const { reference, cost, units } of listed) {
      const [sale] = await salesOf(reference);
      expect({ units, cost }).toEqual({ units: 1, cost: { amount: sale?.cost, currency: 'USD' } });
    }
    const later = [];
    for await (const rows of supplier.statement?.(new Date(Date.now() + 60_000)) ?? []) later.push(...rows);
    expect(later).toEqual([]);
  });

  test('When sales have no reference, then the statement identifies them by their ids', async () => {
    const gift = { transactionId: 7, status: 'SUCCESSFUL', customIdentifier: null };
    proxy.meddle = (request) => {
      const content = request.path.startsWith('/giftcards/reports')
        ? [gift, { ...gift, transactionId: 8 }]
        : [];
      return isSearch(request)
        ? answer(200, { content, totalElements: content.length, totalPages: 1 })
        : undefined;
    };
    const listed = [];
    for await (const rows of supplier.statement?.(new Date(0)) ?? []) listed.push(...rows);
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
  ])(
    'When a signed webhook has the reference %s, then its hint is the purchase or nothing',
    (where, body) => {
      const signature = createHmac('sha256', webhookSecret).update(`${body}:now`).digest('hex');
      const headers = { 'x-reloadly-signature': signature, 'x-reloadly-request-timestamp': 'now' };
      const hint = supplier.verifyPush?.({ headers, rawBody: Buffer.from(body), pathSecret: undefined });
      const isReadable = !['nowhere', 'in text that is no JSON'].includes(where);
      expect(hint).toEqual(isReadable ? { kind: 'purchase', reference } : undefined);
    },
  );
});
