import type { InTransaction } from './migration';

const number = '-?[0-9]+(?:\\.[0-9]+)?';
const money = `${number}(?: [A-Z]{3})?`;
const costOfSource = `${number}(?: %)?(?: \\+ ${number})?(?: [A-Z]{3})?`;

/** The costs and margins in sentences, each as an expression between what comes before and after it. */
const costs: readonly (readonly [before: string, cost: string, after: string])[] = [
  ['they cost ', money, ''],
  ['\\) cost ', money, '(?=, and the client paid )'],
  ['not used: it is ', money, '(?=, far above the known cost)'],
  ['(?:: listed |, charged )', costOfSource, ''],
  ['our daily costs are ', number, ''],
  [' leaves ', `${number} %`, '(?= margin, the floor is )'],
  [', the floor is ', `${number} %`, ''],
  ['(?:^|; )(?:Cost|Cost in percent|Fee): ', 'old value [^;]*', ''],
  ['The cost ', number, '(?= is above the list price )'],
  ['below the cost of ', number, ''],
  ['[0-9] units for ', money, ''],
  [' costs ', money, '(?=(?: after the refund)? in the statement of )'],
  [', and ', money, '(?= by our purchase)'],
];

/** SQL: the text of the column with its costs marked. A marked one stays as it is. */
const marked = (column: string) =>
  costs.reduce(
    (text, [before, cost, after]) =>
      `regexp_replace(${text}, '(${before})(${cost})${after}', '\\1\uE000\\2\uE001', 'g')`,
    column,
  );

/** Costs in sentences that were stored before these were marked. Those of purchases are marked when they are read. docs/operators/operations.md#costs. */
export const markedCosts: InTransaction = {
  name: '0045-marked-costs',
  // The workflow of an order shows its open entry anew. In a new database, the trigger of esim_variants has no function yet.
  sql: `
UPDATE attention SET reason = ${marked('reason')}, mirrored = mirrored AND (order_id IS NULL OR cleared_at IS NOT NULL)
 WHERE reason <> ${marked('reason')};
UPDATE supplier_offers SET held = ${marked('held')} WHERE held <> ${marked('held')};
DO $$ BEGIN
  IF EXISTS (SELECT FROM esim_variants WHERE held <> ${marked('held')}) THEN
    UPDATE esim_variants SET held = ${marked('held')} WHERE held <> ${marked('held')}; END IF; END $$;
UPDATE statement_differences SET detail = ${marked('detail')} WHERE detail <> ${marked('detail')};
`,
};
