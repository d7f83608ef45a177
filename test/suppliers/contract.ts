/**
 * The guarantees of every adapter. `supplierContract` runs for each adapter against a server that can produce the
 * situations below: a simulator, or a stub with the supplier's recorded answers.
 */
import { inspect } from 'node:util';
import type { ReportedUnit } from '../../src/domain/orders/goods';
import type {
  RawSupplierResponse,
  PurchaseLookup,
  PurchaseRequest,
  PushHint,
  ReceivedPush,
  Supplier,
  SupplierOffer,
} from '../../src/domain/suppliers/port';
import {
  SupplierAccountBlocked,
  SupplierOutcomeUnknown,
  SupplierUnavailable,
} from '../../src/domain/suppliers/supplier-errors';
import { failureCodes } from '../../src/domain/orders/failure-codes';
import { purchaseReference } from '../../src/domain/orders/order-ids';

/** The supplier's behaviour from now on. It starts with `well`. */
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

/** A push that the supplier has just sent. */
export interface SentPush {
  push: ReceivedPush;
  /** The subject of the push. */
  hint: PushHint;
  /** Pushes that somebody else sent. */
  forged: ReceivedPush[];
}

/** The push with a changed body, without its headers, and with each header changed in its last digit. */
export function forgedSignatures({ headers, rawBody, pathSecret }: ReceivedPush): ReceivedPush[] {
  const touched = Object.entries(headers).map(([name, value = '']) => ({
    ...headers,
    [name]: value.replace(/[0-9a-f]$/i, (last) => (last === '1' ? '2' : '1')),
  }));
  const changedBody = Buffer.concat([rawBody, Buffer.from(' ')]);
  return [
    { headers, rawBody: changedBody, pathSecret },
    ...[{}, ...touched].map((changed) => ({ headers: changed, rawBody, pathSecret })),
  ];
}

/** An adapter with its server. Parts that the adapter does not implement are absent. */
export interface SupplierUnderTest {
  supplier: Supplier;
  /** The same adapter at a closed port. Its purchases time out soon, as those of `supplier` do. */
  unreachable: Supplier;
  arrange: (situation: Situation) => Promise<void>;
  /** Situations that the supplier's documentation does not describe, so that the adapter cannot recognise them. */
  impossible?: readonly Extract<Situation, 'rate-limited' | 'two-rows-for-a-reference'>[];
  /** The number of units that the server sold under the reference. */
  soldUnits: (reference: string) => Promise<number>;
  /** Purchases that are delivered immediately. The first has two units if a purchase may have two. */
  delivered: readonly Omit<PurchaseRequest, 'reference'>[];
  /** A rejected purchase, and words of its request that must not be repeated: the customer's input, or else its product. */
  refused: Omit<PurchaseRequest, 'reference'>;
  secretWords: readonly string[];
  /** Reverses a delivered purchase, if the supplier can do that. */
  reverse?: (reference: string) => Promise<void>;
  /** An eSIM product with plans, if the supplier lists any. */
  esimProduct?: string;
  /** A push with a fresh signature, or to the secret address. */
  push?: () => SentPush;
}

const always = (): boolean => true;

