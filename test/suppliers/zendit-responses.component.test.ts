/** The conclusions of the Zendit adapter from single responses. The responses are scripted. */
import type { Family } from '../../src/domain/orders/families';
import type { PurchaseRequest } from '../../src/domain/suppliers/port';
import { SupplierOutcomeUnknown } from '../../src/domain/suppliers/supplier-errors';
import { type PassedRequest } from '../support/hostile-proxy';
import { reference, useScriptedZendit, voucher } from '../support/scripted-zendit';

const { server, supplier } = useScriptedZendit();

/** Answers every call with this body, which may depend on the call. */
function answers(status: number, body: unknown): void {
  server.meddle = (request) => {
    const value: unknown = typeof body === 'function' ? (body as (call: PassedRequest) => unknown)(request) : body;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { do: 'answer-instead', answer: { status, body: text } };
  };
}

const buy = (request: PurchaseRequest = voucher) => supplier.purchase(request, () => true);
const nameOrState = (outcome: Promise<{ state: string }>) =>
  outcome.then(({ state }) => state).catch(({ name }: Error) => name);
const lookUp = (family: Family = 'VOUCHER') => supplier.find({ reference, family, sku: voucher.sku, units: 1 });
const shown = (fields: object) => ({ transactionId: reference, ...fields });
const errorOf = (errorCode: string, fields?: object) => ({ errorCode, message: 'No.', ...(fields && { fields }) });
const wrongNumber = { recipientPhoneNumber: 'invalid' };

describe('The codes of Zendit', () => {
  test.each<[string, number, object | undefined, object]>([
    ['NOT_AUTHORIZED', 401, undefined, { name: 'SupplierAccountBlocked' }],
    ['FORBIDDEN', 403, undefined, { name: 'SupplierAccountBlocked' }],
    ['INVALID_REQUEST', 400, wrongNumber, { state: 'REJECTED', failureCode: 'UNKNOWN' }],
    ['INVALID_REQUEST', 422, wrongNumber, { state: 'REJECTED', failureCode: 'UNKNOWN' }],
    [
      'NOT_FOUND',
      404,
      undefined,
      { state: 'NOT_BOUGHT', because: 'not-here', failureCode: 'PRODUCT_UNAVAILABLE', goods: [] },
    ],
  ])('When a purchase gets %s with %s, then the conclusion is final', async (code, status, fields, expected) => {
    answers(status, errorOf(code, fields));
    expect(await buy().catch((error: unknown) => error)).toMatchObject(expected);
  });

  test.each<[string, number, object | undefined]>([
    ['SYSTEM_UNAVAILABLE', 503, undefined],
    ['NOT_AUTHORIZED', 403, undefined],
    ['FORBIDDEN', 401, undefined],
    ['NOT_FOUND', 400, undefined],
    ['INVALID_REQUEST', 500, wrongNumber],
    ['INSUFFICIENT_FUNDS', 402, undefined],
    ['NOT_AUTHORIZED', 200, undefined],
    ['toString', 400, wrongNumber],
    ['ANYTHING', 400, wrongNumber],
    // Zendit does not document its response to a repeated reference.
    ['INVALID_REQUEST', 400, undefined],
    ['INVALID_REQUEST', 409, {}],
    ['INVALID_REQUEST', 400, { transactionId: 'not unique' }],
  ])('When a purchase gets %s with %s and fields %j, then its outcome is unknown', async (code, status, fields) => {
    answers(status, errorOf(code, fields));
    await expect(buy()).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
  });

  test.each([200, 400, 401, 403, 404, 429, 500, 503])(
    'When a gateway answers with %s, then a purchase has an unknown outcome and a lookup is retried',
    async (status) => {
      for (const body of ['<h1>No</h1>', '', { message: 'Not found' }, { error: 'FORBIDDEN' }, [], 'null']) {
        answers(status, body);
        await expect(buy()).rejects.toMatchObject({ name: 'SupplierOutcomeUnknown' });
        await expect(lookUp()).rejects.toMatchObject({ name: 'SupplierUnavailable' });
      }
    },
  );

  test.each([
    ['INSUFFICIENT_FUNDS', { state: 'NOT_BOUGHT', because: 'our-account' }],
    ['NOT_FOUND', { state: 'REJECTED', failureCode: 'PRODUCT_UNAVAILABLE' }],
    ['SYSTEM_UNAVAILABLE', { state: 'REJECTED', failureCode: 'UNKNOWN' }],
    ['ANYTHING', { state: 'REJECTED', failureCode: 'UNKNOWN' }],
    ['constructor', { state: 'REJECTED', failureCode: 'UNKNOWN' }],
    [undefined, { state: 'REJECTED', failureCode: 'UNKNOWN' }],
  ])('When a purchase failed with %s, then a lookup reports the reason', async (code, expected) => {
    for (const status of ['FAILED', 'FAIL']) {
      answers(200, shown({ status, error: code && { code, message: 'No.', description: 'No.' } }));
      expect(await lookUp()).toMatchObject({ ...expected, goods: [] });
    }
  });
});

