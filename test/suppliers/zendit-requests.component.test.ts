/** The requests that the adapter of Zendit sends, and the pushes that it accepts. The responses are scripted. */
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { createZenditSupplier, PUSH_HEADER } from '../../src/suppliers/zendit';
import type { PurchaseRequest } from '../../src/domain/suppliers/port';
import { reference, useScriptedZendit, voucher } from '../support/scripted-zendit';

const webhookSecret = 'a-secret-of-the-tests-for-the-header';
const { server, supplier } = useScriptedZendit(webhookSecret);

beforeAll(() => {
  const body = JSON.stringify({ transactionId: reference, status: 'ACCEPTED' });
  server.meddle = () => ({ do: 'answer-instead', answer: { status: 200, body } });
});

const topup: PurchaseRequest = { ...voucher, family: 'TOPUP', input: { phone_number: '+5355564362' } };
const esim: PurchaseRequest = { ...voucher, family: 'ESIM', sku: 'plan:ESIM_US_1GB' };

const buy = (request: PurchaseRequest = voucher) => supplier.purchase(request, () => true);
const sentBody = () => JSON.parse(server.requests.at(-1)?.body ?? '{}') as Record<string, unknown>;

describe('Requests of the adapter', () => {
  test('When a gift card is bought, then the key, the reference and the offer are sent', async () => {
    await buy();
    expect(server.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/v1/vouchers/purchases',
      headers: { authorization: 'Bearer key-of-the-tests' },
    });
    expect(sentBody()).toEqual({ transactionId: reference, offerId: 'COFFEE_US_10', fields: [] });
  });

  test('When a reference is longer than a UUID, then the request shortens it, and the adapter restores it', async () => {
    const longest = purchaseReference(2_147_483_647, 'nonce1234567', 100_001);
    const transactionId = '2147483647-nonce1234567-x000100001';
    const body = JSON.stringify({ transactionId, status: 'PENDING' });
    const former = server.meddle;
    server.meddle = () => ({ do: 'answer-instead', answer: { status: 200, body } });
    expect(await buy({ ...voucher, reference: longest })).toMatchObject({ state: 'PENDING' });
    expect(sentBody()).toMatchObject({ transactionId });
    const found = await supplier.find({ ...voucher, reference: longest });
    expect(found).toMatchObject({ state: 'PENDING', supplierOrderId: transactionId });
    const headers = { [PUSH_HEADER]: webhookSecret };
    const hint = supplier.verifyPush?.({ headers, rawBody: Buffer.from(body), pathSecret: undefined });
    expect(hint).toEqual({ kind: 'purchase', reference: longest });
    server.meddle = former;
  });

  test('When a top-up is bought, then the phone number is sent with its plus', async () => {
    await buy(topup);
    expect(server.requests.at(-1)?.path).toBe('/v1/topups/purchases');
    expect(sentBody()).toMatchObject({ recipientPhoneNumber: '+5355564362' });
  });

  test('When an eSIM is bought, then no ICCID is sent, because Zendit would extend that eSIM instead', async () => {
    await buy({ ...esim, input: { account_number: '8944000000000801234', iccid: '8944000000000801234' } });
    expect(server.requests.at(-1)?.path).toBe('/v1/esim/purchases');
    expect(sentBody()).toEqual({ transactionId: reference, offerId: 'ESIM_US_1GB' });
  });

  test.each([
    ['range:AIRTIME_IN:INR:100', 'INR', '199.50', 19_950],
    ['range:AIRTIME_JP:JPY:1', 'JPY', '500', 500],
  ])('When the SKU is %s, then the ordered amount is sent in minor units', async (sku, currency, unitValue, value) => {
    await buy({ ...topup, sku, currency, unitValue });
    expect(sentBody()).toMatchObject({ value: { type: 'ZEND', value } });
  });

  test.each<[string, Partial<PurchaseRequest>]>([
    ['an amount that differs from its offer', { unitValue: '50' }],
    ['a SKU without a kind', { sku: 'COFFEE_US_10' }],
    ['a SKU without an amount', { sku: 'fixed:COFFEE_US_10' }],
    ['a SKU with two amounts', { sku: 'fixed:COFFEE_US_10:USD:10:10' }],
    ['a plan as a voucher', { sku: 'plan:COFFEE_US_10' }],
    ['a voucher as a plan', { family: 'ESIM' }],
    ['a currency that differs from its offer', { currency: 'MXN' }],
    ['no recipient', { family: 'TOPUP' }],
    ['a recipient without a country', { family: 'TOPUP', input: { phone_number: '5355564362' } }],
    ['a currency that differs from its range', { sku: 'range:COFFEE_US:EUR:100' }],
    ['an amount below the minor unit', { sku: 'range:COFFEE_US:USD:100', unitValue: '10.001' }],
  ])('When an order has %s, then nothing is sent and the purchase is rejected', async (_what, special) => {
    const report = await buy({ ...voucher, ...special });
    expect(report).toMatchObject({ state: 'REJECTED', failureCode: 'PRODUCT_UNAVAILABLE' });
    expect(server.requests).toEqual([]);
  });
});

describe('Pushes', () => {
  const push = (body: object, secret: string | undefined = webhookSecret) => ({
    headers: { [PUSH_HEADER]: secret },
    rawBody: Buffer.from(JSON.stringify(body)),
    pathSecret: undefined,
  });

  test('When the header has the secret, then the push names its purchase', () => {
    const { verifyPush } = supplier;
    const body = { transactionId: reference, status: 'DONE' };
    expect(verifyPush?.(push(body))).toEqual({ kind: 'purchase', reference });
    const refunded = push({ ...body, refund: { status: 'DONE' } });
    expect(verifyPush?.(refunded)).toEqual({ kind: 'reversal', reference });
    expect(verifyPush?.(push({ hello: 'there' }))).toBeUndefined();
    for (const other of ['', webhookSecret.slice(0, -1), `${webhookSecret}x`])
      expect(verifyPush?.(push(body, other))).toBeUndefined();
    expect(verifyPush?.({ ...push(body), headers: {} })).toBeUndefined();
  });

  test('When no secret is set, then the adapter accepts no pushes', () => {
    expect(createZenditSupplier({ url: server.url, key: 'key' }).verifyPush).toBeUndefined();
  });
});
