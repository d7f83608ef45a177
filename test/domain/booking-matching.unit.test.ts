/** The rules by which a booking of a bank is known, new, or looks credited. docs/decisions/0089-credit-one-booking-once.md. */
import type { BankBooking, BankPart, BankStatement } from '../../src/domain/funding/bank-statement';
import { areProvenApart, matchedBookings } from '../../src/domain/funding/booking-matching';
import { comparedPart, creditedBefore, type ComparedBooking } from '../../src/domain/funding/credited-before';
import { matchedOldEntries, type OldEntry } from '../../src/domain/funding/old-entries';
import { account, BookingStore, keysOf } from './bank-in-memory';

const part = (given: Partial<BankPart> = {}): BankPart => ({
  amount: '100',
  isReturn: false,
  endToEndId: '',
  payer: '',
  payerAccount: '',
  text: 'Thank you',
  ...given,
});
const booking = ({ parts, ...given }: Partial<BankBooking> = {}): BankBooking => ({
  bookedOn: '2026-11-26',
  valueOn: '',
  direction: 'CREDIT',
  isReversal: false,
  isPending: false,
  amount: '100',
  currency: 'USD',
  bankReference: '',
  parts: parts ?? [part()],
  ...given,
});
const usd = (amount: string) => ({ amount, currency: 'USD', day: '2026-11-26' });
const statement = (bookings: BankBooking[], given: Partial<BankStatement> = {}): BankStatement => ({
  account,
  id: '',
  number: undefined,
  page: undefined,
  opening: undefined,
  closing: undefined,
  bookings,
  ...given,
});

/** Imports the statements into an empty store. */
function stored(
  ...statements: readonly (BankStatement | { fileName?: string; format: string; statement: BankStatement })[]
) {
  const store = new BookingStore();
  for (const one of statements) store.import('format' in one ? one : { format: 'camt053', statement: one });
  return store;
}
/** How many bookings are stored, and of how many an import asks whether they are one payment or two. */
const counted = (...statements: readonly BankStatement[]) => {
  const store = stored(...statements);
  return [store.kept.length, store.asked.size];
};

/** The head of a statement that is known by it. */
const named = { id: 'a', opening: usd('0') };

test('When bookings are equal, then as many are known as are stored', () => {
  const two = statement([booking(), booking()], named);
  expect(counted(two)).toEqual([2, 0]);
  expect(counted(two, two)).toEqual([2, 0]);
  expect(counted(two, statement([booking(), booking(), booking()], named))).toEqual([3, 0]);
  expect(counted(statement([booking()], named), two)).toEqual([2, 0]);
});

test('When a known booking has no bank reference and stood in another statement, then a person is asked', () => {
  expect(counted(statement([booking()], { id: 'a' }), statement([booking()], { id: 'b' }))).toEqual([1, 1]);
  const referenced = [booking({ bankReference: 'B1' })];
  expect(counted(statement(referenced, { id: 'a' }), statement(referenced, { id: 'b' }))).toEqual([1, 0]);
});

test('When statements without a balance begin on one day, then only a copy is the same statement', () => {
  const other = booking({ parts: [part({ text: 'other' })] });
  const noon = statement([booking()]);
  expect(counted(noon, noon)).toEqual([1, 0]);
  const [first, second] = ['a.csv', 'b.csv'].map((fileName) => ({ fileName, format: 'csv', statement: noon }));
  const store = stored(...[first, second].flatMap((one) => one ?? []));
  expect([store.kept.length, store.asked.size]).toEqual([1, 1]);
  expect(counted(noon, statement([booking(), other]))).toEqual([2, 1]);
  expect(counted(statement([booking(), other]), noon)).toEqual([2, 1]);
  const later = stored(noon);
  const evening = { format: 'csv', statement: statement([booking(), other]) };
  later.import(
    evening,
    later.import(evening).map(([one]) => one),
  );
  expect(later.kept).toHaveLength(3);
  expect(later.import(evening)).toEqual([]);
});

test.each<[string, Partial<BankBooking>, number]>([
  ['blanks', { parts: [part({ text: 'Thank\n you' })] }, 1],
  ['a value date', { valueOn: '2026-11-27' }, 1],
  ['a field more', { parts: [part({ payer: 'Jane' })] }, 2],
  ['another day', { bookedOn: '2026-11-27' }, 2],
  ['another amount', { amount: '101' }, 2],
  ['another direction', { direction: 'DEBIT' }, 2],
  ['a reversal mark', { isReversal: true }, 2],
  ['parts', { parts: [part({ amount: '30' }), part({ amount: '70' })] }, 2],
])(
  'When a booking comes again with %s, then it is known by its bank reference only if its money is equal',
  (_, changed, count) => {
    expect(stored(statement([booking()]), statement([booking(changed)])).kept).toHaveLength(count);
    const isSameMoney = !['bookedOn', 'amount', 'direction', 'isReversal'].some((name) => name in changed);
    const [first, again] = [booking(), booking(changed)].map((one) => ({ ...one, bankReference: 'B1' }));
    expect(stored(statement([first as BankBooking]), statement([again as BankBooking])).kept).toHaveLength(
      isSameMoney ? 1 : 2,
    );
  },
);

