/** The amounts of eSIM plans, which are unique within a product. docs/specification.md#esim-products-variants-charges. */
import fc from 'fast-check';
import { Exact } from '../../src/domain/prices/money';
import { distinctAmounts, type PricedPlan } from '../../src/domain/prices/plan-amounts';

const plan = (sku: string, listed: string, onSale?: [amount: string, listed: string]): PricedPlan => ({
  sku,
  listed: new Exact(listed),
  minorUnit: 2,
  onSale: onSale ? { amount: new Exact(onSale[0]), listed: new Exact(onSale[1]) } : null,
});
const amountsOf = (plans: PricedPlan[], taken: string[] = []) =>
  Object.fromEntries(
    [
      ...distinctAmounts(
        plans,
        taken.map((amount) => new Exact(amount)),
      ),
    ].map(([sku, amount]) => [sku, amount.toFixed(2)]),
  );

test('When plans cost the same, then the newer ones move to the next free minor units', () => {
  const plans = [plan('A', '10'), plan('B', '10'), plan('C', '10.01'), plan('D', '10')];
  expect(amountsOf(plans)).toEqual({ A: '10.00', C: '10.01', B: '10.02', D: '10.03' });
});

test('When a plan was moved, then it keeps its amount, also once its old amount is free', () => {
  expect(amountsOf([plan('B', '10', ['10.01', '10'])])).toEqual({ B: '10.01' });
  expect(amountsOf([plan('B', '10', ['10.01', '10']), plan('A', '10')])).toEqual({ A: '10.00', B: '10.01' });
});

test('When the listed price of a moved plan changes, then it is sold at the new price', () => {
  expect(amountsOf([plan('A', '10', ['10', '10']), plan('B', '12', ['10.01', '10'])])).toEqual({
    A: '10.00',
    B: '12.00',
  });
});

test('When a plan reaches the amount of another, then the other keeps it, older or newer', () => {
  const onSale = plan('B', '10', ['10', '10']);
  expect(amountsOf([plan('A', '10', ['9', '9']), onSale])).toEqual({ A: '10.01', B: '10.00' });
  expect(amountsOf([onSale, plan('C', '10')])).toEqual({ B: '10.00', C: '10.01' });
});

test('When unlisted plans stay on sale, then their amounts stay reserved', () => {
  expect(amountsOf([plan('A', '10')], ['10', '10.01'])).toEqual({ A: '10.02' });
});

test('When there are plans, then each gets a different amount, at least its price, and a second run changes nothing', () => {
  const cents = fc.integer({ min: 1, max: 6 });
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 12 }), (prices) => {
      const plans = prices.map((price, index) => plan(String(index), `0.0${price}`));
      const amounts = distinctAmounts(plans, []);
      expect(new Set([...amounts.values()].map(String)).size).toBe(plans.length);
      for (const { sku, listed } of plans) expect(amounts.get(sku)?.greaterThanOrEqualTo(listed)).toBe(true);
      const again = plans.map((one) => ({
        ...one,
        onSale: { amount: amounts.get(one.sku) as Exact, listed: one.listed },
      }));
      expect([...distinctAmounts(again, [])].map(String).sort()).toEqual([...amounts].map(String).sort());
    }),
  );
});
