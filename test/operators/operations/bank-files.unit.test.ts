/** Files of banks: camt.053, MT940 and CSV give the same type of statement, with exact amounts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BankBooking, BankStatement } from '../../../src/domain/funding/bank-statement';
import { readBankFile } from '../../../src/operators/operations/money-in/bank-file';
import { bankCsv, type BankCsv } from '../../../src/settings/bank-csv';

/** The parts of the bookings, each with what the booking says. */
const flatEntries = (statements: readonly BankStatement[]) =>
  statements.flatMap(({ account, bookings }) =>
    bookings.flatMap(({ parts, ...booking }) =>
      parts.map(({ isReturn, ...part }) => ({
        ...booking,
        ...part,
        account,
        isReversal: booking.isReversal || isReturn,
      })),
    ),
  );

const folder = join(__dirname, 'bank-files');
const csvOf = (mapping: object): BankCsv => {
  const { value, error }: { value?: unknown; error?: Error | undefined } = bankCsv.validate(JSON.stringify(mapping));
  if (error) throw error;
  return value as BankCsv;
};
const csv = csvOf({
  delimiter: ';',
  decimal: ',',
  dates: 'DMY',
  account: 'DE89370400440532013000',
  booked: 'Gebucht',
  columns: {
    bookedOn: 'Buchungstag',
    valueOn: 'Valuta',
    amount: 'Betrag',
    currency: 'Währung',
    text: ['Verwendungszweck'],
    payer: 'Zahler',
    status: 'Status',
  },
});
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const readBytes = (bytes: Uint8Array, mapping: BankCsv | undefined = csv) =>
  readBankFile({ name: 'file', bytes }, { csv: mapping });
const read = (text: string, mapping?: BankCsv) => readBytes(Buffer.from(text), mapping);
const bookingsOf = (statements: readonly BankStatement[]) => statements.flatMap(({ bookings }) => bookings);
const bookingsIn = async (text: string, mapping?: BankCsv) => bookingsOf((await read(text, mapping)).statements);
const entriesIn = async (text: string) => flatEntries((await read(text)).statements);
const entriesOf = (name: string) => entriesIn(textOf(name));
const shown = ({ direction, isReversal, isPending, amount, currency, bookedOn }: Omit<BankBooking, 'parts'>) =>
  `${bookedOn} ${direction} ${amount} ${currency}${isReversal ? ' reversal' : ''}${isPending ? ' pending' : ''}`;

/** Made-up files in the shapes of real banks. Beside each: the statements in it, written by hand, and the setting for CSV. */
const examples = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -5)] : []));

test.each(examples)('When a bank sends %s, then its statements are those beside it', async (name) => {
  const { csv: mapping, ...expected } = JSON.parse(textOf(`${name}.json`)) as { csv?: object };
  const bytes = readFileSync(join(folder, name));
  expect(await readBytes(bytes, mapping && csvOf(mapping))).toEqual(expected);
});

test('When a file is camt.053.001.02, then each entry is read, and a batch that adds up is split', async () => {
  expect((await read(textOf('camt053-v02.xml'))).format).toBe('camt053');
  const entries = await entriesOf('camt053-v02.xml');
  expect(entries.map(shown)).toEqual([
    '2026-11-26 CREDIT 2500 EUR',
    '2026-11-26 CREDIT 200 EUR',
    '2026-11-26 CREDIT 33.1 EUR',
    '2026-11-26 DEBIT 50 EUR reversal',
    '2026-11-27 CREDIT 50 EUR pending',
  ]);
  expect(entries[0]).toMatchObject({
    account: 'DE89370400440532013000',
    bankReference: '2026112600014321000',
    payer: 'M&S Gift Cards GmbH',
    payerAccount: 'DE12500105170648489890',
    text: 'Aufladung rf61 7k2m-9qx4\nt1ab Bestellung 0815\nSEPA-GUTSCHRIFT',
  });
  expect(entries.slice(1, 3)).toMatchObject([
    { endToEndId: 'A-1', payer: 'First Payer', text: 'first' },
    { endToEndId: 'A-2', payer: 'Second Payer', text: 'RF18539007547034' },
  ]);
});

