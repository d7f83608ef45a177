/** CSV files of banks: columns, days and amounts as banks write them. */
import { readBankFile } from '../../../src/operators/operations/money-in/bank-file';
import { bankCsv, type BankCsv } from '../../../src/settings/bank-csv';

const csvOf = (mapping: object): BankCsv => {
  const { value, error }: { value?: unknown; error?: Error | undefined } = bankCsv.validate(JSON.stringify(mapping));
  if (error) throw error;
  return value as BankCsv;
};
const columns = { bookedOn: 'Day', amount: 'Sum', text: 'Text' };
const given = { account: 'A', currency: 'EUR', delimiter: ';', dates: 'DMY', columns };

/** The bookings of the file, each in one text, or the message. */
async function shownIn(text: string, mapping: object = given): Promise<string | string[]> {
  try {
    const { statements } = await readBankFile({ name: 'f', bytes: Buffer.from(text) }, { csv: csvOf(mapping) });
    return statements.flatMap(({ bookings }) =>
      bookings.map(({ bookedOn, direction, amount, currency, parts: [part] }) =>
        [bookedOn, direction, amount, currency, part?.text].join(' '),
      ),
    );
  } catch (error) {
    return (error as Error).message.replace('f cannot be imported as csv: ', '');
  }
}

/** What the line with this amount says. */
async function moneyOf(amount: string, more: object = {}): Promise<string> {
  const text = `Day;Sum;Text\n26.11.2026;"${amount}";t`;
  const shown = await shownIn(text, { ...given, ...more });
  return typeof shown === 'string' ? shown : (shown[0] ?? '').split(' ').slice(1, 4).join(' ');
}

test.each([
  ['1.234,56', 'CREDIT 1234.56 EUR'],
  ['1234,56', 'CREDIT 1234.56 EUR'],
  ['1 234 567,8', 'CREDIT 1234567.8 EUR'],
  ['1\u00a0234,56', 'CREDIT 1234.56 EUR'],
  ['1\u202f234,56', 'CREDIT 1234.56 EUR'],
  ["1'234,56", 'CREDIT 1234.56 EUR'],
  ['1’234,56', 'CREDIT 1234.56 EUR'],
  ['+5', 'CREDIT 5 EUR'],
  ['-5,00', 'DEBIT 5 EUR'],
  ['\u22125,00', 'DEBIT 5 EUR'],
  ['5,00-', 'DEBIT 5 EUR'],
  ['75,94 -', 'DEBIT 75.94 EUR'],
  ['(5,00)', 'DEBIT 5 EUR'],
  ['(€5,00)', 'DEBIT 5 EUR'],
  ['5,00 EUR', 'CREDIT 5 EUR'],
  ['EUR -5,00', 'DEBIT 5 EUR'],
  ['-5,00 EUR', 'DEBIT 5 EUR'],
  ['5,00 S', 'DEBIT 5 EUR'],
  ['5,00 H', 'CREDIT 5 EUR'],
  ['5,00 Dr.', 'DEBIT 5 EUR'],
  ['-5,00 Soll', 'DEBIT 5 EUR'],
])('When an amount is "%s" with a decimal comma, then it is %s', async (amount, money) => {
  expect(await moneyOf(amount, { decimal: ',' })).toBe(money);
});

test.each([
  ['1,234.56', 'CREDIT 1234.56 EUR'],
  ["1'234.56", 'CREDIT 1234.56 EUR'],
  ['1,25,000.00 Cr', 'CREDIT 125000 EUR'],
  ['12,34,56,789', 'CREDIT 123456789 EUR'],
  ['.50', 'CREDIT 0.5 EUR'],
  ['($1,234.50)', 'DEBIT 1234.5 EUR'],
])('When an amount is "%s" with a decimal point, then it is %s', async (amount, money) => {
  expect(await moneyOf(amount)).toBe(money);
});