describe('The states of a purchase', () => {
  test.each(['ACCEPTED', 'PENDING', 'AUTHORIZED', 'IN_PROGRESS', 'DONE', 'FAILED', 'FAIL'])(
    'When the response to a purchase has the state %s, then the purchase is pending',
    async (status) => {
      answers(200, shown({ status }));
      expect(await buy()).toEqual({ state: 'PENDING', goods: [] });
    },
  );

  test.each([
    { transactionId: reference, status: 'PAUSED' },
    { transactionId: reference },
    { transactionId: `${reference}1`, status: 'PAUSED' },
  ])('When the response to a purchase is %j, then its outcome is unknown', async (body) => {
    answers(200, body);
    await expect(buy()).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
  });

  test.each<[string, object, object]>([
    ['cut', { transactionId: reference.slice(0, -1) }, { supplierOrderId: reference.slice(0, -1) }],
    ['in another form', { transactionId: `API-${reference}` }, { supplierOrderId: `API-${reference}` }],
    ['null', { transactionId: null }, {}],
    ['missing', {}, {}],
    ['a text with spaces', { transactionId: 'sent to 919820000555' }, {}],
  ])('When Zendit accepts a purchase and our reference is %s, then it is pending', async (_what, shown, id) => {
    answers(200, { ...shown, status: 'ACCEPTED' });
    expect(await buy()).toEqual({ state: 'PENDING', ...id, goods: [] });
  });

  test.each<[string, object]>([
    ['an undocumented state', { status: 'PAUSED' }],
    ['the name of a method as its state', { status: 'toString' }],
    ['no state', {}],
    ['a state of another form', { status: { code: 1 } }],
    ['a code although it failed', { status: 'FAILED', receipt: { epin: '1234' } }],
  ])('When a lookup shows %s, then it is ambiguous', async (_what, fields) => {
    answers(200, shown(fields));
    expect(await lookUp()).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
  });

  test('When a lookup shows another purchase, then it is retried', async () => {
    answers(200, { transactionId: `${reference}1`, status: 'DONE' });
    expect(await nameOrState(lookUp())).toBe('SupplierUnavailable');
  });

  test('When no purchase has the reference, then a lookup reports NOT_FOUND', async () => {
    answers(404, errorOf('NOT_FOUND'));
    expect(await lookUp()).toEqual({ state: 'NOT_FOUND' });
    expect(server.requests.at(-1)?.path).toBe(`/v1/vouchers/purchases/${reference}`);
  });

  test('When a lookup is longer than any purchase, then it is ambiguous and shows nothing', async () => {
    answers(200, shown({ status: 'DONE', notes: 'x'.repeat(1_100_000) }));
    expect(await lookUp()).toMatchObject({ state: 'AMBIGUOUS', isShown: false });
  });

  test.each([
    ['DONE', 'REVERSED'],
    ['PENDING', 'REVERSED'],
    ['LATER', 'REVERSED'],
    ['FAILED', 'DELIVERED'],
  ])('When the refund of an eSIM is %s, then the purchase is %s', async (status, expected) => {
    answers(200, shown({ status: 'DONE', refund: { status } }));
    expect(await nameOrState(lookUp('ESIM'))).toBe(expected);
  });
});