test('When a file is camt.053.001.08 with a prefix, then texts stay texts, a batch that does not add up is one entry, and a return is a reversal', async () => {
  const entries = await entriesOf('camt053-v08.xml');
  expect(entries.map(shown)).toEqual([
    '2026-11-26 CREDIT 1.005 KWD',
    '2026-11-26 CREDIT 9 KWD',
    '2026-11-26 CREDIT 2 KWD reversal',
  ]);
  expect(entries[0]).toMatchObject({ account: '0532013000', payer: 'Café Çelik', text: '1e15 007' });
  expect(entries[1]?.text).toBe('one\ntwo');
});

test('When the version is one from 02 to 08, then the file is read; other versions and messages are rejected, with what to download', async () => {
  const version = (name: string) => textOf('camt053-v02.xml').replace('camt.053.001.02', name);
  for (const number of ['03', '04', '05', '06', '07', '08'])
    expect(await entriesIn(version(`camt.053.001.${number}`))).toHaveLength(5);
  for (const [message, what] of [
    ['camt.053.001.09', ''],
    ['camt.052.001.08', ', a report of an unfinished day'],
    ['camt.054.001.02', ', a notification of single bookings'],
    ['pain.001.001.03', ', an order to a bank'],
  ] as const)
    await expect(read(version(message))).rejects.toThrow(
      `it is ${message}${what}: only camt.053.001.02 to camt.053.001.08 can be read. Download the statement`,
    );
});

test('When XML has a DOCTYPE, is cut off or no XML, then the file is rejected with the line', async () => {
  const [head, ...rest] = textOf('camt053-v02.xml').split('\n');
  const withDoctype = [head, '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', ...rest].join('\n');
  await expect(read(withDoctype)).rejects.toThrow('line 2: it has a DOCTYPE');
  const entity = textOf('camt053-v02.xml').replace('M&amp;S', 'M&b;S');
  await expect(read(entity)).rejects.toThrow('file cannot be imported as camt053: line 21: undefined entity');
  await expect(read(textOf('camt053-v02.xml').slice(0, 3_000))).rejects.toThrow(
    /^file cannot be imported as camt053: line \d+: unclosed tag/,
  );
  await expect(read('<html></html>')).rejects.toThrow('it is another XML file');
  await expect(read('<a b="1" b="2">')).rejects.toThrow('file cannot be imported as camt053: line 1: ');
});

test('When a file is MT940, then RC and RD are reversals, an entry date has the nearest year, and wrapped references are whole', async () => {
  expect((await read(textOf('statement.mt940'))).format).toBe('mt940');
  const entries = await entriesOf('statement.mt940');
  expect(entries.map(shown)).toEqual([
    '2027-01-02 CREDIT 2500 EUR',
    '2027-01-02 DEBIT 0.5 EUR',
    '2027-01-02 DEBIT 100 EUR reversal',
    '2027-01-02 CREDIT 7.1 EUR reversal',
    '2026-12-31 CREDIT 1.005 KWD',
  ]);
  expect(entries[0]).toMatchObject({
    account: '37040044/0532013000',
    valueOn: '2026-12-31',
    bankReference: '2026123100014321',
    payer: 'Müller und Söhne GmbH & Co. KG',
    payerAccount: 'DE12500105170648489890',
  });
  expect(entries[0]?.text).toContain('SVWZ+Aufladung RF61 7K2M9QX4 T1AB');
  expect(entries[2]).toMatchObject({
    endToEndId: 'REF-1',
    bankReference: 'B2',
    text: 'STORNO einer Gutschrift\nRF61 7K2M 9QX4 T1AB',
  });
  expect(entries[3]?.text).toBe('');
  expect(entries[4]?.account).toBe('COBADEFFXXX/DE89370400440532013000');
});

test('When the entries of an MT940 statement and its balances do not add up, or it has no end, then the file is rejected', async () => {
  const text = textOf('statement.mt940');
  await expect(read(text.replace('C2500,00', 'C2500,01'))).rejects.toThrow(
    'line 16: the closing balance is 12406.6 EUR, and the entries lead to 12406.61 EUR',
  );
  for (const cut of [':62F:C26', ':62F:C27'])
    await expect(read(text.split(cut)[0] ?? '')).rejects.toThrow(
      'has no closing balance (field 62F): the file is not complete',
    );
});

