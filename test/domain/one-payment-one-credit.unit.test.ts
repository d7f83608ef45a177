/** A bank sends its bookings again and again. Nobody who obeys the service, and answers it truthfully, credits one of them twice. */
import { Exact } from '../../src/domain/prices/money';
import { moneyKey } from '../../src/domain/funding/booking-keys';
import { account, BookingStore, bookedBy, filesOf, randomOf, type Booked } from './bank-in-memory';

const SEEDS = 1_000;

/** What is wrong after the files of the seed. */
function faultOf(seed: number): string | undefined {
  const random = randomOf(seed);
  const files = filesOf(bookedBy(random), random);
  const store = new BookingStore();
  for (const file of files) {
    if (random(2) === 0) store.importAnswered(file);
    else store.import(file);
    if (random(2) === 0) creditSome(store, random);
  }
  creditSome(store, () => 0);
  const sent = new Map<string, Booked[]>();
  for (const booked of new Set(files.flatMap((file) => file.booked))) {
    const money = moneyOf(booked);
    sent.set(money, [...(sent.get(money) ?? []), booked]);
  }
  for (const [money, booked] of sent) {
    const { credited, stored, isAsked } = store.sumOf(money);
    const limit = booked.reduce((sum, { amount }) => sum.plus(amount), new Exact(0));
    if (credited.greaterThan(limit))
      return `seed ${seed}: ${credited.toFixed()} of ${limit.toFixed()} credited, ${money}`;
    if (stored < booked.length && !isAsked) return `seed ${seed}: ${stored} of ${booked.length} stored, ${money}`;
  }
  return undefined;
}

/** Credits half of what waits, in any sequence, without a word that it is another payment. */
function creditSome(store: BookingStore, random: (below: number) => number): void {
  for (const one of random(2) === 0 ? store.kept : [...store.kept].reverse())
    for (const part of one.booking.parts.keys()) if (random(2) === 0) store.credit(one, part);
}

const moneyOf = ({ bookedOn, amount }: Booked) =>
  moneyKey(account, { bookedOn, amount, direction: 'CREDIT', isReversal: false, currency: 'USD' });

test('When a bank sends ten bookings in eight files of all kinds, then no credit exceeds what it booked, and no booking is lost in silence', () => {
  const faults = Array.from({ length: SEEDS }, (_, seed) => faultOf(seed)).filter((fault) => fault !== undefined);
  expect(faults).toEqual([]);
});
