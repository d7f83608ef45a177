import type { Migration } from './migration';

/** Units that cannot be used are kept sealed while their purchase waits for an operator, beside what comes late or surplus. */
export const unreadableGoods: Migration = {
  name: '0031-unreadable-goods',
  sql: `
ALTER TABLE goods_apart
  DROP CONSTRAINT goods_apart_reason_check,
  ADD CONSTRAINT goods_apart_reason_check CHECK (reason IN ('LATE', 'EXTRA', 'OPERATOR', 'UNREADABLE')),
  -- The unit that takes the place of an unreadable one may come late.
  DROP CONSTRAINT goods_apart_reference_position_key,
  ADD CONSTRAINT goods_apart_position_once UNIQUE (reference, position, reason);
`,
};
