/**
 * Further sources of items that several fakes can deliver: products of their catalogues with the same family, amount and currency.
 * `--sources` writes them to `product_sources`.
 */
import { FAKE_NAMES, type FakeName } from '../../stack/fakes';
import type { Family } from './orders';
import { supplierScenarios } from './supplier-orders';

/** A SKU of a supplier, in the form of its adapter. */
interface Sku {
  supplier: FakeName;
  sku: string;
}

/** The products that can replace each other: a voucher of 10 USD, a top-up of 199 INR, and 1 GB worldwide for 7 days. */
const groups: readonly { family: Family; skus: readonly Sku[] }[] = [
  {
    family: 'VOUCHER',
    skus: [
      { supplier: 'dtone', sku: 'fixed:1101:USD:10' },
      { supplier: 'reloadly', sku: 'gift:103:USD:10' },
      { supplier: 'zendit', sku: 'fixed:COFFEE-US-010:USD:10' },
    ],
  },
  {
    family: 'TOPUP',
    skus: [
      { supplier: 'dtone', sku: 'fixed:2101:INR:199' },
      { supplier: 'reloadly', sku: 'topup:201:IN:INR' },
      { supplier: 'zendit', sku: 'range:BHARAT-IN-OPEN:INR:100' },
    ],
  },
  {
    family: 'ESIM',
    skus: [
      { supplier: 'dtone', sku: 'plan:4101' },
      { supplier: 'zendit', sku: 'plan:ESIM-WORLD-1GB-7D' },
    ],
  },
];

/** A further source of the item that `item` names: the SKU under which its own supplier sells it. */
export interface ExtraSource extends Sku {
  family: Family;
  item: Sku;
  /** The item's own source has 0. */
  priority: number;
}

export const extraSources: readonly ExtraSource[] = groups.flatMap(({ family, skus }) =>
  skus.flatMap((item) =>
    skus
      .filter(({ supplier }) => supplier !== item.supplier)
      .map((other, index) => ({ family, item, ...other, priority: index + 1 })),
  ),
);

/** The scenarios whose items keep a source if `hasMore`, the further sources, and while one supplier is down. */
export function scenariosWithout(down: FakeName, hasMore: boolean): ReadonlySet<string> {
  const others = supplierScenarios.filter(({ supplier, family, name }) => {
    if (supplier !== down) return true;
    // A bill is a top-up without another source.
    return hasMore && !name.endsWith('_bill') && sellersOf(family, supplier).length > 1;
  });
  return new Set(others.map(({ name }) => name));
}

function sellersOf(family: Family, supplier: FakeName): readonly FakeName[] {
  const group = groups.find((one) => one.family === family && one.skus.some((sku) => sku.supplier === supplier));
  return FAKE_NAMES.filter((name) => group?.skus.some((sku) => sku.supplier === name));
}
