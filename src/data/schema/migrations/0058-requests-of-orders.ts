import type { OfIndexes } from './migration';

/** Finds the order of a request by its `X-Request-Id`, while the reservation is kept. */
export const requestsOfOrders: OfIndexes = {
  name: '0058-requests-of-orders',
  indexes: [
    {
      name: 'order_reservations_by_request',
      on: 'order_reservations (request_id) WHERE request_id IS NOT NULL',
    },
  ],
};
