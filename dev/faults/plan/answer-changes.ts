/** Suppliers that say something else than they did: valid responses in which only the description, the cost or a list price differs. */
import type { Random } from '../random';
import type { SupplierName } from './suppliers';

/** What differs. Not every supplier states each of them. */
export type AnswerChange =
  | 'product'
  | 'quantity'
  | 'face value'
  | 'currency'
  | 'recipient'
  | 'plan'
  | 'cost'
  | 'impossible cost'
  | 'list price';

/** Every valid response of the supplier has the change. */
export interface ChangedAnswers {
  kind: 'changed-answers';
  supplier: SupplierName;
  change: AnswerChange;
  ms: number;
}

/** What the responses of each supplier state. */
export const statedBy: Readonly<Record<SupplierName, readonly AnswerChange[]>> = {
  simulator: ['product', 'quantity', 'list price'],
  dtone: ['product', 'face value', 'currency', 'recipient', 'plan', 'cost', 'impossible cost', 'list price'],
  reloadly: ['product', 'quantity', 'face value', 'currency', 'recipient', 'cost', 'impossible cost', 'list price'],
  zendit: ['product', 'face value', 'recipient', 'plan', 'cost', 'impossible cost', 'list price'],
  airalo: ['product', 'quantity', 'plan', 'cost', 'impossible cost', 'list price'],
};

/** A change of every response of the supplier, for long enough that all responses to some purchases are changed. */
export function planAnswerChange(random: Random, supplier: SupplierName): ChangedAnswers {
  return {
    kind: 'changed-answers',
    supplier,
    change: random.pick(statedBy[supplier]),
    ms: random.whole(6_000, 20_000),
  };
}
