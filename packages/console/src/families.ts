/** The product families as the console shows them. */
import type { Feature, Price, Session } from './types';

export interface FamilyView {
  feature: Feature;
  /** Its name in the API. */
  family: Price['family'];
  name: string;
  one: string;
  orders: string;
  products: string;
  /** The scope of its orders and of claims about them. */
  scope: string;
}

export const familyViews: readonly [FamilyView, ...FamilyView[]] = [
  {
    feature: 'vouchers',
    family: 'VOUCHER',
    name: 'Vouchers',
    one: 'Voucher',
    orders: '/orders',
    products: '/products',
    scope: 'orders:vouchers',
  },
  {
    feature: 'topups',
    family: 'TOPUP',
    name: 'Top-ups',
    one: 'Top-up',
    orders: '/topups/orders',
    products: '/topups/products',
    scope: 'orders:topups',
  },
  {
    feature: 'esim',
    family: 'ESIM',
    name: 'eSIMs',
    one: 'eSIM',
    orders: '/esim/orders',
    products: '/esim/products',
    scope: 'orders:esims',
  },
];

/** The families that the account has. */
export function familiesOf({ features }: Session): FamilyView[] {
  return familyViews.filter(({ feature }) => features.includes(feature));
}

/** Whether the scopes of the session permit orders of one of these families. */
export function mayOrder({ missing_scopes: missing }: Session, families: readonly FamilyView[] = familyViews): boolean {
  return families.some(({ scope }) => !missing.includes(scope));
}

/** Returns the family of that name; the first family of the account for any other text. */
export function familyOf(feature: string | undefined, session: Session): FamilyView {
  const named = familyViews.find((family) => family.feature === feature);
  return named ?? familiesOf(session)[0] ?? familyViews[0];
}

/** The states by which orders are filtered: the states of the family; without one, the states of all families. */
export function statusesOf(feature: Feature | undefined): string[] {
  const partial = feature === undefined || feature === 'vouchers' ? ['PARTIALLY_DELIVERED'] : [];
  return ['PENDING', ...partial, 'DELIVERED', 'FAILED', 'CANCELLED'];
}
