/** The exact table of the specification. */
import { authFailures, rateClasses, rateLimitOf } from '../../src/domain/clients/rate-classes';

test('When no limit is set, then each class has the calls a minute of the specification', () => {
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

test('When an operator set a limit, then it overrides the default only in its class', () => {
  const limits = rateClasses.map((rateClass) => rateLimitOf(rateClass, 'production', { login: 7 }));
  expect(limits).toEqual([7, 20, 300, 60, 60, 60, 120, 120, 120, 60]);
});

test('When many clients share an address, then its failure limit is far above the limit of one client', () => {
  const login = rateClasses[0];
  for (const mode of ['sandbox', 'production'] as const) {
    expect(authFailures.defaults[mode]).toBeGreaterThanOrEqual(30 * (login?.defaults[mode] ?? Infinity));
  }
});
