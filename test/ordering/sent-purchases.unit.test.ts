import { SentPurchases } from '../../src/ordering/purchasing/conclusive-lookups';

let nowMs: number;
let sent: SentPurchases;
beforeEach(() => {
  nowMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  sent = new SentPurchases();
});
afterEach(() => jest.restoreAllMocks());

const purchase = { reference: 'order-7-abcdef-0001', attempt: 1 };

test('When a purchase is seen again, then its age counts from the first sighting, separately for each attempt', () => {
  expect(sent.ageMs(purchase)).toBe(0);
  nowMs += 5_000;
  expect(sent.ageMs(purchase)).toBe(5_000);
  expect(sent.ageMs({ ...purchase, attempt: 2 })).toBe(0);
});

test('When the process itself claimed the purchase, then its age counts from the claim, even if the claim is recorded late', () => {
  nowMs += 15_000;
  expect(sent.ageMs(purchase)).toBe(0);
  sent.record(purchase, 1_000);
  expect(sent.ageMs(purchase)).toBe(15_000);
  sent.record(purchase, nowMs);
  expect(sent.ageMs(purchase)).toBe(15_000);
});

test('When more purchases are seen than the limit, then the age of an evicted purchase restarts', () => {
  sent.ageMs(purchase);
  for (let attempt = 2; attempt <= 60_000; attempt++) sent.ageMs({ ...purchase, attempt });
  nowMs += 5_000;
  expect(sent.ageMs(purchase)).toBe(0);
});
