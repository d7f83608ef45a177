/** The readers of uploaded files: what they take, and how they name a fault. docs/decisions/0094-read-files-in-a-thread.md. */
import { InvalidArgument } from '../../../src/operators/operations/arguments';
import { fileSizes } from '../../../src/operators/operations/files/file-kinds';
import { file } from '../../../src/operators/operations/files/file-arguments';
import { unpackedRows } from '../../../src/operators/operations/files/packed-rows';
import { readers } from '../../../src/operators/operations/files/readers';
import { UploadedFile } from '../../../src/operators/operations/files/uploaded-file';
import { operations } from '../../../src/operators/operations/operations';

test('When an operation takes a file, then it can only have it read in the thread', () => {
  const files = operations.flatMap(({ name, arguments: described }) =>
    Object.entries(described).flatMap(([argument, { place, read }]) =>
      place === 'file' || place === 'file option'
        ? [{ name: `${name} ${argument}`, value: read({ name: 'a', bytes: Buffer.from('text') }) }]
        : [],
    ),
  );
  expect(files).toHaveLength(9);
  for (const { name, value } of files) {
    expect([name, value instanceof UploadedFile]).toEqual([name, true]);
    expect(JSON.stringify(value)).not.toContain('text');
  }
  expect(Object.keys(fileSizes).sort()).toEqual(Object.keys(readers).sort());
  expect(file('bank', 'a file').maxBytes).toBe(8 * 2 ** 20);
});

describe('A file', () => {
  const sales = (text: string | Buffer) => readers.sales({ name: 'sales.csv', bytes: Buffer.from(text) });
  const rates = (text: string) => readers.referenceRates({ name: 'rates.json', bytes: Buffer.from(text) });
  const header = 'reference,units,sold_at\n';
  const sale = 'order-1,1,2026-10-31\n';

  test('When it is UTF-16 with a mark, or UTF-8 with one, then it is read like UTF-8', () => {
    const text = `${header}ordre-\u00e9,1,2026-10-31T12:00:00Z`;
    for (const bytes of [text, `\uFEFF${text}`, Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      const { sales: packed, months } = sales(bytes);
      expect(months).toEqual(['2026-10']);
      expect([...unpackedRows(packed)]).toEqual([
        { kind: 'sale', reference: 'ordre-\u00e9', units: 1, soldAt: new Date('2026-10-31T12:00:00Z') },
      ]);
    }
  });

  test.each([
    [
      () => sales(Buffer.from(`${header}caf\u00e9,1,2026-10-31`, 'latin1')),
      'sales.csv: it is not UTF-8, first in line 2: save it as UTF-8',
    ],
    [() => sales(`${header}a\0,1,2026-10-31`), 'sales.csv, line 2: remove the character U+0000'],
    [() => sales(header + sale.repeat(200_001)), 'sales.csv: line 200002: a file can have 200000 sales: split it'],
    [() => sales(`${header}${',1,2026-10-31\n'.repeat(7)}`), '(and 2 more)'],
    [() => sales(`${header}${',1,2026-10-31\n'.repeat(5_000)}`), '(and at least 995 more)'],
    [() => rates(`[${Array(5_000).fill('1').join()}]`), '(and at least 995 more)'],
    [() => sales(`${header}${'x'.repeat(300_000)}`), 'sales.csv: Max Record Size'],
    [
      () => sales(`${header}"a`),
      'sales.csv: Quote Not Closed: the parsing is finished with an opening quote at line 2',
    ],
    [() => sales(`${header},1,2026-10-31`), 'sales.csv: line 2: reference: Give 1 to 255 characters.'],
    [
      () => rates('[{"source":"USD",\n"destination":"EUR",\n}]'),
      'rates.json cannot be read as JSON, first in line 3: correct the file',
    ],
    [() => rates('[] x'), 'rates.json cannot be read as JSON, first in line 1'],
    [() => rates('[{"source":1'), 'rates.json cannot be read as JSON, first in line 1'],
    [() => rates('{}'), 'rates.json: line 1: it is no JSON array'],
    [() => rates('[]'), 'rates.json has no rates'],
    [() => rates(`[\n${'['.repeat(30)}`), 'rates.json: line 2: it nests deeper than 20 levels'],
    [() => rates(`[{${'"a":1,'.repeat(60_000)}`), 'rates.json: line 1: a value is too large'],
    [
      () => rates('[{"source":"USD","destination":"EUR","rate":"1"},\n{"source":"USD"}]'),
      'rates.json: line 2, item 2: "destination" is required',
    ],
  ])('When it is faulty, then the error has the file and the place (%#)', (read, sentence) => {
    expect(read).toThrow(InvalidArgument);
    expect(read).toThrow(sentence);
  });

  test.each([
    ['{"supplier":"s","voucherProducts":{}}', '"voucherProducts" must be an array'],
    ['{"supplier":"s","voucherProducts":[],"voucherProducts":[]}', 'it has "voucherProducts" twice'],
    ['{"supplier":"s","products":[]}', 'it has an unknown key'],
    ['{"voucherProducts":[]}', '"supplier" is required'],
  ])('When a catalogue is %s, then the error names the fault', (text, sentence) => {
    const read = () => readers.catalogue({ name: 'c.json', bytes: Buffer.from(text) }, { supplier: undefined });
    expect(read).toThrow(sentence);
  });

  test('When a catalogue is JSON, then its products come in the sequence of their import, whatever that of its keys', () => {
    const text = JSON.stringify({
      esimProducts: [{ sku: 'E', name: 'E', countryCode: 'JPN', currencyCode: 'USD' }, null],
      voucherProducts: [{ sku: 'V' }],
      supplier: 's',
    });
    const { supplier, categories, products } = readers.catalogue(
      { name: 'c.json', bytes: Buffer.from(text) },
      { supplier: undefined },
    );
    expect({ supplier, categories }).toEqual({ supplier: 's', categories: [] });
    expect([...unpackedRows(products)]).toMatchObject([
      { family: 'VOUCHER', sku: 'V', problem: '"name" is required' },
      { family: 'ESIM', sku: 'E', product: { name: 'E' } },
      { family: 'ESIM', sku: 'undefined', problem: '"value" must be of type object' },
    ]);
  });
});
