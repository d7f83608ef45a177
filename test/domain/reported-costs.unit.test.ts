import { Exact } from '../../src/domain/prices/money';
import { judgeReportedCost } from '../../src/domain/prices/believable-costs';

const amount = (text: string | undefined) => (text === undefined ? undefined : new Exact(text));

test.each([
  // Within the limit of 10 %.
  ['11', '10', '20', { isAboveListed: false, isLoss: false }],
  ['11.01', '10', '20', { isAboveListed: true, isLoss: false }],
  // A loss counts from the first cent above the known cost.
  ['10.01', '10', '10', { isAboveListed: true, isLoss: true }],
  ['10', '10', '9', { isAboveListed: false, isLoss: true }],
  ['10.01', undefined, '10', { isAboveListed: true, isLoss: true }],
  ['10', undefined, '10', { isAboveListed: false, isLoss: false }],
  ['12', '10', undefined, { isAboveListed: true, isLoss: false }],
  // A hundred times the known cost is the most that can be true.
  ['1000', '10', '2000', { isAboveListed: true, isLoss: false }],
  ['1000.01', '10', '2000', 'impossible'],
  ['1000.01', undefined, '10', 'impossible'],
] as const)(
  'When a cost of %s is reported, the known one is %s and the price %s, then the verdict is %j',
  (cost, known, price, verdict) => {
    const compared = { known: amount(known), price: amount(price) };
    expect(judgeReportedCost(new Exact(cost), compared, 10)).toEqual(verdict);
  },
);
