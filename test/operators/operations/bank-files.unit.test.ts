/** Files of banks: camt.053, MT940 and CSV give the same type of entry, with exact amounts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bankEntryIdentity, withOrdinals, type BankEntry } from '../../../src/domain/funding/bank-entry';
import { readBankFile } from '../../../src/operators/operations/money-in/bank-file';
import type { BankCsv } from '../../../src/settings/bank-csv';

const csv: BankCsv = {
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
};
const textOf = (name: string) => readFileSync(join(__dirname, 'bank-files', name), 'utf8');
const read = (text: string, format?: 'camt053' | 'mt940' | 'csv') =>
  readBankFile({ name: 'file', text }, { format, csv });
const entriesOf = (name: string) => read(textOf(name)).entries;
const shown = ({ direction, isReversal, isPending, amount, currency, bookedOn }: BankEntry) =>
  `${bookedOn} ${direction} ${amount} ${currency}${isReversal ? ' reversal' : ''}${isPending ? ' pending' : ''}`;

test('When a file is camt.053.001.02, then each entry is read, and a batch that adds up is split', () => {
  const { format, entries } = read(textOf('camt053-v02.xml'));
  expect(format).toBe('camt053');
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

test('When a file is camt.053.001.08 with a prefix, then texts stay texts, a batch that does not add up is one entry, and a return is a reversal', () => {
  const entries = entriesOf('camt053-v08.xml');
  expect(entries.map(shown)).toEqual([
    '2026-11-26 CREDIT 1.005 KWD',
    '2026-11-26 CREDIT 9 KWD',
    '2026-11-26 CREDIT 2 KWD reversal',
  ]);
  expect(entries[0]).toMatchObject({ account: '0532013000', payer: 'Café Çelik', text: '1e15 007' });
  expect(entries[1]?.text).toBe('one\ntwo');
});

test('When the version is one from 02 to 08, then the file is read; other versions and messages are rejected', () => {
  const version = (name: string) => textOf('camt053-v02.xml').replace('camt.053.001.02', name);
  for (const number of ['03', '04', '05', '06', '07', '08'])
    expect(read(version(`camt.053.001.${number}`)).entries).toHaveLength(5);
  for (const other of ['camt.053.001.09', 'camt.054.001.02', 'pain.001.001.03'])
    expect(() => read(version(other))).toThrow(
      `it is ${other}: only camt.053.001.02 to camt.053.001.08 can be read`,
    );
});

test('When XML has a DOCTYPE, or is cut off, then the file is rejected', () => {
  const [head, ...rest] = textOf('camt053-v02.xml').split('\n');
  const withDoctype = [head, '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>', ...rest].join('\n');
  expect(() => read(withDoctype)).toThrow('it has a DOCTYPE');
  expect(() => read(textOf('camt053-v02.xml').slice(0, 3_000))).toThrow('file cannot be imported as camt053');
  expect(() => read('<html></html>')).toThrow('it is another XML file');
});

test('When a file is MT940, then RC and RD are reversals, an entry date has the nearest year, and wrapped references are whole', () => {
  const { format, entries } = read(textOf('statement.mt940'));
  expect(format).toBe('mt940');
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

test('When the entries of an MT940 statement and its balances do not add up, or it has no end, then the file is rejected', () => {
  expect(() => read(textOf('statement.mt940').replace('C2500,00', 'C2500,01'))).toThrow(
    'line 16: the closing balance is 12406.6 EUR, and the entries lead to 12406.61 EUR',
  );
  expect(() => read(textOf('statement.mt940').split(':62F:C26')[0] ?? '')).toThrow(
    'the file is not complete',
  );
  expect(() => read(textOf('statement.mt940').split(':62F:C27')[0] ?? '')).toThrow(
    'the file is not complete',
  );
});

test('When a file is CSV, then the setting maps its columns', () => {
  const { format, entries } = read(textOf('statement.csv'));
  expect(format).toBe('csv');
  expect(entries.map(shown)).toEqual([
    '2026-11-26 CREDIT 2500 EUR',
    '2026-11-26 DEBIT 0.1 EUR',
    '2026-11-27 CREDIT 50 EUR pending',
  ]);
  expect(entries[0]).toMatchObject({ account: 'DE89370400440532013000', payer: 'Müller GmbH' });
  expect(() => readBankFile({ name: 'a', text: 'x' }, { format: 'csv', csv: undefined })).toThrow(
    'set BANK_CSV',
  );
  expect(() => read('a;b\n1;2', 'csv')).toThrow(
    'line 2: the file has no column "Betrag", which BANK_CSV names',
  );
});

test.each([
  '1e15',
  '1E3',
  '-1',
  '+1',
  '0x10',
  '1.2.3',
  '1,2,3',
  '1 000',
  '',
  'NaN',
  '1.123456',
  '1234567890123456789',
])('When an amount is "%s", then the file is rejected', (amount) => {
  const xml = textOf('camt053-v02.xml').replace('>2500.00<', `>${amount}<`);
  expect(() => read(xml)).toThrow(`entry 1 of DE89370400440532013000: "${amount}" is no amount`);
});

test('When an amount is no binary fraction, or larger than a number is exact, then it is exact', () => {
  const amountOf = (amount: string) =>
    read(textOf('camt053-v02.xml').replace('>2500.00<', `>${amount}<`)).entries[0]?.amount;
  expect(amountOf('0.1')).toBe('0.1');
  expect(amountOf('9007199254740993.10')).toBe('9007199254740993.1');
  expect(amountOf('1000000000000000')).toBe('1000000000000000');
});

test('When two payments of a day are equal, then they have two identities, which every file gives them', () => {
  const [first] = entriesOf('camt053-v02.xml') as [BankEntry];
  const identities = (entries: readonly BankEntry[]) =>
    withOrdinals(entries).map(({ entry, ordinal }) => bankEntryIdentity(entry, ordinal));
  const other = { ...first, bookedOn: '2026-11-27' };
  const [one, two] = identities([first, first]);
  expect(one).not.toBe(two);
  expect(identities([other, first, other, first]).filter((_, index) => index % 2 === 1)).toEqual([one, two]);
  for (const [field, value] of Object.entries(first)) {
    const changed = { ...first, [field]: typeof value === 'boolean' ? !value : `${value}1` };
    expect(identities([changed])).not.toContain(one);
  }
});
