import { isTerminal, statesBefore } from '../../src/domain/orders/order-states';

test.each([
  ['PENDING', false],
  // Only an order of vouchers continues from here.
  ['PARTIALLY_DELIVERED', false],
  ['DELIVERED', true],
  ['FAILED', true],
  ['CANCELLED', true],
] as const)('When an order is %s, then whether this is final is %s', (status, isFinal) => {
  expect(isTerminal(status)).toBe(isFinal);
});

test('When an order fails, then only one of vouchers may have delivered a part', () => {
  expect(statesBefore('VOUCHER', 'FAILED')).toEqual(['PENDING', 'PARTIALLY_DELIVERED']);
  expect(statesBefore('ESIM', 'FAILED')).toEqual(['PENDING']);
});
