/** The comparison of a sale's description with the order. */
import {
  contradictionOf,
  deviationOf,
  type OrderedItem,
  type SoldItem,
} from '../../src/domain/orders/contradicting-sale';

const topup: OrderedItem = {
  sku: 'fixed:2101:INR:199',
  units: 1,
  faceValue: { amount: '199.00', currency: 'INR' },
  input: { phone_number: '+919820000555', note: 7 },
  plan: null,
};
const plan: OrderedItem = {
  sku: 'plan:4101',
  units: 1,
  faceValue: undefined,
  input: null,
  plan: { dataAmountGb: '1.000', validityDays: 7 },
};

describe('A description of a sale', () => {
  test.each<[string, OrderedItem, SoldItem]>([
    ['states nothing', topup, {}],
    [
      'states only absent fields',
      topup,
      { sku: undefined, units: undefined, recipients: [undefined], faceValues: [{}] },
    ],
    ['writes the id in another case', topup, { sku: ' FIXED:2101:inr:199 ' }],
    [
      'writes 199 with other zeros',
      topup,
      { faceValues: [{ amount: '199' }, { amount: ' 199.0000', currency: 'inr' }] },
    ],
    ['counts units as text with zeros', topup, { units: '1.0' }],
    ['writes the number without a plus sign', topup, { recipients: ['919820000555'] }],
    ['writes the number with spaces and 00', topup, { recipients: ['00 91 98200-00555'] }],
    ['writes the national number', topup, { recipients: ['09820000555', '9820000555'] }],
    ['masks the number', topup, { recipients: ['9198****0556'] }],
    ['writes an amount in words', topup, { faceValues: [{ amount: 'INR 5', currency: 'rupees' }] }],
    ['computes another amount', topup, { computedValues: [{ amount: '5', currency: 'INR' }] }],
    ['counts a gigabyte as 1,024 MB', plan, { dataAmount: { amount: '1024', unit: 'MB' }, validityDays: '7' }],
    ['counts a gigabyte as 1,000 MB', plan, { dataAmount: { amount: '1000', unit: 'MB' } }],
    [
      'states the fair-use amount of an unlimited plan',
      { ...plan, plan: { dataAmountGb: '0.000', validityDays: 7 } },
      { dataAmount: { amount: '3', unit: 'GB' } },
    ],
    ['states a price of a plan', plan, { faceValues: [{ amount: '4', currency: 'EUR' }] }],
  ])('When it %s, then it does not contradict the order', (_what, ordered, sold) => {
    expect(contradictionOf(ordered, sold)).toBeUndefined();
  });

  test.each<[string, OrderedItem, SoldItem]>([
    ['product', topup, { sku: 'fixed:2102:INR:199' }],
    ['quantity', topup, { units: '2' }],
    ['face value', topup, { faceValues: [{ amount: '199' }, { amount: '5' }] }],
    ['currency', topup, { faceValues: [{ currency: 'USD' }] }],
    ['currency', topup, { computedValues: [{ amount: '199', currency: 'USD' }] }],
    ['recipient', topup, { recipients: ['+919820000556'] }],
    ['recipient', topup, { recipients: ['000555'.slice(1)] }],
    ['amount of data', plan, { dataAmount: { amount: '100', unit: 'MB' } }],
    ['validity', plan, { validityDays: '1' }],
    ['product and another face value', topup, { sku: 'fixed:1:INR:199', faceValues: [{ amount: '5' }] }],
  ])(
    'When it has another %s, then it contradicts the order and says in what, without a value',
    (name, ordered, sold) => {
      expect(contradictionOf(ordered, sold)).toBe(`the supplier describes it with another ${name} than was ordered`);
    },
  );

  test('When a computed value deviates by more than the limit, then the largest deviation is returned', () => {
    const of = (...amounts: string[]) => ({ computedValues: amounts.map((amount) => ({ amount })) });
    expect(deviationOf('100', of('80', '120'), 20)).toBeUndefined();
    expect(deviationOf('100', of('79', '130', 'free'), 20)).toBe(30);
    expect(deviationOf('199.00', of('5.00'), 20)).toBe(-97);
  });
});
