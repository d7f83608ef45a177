/** The worst files of each kind: deep, wide, in one line, all equal, all different, all wrong, and with U+2028, of about any size. */
import type { BankCsv } from '../../src/settings/bank-csv';
import type { FileKind, FileSettings } from '../../src/operators/operations/files/file-kinds';

/** A file of about this many bytes. */
type Form = (bytes: number) => string;

/** What the text has as often as fits into the bytes. */
const repeated = (text: string, bytes: number) => text.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(text))));

/** The texts of the first indexes, as many as fit into the bytes. */
function numbered(bytes: number, textOf: (index: number) => string): string[] {
  const texts: string[] = [];
  for (let size = 0; size < bytes;) {
    const text = textOf(texts.length);
    texts.push(text);
    size += text.length + 1;
  }
  return texts;
}

/** Three letters that differ for the first 17,576 indexes. */
const currency = (index: number) =>
  String.fromCharCode(65 + (index % 26), 65 + (Math.floor(index / 26) % 26), 65 + (Math.floor(index / 676) % 26));

/** Another one: the pairs of two indexes differ. */
const other = (index: number) => currency(index + 1 + Math.floor(index / 17_576));

/** Forms of JSON with rows between the texts. `rowOf`: a sound one. */
const json = (before: string, after: string, rowOf: (index: number) => string): Record<string, Form> => {
  const rows = (bytes: number, textOf: (index: number) => string, separator = ',\n') =>
    `${before}${numbered(bytes, textOf).join(separator)}${after}`;
  return {
    deep: (bytes) => before + repeated('[', bytes),
    'deep in objects': (bytes) => before + repeated('{"a":', bytes),
    wide: (bytes) => rows(bytes, (index) => `"k${index}":1`).replace(before, `${before}{`),
    'one line': (bytes) => rows(bytes, rowOf, ','),
    'all equal': (bytes) => rows(bytes, () => rowOf(0)),
    'all different': (bytes) => rows(bytes, rowOf),
    'all wrong': (bytes) => rows(bytes, () => '{}'),
    numbers: (bytes) => rows(bytes, () => '1', ','),
    'one long text': (bytes) => `${before}"${repeated('x', bytes)}"${after}`,
    'one long number': (bytes) => before + repeated('1', bytes) + after,
    escapes: (bytes) => `${before}"${repeated(String.raw`\u2028`, bytes)}"${after}`,
    'U+2028': (bytes) => before + repeated('\u2028', bytes) + after,
    'line breaks': (bytes) => before + repeated('\n', bytes) + after,
    commas: (bytes) => before + repeated(',', bytes) + after,
  };
};

/** Forms of CSV. `rowOf`: a sound row. */
const csv = (header: string, rowOf: (index: number) => string): Record<string, Form> => {
  const rows = (bytes: number, textOf: (index: number) => string) => [header, ...numbered(bytes, textOf)].join('\n');
  return {
    'one line': (bytes) => `${header}\n${repeated('x', bytes)}`,
    wide: (bytes) => repeated('x,', bytes),
    'wide rows': (bytes) => rows(bytes, () => 'x,'.repeat(1_000)),
    'all equal': (bytes) => rows(bytes, () => rowOf(0)),
    'all different': (bytes) => rows(bytes, rowOf),
    'all wrong': (bytes) => rows(bytes, () => rowOf(0).replace(/[^,]+/g, 'x')),
    quotes: (bytes) => `${header}\n${repeated('"', bytes)}`,
    'one open quote': (bytes) => `${header}\n"${repeated('x\n', bytes)}`,
    'line breaks': (bytes) => header + repeated('\n', bytes),
    'U+2028': (bytes) => `${header}\n${repeated('\u2028', bytes)}`,
    NUL: (bytes) => `${header}\n${repeated('\0', bytes)}`,
  };
};

const cube = (index: number) => `<Cube currency="${currency(index)}" rate="1.5"/>`;
const euros = (cubes: string) => `<Envelope><Cube><Cube time="2026-11-27">${cubes}</Cube></Cube></Envelope>`;

const xml: Record<string, Form> = {
  deep: (bytes) => repeated('<a>', bytes),
  wide: (bytes) => `<a ${numbered(bytes, (index) => `k${index}="1"`).join(' ')}/>`,
  'all equal': (bytes) => euros(repeated(cube(0), bytes)),
  'all different': (bytes) => euros(numbered(bytes, cube).join('\n')),
  'all wrong': (bytes) => euros(repeated('<Cube/>', bytes)),
  'one text': (bytes) => euros(repeated('x', bytes)),
  entities: (bytes) => euros(repeated('&amp;', bytes)),
  comments: (bytes) => euros(repeated('<!---->', bytes)),
  'one comment': (bytes) => euros(`<!--${repeated('- ', bytes)}-->`),
  brackets: (bytes) => repeated('<', bytes),
  'U+2028': (bytes) => euros(repeated('\u2028', bytes)),
};

const bankCsv: BankCsv = {
  delimiter: ';',
  decimal: ',',
  dates: 'YMD',
  account: 'DE89370400440532013000',
  currency: 'EUR',
  credit: ['C'],
  debit: ['D'],
  columns: { bookedOn: 'Tag', amount: 'Betrag', text: ['Text'] },
};
const entry = (index: number) =>
  `<Ntry><Amt Ccy="EUR">${index + 1}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-27</Dt></BookgDt></Ntry>`;
