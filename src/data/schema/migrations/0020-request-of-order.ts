import type { InTransaction } from './migration';

/** The request that ordered, for operators. */
export const requestOfOrder: InTransaction = {
  name: '0020-request-of-order',
  sql: `
-- The X-Request-Id of the order request; null if no request ordered.
ALTER TABLE order_reservations ADD COLUMN request_id text;
`,
};