/** Declares the tests. `open` runs before each of them and returns a server without purchases. */
export function supplierContract(name: string, open: () => Promise<SupplierUnderTest>): void {
  let bench: SupplierUnderTest;
  let references = 0;

  /** As long as the longest reference of the service. */
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

  describe(`The supplier contract of ${name}`, () => {
    beforeEach(async () => {
      bench = await open();
    });

    test('When units are bought, then every unit is returned with the ordered kind', async () => {
      for (const wanted of bench.delivered) {
        const request = withReference(wanted);
        const report = await buy(request);
        expect(report).toMatchObject({ state: 'DELIVERED', supplierOrderId: expect.any(String) });
        expect(report.goods.map(({ kind }) => kind)).toEqual(Array(request.units).fill(request.family.toLowerCase()));
        expect(await bench.soldUnits(request.reference)).toBe(request.units);
      }
    });

    test('When a purchase is rejected, then the rejection is final, has a failure code of the service, and nothing was sold', async () => {
      const request = withReference(bench.refused);
      const report = await buy(request);
      expect(report).toMatchObject({ state: 'REJECTED', goods: [] });
      expect(failureCodes).toContain(report.state === 'REJECTED' && report.failureCode);
      expect(await bench.soldUnits(request.reference)).toBe(0);
      for (const word of bench.secretWords) expect(JSON.stringify(report)).not.toContain(word);
    });

    test.each(['refusing-with-an-echo', 'failing-with-an-echo', 'broken-with-an-echo'] as const)(
      'When it is %s, then the report repeats no customer input',
      async (situation) => {
        await bench.arrange(situation);
        const outcome: unknown = await buy(withReference(bench.refused)).catch((error: unknown) => error);
        const { rawResponse } = Object(outcome) as { rawResponse?: RawSupplierResponse };
        expect(rawResponse?.text).toContain(bench.secretWords[0]);
        const shown = [JSON.stringify(outcome), inspect(outcome, { depth: 9, showHidden: true })].join();
        for (const word of bench.secretWords) expect(shown).not.toContain(word);
      },
    );

    test('When the response is lost after the purchase, then the outcome is unknown, and a lookup finds the purchase', async () => {
      await bench.arrange('answer-lost-after-buying');
      const request = firstDelivered();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      await bench.arrange('well');
      expect(await bench.soldUnits(request.reference)).toBe(request.units);
      if (!canBeAsked()) return;
      const found = await bench.supplier.find(lookupOf(request));
      expect(found).toMatchObject({ state: 'DELIVERED', goods: { length: request.units } });
    });

    test('When the response is lost before the purchase, then the outcome is unknown, and a lookup finds nothing', async () => {
      await bench.arrange('answer-lost-before-buying');
      const request = firstDelivered();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      await bench.arrange('well');
      if (canBeAsked()) {
        expect(await bench.supplier.find(lookupOf(request))).toEqual({ state: 'NOT_FOUND' });
      }
    });

    test('When the purchase may no longer be sent, then nothing was sold and it can be retried', async () => {
      const request = firstDelivered();
      await expect(bench.supplier.purchase(request, () => false)).rejects.toBeInstanceOf(SupplierUnavailable);
      expect(await bench.soldUnits(request.reference)).toBe(0);
    });

    test('When the supplier is out of reach, then nothing ran, and lookups must be retried', async () => {
      const request = firstDelivered();
      await expect(bench.unreachable.purchase(request, always)).rejects.toBeInstanceOf(SupplierUnavailable);
      if (canBeAsked()) {
        await expect(bench.unreachable.find(lookupOf(request))).rejects.toBeInstanceOf(SupplierUnavailable);
      }
    });

    test('When the account is blocked, then the error says so, and nothing was sold', async () => {
      await bench.arrange('account-blocked');
      const request = firstDelivered();
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierAccountBlocked);
      expect(await bench.soldUnits(request.reference)).toBe(0);
    });

    test('When calls are too frequent, then nothing ran, and the error contains the time to wait', async () => {
      if (bench.impossible?.includes('rate-limited')) return;
      await bench.arrange('rate-limited');
      const request = firstDelivered();
      const error = await buy(request).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SupplierUnavailable);
      expect((error as SupplierUnavailable).retryAfterMs).toBeGreaterThan(0);
      expect(await bench.soldUnits(request.reference)).toBe(0);
    });

    test('When a reference is used again, then the result matches the traits', async () => {
      const request = firstDelivered();
      const first = await buy(request);
      const second = await buy(request).catch((error: unknown) => error);
      const sold = await bench.soldUnits(request.reference);
      switch (bench.supplier.traits.repeatedReference) {
        case 'returns-first':
          expect(second).toEqual(first);
          expect(sold).toBe(request.units);
          return;
        case 'is-rejected':
          // Not a rejection of the order: the purchase exists and must be looked up.
          expect(second).toBeInstanceOf(SupplierOutcomeUnknown);
          expect(sold).toBe(request.units);
          return;
        case 'buys-again':
          expect(sold).toBe(2 * request.units);
      }
    });

    test('When a unit cannot be read, then the fault omits its contents, and the other units are returned', async () => {
      const request = firstDelivered();
      await bench.arrange('first-unit-unreadable');
      const [broken, ...others] = (await buy(request)).goods as [ReportedUnit, ...ReportedUnit[]];
      const fault = expect.stringMatching(/^[a-zA-Z -]{5,80}$/);
      expect(broken).toEqual({ kind: 'unreadable', fault, contents: expect.any(String) });
      expect(others.map(({ kind }) => kind)).toEqual(Array(request.units - 1).fill(request.family.toLowerCase()));
    });

    test('When references differ only at their end, then each finds only its own purchase', async () => {
      if (!canBeAsked()) return;
      const [longer, shorter] = [firstDelivered(), firstDelivered()];
      shorter.reference = longer.reference.slice(0, -1);
      const bought = await buy(longer);
      expect(await bench.supplier.find(lookupOf(shorter))).toEqual({ state: 'NOT_FOUND' });
      expect(await bench.supplier.find(lookupOf(longer))).toEqual(bought);
    });

    test('When the supplier lists several rows for one reference, then the outcome is ambiguous', async () => {
      if (!canBeAsked() || bench.impossible?.includes('two-rows-for-a-reference')) return;
      const request = firstDelivered();
      await buy(request);
      await bench.arrange('two-rows-for-a-reference');
      expect(await bench.supplier.find(lookupOf(request))).toMatchObject({ state: 'AMBIGUOUS' });
    });

    test('When the supplier reverses a delivered purchase, then a lookup shows it', async () => {
      if (!canBeAsked() || !bench.reverse) return;
      const request = firstDelivered();
      await buy(request);
      await bench.reverse(request.reference);
      expect(await bench.supplier.find(lookupOf(request))).toEqual({ state: 'REVERSED' });
    });

    test('When a withdrawal comes after delivery, then it is rejected', async () => {
      const request = firstDelivered();
      await buy(request);
      expect((await bench.supplier.withdraw?.(lookupOf(request))) ?? false).toBe(false);
      expect(await bench.soldUnits(request.reference)).toBe(request.units);
    });

    test('When the supplier has statements, then a statement lists exactly the sales', async () => {
      const since = new Date(Date.now() - 60_000);
      const [sold, refused] = [firstDelivered(), withReference(bench.refused)];
      await buy(sold);
      await buy(refused);
      const statement = bench.supplier.statement?.(since);
      if (!statement) return;
      const listed = [];
      for await (const page of statement) listed.push(...page);
      const { reference, units } = sold;
      expect(listed).toHaveLength(1);
      expect(listed[0]).toMatchObject({ kind: 'sale', reference, units, soldAt: expect.any(Date) });
    });

    test('When the supplier reports stock, then every row has a product and a possible count', async () => {
      for await (const page of bench.supplier.stock?.() ?? []) {
        for (const { sku, available } of page) {
          expect(sku).not.toBe('');
          expect(available ?? 0).toBeGreaterThanOrEqual(0);
        }
      }
    });

    test('When the supplier reports balances, then each is text with a currency', async () => {
      for (const { amount, currency } of (await bench.supplier.balances?.()) ?? []) {
        expect(amount).toMatch(/^\d+(\.\d+)?$/);
        expect(currency).toMatch(/^[A-Z]{3}$/);
      }
    });

    test('When the supplier lists eSIM plans, then each has a text price and a currency', async () => {
      const plans = bench.esimProduct && (await bench.supplier.esimPlans?.(bench.esimProduct));
      for (const { price, currency, validityDays } of plans || []) {
        expect(price).toMatch(/^\d+(\.\d+)?$/);
        expect(currency).toMatch(/^[A-Z]{3}$/);
        expect(validityDays).toBeGreaterThan(0);
      }
      expect(plans === undefined || plans.length > 0).toBe(true);
    });

    test('When the supplier lists its catalogue, then each offer has a SKU of its own, and a price or a reason', async () => {
      const offers: SupplierOffer[] = [];
      for await (const page of bench.supplier.catalogue?.() ?? []) offers.push(...page);
      const keys = offers.map(({ family, sku }) => `${family} ${sku}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(offers.length > 0).toBe(bench.supplier.catalogue !== undefined);
      for (const { sku, name, currency, amounts, cost, unsellable } of offers) {
        expect([sku, name]).not.toContain('');
        if (unsellable !== undefined) continue;
        expect(currency).toMatch(/^[A-Z]{3}$/);
        const texts = 'fixed' in amounts ? amounts.fixed : [amounts.min, amounts.max];
        expect(texts.length).toBeGreaterThan(0);
        for (const amount of texts) expect(amount).toMatch(/^\d+(\.\d+)?$/);
        expect(cost).toEqual(expect.objectContaining({ fee: expect.any(String), currency: expect.any(String) }));
      }
    });

    test('When the supplier sends a push, then its hint is accepted, and a forged push is rejected', () => {
      const { verifyPush } = bench.supplier;
      const sent = bench.push?.();
      expect(sent === undefined).toBe(verifyPush === undefined);
      if (!sent || !verifyPush) return;
      expect(verifyPush(sent.push)).toEqual(sent.hint);
      expect(sent.forged.length).toBeGreaterThan(0);
      for (const push of sent.forged) expect(verifyPush(push)).toBeUndefined();
    });
  });
}