describe('The goods of a purchase', () => {
  const goodsOf = async (family: Family, fields: object) => {
    answers(200, shown({ status: 'DONE', refund: null, ...fields }));
    const report = await lookUp(family);
    return 'goods' in report ? report.goods[0] : report;
  };
  const expiresAt = '2030-01-01T00:00:00Z';

  test('When a gift card is shown, then every part of it is read', async () => {
    expect(
      await goodsOf('VOUCHER', {
        receipt: { epin: 'AB-12', redemptionUrl: 'https://x.example/1', voucherId: 'V1', expiresAt, terms: 'T' },
      }),
    ).toEqual({
      kind: 'voucher',
      cardNumber: 'AB-12',
      claimUrl: 'https://x.example/1',
      referenceNumber: 'V1',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
  });

  test.each([undefined, null, {}, [], { epin: {} }, 'AB-12'])(
    'When the receipt of a gift card is %j, then the unit is unreadable',
    async (receipt) => {
      expect(await goodsOf('VOUCHER', { receipt })).toMatchObject({ kind: 'unreadable' });
    },
  );

  test('When a code is a JSON number, then it arrives exactly', async () => {
    answers(200, `{"transactionId":"${reference}","status":"DONE","receipt":{"epin":00123456789012345678}}`);
    expect(await lookUp()).toMatchObject({ goods: [{ cardNumber: '00123456789012345678' }] });
  });

  test.each([
    [
      { confirmationNumber: 'C1', externalReferenceId: 'E1' },
      { kind: 'topup', operatorReference: 'C1' },
    ],
    [{ externalReferenceId: 'E1' }, { kind: 'topup', operatorReference: 'E1' }],
    [undefined, { kind: 'topup' }],
    [['?'], { kind: 'topup' }],
  ])('When the confirmation of a top-up is %j, then it is delivered', async (confirmation, expected) => {
    expect(await goodsOf('TOPUP', { confirmation })).toEqual(expected);
  });

  test.each([
    ['ABC-123', 'smdp.example.com', 'LPA:1$smdp.example.com$ABC-123'],
    ['LPA:1$smdp.example.com$ABC-123', 'smdp.example.com', 'LPA:1$smdp.example.com$ABC-123'],
    ['1$smdp.example.com$ABC-123', undefined, '1$smdp.example.com$ABC-123'],
    ['ABC-123', undefined, 'ABC-123'],
  ])('When the activation code is %s at %s, then its LPA string is %s', async (code, smdpAddress, expected) => {
    const iccid = '8944000000000000019';
    expect(await goodsOf('ESIM', { confirmation: { iccid, activationCode: code, smdpAddress } })).toEqual({
      kind: 'esim',
      iccid,
      activationCode: expected,
    });
  });

  test.each<[object, object | undefined]>([
    [
      { cost: 960, costCurrency: 'USD', costCurrencyDivisor: 100 },
      { amount: '9.6', currency: 'USD' },
    ],
    [{ cost: { amount: 9605, currency: 'KWD', currencyDivisor: 1000 } }, { amount: '9.605', currency: 'KWD' }],
    [{ cost: 960, currency: 'USD', currencyDivisor: 100 }, undefined],
    [{ cost: 9.6, costCurrency: 'USD', costCurrencyDivisor: 100 }, undefined],
    [{ cost: 960, costCurrency: 'USD', costCurrencyDivisor: 3 }, undefined],
    [{ cost: 'much' }, undefined],
  ])('When the cost is %j, then it is read only if it names its own currency', async (fields, cost) => {
    answers(200, shown({ status: 'DONE', receipt: { epin: '1' }, ...fields }));
    const report = await lookUp();
    expect('cost' in report ? report.cost : undefined).toEqual(cost);
  });
});
