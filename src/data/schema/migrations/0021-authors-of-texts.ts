import type { InTransaction } from './migration';

/** Who wrote the sealed texts of operators, and texts about no order. docs/operators/privacy.md#what-people-write. */
export const authorsOfTexts: InTransaction = {
  name: '0021-authors-of-texts',
  sql: `
-- The account that wrote the text. Null for texts of earlier releases.
ALTER TABLE order_texts ADD COLUMN author_id text;
-- Null for a text about a recipient, such as the reason of an erasure.
ALTER TABLE order_texts ALTER COLUMN order_id DROP NOT NULL;
`,
};