test('When an entry is inserted before others, then only it is new', () => {
  const [one, two] = [booking({ parts: [part({ text: 'one' })] }), booking({ parts: [part({ text: 'two' })] })];
  const inserted = booking({ parts: [part({ text: 'zero' })] });
  expect(counted(statement([one, two], named), statement([inserted, one, two], named))).toEqual([3, 0]);
});

test('When a reference stands at several bookings, such as that of a batch, then it says of none which one it is', () => {
  const one = booking({ bankReference: 'BATCH' });
  const changed = booking({ bankReference: 'BATCH', parts: [part({ payer: 'Jane' })] });
  expect(
    stored(statement([one, booking({ bankReference: 'BATCH', amount: '5' })]), statement([changed])).kept,
  ).toHaveLength(3);
});

test.each([
  ['NOTPROVIDED', 2],
  ['nonref', 2],
  ['0000', 2],
  ['10', 1],
])('When a bank writes %s as reference, then %s bookings are stored of two in other words', (bankReference, count) => {
  const [one, two] = ['One', 'Two'].map((text) => booking({ bankReference, parts: [part({ text })] }));
  expect(stored(statement([one as BankBooking]), statement([two as BankBooking])).kept).toHaveLength(count);
});

test('When an equal bank reference stands with another payer, then a person is asked', () => {
  const from = (given: Partial<BankPart>) => statement([booking({ bankReference: 'B1', parts: [part(given)] })]);
  expect(counted(from({ payer: 'Anna' }), from({ payer: 'ANNA', text: 'more' }))).toEqual([1, 0]);
  expect(counted(from({ payer: 'Anna' }), from({ payer: 'Bob' }))).toEqual([1, 1]);
  expect(counted(from({ payerAccount: 'DE1' }), from({ payerAccount: 'DE2' }))).toEqual([1, 1]);
});

test('When an equal bank reference stands with the reference of another request, then it is another payment', () => {
  const known = { ...keysOf(booking({ bankReference: 'B1' }), ['R1']), id: 5, statements: [], doubtfulIn: [] };
  const found = (references: string[]) => {
    const sent = keysOf(booking({ bankReference: 'B1', parts: [part({ payer: 'Jane' })] }), references);
    return matchedBookings({ ...statement([]), key: '', fileId: 1, fileName: 'a' }, [sent], [known])[0]?.id;
  };
  expect([['R2'], ['R1', 'R2'], []].map(found)).toEqual([undefined, 5, 5]);
});

const continuing = (
  numbers: readonly [object, object],
  balances: readonly [string, string, string],
): [BankStatement, BankStatement] => [
  statement([booking()], { ...numbers[0], opening: usd(balances[0]), closing: usd(balances[1]) }),
  statement([booking()], { ...numbers[1], opening: usd(balances[1]), closing: usd(balances[2]) }),
];

test.each([
  ['330 and 331', { number: 330 }, { number: 331 }],
  ['pages 1 and 2', { number: 330, page: 1 }, { number: 330, page: 2 }],
  ['pages without a number', { id: 'S', page: 1 }, { id: 'S', page: 2 }],
])('When %s continue each other’s balance, then equal payments of a day are two, in any sequence', (_, first, next) => {
  const both = continuing([first, next], ['0', '100', '200']);
  expect(areProvenApart(...both)).toBe(true);
  expect(counted(...both)).toEqual([2, 0]);
  expect(counted(...both, ...both)).toEqual([2, 0]);
  expect(counted(both[1], both[0])).toEqual([2, 0]);
  const store = stored(...both);
  for (const one of store.kept) store.credit(one, 0);
  expect(store.kept.map(({ credited }) => credited.size)).toEqual([1, 1]);
});

test.each<[string, BankStatement[]]>([
  ['the balance of the first did not change', continuing([{ number: 330 }, { number: 331 }], ['5', '5', '5'])],
  ['the numbers do not follow each other', continuing([{ number: 330 }, { number: 332 }], ['0', '100', '200'])],
  ['they have no number', continuing([{}, {}], ['0', '100', '200'])],
  [
    'the pages are of other statements',
    continuing(
      [
        { id: 'S', page: 1 },
        { id: 'T', page: 2 },
      ],
      ['0', '100', '200'],
    ),
  ],
])('When %s, then statements prove nothing, and an equal payment is asked about', (_, statements) => {
  expect(counted(...statements)).toEqual([1, 1]);
});

