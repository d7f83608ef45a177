/** Sources under a margin floor: judged with the client's price of one unit. */
import type { CostRates, HeldCost } from '../../src/domain/orders/source-costs';
import {
  chooseSources,
  judgeSources,
  profitableSources,
  type Source,
  type SourceRequest,
} from '../../src/domain/orders/sources';
import { Exact } from '../../src/domain/prices/money';

const source = (id: number, special: Partial<Source> = {}): Source => ({
  id,
  supplier: `supplier-${id}`,
  sku: `SKU-${id}`,
  data: null,
  priority: 0,
  stock: null,
  costPercent: null,
  costFixed: null,
  fee: '0',
  costCurrency: null,
  reportedCost: null,
  heldCost: null,
  servesAmount: true,
  obstacle: null,
  isCircuitOpen: false,
  ...special,
});

const order = (percent: string | null, special: Partial<SourceRequest> = {}): SourceRequest => ({
  quantity: 1,
  faceValue: new Exact(100),
  itemCurrency: 'USD',
  walletCurrency: 'USD',
  costRates: {},
  floor: percent === null ? undefined : { percent: new Exact(percent), unitPrice: new Exact(100) },
  maxUnitsAt: () => 10,
  ...special,
});

const obstacles = (sources: Source[], request: SourceRequest) =>
  Object.fromEntries(judgeSources(sources, request).map(({ source: { id }, obstacle }) => [id, obstacle]));

test('When no rule sets a floor, then a loss is sold, and so is a source of unknown cost', () => {
  const sources = [source(1), source(2, { costFixed: '150' })];
  expect(obstacles(sources, order(null))).toEqual({ 1: undefined, 2: undefined });
  expect(profitableSources(sources, order(null))).toHaveLength(2);
});

test('When a source leaves less than the floor, then it is not used, and the obstacle names margin and floor', () => {
  const sources = [source(1, { costPercent: '98.8', priority: -5 }), source(2, { costPercent: '97' }), source(3)];
  expect(obstacles(sources, order('3'))).toEqual({
    1: 'leaves \uE0001.20 %\uE001 margin, the floor is \uE0003 %\uE001',
    2: undefined,
    3: 'its cost is unknown, the floor is \uE0003 %\uE001',
  });
  expect(chooseSources(sources, order('3')).map(({ id }) => id)).toEqual([2]);
  expect(profitableSources(sources, order('3')).map(({ id }) => id)).toEqual([2]);
});

test('When a change of the offer waits, then the higher cost ranks the source', () => {
  const rise = { costPercent: null, costFixed: '98', fee: '0', costCurrency: null };
  const waiting = (heldCost: HeldCost) =>
    chooseSources([source(1, { costFixed: '90', heldCost }), source(2, { costFixed: '95' })], order(null)).map(
      ({ id }) => id,
    );
  expect(waiting(rise)).toEqual([2, 1]);
  expect(waiting({ ...rise, costFixed: '80' })).toEqual([1, 2]);
  expect(waiting({ ...rise, costCurrency: 'EUR' })).toEqual([1, 2]);
});

describe('When a change of the offer waits', () => {
  const rise: HeldCost = { costPercent: null, costFixed: '98', fee: '0', costCurrency: null };
  const waiting = (heldCost: Partial<HeldCost>) =>
    obstacles([source(1, { costFixed: '90', heldCost: { ...rise, ...heldCost } })], order('3'))[1];

  test.each([
    ['higher', {}, 'leaves \uE0002.00 %\uE001 margin, the floor is \uE0003 %\uE001'],
    ['lower', { costFixed: '9' }, undefined],
    ['unknown', { costFixed: null }, 'its cost is unknown, the floor is \uE0003 %\uE001'],
    ['in another currency', { costCurrency: 'EUR' }, 'its cost is unknown, the floor is \uE0003 %\uE001'],
  ])('and its cost is %s, then the higher cost counts, or the cost is unknown', (_what, heldCost, obstacle) => {
    expect(waiting(heldCost)).toBe(obstacle && `${obstacle} (a change of its offer waits for a decision)`);
  });
});

test.each([
  ['97', undefined],
  ['97.0000001', 'leaves \uE0002.99 %\uE001 margin, the floor is \uE0003 %\uE001'],
  ['103.5', 'leaves \uE000-3.50 %\uE001 margin, the floor is \uE0003 %\uE001'],
])('When the cost is %s of a price of 100, then the margin is compared exactly', (costFixed, obstacle) => {
  expect(obstacles([source(1, { costFixed })], order('3'))).toEqual({ 1: obstacle });
});

test('When the floor is below 0, then so much loss is accepted', () => {
  expect(obstacles([source(1, { costFixed: '102' }), source(2, { costFixed: '103' })], order('-2'))).toEqual({
    1: undefined,
    2: 'leaves \uE000-3.00 %\uE001 margin, the floor is \uE000-2 %\uE001',
  });
});

test('When the client pays nothing, then only a source without cost is used', () => {
  const free = order('0', { floor: { percent: new Exact(0), unitPrice: new Exact(0) } });
  expect(obstacles([source(1, { costFixed: '0' }), source(2, { costFixed: '1' })], free)).toEqual({
    1: undefined,
    2: 'it leaves no margin at a price of 0, the floor is \uE0000 %\uE001',
  });
});

test('When the cost has another currency, then the floor compares it in the currency of the wallet', () => {
  const inPounds = { costFixed: '70', fee: '5', costCurrency: 'GBP' };
  const at = (costRates: CostRates) => order('5', { costRates });
  const known = { rate: '1.25', isReference: true };
  expect(obstacles([source(1, inPounds)], at({ GBP: known }))).toEqual({ 1: undefined });
  expect(obstacles([source(1, inPounds)], at({ GBP: { ...known, rate: '1.3' } }))).toEqual({
    1: 'leaves \uE0002.50 %\uE001 margin, the floor is \uE0005 %\uE001',
  });
  expect(obstacles([source(1, inPounds)], at({ EUR: known }))).toEqual({
    1: 'its cost is unknown, the floor is \uE0005 %\uE001',
  });
  expect(chooseSources([source(1, inPounds)], at({ GBP: known }))[0]).toMatchObject({
    costRate: { currency: 'GBP', ...known },
  });
});

test('When the cost is a percentage in another currency, then the percentage contains the exchange rate', () => {
  const rupees = order('3', {
    faceValue: new Exact(1_000),
    itemCurrency: 'INR',
    floor: { percent: new Exact(3), unitPrice: new Exact(12) },
  });
  const inDollars = { costCurrency: 'USD', fee: '0.10' };
  expect(
    obstacles(
      [source(1, { ...inDollars, costPercent: '1.154' }), source(2, { ...inDollars, costPercent: '1.16' })],
      rupees,
    ),
  ).toEqual({ 1: undefined, 2: 'leaves \uE0002.50 %\uE001 margin, the floor is \uE0003 %\uE001' });
});

test('When something else keeps a source from selling, then that is the obstacle, not the margin', () => {
  const sources = [source(1, { costFixed: '99', obstacle: 'paused' }), source(2, { costFixed: '99', stock: 0 })];
  expect(judgeSources(sources, order('3'))).toMatchObject([
    { obstacle: 'paused', isBelowFloor: false },
    { obstacle: 'only 0 in stock', isBelowFloor: false },
  ]);
});
