import type { InTransaction } from './migration';

/** Who of the operators opened a claim for its client. */
export const claimsOfOperators: InTransaction = {
  name: '0059-claims-of-operators',
  sql: `
-- The person who opened it for the client, or who answers for the service account that did; null if the client filed it.
ALTER TABLE claims ADD COLUMN opened_by text;
`,
};
