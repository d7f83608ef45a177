import { isAsynchronous } from '../../src/domain/orders/asynchronous-and-large-orders';

test.each([
  [1, null, false],
  [5, 'Instant', false],
  [6, 'Instant', true],
  [6, null, true],
  [1, 'Delayed', true],
] as const)(
  'When %i units with the delivery time %s are ordered, then the order is asynchronous: %s',
  (quantity, deliveryTime, asynchronous) => {
    expect(isAsynchronous({ quantity, deliveryTime })).toBe(asynchronous);
  },
);
