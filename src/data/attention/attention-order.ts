/** The sequences of the attention list. */

export const attentionOrders = ['age', 'amount', 'kind'] as const;
export type AttentionOrder = (typeof attentionOrders)[number];

/** SQL: the columns by which the list is sorted, of the entry `entry` and its order `o`. Each ends with age and id, so that no two entries are equal. */
export const columnsOfOrder: Readonly<Record<AttentionOrder, string>> = {
  age: 'entry.since, entry.id',
  // Entries about no order come last.
  amount: "o.id IS NULL, coalesce(o.deduction_currency, ''), coalesce(-o.total_payable, 0), entry.since, entry.id",
  kind: 'entry.kind, entry.since, entry.id',
};
