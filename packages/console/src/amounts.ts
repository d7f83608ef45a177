import type { Product, Variant } from './types';

/** The amounts of a product: fixed amounts without duplicates, and a range if it has one. */
export interface Amounts {
  fixed: { amount: number; name?: string }[];
  range?: { min: number; max: number };
}

export function amountsOf(product: Product, variants: readonly Variant[]): Amounts {
  const denominations = product.available_denominations ?? [];
  const plans = variants.flatMap((plan) =>
    plan.amount === undefined ? [] : [{ amount: plan.amount, name: planName(plan) }],
  );
  const fixed = [
    ...denominations.filter(isFixed).map(({ min_value: amount }) => ({ amount })),
    ...variants.flatMap(({ name, fixed_amounts: amounts = [] }) =>
      amounts.map((text) => ({ amount: Number(text), name })),
    ),
    ...plans,
  ];
  const ranges = [
    ...denominations.filter((each) => !isFixed(each)).map(({ min_value: min, max_value: max }) => ({ min, max })),
    ...variants.flatMap(({ min_amount: min, max_amount: max }) =>
      min === undefined || max === undefined ? [] : [{ min, max }],
    ),
  ];
  const once = new Map(fixed.map((each) => [each.amount, each]));
  return {
    fixed: [...once.values()].sort((one, other) => one.amount - other.amount),
    ...(ranges[0] && { range: ranges[0] }),
  };
}

function isFixed({ min_value: min, max_value: max }: { min_value: number; max_value: number }): boolean {
  return min === max;
}

/** The name of a data plan, and what it contains if the name does not say so. */
function planName({ name, data_amount_gb: gigabytes, validity_days: days }: Variant): string {
  if (gigabytes === undefined || days === undefined) return name;
  const content = [gigabytes === 0 ? 'Unlimited data' : `${gigabytes} GB`, `${days} ${days === 1 ? 'day' : 'days'}`];
  return content.every((part) => name.includes(part)) ? name : `${name} (${content.join(', ')})`;
}
