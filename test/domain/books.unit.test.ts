/** The lines of a month's journal. docs/operators/books.md. */
import { journalOf, journalRow, refundsDueAt, type BookedWallet, type BookParts } from '../../src/domain/books/journal';
import { endOfMonth, monthOf, nextMonth, startOfMonth } from '../../src/domain/books/calendar-months';

const wallet = (openingBalance: string, closingBalance: string, sums: BookedWallet['sums']): BookedWallet => ({
  clientId: 1,
  client: 'Acme',
  currencyCode: 'USD',
  openingBalance,
  closingBalance,
  sums,
});

const none: Omit<BookParts, 'wallets'> = { amounts: [], inProgress: { opening: [], closing: [] }, refundsDue: [] };

/** The rows of the export, without what is the same in all. */
const exported = (parts: BookParts) =>
  journalOf('2026-10', parts, { wallets: '1700' }).map((line) => {
    const { kind, opening, closing, amount, debit, credit } = journalRow('2026-10', line);
    return [kind, opening, closing, amount, debit, credit].map((value) => value ?? '-').join(' ');
  });

test('When a balance falls below 0, then the credit balance and the debt are two lines, which add up to the entries', () => {
  const wallets = [wallet('30.00', '-12.50', [{ kind: 'ADJUSTMENT', amount: '-42.50' }])];
  expect(exported({ ...none, wallets })).toEqual([
    'CREDIT_BALANCE 30.00 0.00 -30.00 - -',
    'DEBT 0.00 12.50 12.50 receivables 1700',
    'ADJUSTMENT - - 42.50 1700 adjustments',
  ]);
});

test('When a refund of an ended order waits, then it is due until its credit, and not in progress', () => {
  const sold = { clientId: 1, currency: 'USD', ofMonth: '2026-10', family: 'VOUCHER', supplier: 'simulator' };
  const amounts = [{ ...sold, kind: 'SOLD', amount: '4.00' }];
  const waits = wallet('100.00', '90.00', [{ kind: 'ORDER', amount: '-10.00' }]);
  expect(exported({ ...none, wallets: [waits], amounts })).toEqual([
    'CREDIT_BALANCE 100.00 90.00 -10.00 - -',
    'REFUND_DUE 0.00 6.00 6.00 1700 refunds_due',
    'SOLD - - 4.00 1700 sales',
  ]);
  const refundsDue = [{ clientId: 1, currency: 'USD', amount: '6' }];
  const paid = wallet('90.00', '96.00', [{ kind: 'REFUND', amount: '6.00' }]);
  expect(exported({ ...none, wallets: [paid], refundsDue })).toEqual([
    'CREDIT_BALANCE 90.00 96.00 6.00 - -',
    'REFUND_DUE 6.00 0.00 6.00 refunds_due 1700',
  ]);
});

test('When the books begin, then what is due is what was debited and is neither sold nor in progress', () => {
  const earlier = [
    { kind: 'ORDER', amount: '-30.00' },
    { kind: 'REFUND', amount: '5.00' },
    { kind: 'FUNDING', amount: '100.00' },
  ];
  const amount = (text: string) => [{ clientId: 1, currency: 'USD', amount: text }];
  expect(refundsDueAt([{ ...wallet('75.00', '75.00', []), earlier }], amount('12.00'), amount('10.00'))).toEqual(
    amount('3'),
  );
});

test('When a wallet had entries of several kinds, then each kind has its line, and conversions have their own', () => {
  const sums = [
    { kind: 'CONVERSION', amount: '-20.00' },
    { kind: 'CONVERSION', amount: '7.00' },
    { kind: 'FUNDING', amount: '50.00' },
    { kind: 'REDEMPTION', amount: '3.00' },
  ];
  expect(exported({ ...none, wallets: [wallet('0.00', '40.00', sums)] }).slice(1)).toEqual([
    'FUNDING - - 50.00 bank 1700',
    'REDEMPTION - - 3.00 redemptions 1700',
    'CONVERSION - - 20.00 1700 conversions',
    'CONVERSION - - 7.00 conversions 1700',
  ]);
  const unknown = [wallet('0.00', '1.00', [{ kind: 'GIFT', amount: '1.00' }])];
  expect(() => exported({ ...none, wallets: unknown })).toThrow('no account for the kind GIFT');
});

test('When the parts arrive in another sequence, then the journal is the same', () => {
  const about = { clientId: 1, currency: 'USD', family: 'VOUCHER' };
  const amounts = [
    { ...about, kind: 'SOLD', ofMonth: '2026-10', supplier: 'b', amount: '1.00' },
    { ...about, kind: 'SOLD', ofMonth: '2026-10', supplier: 'a', amount: '2.00' },
    { ...about, kind: 'COST', ofMonth: '2026-09', supplier: 'a', amount: '3.00' },
  ];
  const wallets = [wallet('0.00', '0.00', [])];
  const journal = (sequence: BookParts['amounts']) => journalOf('2026-10', { ...none, wallets, amounts: sequence }, {});
  expect(journal(amounts)).toEqual(journal([...amounts].reverse()));
  expect(journal(amounts).map(({ section, kind, supplier }) => [section, kind, supplier])).toEqual([
    ['MONTH', 'REFUND_DUE', null],
    ['MONTH', 'SOLD', 'a'],
    ['MONTH', 'SOLD', 'b'],
    ['PRIOR', 'COST', 'a'],
  ]);
});

test('When a month is named, then it begins and ends in UTC', () => {
  expect([nextMonth('2026-12'), nextMonth('2026-01')]).toEqual(['2027-01', '2026-02']);
  expect(endOfMonth('2026-10')).toEqual(startOfMonth('2026-11'));
  expect(monthOf(new Date('2026-10-31T23:59:59.999Z'))).toBe('2026-10');
});