test('When a file is CSV, then the setting maps its columns', async () => {
  expect((await read(textOf('statement.csv'))).format).toBe('csv');
  const entries = await entriesOf('statement.csv');
  expect(entries.map(shown)).toEqual([
    '2026-11-26 CREDIT 2500 EUR',
    '2026-11-26 DEBIT 0.1 EUR',
    '2026-11-27 CREDIT 50 EUR pending',
  ]);
  expect(entries[0]).toMatchObject({ account: 'DE89370400440532013000', payer: 'Müller GmbH' });
  await expect(readBankFile({ name: 'a', bytes: Buffer.from('x') }, { csv: undefined })).rejects.toThrow(
    'set BANK_CSV',
  );
});

test.each(['1e15', '1E3', '-1', '+1', '0x10', '1.2.3', '1,2,3', '1 000', '', 'NaN', '1.123456', '1234567890123456789'])(
  'When an amount is "%s", then the file is rejected',
  async (amount) => {
    const xml = textOf('camt053-v02.xml').replace('>2500.00<', `>${amount}<`);
    await expect(read(xml)).rejects.toThrow(`line 12: entry 1 of DE89370400440532013000: "${amount}" is no amount`);
  },
);

test('When an amount is no binary fraction, or larger than a number is exact, then it is exact', async () => {
  const amountOf = async (amount: string) =>
    (await bookingsIn(textOf('camt053-v02.xml').replace('>2500.00<', `>${amount}<`)))[0]?.amount;
  expect(await amountOf('0.1')).toBe('0.1');
  expect(await amountOf('9007199254740993.10')).toBe('9007199254740993.1');
  expect(await amountOf('1000000000000000')).toBe('1000000000000000');
});

/** A file of MT940 with one statement. */
const mt940 = (...lines: readonly string[]) =>
  [':20:A', ':25:1', ':28C:1/1', ':60F:C261126EUR0,', ...lines, ':62F:C261126EUR0,', '-'].join('\n');

test.each([
  [
    'MT942',
    ':20:A\n:25:1\n:28C:1/1\n:34F:EUR0,\n:13D:2611261200+0100\n:90C:0EUR0,',
    'MT942, a report of an unfinished day: only MT940 can be read. Download the statement of the day as MT940',
  ],
  ['MT942 with a header', '{1:F01A}{2:O9421200}{4:\n:20:A\n-}', 'MT942, a report of an unfinished day'],
  [
    'MT910',
    ':20:A\n:21:B\n:25:1\n:32A:261126EUR1,\n:50K:Payer\n:52A:BANKDEFF',
    'MT900 or MT910, a notification of one booking',
  ],
  [
    'MT910 with a header',
    '{1:F01A}{2:O9101200}{4:\n:20:A\n:32A:261126EUR1,\n-}',
    'MT910, a notification of one credit',
  ],
  [
    'an MT940 that is cut after its number',
    ':20:A\n:25:1\n:28C:1/1',
    'the statement that begins in line 1 has no opening balance (field 60F): the file is not complete',
  ],
  [
    'an MT940 whose second statement is cut',
    `${mt940()}\n:20:B\n:25:1`,
    'the statement that begins in line 7 has no opening balance',
  ],
  [
    'a camt.053 without a statement',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt/></Document>',
    'it has no statement',
  ],
  ['a PDF', '%PDF-1.7', 'file is a PDF. Download the statement as camt.053, MT940 or CSV'],
  ['an empty file', ' \n', 'file is empty'],
  [
    'a CSV without one of its columns',
    'Title\nBuchungstag;Valuta;Betrag;Währung;Verwendungszweck;Status\n',
    'the file has no column "Zahler", which BANK_CSV names. Download',
  ],
  ['another text', 'hello', 'the file has no column "Buchungstag", "Valuta", "Betrag"'],
])('When a file is %s, then it is rejected with what it is', async (_what, text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});

test('When a bank writes on a quiet day, then a statement without entries and a CSV with only its header are good files', async () => {
  expect((await read(mt940())).statements).toMatchObject([{ account: '1', number: 1, page: 1, bookings: [] }]);
  const camt = textOf('camt053-v02.xml').replace(/<Ntry>[\s\S]*<\/Ntry>/, '');
  expect((await read(camt)).statements).toMatchObject([{ id: '2026-11-26-331', number: 331, bookings: [] }]);
  const [header = ''] = textOf('statement.csv').split('\n');
  expect((await read(header)).statements).toEqual([{ account: 'DE89370400440532013000', id: '', bookings: [] }]);
});

