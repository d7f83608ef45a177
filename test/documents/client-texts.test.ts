/**
 * Every text of the API as its client reads it. A change of a text also needs a change here and in
 * docs/specification.md. `every-text.unit.test.ts` finds missing texts. `mail-texts.unit.test.ts` compares mails.
 */
import { esimOrderView } from '../../src/api/esim/order-routes';
import { topupOrderView } from '../../src/api/topups/order-routes';
import { Sealer } from '../../src/security/sealing';
import { familyIds } from '../../src/domain/orders/families';
import { errors, type ApiError } from '../../src/domain/errors';
import { topupInput } from '../../src/domain/orders/customer-input';
import type { EsimOrderRow } from '../../src/data/purchases/families/esim';
import type { TopupOrderRow } from '../../src/data/purchases/families/topup';
import { findOrder } from '../../src/data/orders/order-reads';
import type { OrderRow } from '../../src/data/orders/order-rows';
import { createdView } from '../../src/api/vouchers/order-view';
import { newClient, stackDatabase, type OwnClient } from '../support/clients';
import { fromConsole } from '../support/console';
import { ops } from '../support/operator';
import { orderOf, ordersPath, place, reached } from '../support/orders';
import {
  apiAs,
  apiWithoutToken,
  type Answer,
  type ErrorBody,
  type Json,
  type Resource,
} from '../support/stack';
import { accepted, esimOrders, topupOrders } from '../support/variant-orders';
import { newKeyRing } from '../support/keys';

const database = stackDatabase();
let client: OwnClient;
beforeAll(async () => {
  client = await newClient(database, { USD: 2_000, JPY: 10_000 });
});
afterAll(() => database.close());

type Asked = Answer<ErrorBody> | Promise<Answer<ErrorBody>>;

/** The status and the message of an answer. */
async function said(asked: Asked): Promise<string> {
  const { status, body } = await asked;
  return `${status} ${body?.error?.message ?? JSON.stringify(body)}`;
}

const get = (path: string) => client.api.get<ErrorBody>(`/api/v1${path}`);
const post = (path: string, body: unknown) => client.api.post<ErrorBody>(`/api/v1${path}`, body);
const patch = (path: string, body: unknown) => client.api.patch<ErrorBody>(`/api/v1${path}`, body);

