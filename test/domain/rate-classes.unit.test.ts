/** The table of the specification, to the letter. */
import { authFailures, rateClasses, rateLimitOf } from '../../src/domain/clients/rate-classes';
import { classOf } from '../../src/api/rate-limits/request-class';

test('When nothing else was set, then each class has the calls a minute that the specification names', () => {
  expect(rateClasses.map(({ name, defaults }) => [name, defaults.sandbox, defaults.production])).toEqual([
    ['login', 30, 10],
    ['refresh', 30, 20],
    ['reads', 600, 300],
    ['voucher_orders', 120, 60],
    ['topup_orders', 120, 60],
    ['esim_orders', 120, 60],
    ['voucher_charges', 300, 120],
    ['topup_charges', 300, 120],
    ['esim_charges', 300, 120],
    ['changes', 120, 60],
  ]);
});

test('When an operator set a limit, then it goes before the default, in its class alone', () => {
  const limits = rateClasses.map((rateClass) => rateLimitOf(rateClass, 'production', { login: 7 }));
  expect(limits).toEqual([7, 20, 300, 60, 60, 60, 120, 120, 120, 60]);
});

test('When many share an address, then its failures are bounded far above what one of them may try', () => {
  const login = rateClasses[0];
  for (const mode of ['sandbox', 'production'] as const) {
    expect(authFailures.defaults[mode]).toBeGreaterThanOrEqual(30 * (login?.defaults[mode] ?? Infinity));
  }
});

test.each([
  ['GET', '/api/v1/orders', 'reads'],
  ['HEAD', '/api/v1/nowhere', 'reads'],
  ['OPTIONS', '/api/v1/orders', 'reads'],
  ['POST', '/api/v1/orders', 'voucher_orders'],
  ['POST', '/api/v1/Orders/', 'voucher_orders'],
  ['POST', '/console/api/v1/orders', 'voucher_orders'],
  ['POST', '/api/v1/topups/orders', 'topup_orders'],
  ['POST', '/api/v1/esim/ORDERS', 'esim_orders'],
  ['POST', '/api/v1/products/17/charges', 'voucher_charges'],
  ['POST', '/api/v1/products/x/charges/', 'voucher_charges'],
  ['POST', '/api/v1/topups/charges', 'topup_charges'],
  ['POST', '/api/v1/esim/charges', 'esim_charges'],
  ['PATCH', '/api/v1/orders', 'changes'],
  ['PATCH', '/api/v1/wallets/1', 'changes'],
  ['PATCH', '/api/v1/orders/1/notification-email', 'changes'],
  ['POST', '/api/v1/webhooks/endpoints', 'changes'],
  ['DELETE', '/api/v1/webhooks/endpoints/1', 'changes'],
  ['POST', '/api/v1/orders/1', 'changes'],
  ['POST', '/api/v1/nowhere', 'changes'],
])('When the request is %s %s, then it counts as %s', (method, path, name) => {
  expect(classOf(method, path).name).toBe(name);
});
