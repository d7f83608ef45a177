import type { InTransaction } from './migration';

/** The hashes by which an activation code belongs to one order. */
export const activationCodes: InTransaction = {
  name: '0019-activation-codes',
  sql: `
-- Null for a profile of a supplier's sandbox, where profiles share activation codes.
ALTER TABLE esim_orders ADD COLUMN activation_hash bytea CONSTRAINT esim_orders_by_activation_code UNIQUE;
`,
};
