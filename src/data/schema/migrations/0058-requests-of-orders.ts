import type { OfIndexes } from './migration';

/**
 * Finds the order of a request by its `X-Request-Id`, while the reservation is kept. A client may send the same id with every request: the
 * newest orders of an id are read without the others, and a hash index, which is smaller, would take longer for each of them.
 */
export const requestsOfOrders: OfIndexes = {
  name: '0058-requests-of-orders',
  indexes: [
    {
      name: 'order_reservations_by_request',
      on: 'order_reservations (request_id, order_id) WHERE request_id IS NOT NULL',
    },
  ],
};
