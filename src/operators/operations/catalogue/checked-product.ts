/** Products as files and offers list them, checked by the schemas of their families. */
import type {
  CategoryInput,
  EsimProductInput,
  TopupProductInput,
  VoucherProductInput,
} from '../../../data/catalogue/import/product-inputs';
import type { Family } from '../../../domain/orders/families';
import { propertyOf } from '../../../domain/unknown-values';
import { esimProduct, topupProduct, voucherProduct } from './catalogue-file';

/** An unchecked product, with the categories that it needs. `where`: its place in the file, if known. */
export interface ListedProduct {
  family: Family;
  product: unknown;
  categories: readonly CategoryInput[];
  where?: string;
}

/** The product, or why it is none. */
export type CheckedProduct = Omit<ListedProduct, 'product' | 'family'> & { sku: string } & (
    | { family: 'VOUCHER'; product: VoucherProductInput }
    | { family: 'TOPUP'; product: TopupProductInput }
    | { family: 'ESIM'; product: EsimProductInput }
    | { family: Family; product: undefined; problem: string }
  );

/** Checks the product, except for what only the database knows. */
export function checkedProduct({ product: listed, ...place }: ListedProduct): CheckedProduct {
  const { family } = place;
  // A product in the file may be null.
  const sku = String(propertyOf(listed, 'sku'));
  const faulty = (error: Error) => ({ ...place, sku, product: undefined, problem: error.message });
  switch (family) {
    case 'VOUCHER': {
      const checked = voucherProduct.validate(listed);
      return checked.error ? faulty(checked.error) : { ...place, family, sku, product: checked.value };
    }
    case 'TOPUP': {
      const checked = topupProduct.validate(listed);
      return checked.error ? faulty(checked.error) : { ...place, family, sku, product: checked.value };
    }
    case 'ESIM': {
      const checked = esimProduct.validate(listed);
      return checked.error ? faulty(checked.error) : { ...place, family, sku, product: checked.value };
    }
  }
}