const compared = (id: number, given: Partial<ComparedBooking> = {}): ComparedBooking => ({
  ...booking(),
  id,
  reference: undefined,
  requestReferences: [],
  format: 'camt053',
  statements: [],
  doubtfulIn: [],
  parts: [comparedPart(part())],
  ...given,
});
const looks = (one: Partial<ComparedBooking>, credited: Partial<ComparedBooking>) =>
  creditedBefore(compared(1, one), [compared(2, credited)]).length > 0;
const texts = (given: Partial<BankPart>) => ({ parts: [comparedPart(part(given))] });
const halves = { parts: [part({ amount: '30', text: 'a' }), part({ amount: '70', text: 'b' })].map(comparedPart) };

test.each<[string, boolean, Partial<ComparedBooking>, Partial<ComparedBooking>]>([
  ['equal', true, {}, {}],
  ['with one bank reference and other money', true, { reference: 'B', amount: '5' }, { reference: 'B' }],
  ['with two bank references', false, { reference: 'B' }, { reference: 'C' }],
  ['with one bank reference, and a reversal', false, { reference: 'B', isReversal: true }, { reference: 'B' }],
  ['of another amount', false, { amount: '5' }, {}],
  ['of another day', false, { bookedOn: '2026-11-27' }, {}],
  ['a debit', false, { direction: 'DEBIT' }, {}],
  ['with references of two requests', false, { requestReferences: ['R1'] }, { requestReferences: ['R2'] }],
  ['with one reference of a request more', true, { requestReferences: ['R1', 'R2'] }, { requestReferences: ['R2'] }],
  ['with another text', false, texts({ text: 'One' }), texts({ text: 'Two' })],
  ['with a longer text', true, texts({ text: 'Thank you, Jane' }), {}],
  ['with a payer', true, texts({ payer: 'Jane' }), {}],
  ['with another text in another format', true, { ...texts({ text: 'One' }), format: 'csv' }, texts({ text: 'Two' })],
  ['split, and the other one whole', true, halves, texts({ text: 'Two' })],
  ['split otherwise', false, halves, { parts: ['50', '50'].map((amount) => comparedPart(part({ amount }))) }],
  ['split with a field more', true, { parts: halves.parts.map((each) => ({ ...each, payer: 'Jane' })) }, halves],
  ['without its deleted texts', true, texts({ text: 'One' }), { parts: [undefined] }],
])('When a waiting booking is %s, then it looks like the credited one: %s', (_, isLike, one, credited) => {
  expect(looks(one, credited)).toBe(isLike);
});

test('When a statement comes again with another amount for a credited payment, then the new one waits', () => {
  const kept = booking({ amount: '7', parts: [part({ amount: '7' })] });
  const version = (amount: string) =>
    statement([kept, booking({ amount, parts: [part({ amount, text: amount })] })], { id: 'S', number: 7 });
  const store = stored(version('100'));
  const [, old] = store.kept;
  if (old) store.credit(old, 0);
  store.import({ format: 'camt053', statement: version('101') });
  expect(store.kept.map((one) => store.creditedBefore(one).map(({ id }) => id))).toEqual([[], [], [1]]);
});

test('When a statement of one booking comes again with another amount, then it is the same statement if it has a name and an opening balance', () => {
  const looksAfter = (given: Partial<BankStatement>) => {
    const version = (amount: string) =>
      statement([booking({ amount, parts: [part({ amount, text: amount })] })], given);
    const store = stored(version('100'));
    const [old] = store.kept;
    if (old) store.credit(old, 0);
    store.import({ format: 'camt053', statement: version('101') });
    return store.kept.map((one) => store.creditedBefore(one).map(({ id }) => id));
  };
  expect(looksAfter({ id: 'S', opening: usd('5') })).toEqual([[], [0]]);
  expect(looksAfter({ number: 7, opening: usd('5') })).toEqual([[], [0]]);
  expect(looksAfter({ opening: usd('5') })).toEqual([[], []]);
  expect(looksAfter({ id: 'S', number: 7 })).toEqual([[], []]);
});

test('When two payments come in three wordings, then a statement beside one credited wording proves nothing', () => {
  const [a, b, c] = ['', 'Jane', 'Jane Payer'].map((payer) => booking({ parts: [part({ payer })] }));
  const version = (...bookings: (BankBooking | undefined)[]) =>
    statement(
      bookings.flatMap((one) => one ?? []),
      named,
    );
  const store = stored(version(a, b));
  for (const one of store.kept) store.credit(one, 0);
  for (const pair of [version(b, c), version(a, c)]) store.import({ format: 'camt053', statement: pair });
  for (const one of store.kept) store.credit(one, 0);
  expect(store.kept.map(({ credited }) => credited.size)).toEqual([1, 1, 0]);
});

