/** Reads a catalogue as CSV: a line for each denomination, top-up variant or eSIM. docs/operators/catalogue.md#as-csv. */
import { byWord } from '../../../domain/by-word';
import { parse } from 'csv-parse';
import type { CategoryInput } from '../../../data/catalogue/import/product-inputs';
import { familyOfFeature, type Family } from '../../../domain/orders/families';
import type { ListedProduct } from './import-catalogue';

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
const allColumns = [...productColumns, ...denominationColumns, ...variantColumns];

type Cells = Readonly<Record<string, string>>;

interface Line {
  number: number;
  cells: Cells;
}

type Lines = [Line, ...Line[]];

/** The products of a file's text. Consecutive lines with the same family and SKU form one product. Throws if the text is not valid. */
export async function* productsOfCsv(text: string): AsyncGenerator<ListedProduct> {
  const seenKeys = new Set<string>();
  let lines: Lines | undefined;
  for await (const line of linesOf(text)) {
    if (lines && keyOf(lines[0]) === keyOf(line)) lines.push(line);
    else {
      if (lines) yield productOf(lines, seenKeys);
      lines = [line];
    }
  }
  if (lines) yield productOf(lines, seenKeys);
}

async function* linesOf(text: string): AsyncGenerator<Line> {
  const parsed: AsyncIterable<{ record: Cells; info: { lines: number } }> = parse(text, {
    columns: checkedHeader,
    bom: true,
    info: true,
    trim: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  for await (const { record, info } of parsed) yield { number: info.lines, cells: record };
}

function checkedHeader(names: string[]): string[] {
  const [first = '', second] = names;
  if (second === undefined && /[;\t]/.test(first))
    throw new Error('its columns are separated by semicolons or tabs: save it with commas between columns');
  const unknown = names.find((name) => !allColumns.includes(name));
  if (unknown !== undefined)
    throw new Error(`"${unknown}" is not a column. The columns are ${allColumns.join(', ')}`);
  return names;
}

const keyOf = ({ cells }: Line) => `${cells['family']}/${cells['sku']}`;

/** The product of the lines. Adds its key to `seenKeys`. The import checks its values. */
function productOf(lines: Lines, seenKeys: Set<string>): ListedProduct {
  const [first] = lines;
  const where = `line ${first.number}`;
  const family = familyOfFeature(first.cells['family'] ?? '');
  if (!family) throw new Error(`${where}: family must be vouchers, topups or esim`);
  if (seenKeys.has(keyOf(first)))
    throw new Error(
      `${where}: product ${first.cells['sku']} has earlier lines; put the lines of a product together`,
    );
  seenKeys.add(keyOf(first));
  const product = readProduct(family, lines);
  const categories = family === 'VOUCHER' ? [categoryOf(first.cells)] : [];
  return { family, product, categories, where };
}

function readProduct(family: Family, lines: Lines): object {
  const { family: _family, ...common } = fields(lines[0], productColumns);
  switch (family) {
    case 'VOUCHER':
      return { ...common, denominations: lines.map((line) => fields(line, denominationColumns)) };
    case 'TOPUP':
      return { ...common, variants: lines.map((line) => fields(line, variantColumns)) };
    case 'ESIM':
      return common;
  }
}

/** The non-empty cells of these columns, as fields of the JSON file. */
function fields({ cells }: Line, columns: readonly string[]): Record<string, unknown> {
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
