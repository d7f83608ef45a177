/** Catalogues as CSV: the example of the operators' page, and the faults of other files with their lines. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '../../../dev/testbed/sql';
import { codeBlocks } from '../../documents/documents';
import { printedBy } from '../../support/operator';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import type { Json } from '../../support/stack';

const { database, url } = scratchDatabase();
const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
const path = join(folder, 'catalogue.csv');
afterEach(() => {
  process.exitCode = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

async function imported(csv: string | Buffer): Promise<Json[]> {
  writeFileSync(path, csv);
  return JSON.parse(await printedBy(url, '--json', 'catalogue', 'import', path, '--supplier', 'simulator')) as Json[];
}

test('When the example of the page is imported, then its products are created, and a second import changes nothing', async () => {
  const [block] = codeBlocks('docs/operators/catalogue.md').filter(({ language }) => language === 'csv');
  const csv = String(block?.code);
  expect((await imported(csv)).map(({ family, outcome }) => [family, outcome])).toEqual([
    ['VOUCHER', 'created'],
    ['TOPUP', 'created'],
    ['ESIM', 'created'],
  ]);
  expect((await imported(`\uFEFF${csv}`)).map(({ outcome }) => outcome)).toEqual([
    'unchanged',
    'unchanged',
    'unchanged',
  ]);
  expect(
    await sql(database)`
      SELECT min_value::float8 AS min, max_value::float8 AS max, discount_percent::float8 AS discount, sub.name AS sub
         FROM voucher_denominations d JOIN voucher_products p ON p.id = d.product_id
         JOIN subcategories sub ON sub.id = p.subcategory_id ORDER BY 1`,
  ).toEqual([
    { min: 15, max: 15, discount: 2.5, sub: 'Streaming' },
    { min: 20, max: 500, discount: 0, sub: 'Streaming' },
  ]);
  expect(await sql(database)`SELECT fixed_amounts::text AS amounts FROM topup_variants`).toEqual([
    { amounts: '{5.0000,10.0000}' },
  ]);
});

test('When a line is faulty, then it is rejected with its number, and nothing is imported', async () => {
  const found = await imported(
    `${header}esim,E-1,"One, with a comma",JPN,USD,true\nesim,E-2,Two,XXX,USD,\nesim,E-3,Three,FRA,USD,maybe\nesim,E-4,Four\u202E,FRA,USD,\n`,
  );
  expect(found).toMatchObject([
    { sku: 'E-1', outcome: 'skipped', problem: null },
    { sku: 'E-2', outcome: 'rejected', problem: 'line 3: "XXX" is not a country of ISO 3166-1' },
    { sku: 'E-3', outcome: 'rejected', problem: 'line 4: "active" must be a boolean' },
    { sku: 'E-4', problem: 'line 5: "name" contains U+202E, which clients cannot show' },
  ]);
  expect(await namesOf('E-1')).toEqual([]);
});

const namesOf = (sku: string) => sql(database)`SELECT name FROM esim_products WHERE supplier_sku = ${sku}`;

const header = 'family,sku,name,countryCode,currencyCode,active\n';

test('When a spreadsheet program writes rows of empty cells and TRUE, then the file is imported', async () => {
  const found = await imported(`${header}esim,S-1,One,JPN,USD,TRUE\n,,,,,\nesim,S-2,Two,JPN,USD,False\n,,,,,\n`);
  expect(found).toMatchObject([
    { sku: 'S-1', outcome: 'created' },
    { sku: 'S-2', outcome: 'created' },
  ]);
});

test('When a later line breaks the file, then the lines before it are not imported', async () => {
  await expect(imported(`${header}esim,B-1,One,JPN,USD,\ncards,B-2,Two,JPN,USD,\n`)).rejects.toThrow('line 3');
  expect(await namesOf('B-1')).toEqual([]);
});

test('When a file has 200 MB, then it is rejected', async () => {
  writeFileSync(path, '');
  truncateSync(path, 200_000_000);
  await expect(printedBy(url, 'catalogue', 'import', path, '--supplier', 'simulator')).rejects.toThrow(
    'it is larger than 16 MiB: split it',
  );
});

test('When the file is Windows-1252, then the error names the encoding and the line, and nothing is imported', async () => {
  const csv = Buffer.from(`${header}esim,W-1,One,JPN,USD,\nesim,W-2,Caf\u00e9,JPN,USD,\n`, 'latin1');
  await expect(imported(csv)).rejects.toThrow('it is not UTF-8, first in line 3: save it as UTF-8');
  expect(await namesOf('W-1')).toEqual([]);
});

test.each([
  ['sku,colour\n', '"colour" is not a column'],
  ['family;sku;name\nesim;1;One\n', 'separated by semicolons or tabs: save it with commas'],
  ['family,sku\ncards,1\n', 'line 2: family must be vouchers, topups or esim'],
  ['family,sku,name\nesim,1,"open\n', 'Quote Not Closed'],
  [
    'family,sku,name,countryCode,currencyCode\nesim,A,A,JPN,USD\nesim,B,B,JPN,USD\nesim,A,A,JPN,USD\n',
    'line 4: product A has earlier lines',
  ],
])('When the file is %j, then the error names its fault', async (csv, sentence) => {
  await expect(imported(csv)).rejects.toThrow(sentence);
});

test('When the supplier is not given, then the error requests it', async () => {
  await expect(printedBy(url, 'catalogue', 'import', path)).rejects.toThrow('--supplier');
});

test('When the file does not exist, then the import says so in a sentence', async () => {
  const missing = join(folder, 'missing.csv');
  await expect(printedBy(url, 'catalogue', 'import', missing, '--supplier', 'simulator')).rejects.toThrow(
    `${missing}: ENOENT`,
  );
});
