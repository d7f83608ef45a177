/** Which responses of order requests count for `ORDERS_REJECTED` on the attention list. */
import { Registry } from 'prom-client';
import type { ErrorKey } from '../../src/domain/error-kinds';
import { registerRequests } from '../../src/metrics/request-metrics';

/** The kinds of error that count when a request with this error ends. */
function countedAfter(errorKey: ErrorKey, createsOrder: boolean): string[] {
  const counted: string[] = [];
  const metrics = registerRequests(new Registry(), (reason) => counted.push(reason));
  metrics.began();
  const labels = { route: '/api/v1/orders', method: 'POST', status: '5xx' };
  metrics.ended({ labels, seconds: 1, errorKey, createsOrder });
  return counted;
}

const kinds = ['serviceUnavailable', 'overloaded', 'noWorkers', 'outcomeUnknown'] as const;

test.each(kinds)('When an order request is answered with %s, then it counts', (kind) => {
  expect(countedAfter(kind, true)).toEqual([kind]);
});

test('When the request creates no order, or the order itself is rejected, then it does not count', () => {
  expect(countedAfter('serviceUnavailable', false)).toEqual([]);
  expect(countedAfter('insufficientBalance', true)).toEqual([]);
});