test('When a statement may have another payment instead of a credited one, then nothing of it is proven another payment', () => {
  const store = stored(statement([booking()], { id: 'a' }));
  const [first] = store.kept;
  if (first) store.credit(first, 0);
  const file = statement([booking(), booking({ parts: [part({ payer: 'Jane' })] })], { id: 'b' });
  const looksLike = () => store.kept.map((one) => store.creditedBefore(one).map(({ id }) => id));
  const [asked] = store.import({ format: 'camt053', statement: file });
  expect(looksLike()).toEqual([[], [0]]);
  store.import({ format: 'camt053', statement: file }, asked ? [asked[0]] : []);
  expect(looksLike()).toEqual([[], [0], []]);
});

const old = (bookingId: number, given: Partial<OldEntry> = {}): OldEntry => ({
  bookingId,
  fileName: 'a',
  hasMovedMoney: false,
  requestReferences: [],
  ...part(),
  ...booking(),
  ...given,
});

test('When a file has entries of release 1.0.0, then each is found once: first the equal ones, then those with a field less', () => {
  const found = (bookings: BankBooking[], entries: OldEntry[]) =>
    matchedOldEntries(bookings, entries, () => []).map((each) => each?.entries.map(({ bookingId }) => bookingId));
  expect(found([booking(), booking()], [old(1)])).toEqual([[1], undefined]);
  const withAccount = booking({ parts: [part({ payerAccount: 'DE1' })] });
  expect(found([booking(), withAccount], [old(1, { payerAccount: 'de 1' }), old(2)])).toEqual([[2], [1]]);
  expect(found([withAccount], [old(1)])).toEqual([[1]]);
  expect(found([withAccount], [old(1, { payerAccount: 'DE2' })])).toEqual([undefined]);
  expect(found([booking({ bankReference: 'B1' })], [old(1, { bankReference: 'B2' })])).toEqual([undefined]);
  const batch = booking({
    bankReference: 'B1',
    parts: [part({ amount: '30' }), part({ amount: '70', isReturn: true })],
  });
  const entries = [
    old(1, { amount: '30', isReversal: true, bankReference: 'B1\nT1' }),
    old(2, { amount: '70', isReversal: true, bankReference: 'B1' }),
  ];
  expect(found([batch], entries)).toEqual([[1, 2]]);
  expect(found([batch], [old(3, { isReversal: true, bankReference: 'B1' })])).toEqual([[3]]);
});

test('When entries of release 1.0.0 that stood together add up to a booking, then a person is asked', () => {
  const found = (entries: OldEntry[], one = booking()) => {
    const [match] = matchedOldEntries([one], entries, () => []);
    return match && [match.entries.map(({ bookingId }) => bookingId), match.isCertain];
  };
  const [first, second, third] = ['30', '70', '5'].map((amount, index) => old(index + 1, { amount }));
  if (!first || !second || !third) throw new Error('There is no entry');
  expect(found([third, first, second])).toEqual([[1, 2], false]);
  expect(found([first, { ...second, fileName: 'b' }])).toBeUndefined();
  expect(found([first, { ...second, bookedOn: '2026-11-27' }])).toBeUndefined();
  expect(found([first, { ...second, bankReference: 'B2' }], booking({ bankReference: 'B1' }))).toBeUndefined();
  expect(found([first, third, second])).toBeUndefined();
  const halves = booking({ parts: [part({ amount: '50' }), part({ amount: '50' })] });
  expect(found([first, second], halves)).toBeUndefined();
});

test('When an entry of release 1.0.0 has another payer or text, then it comes last, and is asked about', () => {
  const from = (payer: string, given: Partial<BankBooking> = {}) => booking({ parts: [part({ payer })], ...given });
  const found = (one: BankBooking, entries: OldEntry[], references: string[] = []) =>
    matchedOldEntries([one], entries, () => references).map(
      (each) => each && [each.entries[0]?.bookingId, each.isCertain],
    )[0];
  const [anna, bob] = [old(1, { payer: 'Anna' }), old(2, { payer: 'BOB' })];
  expect(found(from('Bob'), [anna, bob])).toEqual([2, true]);
  expect(found(from('Bob', { bankReference: 'B1' }), [anna, bob])).toEqual([2, false]);
  expect(found(from('Bob'), [anna])).toEqual([1, false]);
  expect(found(booking(), [old(1, { text: 'Invoice 1' })])).toEqual([1, false]);
  const referenced = booking({ bankReference: 'B1' });
  expect(found(referenced, [old(1, { text: 'Invoice 1', bankReference: 'B1' })])).toEqual([1, true]);
  expect(found(booking(), [old(1, { requestReferences: ['R1'] })], ['R2'])).toBeUndefined();
});
