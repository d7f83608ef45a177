import type { Migration } from './migration';

/** What a supplier said of a purchase in its own words is kept for operators, sealed like everything a customer entered. */
export const supplierWords: Migration = {
  name: '0020-supplier-words',
  sql: `
ALTER TABLE supplier_purchases
  ADD COLUMN sealed_words bytea,
  ADD COLUMN words_at     timestamptz,
  ADD CHECK ((sealed_words IS NULL) = (words_at IS NULL));
`,
};
