/**
 * What the service relies on in every adapter. `supplierContract` is run for each against a server that can
 * be brought into the situations below: a simulator, or a stub that gives the supplier's recorded answers.
 */
import { inspect } from 'node:util';
import type { ReportedUnit } from '../../src/domain/orders/goods';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
  type SupplierWords,
  type PurchaseLookup,
  type PurchaseRequest,
  type PushHint,
  type Supplier,
} from '../../src/suppliers/port';
import { failureCodes } from '../../src/domain/orders/failure-codes';
import { purchaseReference } from '../../src/domain/orders/orders';

/** How the supplier behaves from now on; `well` is how it begins. */
export type Situation =
  | 'well'
  | 'answer-lost-before-buying'
  | 'answer-lost-after-buying'
  | 'account-blocked'
  | 'rate-limited'
  | 'refusing-with-an-echo'
  | 'failing-with-an-echo'
  | 'broken-with-an-echo'
  | 'two-rows-for-a-reference'
  | 'first-unit-unreadable';

/** A push as it arrives. */
export interface ReceivedPush {
  headers: Record<string, string>;
  rawBody: Buffer;
  /** What it is about. */
  hint: PushHint;
}

/** An adapter with a server behind it. Parts that its port leaves out are left out here. */
export interface SupplierUnderTest {
  supplier: Supplier;
  /** The same adapter where nobody listens. Its purchases time out soon, as those of `supplier` do. */
  unreachable: Supplier;
  arrange: (situation: Situation) => Promise<void>;
  /** How many units the server sold under the reference. */
  soldUnits: (reference: string) => Promise<number>;
  /** Purchases that are delivered at once. The first is of two units where one purchase may hold two. */
  delivered: readonly Omit<PurchaseRequest, 'reference'>[];
  /** A purchase that is refused, and the customer's words in it that nobody is to repeat. */
  refused: Omit<PurchaseRequest, 'reference'>;
  secretWords: readonly string[];
  /** Takes a delivered purchase back, where the supplier can do that. */
  reverse?: (reference: string) => Promise<void>;
  /** An eSIM product with plans, where the supplier lists any. */
  esimProduct?: string;
  /** A push that was signed just now. */
  push?: () => ReceivedPush;
}

const always = (): boolean => true;

