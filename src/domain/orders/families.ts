/** The product families: one descriptor each. Their deadlines are in `order-timing.ts`. docs/developers/adding-a-family.md. */
import { namesOf } from '../records';

interface FamilyDescriptor {
  /** The feature that a client needs, and the name of the family for operators. */
  readonly feature: string;
  /** The path of its orders below `/api/v1`. */
  readonly ordersPath: string;
  /** Its events are called `<prefix>.<state>`. */
  readonly eventPrefix: string;
  /** The workflow of its orders, exported by workflows/index.ts. */
  readonly workflow: string;
  /** The rate classes of its calls. docs/specification.md#rate-limits. */
  readonly rateClasses: { readonly orders: string; readonly charges: string };
}

const voucher = {
  feature: 'vouchers',
  ordersPath: 'orders',
  eventPrefix: 'order',
  workflow: 'voucherOrder',
  rateClasses: { orders: 'voucher_orders', charges: 'voucher_charges' },
} as const satisfies FamilyDescriptor;

const topup = {
  feature: 'topups',
  ordersPath: 'topups/orders',
  eventPrefix: 'topup',
  workflow: 'topupOrder',
  rateClasses: { orders: 'topup_orders', charges: 'topup_charges' },
} as const satisfies FamilyDescriptor;

const esim = {
  feature: 'esim',
  ordersPath: 'esim/orders',
  eventPrefix: 'esim',
  workflow: 'esimOrder',
  rateClasses: { orders: 'esim_orders', charges: 'esim_charges' },
} as const satisfies FamilyDescriptor;

export const families = { VOUCHER: voucher, TOPUP: topup, ESIM: esim } as const;

export type Family = keyof typeof families;
export type Feature = (typeof families)[Family]['feature'];
export type OrderWorkflow = (typeof families)[Family]['workflow'];

export const familyIds = namesOf(families);

export const features: readonly Feature[] = familyIds.map((id) => families[id].feature);

/** The family with the feature; undefined if there is none. */
export function familyOfFeature(feature: string): Family | undefined {
  return familyIds.find((id) => families[id].feature === feature);
}

/** The API path of the family's orders. */
export function ordersPath(family: Family): string {
  return `/api/v1/${families[family].ordersPath}`;
}

export function orderPath(family: Family, orderId: number): string {
  return `${ordersPath(family)}/${orderId}`;
}
