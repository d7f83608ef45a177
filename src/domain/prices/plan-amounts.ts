/**
 * The amounts at which the plans of an eSIM product are sold. docs/specification.md#esim-products-variants-charges.
 * Rule: at which amount each plan of an eSIM product is sold
 */
import { Exact } from './money';

/** A plan in its supplier's list. */
export interface PricedPlan {
  sku: string;
  /** The supplier's list price, above 0, rounded to the minor unit of the plan's currency. */
  listed: Exact;
  /** Digits after the decimal point in the plan's currency. */
  minorUnit: number;
  /** The amount at which the plan is on sale, and the list price from which it was set; null if it is not on sale. */
  onSale: { amount: Exact; listed: Exact } | null;
}

/**
 * Returns the amount of each plan by its SKU. No two amounts are equal, because an order names a plan by its amount. A plan with
 * an unchanged list price keeps its amount. Every other plan gets its list price or, if another plan has that amount, the next
 * higher free amount. `plans`: the oldest first. `taken`: the amounts of plans that stay on sale but are missing from the list.
 */
export function distinctAmounts(plans: readonly PricedPlan[], taken: readonly Exact[]): ReadonlyMap<string, Exact> {
  const free = new FreeAmounts(taken);
  const amounts = new Map<string, Exact>();
  const assign = (amountOf: (plan: PricedPlan) => Exact | undefined) => {
    for (const plan of plans) {
      const amount = amounts.has(plan.sku) ? undefined : amountOf(plan);
      if (amount && free.take(amount)) amounts.set(plan.sku, amount);
    }
  };
  assign(({ onSale, listed }) => (onSale?.listed.equals(listed) ? onSale.amount : undefined));
  assign(({ listed }) => listed);
  assign(({ listed, minorUnit }) => free.after(listed, minorUnit));
  return amounts;
}

class FreeAmounts {
  private readonly taken: Set<string>;

  constructor(taken: readonly Exact[]) {
    this.taken = new Set(taken.map((amount) => amount.toFixed()));
  }

  take(amount: Exact): boolean {
    if (this.taken.has(amount.toFixed())) return false;
    this.taken.add(amount.toFixed());
    return true;
  }

  after(amount: Exact, minorUnit: number): Exact {
    const step = new Exact(10).pow(-minorUnit);
    let next = amount.plus(step);
    while (this.taken.has(next.toFixed())) next = next.plus(step);
    return next;
  }
}
