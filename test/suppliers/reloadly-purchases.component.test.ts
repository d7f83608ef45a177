/** The requests and tokens that the adapter of Reloadly sends for an order, and the reports that it derives from the responses. */
import { callControl } from '../../dev/stack/controls';
import type { Sale } from '../../fakes/kit/ledger';
import type { PurchaseRequest } from '../../src/domain/suppliers/port';
import { SupplierAccountBlocked, SupplierUnavailable } from '../../src/domain/suppliers/supplier-errors';
import { adapterAt, instead } from '../support/fake-suppliers';
import {
  shop,
  misbehave,
  salesOf,
  card,
  topup,
  bill,
  requestOf,
  buy,
  find,
  bought,
  isPurchase,
  isOfCards,
  isSearch,
  refusal,
  replace,
} from '../support/reloadly';

describe('Tokens', () => {
  test.each(['INVALID_TOKEN', 'TOKEN_EXPIRED', 'MISSING_TOKEN'])(
    'When a product rejects the token with %s, then the adapter fetches a new token and sends the purchase again',
    async (code) => {
      let refusals = 1;
      shop.proxy.meddle = (request) =>
        isPurchase(request) && refusals-- > 0 ? instead(401, refusal(code)) : undefined;
      const before = shop.proxy.requests.length;
      expect(await buy(requestOf(card))).toMatchObject({ state: 'DELIVERED' });
      const sent = shop.proxy.requests.slice(before).filter(isPurchase);
      expect(new Set(sent.map(({ headers }) => headers['authorization'])).size).toBe(2);
    },
  );

  test('When several products are used, then each has a separate token', async () => {
    const own = adapterAt('reloadly', shop.proxy.url);
    const before = shop.proxy.requests.length;
    for (const wanted of [card, topup, bill, card]) await own.purchase(requestOf(wanted), () => true);
    const issued = shop.proxy.requests.slice(before).filter(({ path }) => path === '/auth/oauth/token');
    expect(issued.map(({ body }) => (JSON.parse(body) as { audience: string }).audience)).toEqual([
      'https://giftcards-sandbox.reloadly.com',
      'https://topups-sandbox.reloadly.com',
      'https://utilities-sandbox.reloadly.com',
    ]);
  });

  test('When our credentials are wrong, then the account is blocked and nothing is sent', async () => {
    const request = requestOf(card);
    const wrong = adapterAt('reloadly', shop.proxy.url, { secret: 'another-secret' });
    await expect(wrong.purchase(request, () => true)).rejects.toBeInstanceOf(SupplierAccountBlocked);
    expect(await salesOf(request.reference)).toEqual([]);
  });

  test('When the token host rejects the product, then the account is blocked', async () => {
    const body = JSON.stringify({ message: 'No.', errorCode: 'INVALID_AUDIENCE' });
    replace(({ path }) => path.startsWith('/auth'), 400, body);
    const attempt = adapterAt('reloadly', shop.proxy.url).purchase(requestOf(card), () => true);
    await expect(attempt).rejects.toBeInstanceOf(SupplierAccountBlocked);
  });

  test('When a gateway answers instead of the token host, then the purchase did not run', async () => {
    replace(({ path }) => path.startsWith('/auth'), 401, '<h1>401</h1>');
    const attempt = adapterAt('reloadly', shop.proxy.url).purchase(requestOf(card), () => true);
    await expect(attempt).rejects.toBeInstanceOf(SupplierUnavailable);
  });
});

