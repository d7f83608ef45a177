/** Reads a catalogue as CSV: a line for each denomination, top-up variant or eSIM. docs/operators/catalogue.md#as-csv. */
import { byWord } from '../../../domain/by-word';
import type { CategoryInput } from '../../../data/catalogue/import/product-inputs';
import { familyOfFeature, type Family } from '../../../domain/orders/families';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readCsv, type Cells } from '../files/csv-rows';
import type { ListedProduct } from './checked-product';

const productColumns = [
  'family',
  'sku',
  'name',
  'countryCode',
  'currencyCode',
  'imageUrl',
  'active',
  'category',
  'subCategory',
  'deliveryMode',
  'deliveryTime',
  'validity',
  'terms',
  'details',
  'howToUse',
  'gstRate',
  'redeemable',
  'topupType',
  'operatorName',
  'inputFields',
];
const denominationColumns = ['min', 'max', 'discount'];
/** The variant fields whose names are also product fields, by their columns. */
const variantFieldOf = byWord({
  variantSku: 'sku',
  variantName: 'name',
  variantCategory: 'category',
  variantCurrencyCode: 'currencyCode',
  variantActive: 'active',
});
const variantColumns = [
  ...Object.keys(variantFieldOf),
  'supplierSku',
  'costPercent',
  'unit',
  'fixedAmounts',
  'minAmount',
  'maxAmount',
  'availableIn',
  'fields',
];
const allColumns = new Set([...productColumns, ...denominationColumns, ...variantColumns]);

/** A product whose lines are being read, with its parts so far. */
interface Begun {
  key: string;
  listed: ListedProduct;
  parts: object[];
}

/** The lines of the largest product. */
const MAX_PARTS = 10_000;

/**
 * Calls `take` with each product of the file. Consecutive lines with the same family and SKU form one product. Throws `InvalidArgument`,
 * which names the lines.
 */
export function readCatalogueCsv(file: GivenFile, maxProducts: number, take: (product: ListedProduct) => void): void {
  const seen = new Set<string>();
  let begun: Begun | undefined;
  const format = { columns: checkedHeader, maxRows: 200_000, rows: 'lines' };
  readCsv(file, format, (cells, line) => {
    if (begun?.key !== keyOf(cells)) {
      if (begun) take(begun.listed);
      begun = undefined;
      if (seen.size === maxProducts) throw new InvalidArgument(`a file can have ${maxProducts} products: split it`);
      begun = beginning(cells, line, seen);
    }
    addPart(begun, cells);
  });
  if (begun) take(begun.listed);
}

function checkedHeader(names: string[]): string[] {
  const [first = '', second] = names;
  if (second === undefined && /[;\t]/.test(first))
    throw new Error('its columns are separated by semicolons or tabs: save it with commas between columns');
  const unknown = names.find((name) => !allColumns.has(name));
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is not a column. The columns are ${[...allColumns].join(', ')}`);
  return names;
}

const keyOf = (cells: Cells) => `${cells['family']}/${cells['sku']}`;

/** The product that begins in the line. Adds its key to `seen`. The schemas check its values. */
function beginning(cells: Cells, line: number, seen: Set<string>): Begun {
  const family = familyOfFeature(cells['family'] ?? '');
  if (!family) throw new InvalidArgument('family must be vouchers, topups or esim');
  const key = keyOf(cells);
  if (seen.has(key))
    throw new InvalidArgument(`product ${cells['sku']} has earlier lines; put the lines of a product together`);
  seen.add(key);
  const { family: _family, ...common } = fields(cells, productColumns);
  const parts: object[] = [];
  const list = listOf[family];
  return {
    key,
    parts,
    listed: {
      family,
      product: list === undefined ? common : { ...common, [list]: parts },
      categories: family === 'VOUCHER' ? [categoryOf(cells)] : [],
      where: `line ${line}`,
    },
  };
}

/** The list of a product with an element for each of its lines. */
const listOf: Readonly<Record<Family, string | undefined>> = {
  VOUCHER: 'denominations',
  TOPUP: 'variants',
  ESIM: undefined,
};

function addPart({ listed: { family }, parts }: Begun, cells: Cells): void {
  if (parts.length === MAX_PARTS) throw new InvalidArgument(`a product can have ${MAX_PARTS} lines`);
  parts.push(fields(cells, family === 'VOUCHER' ? denominationColumns : variantColumns));
}

/** The non-empty cells of these columns, as fields of the JSON file. */
function fields(cells: Cells, columns: readonly string[]): Record<string, unknown> {
  const given = columns.flatMap((name) => {
    const { [name]: text = '' } = cells;
    return text === '' ? [] : [[variantFieldOf[name] ?? name, valueOf(name, text)] as const];
  });
  return Object.fromEntries(given);
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

function valueOf(name: string, text: string): unknown {
  switch (name) {
    case 'active':
    case 'variantActive':
    case 'redeemable':
      // Spreadsheet programs write TRUE and FALSE.
      return booleans.get(text.toLowerCase()) ?? text;
    case 'fixedAmounts':
      return parts(text);
    case 'availableIn':
      return pairs(text).map(([code, country]) => ({ code, name: country }));
    case 'fields':
      return pairs(text).map(([key, value]) => ({ key, value }));
    case 'inputFields':
      return json(text);
    default:
      return text;
  }
}

const parts = (text: string) => text.split(';').map((part) => part.trim());

/** The pairs in a cell such as `USA=United States; CAN=Canada`. */
function pairs(text: string): [string, string][] {
  return parts(text).map((part) => {
    const [name = '', ...value] = part.split('=');
    return [name.trim(), value.join('=').trim()];
  });
}

/** The JSON value of a cell. Text that is not JSON stays text, so the schema rejects it. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function categoryOf({ category = '', subCategory = '' }: Cells): CategoryInput {
  return { name: category, subCategories: subCategory === '' ? [] : [subCategory] };
}