test.each([
  '',
  'x',
  '.',
  ',',
  '-',
  '1,23',
  '1.234.567',
  '1,2345.00',
  '1,234 567.00',
  '12,34,567,89',
  '1.2.3',
  '1 2',
  '--5',
  '-5-',
  '(-5)',
  '(5',
  '5)',
  '-5 Cr',
  '5 EUR USD',
  '5 Cr Dr',
  '5/6',
  '1e5',
  '٥',
  '5.123456',
  '1234567890123456789',
  '1'.padEnd(70, '0'),
])('When an amount is "%s", then it is named as it is written', async (amount) => {
  expect(await moneyOf(amount)).toBe(`line 2: "${amount}" is no amount`);
});

test('When the currency stands behind the amount only, then it is that of the entry, and another one contradicts', async () => {
  expect(await moneyOf('5.00 USD', { currency: undefined })).toBe('CREDIT 5 USD');
  expect(await moneyOf('5.00 USD')).toBe('line 2: the amount is in USD, and the entry in EUR');
  expect(await moneyOf('5.00', { currency: undefined })).toBe('line 2: "" is no currency');
  expect(await moneyOf('5.00 euro', { currency: undefined })).toBe('line 2: "EURO" is no currency');
});

test('When a column has the direction, then it decides, and a minus may only agree', async () => {
  const mapping = { ...given, columns: { ...columns, direction: 'Sign' } };
  const shown = (sign: string, amount: string, more: object = {}) =>
    shownIn(`Day;Sum;Sign;Text\n26.11.2026;${amount};${sign};t`, { ...mapping, ...more });
  for (const sign of ['D', 'DR', 'Debit', 'S', 'Soll', 'Af', '-'])
    expect(await shown(sign, '75.94')).toEqual(['2026-11-26 DEBIT 75.94 EUR t']);
  for (const sign of ['C', 'Cr', 'Credit', 'H', 'Haben', 'Bij', '+'])
    expect(await shown(sign, '75.94')).toEqual(['2026-11-26 CREDIT 75.94 EUR t']);
  expect(await shown('D', '-75.94')).toEqual(['2026-11-26 DEBIT 75.94 EUR t']);
  expect(await shown('C', '-75.94')).toBe('line 2: the amount "-75.94" is a debit, and "C" says credit');
  expect(await shown('?', '75.94')).toContain('line 2: "?" is neither a credit (C, CR,');
  expect(await shown('', '75.94')).toContain('line 2: "" is neither a credit');
  const own = { credit: 'Entrée', debit: ['Sortie'] };
  expect(await shown('sortie', '1', own)).toEqual(['2026-11-26 DEBIT 1 EUR t']);
  expect(await shown('D', '1', own)).toBe('line 2: "D" is neither a credit (ENTRÉE) nor a debit (SORTIE)');
});

test('When two columns have the amounts, then the column is the direction, and a line has one of them', async () => {
  const mapping = { ...given, columns: { bookedOn: 'Day', paidIn: 'In', paidOut: 'Out', text: 'Text' } };
  const shown = (paidIn: string, paidOut: string) =>
    shownIn(`Day;In;Out;Text\n26.11.2026;${paidIn};${paidOut};t`, mapping);
  expect(await shown('1', '')).toEqual(['2026-11-26 CREDIT 1 EUR t']);
  expect(await shown('', '1')).toEqual(['2026-11-26 DEBIT 1 EUR t']);
  expect(await shown('', '-1')).toEqual(['2026-11-26 DEBIT 1 EUR t']);
  expect(await shown('0.00', '1')).toEqual(['2026-11-26 DEBIT 1 EUR t']);
  expect(await shown('1', '0.00')).toEqual(['2026-11-26 CREDIT 1 EUR t']);
  expect(await shown('1', '1')).toBe('line 2: it has an amount in "In" and another one in "Out"');
  expect(await shown('', '')).toBe('line 2: it has no amount, neither in "In" nor in "Out"');
  expect(await shown('-1', '')).toBe('line 2: "-1" is negative, in "In"');
});