test('When the registry of errors is read, then each error has this text', () => {
  const lineOf = (error: ApiError) => [error.status, error.name, error.code, error.message].join(' | ');
  const registry: Record<keyof typeof errors, string> = {
    validation: lineOf(errors.validation('...')),
    badRequest: lineOf(errors.badRequest('...')),
    invalidQuery: lineOf(errors.invalidQuery()),
    invalidBody: lineOf(errors.invalidBody()),
    invalidFeature: lineOf(errors.invalidFeature()),
    amountNotAvailable: familyIds.map((family) => lineOf(errors.amountNotAvailable(family))).join('; '),
    priceRoundsToZero: familyIds.map((family) => lineOf(errors.priceRoundsToZero(family))).join('; '),
    duplicateReference: lineOf(errors.duplicateReference('/api/v1/orders/1')),
    insufficientBalance: lineOf(errors.insufficientBalance()),
    exchangeRateUnavailable: lineOf(errors.exchangeRateUnavailable()),
    voucherNotRedeemable: lineOf(errors.voucherNotRedeemable()),
    bulkLimitExceeded: lineOf(errors.bulkLimitExceeded(100)),
    clientLimitExceeded: lineOf(errors.clientLimitExceeded()),
    noWorkers: lineOf(errors.noWorkers(10)),
    overloaded: lineOf(errors.overloaded()),
    temporalEmptied: lineOf(errors.temporalEmptied()),
    authorizationRequired: lineOf(errors.authorizationRequired()),
    unauthorized: lineOf(errors.unauthorized('...')),
    addressNotAllowed: lineOf(errors.addressNotAllowed()),
    suspended: lineOf(errors.suspended()),
    apiKeyRevoked: lineOf(errors.apiKeyRevoked()),
    sessionEnded: lineOf(errors.sessionEnded()),
    otherSite: lineOf(errors.otherSite()),
    notFound: lineOf(errors.notFound('Order')),
    noMatch: lineOf(errors.noMatch()),
    methodNotAllowed: lineOf(errors.methodNotAllowed('GET')),
    idempotencyKeyInUse: lineOf(errors.idempotencyKeyInUse()),
    idempotencyKeyReused: lineOf(errors.idempotencyKeyReused()),
    replayInProgress: lineOf(errors.replayInProgress()),
    tooManyReplays: lineOf(errors.tooManyReplays(5)),
    secretUnreadable: lineOf(errors.secretUnreadable()),
    notPossibleNow: lineOf(errors.notPossibleNow('...')),
    malformedRequest: lineOf(errors.malformedRequest()),
    requestTimeout: lineOf(errors.requestTimeout()),
    headersTooLarge: lineOf(errors.headersTooLarge()),
    unknownMethod: lineOf(errors.unknownMethod()),
    payloadTooLarge: lineOf(errors.payloadTooLarge()),
    tooManyRequests: lineOf(errors.tooManyRequests(3)),
    internal: lineOf(errors.internal()),
    serviceUnavailable: lineOf(errors.serviceUnavailable()),
    outcomeUnknown: lineOf(errors.outcomeUnknown()),
  };
  expect(registry).toEqual({
    validation: '400 | ValidationException | VALIDATION_FAILURE | ...',
    badRequest: '400 | BadRequestError | BAD_REQUEST | ...',
    invalidQuery: '400 | BadRequestError | BAD_REQUEST | Invalid query parameters',
    invalidBody: '400 | ValidationException | VALIDATION_FAILURE | Invalid request body',
    invalidFeature:
      '400 | BadRequestError | INVALID_FEATURE | The requested feature is not enabled for this client',
    amountNotAvailable:
      '400 | ValidationException | VALIDATION_FAILURE | Invalid denomination: not available for this product; ' +
      '400 | ValidationException | VALIDATION_FAILURE | Amount is not available for this product; ' +
      '404 | NotFoundError | NOT_FOUND | Variant not found',
    priceRoundsToZero:
      '400 | ValidationException | VALIDATION_FAILURE | Invalid denomination: not available for this product; ' +
      '400 | ValidationException | VALIDATION_FAILURE | Amount is not available for this product; ' +
      '400 | ValidationException | VALIDATION_FAILURE | Amount is not available for this product',
    duplicateReference: '400 | BadRequestError | DUPLICATE_CLIENT_REFERENCE | Duplicate client_reference',
    insufficientBalance: '400 | BadRequestError | INSUFFICIENT_BALANCE | Insufficient wallet balance',
    exchangeRateUnavailable:
      '400 | BadRequestError | EXCHANGE_RATE_UNAVAILABLE | Exchange rate not available for the wallet currency',
    voucherNotRedeemable: '400 | BadRequestError | VOUCHER_NOT_REDEEMABLE | Voucher cannot be redeemed',
    bulkLimitExceeded: '400 | BadRequestError | BULK_LIMIT_EXCEEDED | Quantity exceeds the maximum of 100',
    clientLimitExceeded: '400 | BadRequestError | CLIENT_LIMIT_EXCEEDED | Daily limit of the account reached',
    authorizationRequired: '401 | UnauthorizedError | UNAUTHORIZED | Authorization header required',
    unauthorized: '401 | UnauthorizedError | UNAUTHORIZED | ...',
    addressNotAllowed: '403 | ForbiddenError | FORBIDDEN | IP address not allowed',
    suspended: '403 | ForbiddenError | FORBIDDEN | Client is suspended',
    apiKeyRevoked: '403 | ForbiddenError | FORBIDDEN | API key revoked',
    sessionEnded: '403 | ForbiddenError | FORBIDDEN | Session ended',
    otherSite: '403 | ForbiddenError | FORBIDDEN | The request comes from another site',
    notFound: '404 | NotFoundError | NOT_FOUND | Order not found',
    noMatch: '404 | NotFoundError | NOT_FOUND | No Matching Result Found!',
    methodNotAllowed: '405 | MethodNotAllowedError | METHOD_NOT_ALLOWED | Method not allowed',
    idempotencyKeyInUse:
      '409 | ConflictError | IDEMPOTENCY_KEY_IN_USE | A request with this Idempotency-Key is in progress',
    idempotencyKeyReused:
      '422 | UnprocessableEntityError | IDEMPOTENCY_KEY_REUSED | Idempotency-Key was used with another request',
    replayInProgress: '409 | ConflictError | REPLAY_IN_PROGRESS | A replay of this endpoint is in progress',
    tooManyReplays: '409 | ConflictError | REPLAY_IN_PROGRESS | No more than 5 replays can be in progress',
    secretUnreadable:
      '409 | ConflictError | SECRET_UNREADABLE | The secret cannot be read any more. Rotate it to get a new one',
    notPossibleNow: '409 | ConflictError | NOT_POSSIBLE_NOW | ...',
    malformedRequest: '400 | BadRequestError | BAD_REQUEST | Malformed request',
    requestTimeout: '408 | RequestTimeoutError | REQUEST_TIMEOUT | The request did not arrive in time',
    headersTooLarge: '431 | HeadersTooLargeError | HEADERS_TOO_LARGE | Request headers are too large',
    unknownMethod: '405 | MethodNotAllowedError | METHOD_NOT_ALLOWED | Method not allowed',
    payloadTooLarge: '413 | PayloadTooLargeError | PAYLOAD_TOO_LARGE | Request body is too large',
    tooManyRequests:
      '429 | TooManyRequestsError | TOO_MANY_REQUESTS | Rate limit exceeded. Retry after 3 seconds.',
    internal: '500 | InternalServerError | INTERNAL_ERROR | Internal server error',
    noWorkers: '503 | ServiceUnavailableError | SERVICE_UNAVAILABLE | Service temporarily unavailable',
    overloaded: '503 | ServiceUnavailableError | SERVICE_UNAVAILABLE | Service temporarily unavailable',
    temporalEmptied: '503 | ServiceUnavailableError | SERVICE_UNAVAILABLE | Temporal was emptied',
    serviceUnavailable:
      '503 | ServiceUnavailableError | SERVICE_UNAVAILABLE | Service temporarily unavailable',
    outcomeUnknown:
      '504 | GatewayTimeoutError | OUTCOME_UNKNOWN | Outcome unknown. Look the order up by client_reference',
  });
});

