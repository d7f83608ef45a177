import type { OfIndexes } from './migration';

/** The credits of orders by time, for the reports of operators. docs/operators/catalogue.md#reports-and-the-ledger. */
export const creditsOfOrders: OfIndexes = {
  name: '0018-credits-of-orders',
  indexes: [
    {
      name: 'transactions_credited',
      on: `transactions (created_at) WHERE kind IN ('REFUND_AFTER', 'REDEMPTION')`,
    },
  ],
};
