import type { InTransaction } from './migration';

/** What is wrong with quarantined goods, how to recognise their codes, and how a supplier ended a purchase that stays open here. */
export const unusableGoods: InTransaction = {
  name: '0014-unusable-goods',
  sql: `
-- Why the unit cannot be delivered, without its contents. Null for goods that are usable.
ALTER TABLE quarantined_goods ADD COLUMN defect text;
-- The keyed hashes of the texts by which the unit differs from all others: at most two. Null for goods of operators and for units
-- that cannot be read.
ALTER TABLE quarantined_goods ADD COLUMN code_hash bytea;
ALTER TABLE quarantined_goods ADD COLUMN second_hash bytea;
CREATE INDEX quarantined_goods_code_hash ON quarantined_goods (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX quarantined_goods_second_hash ON quarantined_goods (second_hash) WHERE second_hash IS NOT NULL;

-- DELIVERED or REJECTED: how the supplier ended the purchase. Null until it has. The purchase stays PENDING while goods of it are
-- missing or unusable.
ALTER TABLE supplier_purchases ADD COLUMN ended_as text;
`,
};