/** Each line: a description, the request, and the expected text. */
type Lines = readonly (readonly [string, () => Asked, string])[];

function isSaid(lines: Lines): void {
  test.each(lines)('When the request is %s, then the client reads this text', async (_what, ask, text) => {
    expect(await said(ask())).toBe(text);
  });
}

describe('Idempotency-Key', () => {
  const under = (key: string) => () =>
    client.api.post<ErrorBody>(ordersPath, orderOf('voucher_instant'), { 'idempotency-key': key });
  isSaid([
    ['a key that is too long', under('k'.repeat(256)), '400 Invalid Idempotency-Key: too long'],
    ['an empty key', under(''), '400 Invalid Idempotency-Key: must be printable ASCII'],
  ]);
});

describe('Authentication', () => {
  const anonymous = () => apiWithoutToken();
  const bearer = { authorization: 'Bearer x' };
  const suspended = async () => {
    const other = await newClient(database, { USD: 10 });
    await other.api.get('/api/v1/wallets');
    await ops('clients', 'suspend', other.id);
    return other;
  };
  isSaid([
    [
      'a login without password',
      () => anonymous().post('/auth/login', { username: 'x' }),
      '400 Username and password are required',
    ],
    [
      'a login with wrong credentials',
      () => anonymous().post('/auth/login', { username: 'x', password: 'x' }),
      '401 Invalid credentials',
    ],
    ['a refresh without token', () => anonymous().post('/auth/refresh', {}), '400 Refresh token is required'],
    [
      'a refresh with a wrong token',
      () => anonymous().post('/auth/refresh', { refresh_token: 'x' }),
      '401 Invalid or expired refresh token',
    ],
    [
      'a sign-in to the console without a secret',
      () => anonymous().post('/console/session', { api_key: 'x' }, fromConsole),
      '400 API key and secret are required',
    ],
    [
      'a call of the console without a sign-in',
      () => anonymous().get('/console/api/v1/wallets', fromConsole),
      '401 Not signed in',
    ],
    [
      'a sign-in to the console from another site',
      () => anonymous().post('/console/session', {}),
      '403 The request comes from another site',
    ],
    [
      'a call without a header',
      () => anonymous().get('/api/v1/wallets'),
      '401 Authorization header required',
    ],
    [
      'a call with a wrong token',
      () => anonymous().get('/api/v1/wallets', bearer),
      '401 Invalid or expired access token',
    ],
    [
      'a feature that is not enabled',
      () => apiAs('restricted').get('/api/v1/products'),
      '400 The requested feature is not enabled for this client',
    ],
    [
      'an order request from another address',
      () => apiAs('restricted').post(ordersPath, {}),
      '403 IP address not allowed',
    ],
    [
      'an order request by a suspended client',
      async () => (await suspended()).api.post(ordersPath, {}),
      '403 Client is suspended',
    ],
    [
      'a login by a suspended client',
      async () => {
        const { credentials } = await suspended();
        return anonymous().post('/auth/login', {
          username: credentials.api_key,
          password: credentials.api_secret,
        });
      },
      '401 Client is suspended',
    ],
  ]);
});

