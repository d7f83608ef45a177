/** Reads the file of `catalogue import`, as JSON or as CSV. docs/operators/catalogue.md#the-catalogue-file. */
import type { CategoryInput } from '../../../data/catalogue/import/product-inputs';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readJsonItems } from '../files/json-items';
import { joined, RowPacker, type PackedRows } from '../files/packed-rows';
import { readCatalogueCsv } from './catalogue-csv';
import { checkedCatalogue } from './catalogue-file';
import { checkedProduct, type CheckedProduct } from './checked-product';

/** Many times the largest catalogue. */
const MAX_PRODUCTS = 50_000;

interface ReadCatalogue {
  supplier: string;
  /** Categories in addition to those that the products need. */
  categories: readonly CategoryInput[];
  /** In the sequence of their import. */
  products: PackedRows<CheckedProduct>;
}

/** The lists of the JSON file, in the sequence of their import. */
const familyOfList = new Map([
  ['voucherProducts', 'VOUCHER'],
  ['topupProducts', 'TOPUP'],
  ['esimProducts', 'ESIM'],
] as const);

/** `supplier`: of all products of a CSV file. Throws `InvalidArgument` with the line for a file that is no catalogue. */
export function readCatalogueFile(file: GivenFile, { supplier }: { supplier: string | undefined }): ReadCatalogue {
  if (!file.name.toLowerCase().endsWith('.csv')) return readJson(file);
  if (supplier === undefined) throw new InvalidArgument('Name the supplier of the products: --supplier');
  const products = new RowPacker<CheckedProduct>();
  readCatalogueCsv(file, MAX_PRODUCTS, (listed) => products.add(checkedProduct(listed)));
  return { supplier, categories: [], products: products.packed() };
}

function readJson(file: GivenFile): ReadCatalogue {
  const others: Record<string, unknown> = {};
  const lists = new Map([...familyOfList.keys()].map((list) => [String(list), new RowPacker<CheckedProduct>()]));
  const format = {
    lists: [...lists.keys()],
    others: ['supplier', 'categories'],
    maxItems: MAX_PRODUCTS,
    items: 'products',
  };
  readJsonItems(file, format, ({ list, value }) => {
    const family = [...familyOfList].find(([name]) => name === list)?.[1];
    if (family) lists.get(list)?.add(checkedProduct({ family, product: value, categories: [] }));
    else others[list] = value;
  });
  const { supplier, categories } = checkedCatalogue(others, file.name);
  return { supplier, categories, products: joined([...lists.values()]) };
}