/** Declares the tests. `open` is called before each, and gives a server that knows no purchase. */
export function supplierContract(name: string, open: () => Promise<SupplierUnderTest>): void {
  let bench: SupplierUnderTest;
  let references = 0;

  beforeEach(async () => {
    bench = await open();
  });

  /** As long as the longest that are sent. */
  const newReference = (): string => purchaseReference(2_147_483_647, 'nonce1234567', ++references);
  const withReference = (request: Omit<PurchaseRequest, 'reference'>): PurchaseRequest => ({
    ...request,
    reference: newReference(),
  });
  const firstDelivered = (): PurchaseRequest => withReference(bench.delivered[0] as PurchaseRequest);
  const lookupOf = ({ reference, family, sku, units }: PurchaseRequest): PurchaseLookup => ({
    reference,
    family,
    sku,
    units,
  });
  const buy = (request: PurchaseRequest) => bench.supplier.purchase(request, always);
  const canBeAsked = () => bench.supplier.traits.lookup === 'by-reference';

  describe(`The contract of suppliers, kept by ${name}`, () => {
    test('When something is bought, then every unit is there, each of the kind that was ordered', async () => {
      for (const wanted of bench.delivered) {
        const request = withReference(wanted);
        const report = await buy(request);
        expect(report).toMatchObject({ state: 'DELIVERED', supplierOrderId: expect.any(String) });
        expect(report.goods.map(({ kind }) => kind)).toEqual(
          Array(request.units).fill(request.family.toLowerCase()),
        );
        expect(await bench.soldUnits(request.reference)).toBe(request.units);
      }
    });

    test('When it is refused, then that is final, with a failure code of ours, and nothing was sold', async () => {
      const request = withReference(bench.refused);
      const report = await buy(request);
      expect(report).toMatchObject({ state: 'REJECTED', goods: [] });
      expect(failureCodes).toContain(report.state === 'REJECTED' && report.failureCode);
      expect(await bench.soldUnits(request.reference)).toBe(0);
      for (const word of bench.secretWords) expect(JSON.stringify(report)).not.toContain(word);
    });

    test.each(['refusing-with-an-echo', 'failing-with-an-echo', 'broken-with-an-echo'] as const)(
      'When it is %s, then what is told of that repeats nothing the customer entered',
      async (situation) => {
        await bench.arrange(situation);
        const outcome: unknown = await buy(withReference(bench.refused)).catch((error: unknown) => error);
        const { said } = Object(outcome) as { said?: SupplierWords };
        expect(said?.text).toContain(bench.secretWords[0]);
        const shown = [JSON.stringify(outcome), inspect(outcome, { depth: 9, showHidden: true })].join();
        for (const word of bench.secretWords) expect(shown).not.toContain(word);
      },
    );

    test('When the answer is lost after it bought, then the outcome is unknown, and a look-up finds the purchase', async () => {
      await bench.arrange('answer-lost-after-buying');
      const request = firstDelivered();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      await bench.arrange('well');
      expect(await bench.soldUnits(request.reference)).toBe(request.units);
      if (!canBeAsked()) return;
      const found = await bench.supplier.find(lookupOf(request));
      expect(found).toMatchObject({ state: 'DELIVERED', goods: { length: request.units } });
    });

    test('When the answer is lost before it bought, then the outcome is unknown, and a look-up finds nothing', async () => {
      await bench.arrange('answer-lost-before-buying');
      const request = firstDelivered();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      await bench.arrange('well');
      if (canBeAsked()) {
        expect(await bench.supplier.find(lookupOf(request))).toEqual({ state: 'NOT_FOUND' });
      }
    });

    test('When the purchase is not to be sent any more, then nothing was sold and it can be tried again', async () => {
      const request = firstDelivered();
      await expect(bench.supplier.purchase(request, () => false)).rejects.toBeInstanceOf(SupplierUnavailable);
      expect(await bench.soldUnits(request.reference)).toBe(0);
    });

    test('When it cannot be reached, then nothing ran, and questions are to be asked again', async () => {
      const request = firstDelivered();
      await expect(bench.unreachable.purchase(request, always)).rejects.toBeInstanceOf(SupplierUnavailable);
      if (canBeAsked()) {
        await expect(bench.unreachable.find(lookupOf(request))).rejects.toBeInstanceOf(SupplierUnavailable);
      }
    });

    test('When our account is blocked, then it says so, and nothing was sold', async () => {
      await bench.arrange('account-blocked');
      const request = firstDelivered();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierAccountBlocked);
      expect(await bench.soldUnits(request.reference)).toBe(0);
    });

    test('When calls come too fast, then nothing ran, and it is known when to come back', async () => {
      await bench.arrange('rate-limited');
      const request = firstDelivered();
      const error = await buy(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SupplierUnavailable);
      expect((error as SupplierUnavailable).retryAfterMs).toBeGreaterThan(0);
      expect(await bench.soldUnits(request.reference)).toBe(0);
    });

    test('When a reference is used again, then that does what the traits say', async () => {
      const request = firstDelivered();
      const first = await buy(request);
      const second = await buy(request).catch((error: unknown) => error);
      const sold = await bench.soldUnits(request.reference);
      switch (bench.supplier.traits.repeatedReference) {
        case 'returns-first':
          expect(second).toEqual(first);
          expect(sold).toBe(request.units);
          return;
        case 'is-refused':
          // Not a refusal of the order: the purchase is there, and is to be asked about.
          expect(second).toBeInstanceOf(SupplierOutcomeUnknown);
          expect(sold).toBe(request.units);
          return;
        case 'buys-again':
          expect(sold).toBe(2 * request.units);
      }
    });

    test('When a unit cannot be read, then the fault is told without its contents, and the others are there', async () => {
      const request = firstDelivered();
      await bench.arrange('first-unit-unreadable');
      const [broken, ...others] = (await buy(request)).goods as [ReportedUnit, ...ReportedUnit[]];
      const fault = expect.stringMatching(/^[a-zA-Z -]{5,80}$/);
      expect(broken).toEqual({ kind: 'unreadable', fault, contents: expect.any(String) });
      expect(others.map(({ kind }) => kind)).toEqual(
        Array(request.units - 1).fill(request.family.toLowerCase()),
      );
    });

    test('When references differ only at their end, then each finds its own purchase alone', async () => {
      if (!canBeAsked()) return;
      const [longer, shorter] = [firstDelivered(), firstDelivered()];
      shorter.reference = longer.reference.slice(0, -1);
      const bought = await buy(longer);
      expect(await bench.supplier.find(lookupOf(shorter))).toEqual({ state: 'NOT_FOUND' });
      expect(await bench.supplier.find(lookupOf(longer))).toEqual(bought);
    });

    test('When it shows several rows for one reference, then it cannot say what became of the purchase', async () => {
      if (!canBeAsked()) return;
      const request = firstDelivered();
      await buy(request);
      await bench.arrange('two-rows-for-a-reference');
      expect(await bench.supplier.find(lookupOf(request))).toMatchObject({ state: 'AMBIGUOUS' });
    });

    test('When it takes a delivered purchase back, then a look-up says so', async () => {
      if (!canBeAsked() || !bench.reverse) return;
      const request = firstDelivered();
      await buy(request);
      await bench.reverse(request.reference);
      expect(await bench.supplier.find(lookupOf(request))).toEqual({ state: 'REVERSED' });
    });

    test('When something delivered is to be taken back, then it is not', async () => {
      const request = firstDelivered();
      await buy(request);
      expect((await bench.supplier.withdraw?.(lookupOf(request))) ?? false).toBe(false);
      expect(await bench.soldUnits(request.reference)).toBe(request.units);
    });

    test('When it gives a statement, then that lists what was sold and nothing else', async () => {
      const since = new Date(Date.now() - 60_000);
      const [sold, refused] = [firstDelivered(), withReference(bench.refused)];
      await buy(sold);
      await buy(refused);
      const statement = bench.supplier.statement?.(since);
      if (!statement) return;
      const listed = [];
      for await (const page of statement) listed.push(...page);
      expect(listed).toEqual([{ reference: sold.reference, units: sold.units, soldAt: expect.any(Date) }]);
    });

    test('When it reports stock, then every row names a product and a count that can be', async () => {
      for await (const page of bench.supplier.stock?.() ?? []) {
        for (const { sku, available } of page) {
          expect(sku).not.toBe('');
          expect(available ?? 0).toBeGreaterThanOrEqual(0);
        }
      }
    });

    test('When it tells what is left of our money, then as text, with a currency', async () => {
      const { amount, currency } = (await bench.supplier.balance?.()) ?? { amount: '0', currency: 'USD' };
      expect(amount).toMatch(/^\d+(\.\d+)?$/);
      expect(currency).toMatch(/^[A-Z]{3}$/);
    });

    test('When it lists eSIM plans, then each has a price in text and a currency', async () => {
      const plans = bench.esimProduct && (await bench.supplier.esimPlans?.(bench.esimProduct));
      for (const { price, currency, validityDays } of plans || []) {
        expect(price).toMatch(/^\d+(\.\d+)?$/);
        expect(currency).toMatch(/^[A-Z]{3}$/);
        expect(validityDays).toBeGreaterThan(0);
      }
      expect(plans === undefined || plans.length > 0).toBe(true);
    });

    test('When a push is signed, then its hint is believed, and none whose body or signature was touched', () => {
      const { verifyPush } = bench.supplier;
      const push = bench.push?.();
      expect(push === undefined).toBe(verifyPush === undefined);
      if (!push || !verifyPush) return;
      const { headers, rawBody, hint } = push;
      expect(verifyPush(headers, rawBody)).toEqual(hint);
      expect(verifyPush(headers, Buffer.concat([rawBody, Buffer.from(' ')]))).toBeUndefined();
      expect(verifyPush({}, rawBody)).toBeUndefined();
      for (const [name, value] of Object.entries(headers)) {
        const touched = value.replace(/[0-9a-f]$/i, (last) => (last === '1' ? '2' : '1'));
        expect(verifyPush({ ...headers, [name]: touched }, rawBody)).toBeUndefined();
      }
    });
  });
}