describe('Any call', () => {
  const send = (body: string) =>
    client.api.send<ErrorBody>(ordersPath, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
  isSaid([
    ['an invalid path', () => get('/nowhere'), '404 Path not found'],
    ['a path that does not decode', () => get('/%ff'), '400 Malformed path'],
    [
      'another method',
      () => client.api.send('/api/v1/wallets', { method: 'DELETE' }),
      '405 Method not allowed',
    ],
    ['broken JSON', () => send('{'), '400 Invalid request body'],
    ['a body that is a list', () => send('[]'), '400 Invalid request body'],
    [
      'a body above 1 MiB',
      () => send(JSON.stringify({ text: 'x'.repeat(1 << 20) })),
      '413 Request body is too large',
    ],
    ['a page of 0', () => get('/esim/products?page=0'), '400 Invalid query parameters'],
  ]);
});

describe('Voucher products and charges', () => {
  isSaid([
    ['an invalid id', () => get('/products/x'), '400 Invalid product ID'],
    ['an unknown id', () => get('/products/999999'), '404 Product not found'],
    [
      'charges of an unknown product',
      () => post('/products/999999/charges', { denomination: 10, quantity: 1 }),
      '404 Product not found',
    ],
  ]);
});

describe('Creating a voucher order', () => {
  const order = (changes: Json) => post('/orders', orderOf('voucher_instant', changes));
  const jpy = () => client.wallets['JPY'];
  isSaid([
    ['no product', () => post('/orders', {}), '400 Invalid product_id: required'],
    [
      'a product that is text',
      () => order({ product_id: 'x' }),
      '400 Invalid product_id: must be an integer',
    ],
    ['product 0', () => order({ product_id: 0 }), '400 Invalid product_id: must be greater than 0'],
    ['an unknown product', () => order({ product_id: 999999 }), '400 Invalid product_id: not found'],
    ['no denomination', () => order({ denomination: null }), '400 Invalid denomination: required'],
    [
      'a denomination that is text',
      () => order({ denomination: '10' }),
      '400 Invalid denomination: must be a number',
    ],
    ['denomination 0', () => order({ denomination: 0 }), '400 Invalid denomination: must be greater than 0'],
    [
      'a denomination above the maximum',
      () => order({ denomination: 2e9 }),
      '400 Invalid denomination: not available for this product',
    ],
    [
      'a denomination that the product does not have',
      () => order({ denomination: 11.37 }),
      '400 Invalid denomination: not available for this product',
    ],
    ['no quantity', () => order({ quantity: null }), '400 Invalid quantity: required'],
    ['half a voucher', () => order({ quantity: 0.5 }), '400 Invalid quantity: must be an integer'],
    ['quantity 0', () => order({ quantity: 0 }), '400 Invalid quantity: must be greater than 0'],
    ['more than the bulk limit', () => order({ quantity: 101 }), '400 Quantity exceeds the maximum of 100'],
    ['a wallet that is text', () => order({ wallet_id: 'x' }), '400 Invalid wallet_id: must be an integer'],
    ['an unknown wallet', () => order({ wallet_id: 2 ** 40 }), '404 Wallet not found'],
    [
      'a wallet without a rate',
      () => order({ wallet_id: jpy() }),
      '400 Exchange rate not available for the wallet currency',
    ],
    [
      'a reference that is not ASCII',
      () => order({ client_reference: 'ä' }),
      '400 Invalid client_reference: must be printable ASCII',
    ],
    [
      'a reference that is too long',
      () => order({ client_reference: 'x'.repeat(256) }),
      '400 Invalid client_reference: too long',
    ],
    ['an invalid email', () => order({ email: 'x' }), '400 Invalid email: not a valid email'],
    [
      'an email that is too long',
      () => order({ email: `${'x'.repeat(250)}@y.example` }),
      '400 Invalid email: too long',
    ],
    [
      'a voucher as payment',
      () => order({ redeem_voucher_code: 'x' }),
      '400 Invalid redeem_voucher_code: not available for this product',
    ],
    [
      'more than the wallet balance',
      () => apiAs('poor').post(ordersPath, orderOf('voucher_instant', { quantity: 5 })),
      '400 Insufficient wallet balance',
    ],
    [
      'a duplicate reference',
      async () => {
        await order({ client_reference: 'taken' });
        return order({ client_reference: 'taken' });
      },
      '400 Duplicate client_reference',
    ],
    [
      'more than the daily limit of the client',
      async () => {
        const capped = await newClient(database, { USD: 100 });
        await ops('clients', 'cap', capped.id, 'vouchers', '--value', 'USD=1');
        return capped.api.post(ordersPath, orderOf('voucher_instant'));
      },
      '400 Daily limit of the account reached',
    ],
  ]);
});

describe('Reading orders', () => {
  isSaid([
    ['an unknown reference', () => get('/orders?client_reference=nothing'), '404 No Matching Result Found!'],
    ['an invalid voucher order id', () => get('/orders/x'), '400 No Matching Result Found!'],
    ['an invalid top-up order id', () => get('/topups/orders/x'), '400 Invalid order ID'],
    ['an invalid eSIM order id', () => get('/esim/orders/x'), '400 Invalid order ID'],
    ['an unknown voucher order', () => get('/orders/999999'), '404 Order not found'],
    ['an unknown top-up order', () => get('/topups/orders/999999'), '404 Order not found'],
    [
      'the usage of a failed eSIM order',
      async () => {
        const { id } = await accepted(client.api, esimOrders, orderOf('esim_failed_now'));
        return get(`/esim/orders/${id}/usage`);
      },
      '409 The order is FAILED: it has no eSIM',
    ],
    ['an unknown eSIM order', () => get('/esim/orders/999999'), '404 Order not found'],
  ]);
});

describe('Notification email', () => {
  const attach = (id: string, body: unknown) => patch(`/orders/${id}/notification-email`, body);
  isSaid([
    ['an invalid order id', () => attach('x', {}), '400 Invalid order ID'],
    ['no address', () => attach('1', {}), '400 email is required'],
    [
      'an address that is too long',
      () => attach('1', { email: 'x'.repeat(255) }),
      '400 email is too long (max 254 characters)',
    ],
    ['an invalid address', () => attach('1', { email: 'x' }), '400 email is invalid'],
    [
      'an order that has ended',
      async () => {
        const { id } = await place(client.api, orderOf('voucher_instant'));
        return attach(String(id), { email: 'ann@shop.example' });
      },
      '400 Notification email can no longer be changed',
    ],
    [
      'an open order',
      async () => {
        const { id } = await place(client.api, orderOf('voucher_delayed'));
        return attach(String(id), { email: 'ann@shop.example' });
      },
      '200 {"success":true,"message":"Notification email updated"}',
    ],
  ]);
});

describe('Top-ups', () => {
  const order = (changes: Json) => post('/topups/orders', orderOf('topup_instant', changes));
  isSaid([
    ['an invalid product id', () => get('/topups/products/x'), '400 Invalid product ID'],
    ['an unknown product', () => get('/topups/products/999999'), '404 Product not found'],
    ['an invalid variant id', () => get('/topups/variants/x'), '400 Invalid variant ID'],
    ['an unknown variant', () => get('/topups/variants/999999'), '404 Variant not found'],
    ['an invalid number', () => get('/topups/mobile-lookup?number=1'), '400 Invalid mobile number'],
    ['charges without a product', () => post('/topups/charges', {}), '400 Product ID is required'],
    ['charges without an amount', () => post('/topups/charges', { product_id: 1 }), '400 Amount is required'],
    [
      'a category that is a number',
      () => post('/topups/charges', { product_id: 1, amount: 1, category: 1 }),
      '400 Invalid request body',
    ],
    ['an order without a product', () => order({ product_id: 0 }), '400 Product ID is required'],
    ['an order without an amount', () => order({ amount: 0 }), '400 Amount is required'],
    ['an unavailable amount', () => order({ amount: 0.01 }), '400 Amount is not available for this product'],
    ['an unknown field', () => order({ input_data: { colour: 'red' } }), '400 Unknown input field: colour'],
    ['a missing field', () => order({ input_data: {} }), '400 Missing input field: phone_number'],
    [
      'an invalid phone number',
      () => order({ input_data: { phone_number: '0' } }),
      '400 Invalid input field: phone_number (must be a phone number of 4 to 15 digits)',
    ],
    ['an unknown voucher code', () => order({ redeem_voucher_code: 'x' }), '400 Voucher cannot be redeemed'],
  ]);

  const field = { field_name: 'zone', field_label: 'Zone', is_required: true };
  const options = [
    { value: 'eu', label: 'Europe' },
    { value: 'us', label: 'America' },
  ];
  test.each([
    ['text that is a number', { ...field, field_type: 'text' }, 5, 'must be text'],
    ['a number that is text', { ...field, field_type: 'number' }, 'five', 'must be a number'],
    ['an invalid choice', { ...field, field_type: 'select', options }, 'asia', 'must be one of eu, us'],
    [
      'text that does not fit',
      { ...field, field_type: 'text', validation_regex: '^\\d+$' },
      'five',
      'not of the expected format',
    ],
    [
      'text that is too long',
      { ...field, field_type: 'text' },
      'x'.repeat(501),
      'longer than 500 characters',
    ],
  ] as const)('When a field has %s, then the client reads this text', (_what, input, value, reason) => {
    expect(() => topupInput([input as Parameters<typeof topupInput>[0][number]], { zone: value })).toThrow(
      `Invalid input field: zone (${reason})`,
    );
  });
});

describe('eSIM', () => {
  const order = (changes: Json) => post('/esim/orders', orderOf('esim_instant', changes));
  isSaid([
    ['an invalid product id', () => get('/esim/products/x'), '400 Invalid product ID'],
    ['an unknown product', () => get('/esim/products/999999'), '404 Product not found'],
    ['an invalid variant id', () => get('/esim/variants/x'), '400 Invalid variant ID'],
    ['an unknown variant', () => get('/esim/variants/999999'), '404 Variant not found'],
    ['an order without a product', () => post('/esim/orders', {}), '400 Product ID is required'],
    ['an order without an amount', () => order({ amount: null }), '400 Amount is required'],
    ['an amount that no plan has', () => order({ amount: 0.01 }), '404 Variant not found'],
  ]);
});

describe('Wallets and transactions', () => {
  const threshold = (value: unknown) =>
    patch(`/wallets/${client.wallets['USD']}`, { low_balance_threshold: value });
  isSaid([
    ['an invalid wallet id', () => get('/wallets/x'), '400 Invalid wallet ID'],
    ['an unknown wallet', () => get('/wallets/999999'), '404 Wallet not found'],
    ['no threshold', () => threshold(undefined), '400 low_balance_threshold is required'],
    [
      'a threshold that is text',
      () => threshold('5'),
      '400 low_balance_threshold must be a number from 0 to 1e15, or null',
    ],
    [
      'a threshold of half a cent',
      () => threshold(0.005),
      '400 low_balance_threshold has more than 2 decimals (USD)',
    ],
    [
      'transactions of wallet 0',
      () => get('/transactions?wallet_id=0'),
      '400 wallet_id must be a positive integer',
    ],
    [
      'transactions of an unknown wallet',
      () => get('/transactions?wallet_id=999999'),
      '404 Wallet not found',
    ],
    ['an invalid transaction id', () => get('/transactions/x'), '400 Invalid transaction ID'],
    ['an unknown transaction', () => get('/transactions/2147483647'), '404 Transaction not found'],
  ]);
});

describe('Reference data', () => {
  isSaid([
    ['an invalid country id', () => get('/countries/x'), '400 Invalid country ID'],
    ['an unknown country', () => get('/countries/999999'), '404 Country not found'],
    ['an invalid category id', () => get('/categories/x'), '400 Invalid category ID'],
    ['an unknown category', () => get('/categories/999999'), '404 Category not found'],
    ['an invalid subcategory id', () => get('/subcategories/x'), '400 Invalid subcategory ID'],
    ['an unknown subcategory', () => get('/subcategories/999999'), '404 Subcategory not found'],
  ]);
});

describe('Webhooks', () => {
  const url = 'https://shop.example/hook';
  const register = (changes: Json) => post('/webhooks/endpoints', { url, ...changes });
  const disabled = async (): Promise<string> => {
    const { body } = await client.api.post<Resource>('/api/v1/webhooks/endpoints', { url, enabled: false });
    return `/webhooks/endpoints/${body.id}`;
  };
  isSaid([
    ['no URL', () => register({ url: undefined }), '400 url is required'],
    ['an empty URL', () => register({ url: '' }), '400 url is required'],
    ['a URL that is a number', () => register({ url: 5 }), '400 url is invalid'],
    ['an invalid URL', () => register({ url: 'shop' }), '400 url is invalid'],
    [
      'a URL that is too long',
      () => register({ url: `${url}/${'x'.repeat(2_048)}` }),
      '400 url is too long (max 2048 characters)',
    ],
    [
      'a URL with another scheme',
      () => register({ url: 'ftp://shop.example' }),
      '400 url must begin with https:// or http://',
    ],
    [
      'a URL with a password',
      () => register({ url: 'https://me:secret@shop.example' }),
      '400 url must not contain credentials',
    ],
    [
      'a URL of a private address',
      () => register({ url: 'https://10.0.0.1' }),
      '400 url must lead to a public address',
    ],
    [
      'types that are text',
      () => register({ event_types: 'x' }),
      '400 event_types must be a list of event types',
    ],
    ['an unknown type', () => register({ event_types: ['x'] }), '400 event_types holds an unknown type'],
    [
      'a type twice',
      () => register({ event_types: ['esim.failed', 'esim.failed'] }),
      '400 event_types holds a type twice',
    ],
    [
      'a long description',
      () => register({ description: 'x'.repeat(501) }),
      '400 description is too long (max 500 characters)',
    ],
    ['a description that is a number', () => register({ description: 5 }), '400 description is invalid'],
    ['enabled as text', () => register({ enabled: 'yes' }), '400 enabled must be true or false'],
    ['an invalid endpoint id', () => get('/webhooks/endpoints/x'), '400 Invalid endpoint ID'],
    ['an unknown endpoint', () => get('/webhooks/endpoints/999999'), '404 Endpoint not found'],
    ['an unknown event', () => get('/webhooks/events/x'), '404 Event not found'],
    [
      'a test of a disabled endpoint',
      async () => post(`${await disabled()}/test`, {}),
      '400 Endpoint is disabled',
    ],
    [
      'a replay without a start',
      async () => {
        const { body } = await client.api.post<Resource>('/api/v1/webhooks/endpoints', { url });
        return post(`/webhooks/endpoints/${body.id}/replay`, {});
      },
      '400 since is required',
    ],
    [
      'a replay since an invalid time',
      async () => {
        const { body } = await client.api.post<Resource>('/api/v1/webhooks/endpoints', { url });
        return post(`/webhooks/endpoints/${body.id}/replay`, { since: 'yesterday' });
      },
      '400 since must be a date and time with its offset',
    ],
    [
      'an event without an endpoint',
      async () => {
        const other = await newClient(database, { USD: 10 });
        const { body } = await other.api.get<{ id: string }[]>('/api/v1/webhooks/events');
        return other.api.post(`/api/v1/webhooks/events/${body[0]?.id}/redeliver`, {});
      },
      '400 No enabled endpoint takes this event',
    ],
    [
      'too many secrets',
      async () => {
        const { body } = await client.api.post<Resource>('/api/v1/webhooks/endpoints', { url });
        const path = `/webhooks/endpoints/${body.id}/secret/rotate`;
        for (let rotation = 0; rotation < 10; rotation++) await post(path, {});
        return post(path, {});
      },
      '400 No more than 10 secrets can be replaced in 24 hours',
    ],
    [
      'too many endpoints',
      async () => {
        const other = await newClient(database);
        const add = () => other.api.post<ErrorBody>('/api/v1/webhooks/endpoints', { url });
        for (let endpoint = 0; endpoint < 20; endpoint++) await add();
        return add();
      },
      '400 No more than 20 endpoints are allowed',
    ],
    [
      'a push without a signature',
      () => apiWithoutToken().post('/suppliers/simulator/callbacks', {}),
      '401 Invalid signature',
    ],
    [
      'a push of an unknown supplier',
      () => apiWithoutToken().post('/suppliers/nobody/callbacks', {}),
      '401 Invalid signature',
    ],
  ]);
});

describe('Sandbox', () => {
  const fund = (body: Json) => post(`/sandbox/wallets/${client.wallets['USD']}/fund`, body);
  isSaid([
    ['no amount', () => fund({}), '400 amount is required'],
    ['an amount of 0', () => fund({ amount: 0 }), '400 amount must be a number above 0, at most 10000000'],
    ['half a cent', () => fund({ amount: 0.005 }), '400 amount has more than 2 decimals (USD)'],
    ['an invalid wallet', () => post('/sandbox/wallets/0/fund', { amount: 1 }), '400 Invalid wallet ID'],
    ['an invalid order', () => post('/sandbox/orders/x/cancel', {}), '400 Invalid order ID'],
    ['an unknown order', () => post('/sandbox/orders/999999999/cancel', {}), '404 Order not found'],
  ]);
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

  test('When it is partly delivered, then its message announces the rest; when the rest failed, then it states the refund', async () => {
    const { id } = await place(client.api, orderOf('voucher_partial_then_failed'));
    await reached(client.api, id, 'PARTIALLY_DELIVERED');
    expect(messageOf(await read(id))).toBe('Some vouchers are delivered; the rest is being prepared');
    await reached(client.api, id, 'FAILED');
    expect(messageOf(await read(id))).toBe(
      'The order could not be fulfilled; what was not delivered has been refunded',
    );
  });

  test('When it failed or was cancelled, then its message states the refund', async () => {
    const { id } = await place(client.api, orderOf('voucher_instant'));
    const order = (await findOrder(database, 'VOUCHER', client.id, id)) as OrderRow;
    const message = (changes: Partial<OrderRow>) =>
      (createdView({ ...order, ...changes }, null) as { message: string }).message;
    const refunded = { refundTransactionId: 1 };
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
    await ops('clients', 'cap', capped.id, 'topups', '--value', 'USD=1');
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
    const calledOff = { status: 'CANCELLED', refundTransactionId: 1 } as const;
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
    [
      'INVALID_RECIPIENT',
      true,
      'The recipient identifier is malformed or not recognised. Check it and order again.',
    ],
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
    const { body: events } = await client.api.get<{ data: Json }[]>(
      '/api/v1/webhooks/events?type=topup.failed',
    );
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
    const { id } = await accepted(
      owner.api,
      topupOrders,
      orderOf('topup_instant', { redeem_voucher_code: code }),
    );
    expect((await remarksOf(owner))[1]).toBe(
      `order-${id}: Voucher of order ${voucher.id} redeemed for order ${id}`,
    );
  });

  test('When an operator funds or adjusts a wallet without a remark, then the entry has a default text', async () => {
    const owner = await newClient(database, { USD: 1 });
    const wallet = owner.wallets['USD'] as number;
    await ops('wallets', 'fund', wallet, '5', '--reference', 'a');
    await ops('wallets', 'adjust', wallet, '5', '--reference', 'b', '--reason', 'Test');
    expect((await remarksOf(owner)).slice(0, 2)).toEqual(['b: Adjustment', 'a: Wallet funding']);
  });
});
