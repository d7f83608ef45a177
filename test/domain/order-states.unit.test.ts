import { isTerminal, statesBefore } from '../../src/domain/orders/order-states';

test.each(['DELIVERED', 'FAILED', 'CANCELLED'] as const)('When an order is %s, then this is final', (status) => {
  expect(isTerminal(status)).toBe(true);
});

// Only an order of vouchers continues from PARTIALLY_DELIVERED.
test.each(['PENDING', 'PARTIALLY_DELIVERED'] as const)('When an order is %s, then this is not final', (status) => {
  expect(isTerminal(status)).toBe(false);
});

test('When an order fails, then only one of vouchers may have delivered a part', () => {
  expect(statesBefore('VOUCHER', 'FAILED')).toEqual(['PENDING', 'PARTIALLY_DELIVERED']);
  expect(statesBefore('ESIM', 'FAILED')).toEqual(['PENDING']);
});
