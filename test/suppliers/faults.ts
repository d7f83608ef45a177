/** Responses that no documentation describes, which every fake can send. */
import type { Modes } from '../../fakes/kit/modes';
import type { PurchaseRequest } from '../../src/domain/suppliers/port';
import { SupplierOutcomeUnknown } from '../../src/domain/suppliers/supplier-errors';
import type { FakeBuyer } from '../support/fake-suppliers';

/** Declares the tests. `modes` make the supplier sell the goods soon. */
export function withstandsFaults(
  { misbehave, requestOf, buy, concluded }: FakeBuyer,
  wanted: readonly Omit<PurchaseRequest, 'reference'>[],
  modes: Modes = {},
): void {
  const [first] = wanted as [Omit<PurchaseRequest, 'reference'>];

  test('When the supplier adds fields, then they are ignored', async () => {
    await misbehave({ ...modes, additional_field: true });
    for (const request of wanted.map(requestOf)) {
      const { supplierOrderId } = await buy(request);
      const sold = { state: 'DELIVERED', cost: { currency: 'USD' } };
      expect(await concluded(request, supplierOrderId)).toMatchObject(sold);
    }
  });

  test('When the supplier sends an unknown state, then the outcome is unknown, and a lookup is ambiguous', async () => {
    await misbehave({ unknown_state: true });
    const request = requestOf(first);
    await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
    expect(await concluded(request)).toMatchObject({ state: 'AMBIGUOUS', isShown: true });
  });

  test.each(['error-under-200', 'half-json', 'empty'] as const)(
    'When the response to a purchase is %s, then its outcome is unknown and a lookup finds it',
    async (form) => {
      await misbehave({ takes_ms: 0, nonsense: { form, count: 1 } });
      const request = requestOf(first);
      await expect(buy(request)).rejects.toBeInstanceOf(SupplierOutcomeUnknown);
      expect(await concluded(request)).toMatchObject({ state: 'DELIVERED' });
    },
  );
}