/** A camt.053 with these elements in its statement. */
const camt = (...elements: readonly string[]) =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>A</IBAN></Id></Acct>\n${elements.join('\n')}</Stmt></BkToCstmrStmt></Document>`;
const ntry = (inside = '', amount = '1') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-26</Dt></BookgDt>${inside}</Ntry>`;
const details = (...parts: readonly string[]) =>
  `<NtryDtls>${parts.map((part) => `<TxDtls>${part}</TxDtls>`).join('')}</NtryDtls>`;
const partOf = (amount: string, more = '') => `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>${more}`;
const many = (count: number, one: (index: number) => string) => Array.from({ length: count }, (_, index) => one(index));

test('When one part of a batch is returned, then that part is a return, and a reversal of the entry holds for all parts', async () => {
  const text = details(partOf('30', '<RtrInf/>'), partOf('70'));
  const [returned, reversed] = await bookingsIn(camt(ntry(text, '100'), ntry(`<RvslInd>true</RvslInd>${text}`, '100')));
  expect(returned).toMatchObject({ isReversal: false, parts: [{ isReturn: true }, { isReturn: false }] });
  expect(reversed).toMatchObject({ isReversal: true, parts: [{ isReturn: true }, { isReturn: false }] });
  // Nothing says which share of the money is returned.
  const [whole] = await bookingsIn(camt(ntry(text, '99')));
  expect(whole?.parts).toMatchObject([{ amount: '99', isReturn: true }]);
});

test('When pages have interim balances, then each page has its own opening and closing balance', async () => {
  const bal = (type: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-26</Dt></Dt></Bal>`;
  const balancesIn = async (...all: readonly string[]) => {
    const [statement] = (await read(camt(...all))).statements;
    return [statement?.opening?.amount, statement?.closing?.amount];
  };
  expect(await balancesIn(bal('OPBD', 1), bal('ITBD', 2), bal('CLAV', 9))).toEqual(['1', '2']);
  expect(await balancesIn(bal('ITBD', 2), bal('ITBD', 3))).toEqual(['2', '3']);
  expect(await balancesIn(bal('ITBD', 3), bal('CLBD', 4))).toEqual(['3', '4']);
  expect(await balancesIn(bal('ITBD', 3))).toEqual([undefined, undefined]);
});

test('When texts have invisible characters or turn the direction, then they are stored without them', async () => {
  const dirty = 'RF18\u200b5390\u202e0754\u20667034\u00ad\ufeff';
  const [booking] = await bookingsIn(
    camt(
      ntry(
        details(
          `<Refs><EndToEndId>${dirty}</EndToEndId></Refs><RltdPties><Dbtr><Nm>${dirty}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${dirty}&#x2028;b</Ustrd></RmtInf>`,
        ),
      ),
    ),
  );
  const clean = 'RF18539007547034';
  expect(booking?.parts).toMatchObject([{ endToEndId: clean, payer: clean, text: `${clean} b` }]);
});

