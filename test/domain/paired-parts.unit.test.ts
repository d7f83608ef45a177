/** An entry keeps its number only if it stays the payment that people saw. */
import type { BankBooking, BankPart } from '../../src/domain/funding/bank-statement';
import { pairedParts } from '../../src/domain/funding/paired-parts';

const texts = (payer: string, text = '') => ({ payer, payerAccount: '', endToEndId: '', text });
const entry = (payer: string, text = '', amount = '50') => ({ amount, isReversal: false, texts: texts(payer, text) });
const booking = (...parts: Partial<BankPart>[]): BankBooking => ({
  bookedOn: '2026-11-26',
  valueOn: '',
  direction: 'CREDIT',
  isReversal: false,
  isPending: false,
  amount: '100',
  currency: 'USD',
  bankReference: 'B8',
  parts: parts.map((part) => ({ amount: '50', isReturn: false, ...texts(''), ...part })),
});
type Entry = ReturnType<typeof entry>;
const paired = (entries: Entry[], sent: BankBooking) =>
  pairedParts(entries, sent)?.map(([one]) => entries.indexOf(one));

test('When parts change their sequence and get a field more, then each entry keeps its payer', () => {
  const entries = [entry('Anna'), entry('Bob')];
  expect(paired(entries, booking({ payer: 'Bob', text: 'Hotel' }, { payer: 'Anna' }))).toEqual([1, 0]);
  const worded = [entry('', 'Anna'), entry('', 'Bob')];
  expect(paired(worded, booking({ text: 'Bob, hotel' }, { text: 'Anna, gift' }))).toEqual([1, 0]);
});

test.each<[string, Entry[], BankBooking]>([
  ['another payer', [entry('Anna')], booking({ payer: 'Bob' })],
  ['another amount', [entry('Anna')], booking({ payer: 'Anna', amount: '51' })],
  ['a part less', [entry('Anna'), entry('Bob')], booking({ payer: 'Anna' })],
  ['a returned part', [entry('Anna')], booking({ payer: 'Anna', isReturn: true })],
  ['parts that fit several entries', [entry('Anna'), entry('Bob')], booking({}, {})],
])('When a booking comes again with %s, then its entries are replaced', (_, entries, sent) => {
  expect(paired(entries, sent)).toBeUndefined();
});

test('When equal parts come again, or only the text of the one part changes, then the entries stay', () => {
  expect(paired([entry('Anna'), entry('Anna')], booking({ payer: 'Anna' }, { payer: 'Anna' }))).toEqual([0, 1]);
  expect(paired([entry('Anna', 'one')], booking({ payer: 'Anna', text: 'two' }))).toEqual([0]);
});