describe('Purchases', () => {
  const expectNothingSent = async (special: Partial<PurchaseRequest>, wanted: Omit<PurchaseRequest, 'reference'>) => {
    const before = shop.proxy.requests.length;
    const report = await buy(requestOf({ ...wanted, ...special }));
    expect(report).toMatchObject({ state: 'REJECTED', failureCode: 'PRODUCT_UNAVAILABLE' });
    expect(shop.proxy.requests).toHaveLength(before);
  };

  test.each<[string, Omit<PurchaseRequest, 'reference'>, Partial<PurchaseRequest>]>([
    ['a SKU of another supplier', card, { sku: 'fixed:101:USD:25' }],
    ['an amount that differs from the SKU', card, { unitValue: '50' }],
    ['a currency that differs from the SKU', card, { currency: 'USD' }],
    ['a currency that differs from the operator', topup, { currency: 'USD' }],
    ['a currency that differs from the biller', bill, { currency: 'USD' }],
    ['a gift card as a top-up', topup, { sku: 'gift:101:EUR:25' }],
    ['a top-up as a gift card', card, { sku: 'topup:201:IN:INR' }],
    ['a family that Reloadly does not sell', card, { family: 'ESIM' }],
    ['no phone number', topup, { input: {} }],
    ['no account number', bill, { input: { phone_number: '+919820000555' } }],
    ['a top-up without its country', topup, { sku: 'topup:201' }],
    // The received amount would depend on the current exchange rate.
    ['a top-up by the debit of our account', topup, { sku: 'topup:201:IN:INR:100:5' }],
  ])('When an order has %s, then nothing is sent and the purchase is rejected', async (_what, wanted, special) => {
    await expectNothingSent(special, wanted);
  });

  test.each<[string, object, Partial<PurchaseRequest>, object]>([
    ['gift card', card, {}, { productId: 101, quantity: 1, unitPrice: 25, senderName: 'Digital Goods' }],
    [
      'top-up in the local currency',
      topup,
      {},
      {
        operatorId: 201,
        amount: 100,
        useLocalAmount: true,
        recipientPhone: { countryCode: 'IN', number: '+919820000555' },
      },
    ],
    ['bill', bill, {}, { billerId: 302, amount: 5000.5, useLocalAmount: true, subscriberAccountNumber: '04512345678' }],
    [
      'bill with a fixed amount',
      bill,
      { sku: 'bill:304:KES:1250:2', unitValue: '1250', currency: 'KES' },
      { billerId: 304, amount: 1250, amountId: 2, useLocalAmount: true, subscriberAccountNumber: '04512345678' },
    ],
  ])(
    'When a %s is ordered, then the adapter sends exactly the expected request',
    async (_what, wanted, special, expected) => {
      const request = requestOf({ ...(wanted as typeof card), ...special });
      await buy(request);
      const { reference } = request;
      const sent = JSON.parse(shop.proxy.requests.filter(isPurchase).at(-1)?.body ?? '') as object;
      const named = request.sku.startsWith('bill') ? { referenceId: reference } : { customIdentifier: reference };
      expect(sent).toEqual({ ...expected, ...named });
    },
  );

  test('When a gift card has a link, then the link is the claim URL, and the cost is the debited amount', async () => {
    const report = await buy(requestOf({ ...card, sku: 'gift:102:EUR', unitValue: '10' }));
    const goods = [{ kind: 'voucher', claimUrl: expect.stringMatching(/^https:/) as string }];
    const [sale] = await callControl<Sale[]>(shop.fake.url, 'GET', 'sales');
    expect(report).toMatchObject({ state: 'DELIVERED', goods, cost: { amount: sale?.cost, currency: 'USD' } });
  });

  test('When the codes are numbers or a single object, then they arrive exactly', async () => {
    const request = requestOf(card);
    const report = await buy(request);
    await misbehave({ numbers: true });
    expect(await find(request)).toEqual(report);
    expect(report.goods).toMatchObject([
      { cardNumber: expect.stringMatching(/^6\d{18}$/) as string, pinCode: expect.stringMatching(/^0\d+$/) as string },
    ]);
  });

  test.each(['answered with an error', 'lost'])(
    'When the call for the codes is %s, then the purchase is pending, and a lookup returns the codes',
    async (how) => {
      shop.proxy.meddle = (request) => {
        if (!isOfCards(request)) return undefined;
        return how === 'lost' ? { do: 'lose-answer' } : instead(401, refusal('INACTIVE_ACCOUNT'));
      };
      const request = requestOf(card);
      expect(await buy(request)).toMatchObject({ state: 'PENDING', cost: { currency: 'USD' }, goods: [] });
      await expect(find(request)).rejects.toBeInstanceOf(SupplierUnavailable);
      shop.proxy.meddle = () => undefined;
      expect(await find(request)).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'voucher' }] });
    },
  );

  test('When an order has no codes yet, then it is pending', async () => {
    replace(isOfCards, 200, []);
    const request = requestOf(card);
    expect(await buy(request)).toMatchObject({ state: 'PENDING', goods: [] });
    expect(await find(request)).toMatchObject({ state: 'PENDING', goods: [] });
  });

  test.each([topup, bill])('When $sku is bought, then it is accepted and delivered later', async (wanted) => {
    const request = requestOf(wanted);
    expect(await bought(request)).toMatchObject({
      state: 'DELIVERED',
      cost: { amount: (await salesOf(request.reference))[0]?.cost, currency: 'USD' },
      goods: [{ kind: 'topup', operatorReference: expect.any(String) as string }],
    });
  });

  test('When a bill yields a PIN for the customer, then an operator must forward it', async () => {
    const report = await bought(requestOf({ ...bill, sku: 'bill:301:NGN' }));
    expect(report).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'unreadable' }] });
    expect(JSON.stringify(report)).toContain('token');
  });

  test('When a top-up yields a PIN for the customer, then an operator must forward it', async () => {
    const request = requestOf(topup);
    const pinDetail = { serial: 558111, code: 773709733097662, ivr: '1-888-888-8888' };
    const row = { transactionId: 7, status: 'SUCCESSFUL', customIdentifier: request.reference, pinDetail };
    replace(isSearch, 200, { content: [row], totalElements: 1, totalPages: 1 });
    const report = await find(request);
    expect(report).toMatchObject({ state: 'DELIVERED', goods: [{ kind: 'unreadable' }] });
    expect(JSON.stringify(report)).toContain('773709733097662');
  });
});