test('When a file is UTF-16, Windows-1252 or UTF-8 with a mark, then its characters are those of the bank', async () => {
  const text = camt(ntry(details('<RmtInf><Ustrd>Müller €</Ustrd></RmtInf>')));
  const textIn = async (bytes: Uint8Array) => bookingsOf((await readBytes(bytes)).statements)[0]?.parts[0]?.text;
  expect(await textIn(Buffer.from(`\ufeff${text}`))).toBe('Müller €');
  expect(await textIn(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe('Müller €');
  expect(await textIn(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toBe('Müller €');
  expect(await textIn(Buffer.from(text.replace('€', '\x80'), 'latin1'))).toBe('Müller €');
});

test('When a file has one entry too many, is too deep or has too long a field, then it is rejected at its line', async () => {
  await expect(read(camt(...many(10_000, () => ntry())))).rejects.toThrow(
    'file cannot be imported as camt053: line 10001: a file can have 10000 entries and statements, and this is one more',
  );
  await expect(read(camt(ntry(`<NtryDtls>${'<TxDtls/>'.repeat(10_000)}</NtryDtls>`)))).rejects.toThrow(
    'line 2: a file can have 10000',
  );
  const entries = many(9_999, () => ':61:261126C0,NTRFNONREF');
  expect(await bookingsIn(mt940(...entries))).toHaveLength(9_999);
  await expect(read(mt940(...entries, ':61:261126C0,NTRFNONREF'))).rejects.toThrow('line 10004: a file can have 10000');
  const lines = ';;;;;;\n'.repeat(10_001);
  await expect(read(`${textOf('statement.csv')}${lines}`)).rejects.toThrow('line 10002: a file can have 10000');
  await expect(read(camt('\n', '<a>'.repeat(100)))).rejects.toThrow('line 4: it has more than 64 levels');
  const attributes = many(33, (index) => `b${index}=""`).join(' ');
  await expect(read(camt(`<a ${attributes}/>`))).rejects.toThrow('line 2: an element has more than 32 attributes');
  const long = 'x'.repeat(4_001);
  await expect(read(camt(ntry(details(`<RmtInf><Ustrd>\n${long}</Ustrd></RmtInf>`))))).rejects.toThrow(
    'line 3: the element RmtInf/Ustrd is longer than 4000 characters',
  );
  await expect(read(mt940(':61:261126C0,NTRFNONREF', `:86:${long}`))).rejects.toThrow('line 6: it is longer than 4000');
  await expect(read(mt940(':61:261126C0,NTRFNONREF', ':86:a', ...many(5, () => 'x'.repeat(1_000))))).rejects.toThrow(
    'line 10: field 86 is longer than 4000 characters',
  );
});

/** Files of which each has one form that could cost more than its size, with a size of about `size` bytes. */
const worst: Readonly<Record<string, (size: number) => string>> = {
  'XML with many entries': (size) => camt(...many(size / 120, () => ntry())),
  'XML with one entry of many texts': (size) =>
    camt(ntry(details(many(size / 25, (index) => `<RmtInf><Ustrd>${index}</Ustrd></RmtInf>`).join('')))),
  'XML of unknown elements': (size) => camt('<a b="c"/>'.repeat(size / 10)),
  'XML in one text': (size) => camt(`<a>${'b'.repeat(size)}</a>`),
  'XML in one attribute': (size) => camt(`<a b="${'c'.repeat(size)}"/>`),
  'XML of balances': (size) => camt('<Bal/>'.repeat(size / 6)),
  'XML of attributes': (size) => camt(`<a ${many(size / 12, (index) => `b${index}=""`).join(' ')}/>`),
  'XML in one name': (size) => camt(`<${'a'.repeat(size)}/>`),
  'XML that never ends': (size) =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">${'<'.repeat(size)}`,
  'XML of entities': (size) => camt(`<a>${'&amp;'.repeat(size / 5)}</a>`),
  'MT940 with many entries': (size) => mt940(...many(size / 50, () => ':61:261126C0,NTRFNONREF\n:86:166?00A?20B')),
  'MT940 of other lines': (size) => mt940(':99:\n'.repeat(size / 5)),
  'MT940 of empty lines': (size) => mt940('\n'.repeat(size)),
  'MT940 of headers': (size) => mt940('{1:{2:{4:\n'.repeat(size / 10)),
  'MT940 of statements': (size) => many(size / 70, () => mt940()).join('\n'),
  'one line': (size) => `:20:${'a'.repeat(size)}`,
  'CSV in one line': (size) => 'a;'.repeat(size / 2),
  'CSV in one quoted cell': (size) => `"${'a'.repeat(size)}`,
  'CSV of line separators': (size) => '\u2028'.repeat(size / 3),
  'CSV of empty lines': (size) => `${textOf('statement.csv')}${'\n'.repeat(size)}`,
  'CSV of empty cells': (size) => `${textOf('statement.csv')}${';;;;;;\n'.repeat(size / 7)}`,
  blanks: (size) => ' '.repeat(size),
};

test.each(Object.keys(worst))('When a file is %s, then twice its size costs about twice the time', async (name) => {
  const timeOf = async (size: number) => {
    const bytes = Buffer.from(worst[name]?.(size) ?? '');
    const begin = process.cpuUsage();
    await readBytes(bytes).catch((error: Error) => {
      expect(error.message).toMatch(/^file /);
    });
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1_000;
  };
  const size = 150_000;
  await timeOf(size);
  // In milliseconds. The least of two: others use the machine, too.
  const least = async (bytes: number) => Math.min(await timeOf(bytes), await timeOf(bytes));
  const [once, twice] = [await least(size), await least(2 * size)];
  expect(twice).toBeLessThan(2.6 * once + 40);
});
