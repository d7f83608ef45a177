/** The readers of uploaded files: each reads its worst files in linear time. docs/decisions/0094-read-files-in-a-thread.md. */
import { InvalidArgument } from '../../../src/operators/operations/arguments';
import { fileSizes } from '../../../src/operators/operations/files/file-kinds';
import { file } from '../../../src/operators/operations/files/file-arguments';
import { rowsOf } from '../../../src/operators/operations/files/packed-rows';
import { readers } from '../../../src/operators/operations/files/readers';
import { UploadedFile } from '../../../src/operators/operations/files/uploaded-file';
import { operations } from '../../../src/operators/operations/operations';
import { worstCases, type WorstCase } from '../../support/worst-files';

/** A tenth of the largest file. The full size: `npm run test:more -- files`. */
const PART = 0.1;

/** What of a file that is twice as large takes less than this many times as long. Constant costs are left out. */
const MAX_RATIO = 2.6;
const CONSTANT_MS = 60;

/** The time of this process's CPU, and what the reader says. */
function measured({ kind, name, make, settings }: WorstCase, part: number) {
  const bytes = Buffer.from(make(fileSizes[kind] * part));
  const before = process.cpuUsage();
  let fault: unknown;
  try {
    // The case has the settings of its kind.
    (readers[kind] as (...given: readonly unknown[]) => object)({ name, bytes }, ...settings);
  } catch (error) {
    fault = error;
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, fault };
}

test.each(worstCases.map((one) => [`${one.kind}, ${one.name}: ${one.form}`, one] as const))(
  'When a file is the worst of its kind (%s), then twice its size takes about twice the time, and its fault names the file',
  (_name, one) => {
    const { fault } = measured(one, PART);
    if (fault !== undefined) {
      expect(fault).toBeInstanceOf(InvalidArgument);
      expect(String(fault)).toContain(one.name);
      expect(String(fault).length).toBeLessThan(2_500);
    }
    // The least of some runs: other work on the machine only adds.
    const ratios: number[] = [];
    while (ratios.length < 4 && !ratios.some((ratio) => ratio < MAX_RATIO))
      ratios.push(measured(one, PART).ms / (measured(one, PART / 2).ms + CONSTANT_MS));
    expect(Math.min(...ratios)).toBeLessThan(MAX_RATIO);
  },
);

test('When an operation takes a file, then it can only have it read in the thread', () => {
  const files = operations.flatMap(({ name, arguments: described }) =>
    Object.entries(described).flatMap(([argument, { place, read }]) =>
      place === 'file' || place === 'file option'
        ? [{ name: `${name} ${argument}`, value: read({ name: 'a', bytes: Buffer.from('text') }) }]
        : [],
    ),
  );
  expect(files).toHaveLength(8);
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
      expect([...rowsOf(packed)]).toEqual([
        { kind: 'sale', reference: 'ordre-\u00e9', units: 1, soldAt: new Date('2026-10-31T12:00:00Z') },
      ]);
    }
  });

  test.each([
    [() => sales(Buffer.from(`${header}caf\u00e9,1,2026-10-31`, 'latin1')), 'sales.csv: it is not UTF-8, first in line 2: save it as UTF-8'],
    [() => sales(`${header}a\0,1,2026-10-31`), 'sales.csv, line 2: remove the character U+0000'],
    [() => sales(header + sale.repeat(200_001)), 'sales.csv: line 200002: a file can have 200000 sales: split it'],
    [() => sales(`${header}${'x'.repeat(300_000)}`), 'sales.csv: Max Record Size'],
    [() => sales(`${header}"a`), 'sales.csv: Quote Not Closed: the parsing is finished with an opening quote at line 2'],
    [() => sales(`${header},1,2026-10-31`), 'sales.csv: line 2: reference: Give 1 to 255 characters.'],
    [() => rates('[{"source":"USD",\n"destination":"EUR",\n}]'), 'rates.json cannot be read as JSON, first in line 3: correct the file'],
    [() => rates('[] x'), 'rates.json cannot be read as JSON, first in line 1'],
    [() => rates('[{"source":1'), 'rates.json cannot be read as JSON, first in line 1'],
    [() => rates('{}'), 'rates.json: line 1: it is no JSON array'],
    [() => rates('[]'), 'rates.json has no rates'],
    [() => rates(`[\n${'['.repeat(30)}`), 'rates.json: line 2: it nests deeper than 20 levels'],
    [() => rates(`[{${'"a":1,'.repeat(60_000)}`), 'rates.json: line 1: a value is too large'],
    [() => rates('[{"source":"USD","destination":"EUR","rate":"1"},\n{"source":"USD"}]'), 'rates.json: line 2, item 2: "destination" is required'],
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
    const { supplier, categories, products } = readers.catalogue({ name: 'c.json', bytes: Buffer.from(text) }, { supplier: undefined });
    expect({ supplier, categories }).toEqual({ supplier: 's', categories: [] });
    expect([...rowsOf(products)]).toMatchObject([
      { family: 'VOUCHER', sku: 'V', problem: '"name" is required' },
      { family: 'ESIM', sku: 'E', product: { name: 'E' } },
      { family: 'ESIM', sku: 'undefined', problem: '"value" must be of type object' },
    ]);
  });
});
