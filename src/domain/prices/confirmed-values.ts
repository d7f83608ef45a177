/**
 * The confirmed value of a price, rate, fee, discount, margin or cost: the one with which operators' changes are compared, so that many
 * small steps and a removal in between count together. docs/decisions/0077-compare-changes-with-the-last-confirmed-value.md.
 * Rule: with which confirmed value a change is compared
 */

/** A kind of values that operators change, each compared with its confirmed one. */
export type ValueKind =
  | 'RATE'
  | 'REFERENCE_RATE'
  | 'SPREAD'
  | 'FEE'
  | 'DISCOUNT'
  | 'MARKUP'
  | 'MIN_MARGIN'
  | 'CLIENT_FLOORS'
  | 'VOUCHER_PRICES'
  | 'REDEEMABLE'
  | 'TOPUP_AMOUNTS'
  | 'ESIM_PRODUCT'
  | 'COST'
  | 'SAME_PLAN'
  | 'PLAN';

/** What permits operators to change stored values. Beside the guarded kinds: what has an approval or a rule of its own. */
export type Mark = ValueKind | 'OFFER' | 'CREDIT_LIMIT' | 'NEW_CLIENT' | 'NEW_WALLET';

/** How a value was confirmed. `confirmed_values` says what each means. */
export type Confirmation = 'APPROVED' | 'FORCED' | 'FEED' | 'FIRST' | 'STOOD';

/** The row of a value. Values are text, equal exactly if the values are. */
export interface KnownValue {
  /** The one that an operator has set last; null while it is removed. */
  value: string | null;
  confirmed: string;
  /** Whether `confirmed` is a first value, which no other person and no time has confirmed. */
  isFirst: boolean;
  /** Whether `value` is 24 hours old by the clock of the database. */
  hasStood: boolean;
}

/**
 * The value with which a change is compared; null if no value was ever confirmed. `by`: absent if the row has it already. `isFirst`: it is
 * a first value of the last 24 hours. A change is then compared as a first value, too: otherwise the first value and the next one were
 * two steps at once from what the first one was compared with.
 */
export interface Basis {
  confirmed: string | null;
  by?: Confirmation;
  isFirst?: true;
}

/**
 * What the present value confirms. One that no operator has set comes from a feed. One that an operator has set and that is not confirmed is
 * within the limit, because a larger change is confirmed at once. A removed value confirms nothing.
 */
export function basisOf(known: KnownValue | undefined, present: string | null): Basis {
  if (present === null) return { confirmed: known?.confirmed ?? null };
  if (present !== known?.value) return { confirmed: present, by: 'FEED' };
  if (known.hasStood) return { confirmed: present, by: 'STOOD' };
  return { confirmed: known.confirmed, ...(known.isFirst && { isFirst: true }) };
}

/** What is confirmed after a change from `basis` to `after`. `large`: how a large change was permitted; undefined for a small one. */
export function confirmedBy(basis: Basis, after: string | null, large: 'APPROVED' | 'FORCED' | undefined): Basis {
  if (after === null) return basis;
  if (large !== undefined) return { confirmed: after, by: large };
  return basis.confirmed === null ? { confirmed: after, by: 'FIRST' } : basis;
}
