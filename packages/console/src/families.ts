/** The product families as the console shows them. */
import type { Feature } from './types';

export interface FamilyView {
  feature: Feature;
  name: string;
  one: string;
  orders: string;
  products: string;
}

export const familyViews: readonly FamilyView[] = [
  { feature: 'vouchers', name: 'Vouchers', one: 'Voucher', orders: '/orders', products: '/products' },
  {
    feature: 'topups',
    name: 'Top-ups',
    one: 'Top-up',
    orders: '/topups/orders',
    products: '/topups/products',
  },
  { feature: 'esim', name: 'eSIMs', one: 'eSIM', orders: '/esim/orders', products: '/esim/products' },
];

/** Returns the family of that name; the first family for any other text. */
export function familyOf(feature: string | undefined): FamilyView {
  return familyViews.find((family) => family.feature === feature) ?? (familyViews[0] as FamilyView);
}

/** The states by which a family's orders are filtered. */
export function statusesOf({ feature }: FamilyView): string[] {
  const partial = feature === 'vouchers' ? ['PARTIALLY_DELIVERED'] : [];
  return ['PENDING', ...partial, 'DELIVERED', 'FAILED', 'CANCELLED'];
}