test.each([
  ['DMY', '26.11.2026'],
  ['DMY', '26/11/26'],
  ['DMY', '26-11-2026'],
  ['DMY', '26.11.2026 14:03:22'],
  ['DMY', '26.11.2026, 14:03'],
  ['DMY', '26 Nov 2026'],
  ['DMY', '26-NOV-26 10.15'],
  ['DMY', '26112026'],
  ['MDY', '11/26/2026'],
  ['MDY', 'November 26, 2026'],
  ['MDY', '11/26/2026 08:15 AM'],
  ['YMD', '2026-11-26'],
  ['YMD', '2026-11-26T10:00:00Z'],
  ['YMD', '20261126'],
  ['YMD', '20261126 10:00'],
])('When days are %s and one is "%s", then it is November 26', async (dates, day) => {
  expect(await shownIn(`Day;Sum;Text\n${day};1;t`, { ...given, dates })).toEqual(['2026-11-26 CREDIT 1 EUR t']);
});

test.each([
  ['DMY', '11/26/2026'],
  ['MDY', '26/11/2026'],
  ['DMY', ''],
  ['DMY', '00.00.2026'],
  ['DMY', '26.11.'],
  ['DMY', '26.11.2026 and more'],
  ['DMY', '26.11.202'],
  ['DMY', '26 Foo 2026'],
  ['YMD', '26-11-2026'],
  ['YMD', '2026-02-30'],
])('When days are %s and one is "%s", then it is named as it is written', async (dates, day) => {
  expect(await shownIn(`Day;Sum;Text\n${day};1;t`, { ...given, dates })).toBe(`line 2: "${day}" is no date`);
});

test('When lines stand above the header and below the last entry, then they are no entries', async () => {
  const lines = ['Account;A', '', 'Sum;of;all', 'Day;Sum;Text', '26.11.2026;1;t', ';;', 'End;5', 'anything'];
  expect(await shownIn(lines.join('\n'), { ...given, end: 'End' })).toEqual(['2026-11-26 CREDIT 1 EUR t']);
  expect(await shownIn(lines.join('\r\n'))).toBe(
    'line 7: it has 2 columns, and the header 3. If it stands below the last entry, BANK_CSV can name its beginning as "end": End',
  );
  const far = `${'x\n'.repeat(100)}${lines.slice(3).join('\n')}`;
  expect(await shownIn(far)).toContain('line 100: the file has no column "Day", "Sum", "Text"');
});

test('When two columns have one name, then the file is rejected if the setting names it', async () => {
  const twice = 'Day;Sum;Text;Sum\n26.11.2026;1;t;2';
  expect(await shownIn(twice)).toBe('line 1: two columns are named "Sum", so nothing says which one BANK_CSV names');
  expect(await shownIn('Day;Sum;Text;;\n26.11.2026;1;t;;')).toEqual(['2026-11-26 CREDIT 1 EUR t']);
});

test('When a text holds the delimiter without quotes, or quotes are broken, then the line is rejected', async () => {
  expect(await shownIn('Day;Sum;Text\n26.11.2026;1;a;b')).toContain('line 2: it has 4 columns, and the header 3');
  expect(await shownIn('Day;Sum;Text\n26.11.2026;1;a;')).toEqual(['2026-11-26 CREDIT 1 EUR a']);
  expect(await shownIn('Day;Sum;Text\n26.11.2026;1;a "b" c')).toContain('line 2: Invalid Opening Quote');
  expect(await shownIn('Day;Sum;Text\n26.11.2026;1;"a')).toContain('line 2: Quote Not Closed');
  expect(await shownIn(`Day;Sum;Text\n26.11.2026;1;${'a'.repeat(4_001)}`)).toBe('line 2: it is longer than 4000 bytes');
});

test('When the column of the account has several, then each has its own statement', async () => {
  const mapping = csvOf({ ...given, account: undefined, columns: { ...columns, account: 'Account' } });
  const text = 'Day;Sum;Text;Account\n26.11.2026;1;a;x 1\n26.11.2026;2;b;Y2\n27.11.2026;3;c;X1';
  const { statements } = await readBankFile({ name: 'f', bytes: Buffer.from(text) }, { csv: mapping });
  expect(statements.map(({ account, bookings }) => [account, bookings.map(({ amount }) => amount)])).toEqual([
    ['X1', ['1', '3']],
    ['Y2', ['2']],
  ]);
});
