/** 0 GB means unlimited data for clients, so only a plan that its supplier marks as unlimited has it. */
import { offerUnless } from '../../src/suppliers/kit/offers';
import { readPlans } from '../../src/suppliers/simulator/messages';

const faultOf = (dataAmountGb: number, mark: { isUnlimited?: true } = {}) =>
  offerUnless({
    family: 'ESIM',
    sku: 'plan',
    name: 'Plan',
    currency: 'EUR',
    amounts: { fixed: ['5'] },
    inputs: [],
    country: 'DE',
    cost: { fixed: '4', fee: '0', currency: 'EUR' },
    plan: { dataAmountGb, validityDays: 7, regions: [], networks: [], isRechargeable: false, ...mark },
  }).unsellable;

test.each([0, 0.0004, 0.000_001])(
  'When a plan has %s GB, which would be stored as 0, then it is never sold as unlimited',
  (gigabytes) => expect(faultOf(gigabytes)).toBe('It contains no data'),
);

test('When the supplier marks a plan of 0 GB as unlimited, then it can be sold', () =>
  expect(faultOf(0, { isUnlimited: true })).toBeUndefined());

test.each([0.0005, 0.001, 1])('When a plan has %s GB, then it can be sold', (gigabytes) =>
  expect(faultOf(gigabytes)).toBeUndefined(),
);

test('When the simulator lists a plan of 0 GB, then it is unlimited, but less than a megabyte is not', () => {
  const listed = (data_amount_gb: number) =>
    readPlans({
      plans: [
        {
          sku: 'A',
          name: 'A',
          currency: 'USD',
          price: '5',
          data_amount_gb,
          validity_days: 7,
          regions: [],
          networks: [],
          is_rechargeable: false,
        },
      ],
    })?.map(({ dataAmountGb }) => dataAmountGb);
  expect([listed(0), listed(0.001), listed(0.0004)]).toEqual([[0], [0.001], undefined]);
});