const statement = (entries: string) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
const camt: Record<string, Form> = {
  deep: (bytes) => statement(repeated('<a>', bytes)),
  wide: (bytes) => statement(`<a ${numbered(bytes, (index) => `k${index}="1"`).join(' ')}/>`),
  'all equal': (bytes) => statement(repeated(entry(0), bytes)),
  'all different': (bytes) => statement(numbered(bytes, entry).join('\n')),
  'all wrong': (bytes) => statement(repeated('<Ntry/>', bytes)),
  'one text': (bytes) => statement(repeated('x', bytes)),
  entities: (bytes) => statement(repeated('&amp;', bytes)),
  comments: (bytes) => statement(repeated('<!---->', bytes)),
  'many parts': (bytes) =>
    statement(
      `<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-27</Dt></BookgDt><NtryDtls>${repeated('<TxDtls/>', bytes)}</NtryDtls></Ntry>`,
    ),
  'U+2028': (bytes) => statement(repeated('\u2028', bytes)),
};
const head = ':20:1\n:25:37040044/0532013000\n:28C:1/1\n:60F:C261126EUR0,\n';
const mt940: Record<string, Form> = {
  'one line': (bytes) => `${head}:86:${repeated('x', bytes)}`,
  'lines of a text': (bytes) => `${head}:61:261127C1,NTRFNONREF\n:86:${repeated('?20x\n', bytes)}`,
  'all equal': (bytes) => head + repeated(':61:261127C1,NTRFNONREF\n:86:x\n', bytes),
  'all different': (bytes) => head + numbered(bytes, (index) => `:61:261127C${index + 1},NTRFNONREF\n:86:x`).join('\n'),
  'all wrong': (bytes) => head + repeated(':61:x\n', bytes),
  statements: (bytes) => repeated(`${head}:62F:C261127EUR0,\n-\n`, bytes),
  heads: (bytes) => repeated('{1:', bytes),
  'line breaks': (bytes) => head + repeated('\n', bytes),
  'carriage returns': (bytes) => head + repeated('\r', bytes),
  blanks: (bytes) => head + repeated(' ', bytes),
  'U+2028': (bytes) => head + repeated('\u2028', bytes),
};

const voucher = (index: number) =>
  JSON.stringify({
    sku: `S-${index}`,
    name: 'Gift card',
    category: 'Cards',
    countryCode: 'USA',
    currencyCode: 'USD',
    denominations: [{ min: '10', max: '10', discount: '2.5' }],
  });
const inCatalogue = (list: string) => [`{"supplier":"s","${list}":[`, ']}'] as const;

/** One product with many parts. */
const largeProduct: Form = (bytes) =>
  `{"supplier":"s","voucherProducts":[{"sku":"a","denominations":[${numbered(bytes, (index) => `{"min":"${index}","max":"${index}"}`).join(',')}]}]}`;

interface WorstFiles<Kind extends FileKind> {
  /** The name of a file of the kind, by its format. */
  files: Readonly<Record<string, Record<string, Form>>>;
  settings: FileSettings<Kind>;
}

/** The files by kind. Notes are hidden in files of refunds, which stand for both. */
const worstFiles: { readonly [Kind in Exclude<FileKind, 'hiddenNotes'>]: WorstFiles<Kind> } = {
  bank: {
    files: {
      'worst.xml': camt,
      'worst.sta': mt940,
      'worst.csv': csv('Tag;Betrag;Text', (index) => `2026-11-27;${index + 1};x`),
    },
    settings: [{ csv: bankCsv }],
  },
  catalogue: {
    files: {
      'worst.json': {
        ...json(...inCatalogue('voucherProducts'), voucher),
        'one large product': largeProduct,
        categories: (bytes) =>
          `{"supplier":"s","categories":[${numbered(bytes, (index) => `{"name":"c${index}"}`).join(',')}]}`,
        keys: (bytes) => `{${numbered(bytes, (index) => `"k${index}":1`).join(',')}}`,
      },
      'worst.csv': csv(
        'family,sku,name,category,countryCode,currencyCode,min,max',
        (index) => `vouchers,S-${index},Gift card,Cards,USA,USD,10,10`,
      ),
    },
    settings: [{ supplier: 's' }],
  },
  euroRates: {
    files: { 'worst.xml': xml, 'worst.csv': csv('Date,USD', (index) => `2026-11-27,${index + 1}`) },
    settings: [],
  },
  goods: {
    files: { 'worst.json': json('[', ']', (index) => JSON.stringify({ card_number: `CODE-${index}` })) },
    settings: [{ family: 'VOUCHER', now: new Date() }],
  },
  referenceRates: {
    files: {
      'worst.json': json('[', ']', (index) =>
        JSON.stringify({ source: currency(index), destination: other(index), rate: '1.5' }),
      ),
      'worst.csv': csv('source,destination,rate', (index) => `${currency(index)},${other(index)},1.5`),
    },
    settings: [],
  },
  refunds: {
    files: {
      'worst.csv': csv('order,units,reason_code,reference,note', (index) => `${index + 1},1,OTHER,r-${index},a note`),
    },
    settings: [],
  },
  sales: {
    files: { 'worst.csv': csv('reference,units,sold_at', (index) => `order-${index},1,2026-10-31T12:00:00Z`) },
    settings: [],
  },
};

export interface WorstCase {
  kind: FileKind;
  name: string;
  form: string;
  make: Form;
  settings: readonly unknown[];
}

/** All of them. */
export const worstCases: readonly WorstCase[] = Object.entries(worstFiles).flatMap(([kind, { files, settings }]) =>
  Object.entries(files).flatMap(([name, forms]) =>
    Object.entries(forms).map(([form, make]) => ({
      kind: kind as keyof typeof worstFiles,
      name,
      form,
      make,
      settings,
    })),
  ),
);
