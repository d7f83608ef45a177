/** Each guarantee of the harness fails exactly when it is broken. */
import { Decimal } from 'decimal.js';
import type {
  ClaimFact,
  ProposalFact,
  RefundFact,
  ReplacementFact,
} from '../../dev/faults/guarantees/after-sale-facts';
import type { PriceFact } from '../../dev/faults/guarantees/facts';
import type { Facts, OrderFact } from '../../dev/faults/guarantees/facts';
import { brokenGuarantees } from '../../dev/faults/guarantees/guarantees';
import { withInherited } from '../../dev/faults/guarantees/inherited';
import { wrongMargins, type StoredMargin } from '../../dev/faults/guarantees/margins';
import type { ApiUser, Attempt } from '../../dev/faults/actors/client';
import type { BankEntryView } from '../../dev/faults/actors/finance';
import type { OrderView } from '../../dev/faults/actors/api';
import type { Bought } from '../../dev/faults/actors/supplier';
import type { SupplierName } from '../../dev/faults/plan/suppliers';

const delivered: OrderFact = {
  id: 1,
  family: 'VOUCHER',
  supplier: 'simulator',
  client: 'client',
  scenario: 'voucher_instant',
  product: 'Card',
  reference: 'ref-1',
  status: 'DELIVERED',
  quantity: 2,
  codes: ['a', 'b'],
  readable: 2,
  debited: new Decimal(20),
  credited: new Decimal(0),
  debits: 1,
  charged: 20,
  hasTransaction: true,
  replaces: undefined,
  recharges: undefined,
  iccid: undefined,
  replacements: [{ orderId: 8, unit: 2 }],
  claimed: ['a', 'b'],
  refunds: [],
  refunded: new Decimal(0),
  redeemed: 0,
  sales: [],
  sold: 2,
  changes: new Set(),
  misdescribed: 0,
  misstatedBy: [],
  isUnusable: false,
  isRefused: false,
  isDecided: false,
  isCancelled: false,
  isErased: false,
  hasRecipient: true,
  listed: [],
  isExpired: false,
  events: [event('1', 'wallet.debited'), event('2', 'order.delivered')],
};
/** An order whose units are neither claimed nor replaced. */
const unclaimed: OrderFact = { ...delivered, replacements: [], claimed: undefined };
/** One of three units was delivered. */
const failed: OrderFact = {
  ...unclaimed,
  id: 2,
  scenario: 'voucher_partial',
  reference: 'ref-2',
  status: 'FAILED',
  quantity: 3,
  codes: ['c'],
  readable: 1,
  debited: new Decimal(10),
  credited: new Decimal('6.67'),
  sold: 1,
  events: [event('3', 'wallet.debited'), event('4', 'order.failed'), event('5', 'wallet.credited')],
};
/** Paid with a voucher worth 25. */
const redeemed: OrderFact = {
  ...unclaimed,
  id: 3,
  scenario: 'topup_instant',
  family: 'TOPUP',
  reference: 'ref-3',
  quantity: 1,
  codes: [],
  readable: 1,
  debited: new Decimal(10),
  credited: new Decimal(25),
  redeemed: 25,
  sold: 1,
  events: [event('6', 'topup.delivered')],
};
const open: OrderFact = {
  ...unclaimed,
  id: 4,
  reference: 'ref-4',
  status: 'PENDING',
  codes: [],
  readable: 0,
  sold: 0,
  listed: [{ order_id: 4, kind: 'OUTCOME_UNKNOWN', reason: 'Unknown outcome' }],
  events: [],
};

const noFraud = 'no guarded value moves beyond the limit and no unit is paid back twice without a second person';

/** Replaces unit 2 of the delivered order. */
const replacing: OrderFact = {
  ...unclaimed,
  id: 8,
  reference: '',
  quantity: 1,
  codes: ['z'],
  readable: 1,
  sold: 1,
  debited: new Decimal(0),
  debits: 0,
  charged: 0,
  hasTransaction: false,
  replaces: { orderId: 1, unit: 2 },
  events: [event('7', 'order.delivered')],
};

function event(id: string, type: string) {
  return { id, type, data: {} };
}

function sale(supplier: SupplierName, batch: string): Bought {
  return { supplier, reference: `order-1-x-${batch}`, order_id: 1, units: 1 };
}

/** Unit 1 of the delivered order. */
const claim: ClaimFact = {
  id: 5,
  orderId: 1,
  unit: 1,
  state: 'ACCEPTED',
  outcome: 'REFUNDED',
  refundNumber: 1,
  replacementId: null,
};
/** Unit 2 of the delivered order. */
const replacedClaim: ClaimFact = {
  id: 6,
  orderId: 1,
  unit: 2,
  state: 'ACCEPTED',
  outcome: 'REPLACED',
  refundNumber: null,
  replacementId: 8,
};
/** Of the claim, and approved by another person. */
const refund: RefundFact = {
  orderId: 1,
  clientId: 9,
  number: 1,
  reference: 'claim-5',
  units: 1,
  unit: 1,
  amount: '10',
  at: 1_000,
  operator: 'Ada',
  approver: 'Ben',
};
/** Of an amount, without another person. */
const small: RefundFact = {
  ...refund,
  number: 2,
  reference: 'small',
  units: null,
  unit: null,
  amount: '6',
  approver: null,
};
const replacement: ReplacementFact = {
  id: 8,
  orderId: 1,
  unit: 2,
  clientId: 9,
  status: 'DELIVERED',
  reference: 'replacement of claim-6',
  amount: '10',
  at: 1_000,
  operator: 'Ben',
  approver: null,
};
const proposal: ProposalFact = { id: 3, state: 'APPROVED', decidedBy: 'Ben', reference: 'claim-5' };

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A change of a rate that one person made. */
function rate(changed: Partial<PriceFact>): PriceFact {
  const first = { before: null, after: '1', at: 1_000, operator: 'Ada', approver: null, isGiven: false };
  return { of: 'rate/SEK/NOK', ...first, ...changed };
}

/** A change of a discount to what it leaves of the price. */
function discount(after: string | null, before: string | null = null): PriceFact {
  return { ...rate({ before, after }), of: 'discount/9/TOPUP/1' };
}

function withPrices(...prices: PriceFact[]): Facts {
  return { ...sound, prices: [rate({ isGiven: true }), ...prices] };
}

function attempt(reference: string, special: Partial<Attempt> = {}): Attempt {
  return {
    supplier: 'simulator',
    family: 'VOUCHER',
    scenario: 'voucher_instant',
    reference,
    status: 200,
    code: undefined,
    orderId: undefined,
    ...special,
  };
}

const user = {
  name: 'client',
  wallet: { id: 1, currency: 'USD', funded: 1_000 },
  mailTo: new Map([[1, 'a@b.example']]),
  receiver: { taken: new Set(['1', '2', '3', '4', '5', '6', '7']), unverified: 0, repeated: 1 },
} as unknown as ApiUser;

/** Facts that keep every guarantee. */
const sound: Facts = {
  orders: [delivered, failed, redeemed, open, replacing],
  users: [user],
  attempts: [
    ...[1, 2, 3, 4].map((id) => attempt(`ref-${id}`, { orderId: id })),
    attempt('ref-5', { status: 503, code: 'SERVICE_UNAVAILABLE' }),
    attempt('ref-6', { status: undefined }),
  ],
  lookedUp: new Map<string, OrderView | undefined>([
    ['ref-5', undefined],
    ['ref-6', undefined],
  ]),
  // 1,000 - 20 - 3.33 + 15 - 20
  balances: new Map([['client', new Decimal('971.67')]]),
  // The replacement has the address of the old order.
  mails: [
    { to: 'a@b.example', messageId: 'm-1' },
    { to: 'a@b.example', messageId: 'm-1' },
    { to: 'a@b.example', messageId: 'm-8' },
  ],
  listedSuppliers: [],
  strays: [],
  afterSale: {
    claims: [claim, replacedClaim],
    refunds: [refund, small],
    replacements: [replacement],
    proposals: [proposal],
  },
  prices: [rate({ isGiven: true }), rate({ before: '1', after: '0.81' }), discount('0.81')],
  money: { requests: [], bookings: [], bankEntries: [], entries: [], closes: 1 },
};

/** The sound facts with one order changed. */
function withOrder(changed: OrderFact): Facts {
  return { ...sound, orders: sound.orders.map((order) => (order.id === changed.id ? changed : order)) };
}

function withAfterSale(changed: Partial<Facts['afterSale']>): Facts {
  return { ...sound, afterSale: { ...sound.afterSale, ...changed } };
}

function withClaims(...claims: ClaimFact[]): Facts {
  return withAfterSale({ claims: [...claims, replacedClaim] });
}

/** The sound facts with the replacement changed, as its order and the database have it. */
function withReplacement(order: Partial<OrderFact>, stored: Partial<ReplacementFact> = {}): Facts {
  const { orders, afterSale } = withOrder({ ...replacing, ...order });
  const replacements = [{ ...replacement, ...stored }];
  return { ...sound, orders, afterSale: { ...afterSale, replacements } };
}

const creditedOnce = 'a funding request is credited once, exactly if its transfer arrived';

const asBooked = 'credits of bank entries never exceed what the bank booked, and no booking is without an entry';

function withoutEntries({ money, ...facts }: Facts): Facts {
  return { ...facts, money: { ...money, bankEntries: [] } };
}

/** The sound facts with a funding request of 5, whose transfer arrived `arrived`, and which was credited `times`. */
function withFunding(state: string, arrived: string, times: number): Facts {
  const reference = 'RF18539007547034';
  const booking = {
    account: 'DE89370400440532013000',
    currency: 'USD',
    cents: Math.round(Number(arrived) * 100),
    reference,
    isReversal: false,
    day: '2026-11-26',
    text: reference,
    number: undefined,
  };
  const entry: BankEntryView = {
    id: 1,
    state: 'CREDITED',
    direction: 'CREDIT',
    amount: arrived,
    references: reference,
    why: null,
    reverses: null,
  };
  const credit = { client: 'client', amount: 5, reference_number: reference };
  return {
    ...sound,
    balances: new Map([['client', new Decimal('971.67').plus(5 * times)]]),
    money: {
      requests: [{ client: 'client', reference, amount: 5, state }],
      bookings: [booking],
      bankEntries: [entry],
      entries: Array.from({ length: times }, () => credit),
      closes: 1,
    },
  };
}

const rechargesOnce =
  'a recharge adds a plan to the profile of its first order, and is bought from the supplier of that profile';

/** The sound facts with an eSIM of DT One and its recharge. */
function withRecharge(special: Partial<OrderFact>, specialFirst: Partial<OrderFact> = {}): Facts {
  const esim: OrderFact = {
    ...unclaimed,
    family: 'ESIM',
    supplier: 'dtone',
    scenario: 'dtone_esim',
    quantity: 1,
    codes: [],
    readable: 1,
    sold: 1,
    debited: new Decimal(0),
    charged: 0,
    iccid: '8944000000000000001',
    sales: [sale('dtone', '0001')],
    events: [event('7', 'esim.delivered')],
  };
  const first: OrderFact = { ...esim, id: 11, reference: 'ref-11', ...specialFirst };
  const recharge: OrderFact = { ...esim, id: 12, reference: 'ref-12', recharges: 11, ...special };
  const attempts = [11, 12].map((id) => attempt(`ref-${id}`, { orderId: id }));
  return { ...sound, orders: [...sound.orders, first, recharge], attempts: [...sound.attempts, ...attempts] };
}

function withUser(special: object): Facts {
  return { ...sound, users: [{ ...user, ...special } as unknown as ApiUser] };
}

test('When all facts are sound, then no guarantee is broken', () => {
  expect(brokenGuarantees(sound)).toEqual([]);
});

test('When an exact transfer is credited once, or another one waits, then no guarantee is broken', () => {
  expect(brokenGuarantees(withFunding('CREDITED', '5.00', 1))).toEqual([]);
  expect(brokenGuarantees(withFunding('PENDING', '4.99', 0))).toEqual([]);
});

test('When a recharge shows the ICCID of its first order, then no guarantee is broken', () => {
  expect(brokenGuarantees(withRecharge({}))).toEqual([]);
});

test('When a supplier refused, or an operator decided or cancelled, then failed orders and double sales are excused', () => {
  const twice = [sale('dtone', '0001'), sale('dtone', '0001')];
  expect(brokenGuarantees(withOrder({ ...delivered, sales: twice, isDecided: true }))).toEqual([]);
  for (const reason of ['isRefused', 'isDecided', 'isUnusable', 'isCancelled']) {
    expect(brokenGuarantees(withOrder({ ...failed, supplier: 'dtone', [reason]: true }))).toEqual([]);
  }
});

const quarantined = [{ order_id: 2, kind: 'GOODS_APART', reason: '1 unit came late' }];

test('When an erased order shows no recipient, or has not ended, then no guarantee is broken', () => {
  expect(brokenGuarantees(withOrder({ ...delivered, isErased: true, hasRecipient: false }))).toEqual([]);
  expect(brokenGuarantees(withOrder({ ...open, isErased: true }))).toEqual([]);
});

test('When goods of a failed order are on the attention list, then no guarantee is broken', () => {
  expect(brokenGuarantees(withOrder({ ...failed, sold: 3, listed: quarantined }))).toEqual([]);
});

test('When a person refunds again a day later, or of another client, then the rule does not count it', () => {
  const later = { ...small, number: 3, reference: 'later', at: small.at + 24 * 60 * 60 * 1_000 };
  const ofAnother = { ...small, orderId: 8, clientId: 10, reference: 'of another' };
  const byAnother = { ...small, number: 4, reference: 'by another', operator: 'Cleo' };
  const refunds = [refund, small, later, ofAnother, byAnother];
  expect(brokenGuarantees(withAfterSale({ refunds }))).toEqual([]);
});

test('When a second person approves a price, or it has stood for a day, then further steps are compared with it', () => {
  const low = { before: '1', after: '0.1', approver: 'Ben' };
  expect(brokenGuarantees(withPrices(rate(low), rate({ before: '0.1', after: '0.09' })))).toEqual([]);
  const steps = [rate({ before: '1', after: '0.81' }), rate({ before: '0.81', after: '0.7', at: 1_000 + DAY_MS })];
  expect(brokenGuarantees(withPrices(...steps))).toEqual([]);
  expect(brokenGuarantees(withPrices(discount('0.85'), discount(null, '0.85')))).toEqual([]);
});

test('When a bad replacement is refunded on the paid order, then no guarantee is broken', () => {
  const back = { ...claim, id: 7, orderId: 8, refundNumber: 3 };
  const paid = { ...refund, number: 3, reference: 'claim-7', unit: 2 };
  const { claims, refunds } = sound.afterSale;
  const proposals = [proposal, { ...proposal, id: 4, reference: 'claim-7' }];
  const facts = withAfterSale({ claims: [...claims, back], refunds: [...refunds, paid], proposals });
  expect(brokenGuarantees(facts)).toEqual([]);
});

test('When a replacement fails, then its claim waits again, and the unit is refunded or replaced later', () => {
  const lost = { status: 'FAILED', readable: 0, codes: [], sold: 0 };
  const facts = withReplacement({ ...lost, events: [event('7', 'order.failed')] }, { status: 'FAILED' });
  const claims = [claim, { ...replacedClaim, state: 'OPEN', outcome: null, replacementId: null }];
  const refunded: OrderFact = {
    ...delivered,
    replacements: [],
    refunds: ['order-1-r1', 'order-1-r3'],
    refunded: new Decimal(20),
    events: [...delivered.events, event('7', 'order.refunded'), event('7', 'order.refunded')],
  };
  const orders = facts.orders.map((order) => (order.id === 1 ? refunded : order));
  const balances = new Map([['client', new Decimal('991.67')]]);
  const failedFacts = { ...facts, orders, balances, afterSale: { ...facts.afterSale, claims } };
  expect(brokenGuarantees(failedFacts)).toEqual([]);
  const refunds = [refund, small, { ...refund, number: 3, reference: 'later', unit: 2 }];
  const proposals = [proposal, { ...proposal, id: 4, reference: 'later' }];
  expect(brokenGuarantees({ ...failedFacts, afterSale: { ...failedFacts.afterSale, refunds, proposals } })).toEqual([]);
});

test('When the address was erased before the replacement, then no mail of the replacement is expected', () => {
  const erased = { isErased: true, hasRecipient: false };
  const { orders } = withReplacement(erased);
  const facts = {
    ...sound,
    orders: orders.map((order) => (order.id === 1 ? { ...order, ...erased } : order)),
    mails: sound.mails.filter(({ messageId }) => messageId !== 'm-8'),
  };
  expect(brokenGuarantees(facts)).toEqual([]);
});

test('When a replacement is replaced, then it has the supplier and the erased address of the first order', () => {
  const first: OrderFact = { ...delivered, supplier: 'dtone', scenario: 'dtone_voucher', isErased: true };
  const second: OrderFact = { ...replacing, id: 9, replaces: { orderId: 8, unit: 1 } };
  const inherited = { supplier: 'dtone', scenario: 'dtone_voucher', isErased: true };
  expect(withInherited([second, replacing, first])).toMatchObject([first, inherited, inherited]);
});

describe('Margins', () => {
  const bought = (amount: number): Bought[] => [
    { ...sale('dtone', '0001'), cost: { amount: String(amount), currency: 'USD' } },
  ];
  const sold: OrderFact = { ...delivered, supplier: 'dtone', sales: bought(7) };
  const again: OrderFact = { ...replacing, supplier: 'dtone', sales: bought(3) };
  const margin = (id: number, earned: string | null): StoredMargin => ({ id, margin: earned, rates: { USD: '1' } });
  const wrong = (orders: OrderFact[], ...margins: StoredMargin[]) =>
    wrongMargins(orders, margins).flatMap(({ orderIds }) => orderIds);

  test('When a unit is replaced, then its cost counts with the old order', () => {
    expect(wrong([sold, again], margin(1, '10'), margin(8, '-3'))).toEqual([]);
    expect(wrong([sold, again], margin(1, '13'), margin(8, '-3'))).toEqual([1]);
    expect(wrong([sold, again], margin(1, '10'), margin(8, '0'))).toEqual([8]);
    expect(wrong([sold, again], margin(1, null), margin(8, '-3'))).toEqual([1]);
  });

  test('When an operator delivered the replacement, then neither margin is compared', () => {
    expect(wrong([sold, { ...again, isDecided: true }], margin(1, '0'), margin(8, '0'))).toEqual([]);
  });
});

test.each<[what: string, guarantee: string, facts: Facts]>([
  [
    'an order request is answered 500',
    'an order request is answered with the order, a rejection, 503 or 504',
    { ...sound, attempts: [...sound.attempts, attempt('ref-7', { status: 500, code: 'INTERNAL_ERROR' })] },
  ],
  [
    'no order exists after a 200',
    'an order exists after a 200 and never after a 503',
    { ...sound, attempts: [...sound.attempts, attempt('ref-7', { orderId: 7 })] },
  ],
  [
    'an order exists after a 503',
    'an order exists after a 200 and never after a 503',
    {
      ...sound,
      attempts: [...sound.attempts.slice(1), attempt('ref-1', { status: 503, code: 'SERVICE_UNAVAILABLE' })],
    },
  ],
  [
    'a lookup does not find the order',
    'an order exists after a 200 and never after a 503',
    {
      ...sound,
      attempts: [...sound.attempts.slice(1), attempt('ref-1', { status: undefined })],
      lookedUp: new Map([...sound.lookedUp, ['ref-1', undefined]]),
    },
  ],
  [
    'an order stays open without a reason',
    'every open order is on the attention list with its reason',
    withOrder({ ...open, listed: [] }),
  ],
  [
    'an order is bought twice',
    'every double purchase is on the attention list',
    withOrder({ ...open, listed: [], sold: 4, status: 'DELIVERED', readable: 2, codes: ['d', 'e'] }),
  ],
  [
    'a purchase has no order',
    'every double purchase is on the attention list',
    { ...sound, strays: [{ supplier: 'simulator', reference: 'order-9-x-0001', order_id: 9, units: 1 }] },
  ],
  [
    'a fake sells the same unit twice',
    'all suppliers together sell one unit once',
    withOrder({ ...delivered, sales: [sale('dtone', '0001'), sale('dtone', '0001')] }),
  ],
  [
    'the successor of a purchase sells the same unit at another supplier',
    'all suppliers together sell one unit once',
    withOrder({ ...delivered, sales: [sale('dtone', '0001'), sale('zendit', 'x000100001')] }),
  ],
  [
    'two suppliers sell more than was ordered',
    'all suppliers together sell one unit once',
    withOrder({
      ...delivered,
      sales: [sale('simulator', '0001'), sale('zendit', '0002'), sale('airalo', '0003')],
      sold: 3,
      listed: quarantined,
    }),
  ],
  [
    'an order of a fake fails without a refusal',
    'no order fails that no supplier refused',
    withOrder({ ...failed, supplier: 'reloadly' }),
  ],
  ['delivered goods were never bought', 'every delivered unit was bought', withOrder({ ...delivered, sold: 1 })],
  [
    'a unit is delivered that its supplier only described as another',
    'no unit is delivered that its supplier only described as another',
    withOrder({ ...delivered, changes: new Set(['product'] as const), misdescribed: 1 }),
  ],
  [
    'a supplier stated a higher cost, and nobody sees it',
    'a cost above the known one is on the attention list',
    {
      ...withOrder({ ...delivered, misstatedBy: ['dtone'] }),
      listedSuppliers: [
        { supplier: 'zendit', kind: 'SOLD_AT_LOSS' },
        { supplier: 'dtone', kind: 'BALANCE_LOW' },
      ],
    },
  ],
  [
    'the price of an item changes',
    'no price follows the list of a supplier without a person',
    { ...sound, orders: [...sound.orders, { ...unclaimed, id: 7, debited: new Decimal('20.04') }] },
  ],
  [
    'goods of a failed order were bought and are not on the list',
    'every undelivered unit that was bought is on the attention list',
    withOrder({ ...failed, sold: 3 }),
  ],
  ['an order is debited twice', 'clients pay for exactly the readable units', withOrder({ ...delivered, debits: 2 })],
  [
    'an order is refunded and readable',
    'clients pay for exactly the readable units',
    withOrder({ ...failed, readable: 3, sold: 3 }),
  ],
  [
    'an open order is refunded',
    'clients pay for exactly the readable units',
    withOrder({ ...open, credited: new Decimal(20) }),
  ],
  [
    'a cancelled order shows goods',
    'clients pay for exactly the readable units',
    withOrder({ ...failed, status: 'CANCELLED' }),
  ],
  [
    'a refund takes more than a failed order kept',
    'refunds and replacements take at most what the order kept, and no refund is made twice',
    withOrder({ ...failed, refunds: ['order-2-r1'], refunded: new Decimal('3.34') }),
  ],
  [
    'an open order is refunded as if it were delivered',
    'refunds and replacements take at most what the order kept, and no refund is made twice',
    withOrder({ ...open, refunds: ['order-4-r1'], refunded: new Decimal(1) }),
  ],
  [
    'an accepted claim has no refund',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withAfterSale({ refunds: [small], proposals: [] }),
  ],
  [
    'an accepted claim is refunded twice',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withAfterSale({ refunds: [refund, small, { ...refund, number: 3 }] }),
  ],
  [
    'a rejected claim is refunded',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withClaims({ ...claim, state: 'REJECTED', outcome: null, refundNumber: null }),
  ],
  [
    'an accepted claim has no outcome',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withClaims({ ...claim, outcome: null }),
  ],
  [
    'more units are refunded than were delivered',
    'a unit is refunded or replaced once, and claimed once at a time',
    withAfterSale({ refunds: [refund, { ...small, units: 2 }], replacements: [] }),
  ],
  [
    'the same unit is refunded twice',
    'a unit is refunded or replaced once, and claimed once at a time',
    withAfterSale({ refunds: [refund, { ...small, units: 1, unit: 1 }], replacements: [] }),
  ],
  [
    'a unit is refunded and replaced',
    'a unit is refunded or replaced once, and claimed once at a time',
    withReplacement({ replaces: { orderId: 1, unit: 1 } }, { unit: 1 }),
  ],
  [
    'units are refunded and replaced, together more than were delivered',
    'a unit is refunded or replaced once, and claimed once at a time',
    withAfterSale({ refunds: [refund, { ...small, units: 1 }] }),
  ],
  [
    'a unit is replaced twice',
    'a unit is refunded or replaced once, and claimed once at a time',
    withAfterSale({ refunds: [small], replacements: [replacement, { ...replacement, id: 9 }] }),
  ],
  [
    'a claim is REPLACED before its replacement is delivered',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withReplacement({ status: 'PENDING' }),
  ],
  [
    'the replacement is delivered, and its claim has no outcome',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withAfterSale({ claims: [claim, { ...replacedClaim, outcome: null }] }),
  ],
  [
    'the replacement has failed, and its claim does not wait for another decision',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withAfterSale({ claims: [claim, { ...replacedClaim, outcome: null, replacementId: null }] }),
  ],
  [
    'a claim names a replacement of another unit',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withReplacement({ replaces: { orderId: 1, unit: 1 } }),
  ],
  [
    'a claim is refunded and replaced',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withAfterSale({ refunds: [refund, small, { ...small, number: 3, reference: 'claim-6' }] }),
  ],
  [
    'a rejected claim has a replacement',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withAfterSale({ claims: [claim, { ...replacedClaim, state: 'REJECTED', outcome: null }] }),
  ],
  [
    'a unit without a claim is replaced',
    'an accepted claim has one refund or one replacement, and another claim neither',
    withAfterSale({ claims: [claim] }),
  ],
  [
    'a person replaces for more than the rule allows',
    'no one gives more than the rule allows without another person',
    withAfterSale({ replacements: [{ ...replacement, operator: 'Ada' }] }),
  ],
  [
    'an approved replacement is not carried out',
    'what another person approves is carried out once, and nothing else',
    withAfterSale({ proposals: [proposal, { ...proposal, id: 9, reference: replacement.reference }] }),
  ],
  [
    'a replacement names an approver who did not approve it',
    'what another person approves is carried out once, and nothing else',
    withAfterSale({ replacements: [{ ...replacement, approver: 'Cleo' }] }),
  ],
  [
    'a replacement is debited',
    'clients pay for exactly the readable units',
    withReplacement({ debits: 1, debited: new Decimal(10) }),
  ],
  [
    'a replacement that failed is refunded',
    'clients pay for exactly the readable units',
    withReplacement({ status: 'FAILED', readable: 0, codes: [], credited: new Decimal(10) }),
  ],
  [
    'a replacement and refunds take more than the order kept',
    'refunds and replacements take at most what the order kept, and no refund is made twice',
    withOrder({
      ...delivered,
      refunds: ['order-1-r1'],
      refunded: new Decimal(11),
      events: [...delivered.events, event('8', 'order.refunded')],
    }),
  ],
  [
    'a replacement does not lower what is left to refund',
    'a replacement lowers what is left to refund by the price of its unit',
    withReplacement({}, { amount: '0' }),
  ],
  ...(
    [
      ['of two units', { quantity: 2 }],
      ['with a reference of the client', { reference: 'ref-2' }],
      ['that is charged', { charged: 10 }],
      ['with a transaction', { hasTransaction: true }],
      ['of another product', { product: 'Another card' }],
      ['of another client', { client: 'another' }],
      ['of no known order', { replaces: { orderId: 77, unit: 2 } }],
    ] as const
  ).map(([what, changed]): [string, string, Facts] => [
    `there is a replacement ${what}`,
    'every order was requested, or replaces one unit at no charge',
    withReplacement(changed),
  ]),
  [
    'an order exists that no one requested',
    'every order was requested, or replaces one unit at no charge',
    { ...sound, orders: [...sound.orders, { ...unclaimed, id: 9, reference: '' }] },
  ],
  [
    'an order does not name its replacement',
    'an order names the orders that replace its units',
    withOrder({ ...delivered, replacements: [] }),
  ],
  [
    'an order names a replacement that failed',
    'an order names the orders that replace its units',
    withReplacement({ status: 'FAILED' }),
  ],
  [
    'a claimed order has failed',
    'a claimed order keeps its goods and its state',
    withOrder({ ...delivered, status: 'FAILED' }),
  ],
  [
    'a claimed order shows the goods of its replacement',
    'a claimed order keeps its goods and its state',
    withOrder({ ...delivered, codes: ['a', 'z'] }),
  ],
  [
    'a replacement is bought twice',
    'all suppliers together sell one unit once',
    withReplacement({ sales: [sale('dtone', '0001'), sale('zendit', 'x000100001')] }),
  ],
  [
    'the mail of a replacement is missing',
    'every requested mail is sent once',
    { ...sound, mails: sound.mails.filter(({ messageId }) => messageId !== 'm-8') },
  ],
  [
    'a unit has two open claims',
    'a unit is refunded or replaced once, and claimed once at a time',
    withClaims(
      claim,
      ...[10, 11].map((id) => ({ ...claim, id, state: 'OPEN', outcome: null, refundNumber: null, unit: 2 })),
    ),
  ],
  [
    'one person refunds more than the rule allows',
    'no one gives more than the rule allows without another person',
    withAfterSale({ refunds: [refund, small, { ...small, number: 3, reference: 'another', at: 2_000 }] }),
  ],
  [
    'one person replaces a replacement beyond the rule',
    'no one gives more than the rule allows without another person',
    withAfterSale({ replacements: [replacement, { ...replacement, id: 9, orderId: 8, unit: 1, amount: '0' }] }),
  ],
  [
    'one person lowers a rate in steps',
    noFraud,
    withPrices(rate({ before: '1', after: '0.85' }), rate({ before: '0.85', after: '0.75' })),
  ],
  ['one person removes a rate', noFraud, withPrices(rate({ before: '1', after: null }))],
  ['one person raises a rate', noFraud, withPrices(rate({ before: '1', after: '1.3' }))],
  [
    'one person makes a product redeemable',
    noFraud,
    withPrices({ ...rate({ before: '1', after: '2' }), of: 'redeemable/voucher_product/9' }),
  ],
  [
    'one person sells what has a SKU at another amount, also by another product',
    noFraud,
    withPrices(
      { ...rate({ after: '50', isGiven: true }), of: 'amount of simulator A' },
      { ...rate({ after: '5' }), of: 'amount of simulator A' },
    ),
  ],
  [
    'one person sells a top-up as a card, by a source of the card',
    noFraud,
    withPrices(
      { ...rate({ after: '1', isGiven: true }), of: 'family of simulator A' },
      { ...rate({ after: '2' }), of: 'family of simulator A' },
    ),
  ],
  [
    'one person lowers the first price of a product',
    noFraud,
    withPrices(
      { ...rate({ before: '1', after: '0.81' }), of: 'price of product 9' },
      { ...rate({ before: '0.81', after: '0.66' }), of: 'price of product 9' },
    ),
  ],
  ['one person splits a discount', noFraud, withPrices(discount('0.81'), discount('0.65', '0.81'))],
  [
    'an amount of a unit is refunded, then the unit',
    noFraud,
    withAfterSale({
      refunds: [
        { ...refund, amount: '6', units: null, unit: null },
        small,
        { ...refund, number: 3, reference: 'again', operator: 'Cleo', approver: null },
      ],
    }),
  ],
  [
    'a refund is repeated with its reference spelled differently',
    noFraud,
    withAfterSale({
      refunds: [refund, small, { ...small, number: 3, reference: 'SMA\uff2cL\u200b', amount: '1', operator: 'Cleo' }],
    }),
  ],
  [
    'a person approves an own refund',
    'no one gives more than the rule allows without another person',
    withAfterSale({ refunds: [{ ...refund, approver: 'Ada' }], proposals: [{ ...proposal, decidedBy: 'Ada' }] }),
  ],
  [
    'an approved refund is not carried out',
    'what another person approves is carried out once, and nothing else',
    withAfterSale({ proposals: [proposal, { ...proposal, id: 4, reference: 'another' }] }),
  ],
  [
    'a refund is approved twice',
    'what another person approves is carried out once, and nothing else',
    withAfterSale({ proposals: [proposal, { ...proposal, id: 4 }] }),
  ],
  [
    'a rejected refund is carried out as if it were approved',
    'what another person approves is carried out once, and nothing else',
    withAfterSale({ proposals: [{ ...proposal, state: 'REJECTED' }] }),
  ],
  [
    'a refund names an approver who did not approve it',
    'what another person approves is carried out once, and nothing else',
    withAfterSale({ proposals: [{ ...proposal, decidedBy: 'Cleo' }] }),
  ],
  [
    'a wallet holds too much',
    'every balance equals funds plus credits minus debits',
    { ...sound, balances: new Map([['client', new Decimal(972)]]) },
  ],
  ['two orders show a code', 'no code is shown twice', withOrder({ ...failed, codes: ['a'] })],
  ['a funding request is credited twice', creditedOnce, withFunding('CREDITED', '5.00', 2)],
  ['an inexact transfer is credited', creditedOnce, withFunding('CREDITED', '4.99', 1)],
  ['a transfer that arrived is not credited', creditedOnce, withFunding('PENDING', '5.00', 0)],
  ['more is credited than the bank booked', asBooked, withFunding('CREDITED', '5.00', 2)],
  ['a booking has no entry', asBooked, withoutEntries(withFunding('PENDING', '5.00', 0))],
  ['a month is closed twice', 'a month is closed once', { ...sound, money: { ...sound.money, closes: 2 } }],
  ['a recharge shows another ICCID', rechargesOnce, withRecharge({ iccid: '8944000000000000002' })],
  ['a recharge without goods shows an ICCID', rechargesOnce, withRecharge({ status: 'PENDING', listed: open.listed })],
  ['a recharge is bought elsewhere', rechargesOnce, withRecharge({ sales: [sale('airalo', '0001')] })],
  ["the first order of a recharge is another client's", rechargesOnce, withRecharge({}, { client: 'another' })],
  [
    'an event does not arrive',
    'every event arrives, verified and in order',
    withUser({ receiver: { ...user.receiver, taken: new Set(['1', '2', '3', '4', '6']) } }),
  ],
  [
    'events of an order arrive out of order',
    'every event arrives, verified and in order',
    withUser({ receiver: { ...user.receiver, taken: new Set(['2', '1', '3', '4', '5', '6']) } }),
  ],
  [
    'a delivery does not verify',
    'every event arrives, verified and in order',
    withUser({ receiver: { ...user.receiver, unverified: 1 } }),
  ],
  [
    'an order has two final events',
    'every finished order has exactly one final event',
    withOrder({ ...delivered, events: [...delivered.events, event('6', 'order.delivered')] }),
  ],
  [
    'an open order has a final event',
    'every finished order has exactly one final event',
    withOrder({ ...open, events: [event('6', 'order.failed')] }),
  ],
  ['a mail is missing', 'every requested mail is sent once', { ...sound, mails: [] }],
  [
    'two different mails are sent',
    'every requested mail is sent once',
    { ...sound, mails: [...sound.mails, { to: 'a@b.example', messageId: 'm-2' }] },
  ],
  [
    'an ended order shows a recipient that its client has erased',
    'no ended order shows an erased recipient',
    withOrder({ ...delivered, isErased: true }),
  ],
  [
    'an eSIM expired that still has data and days',
    'no eSIM expires because of a wrong supplier clock',
    withOrder({ ...delivered, isExpired: true }),
  ],
  ...['', 'a\u200bb', 'a\u202eb', 'a\ufffd', 'a\u0000', 'A'.repeat(4_097)].map((code): [string, string, Facts] => [
    `a code is ${JSON.stringify(code.slice(0, 8))}`,
    'every code can be used',
    withOrder({ ...delivered, codes: [code, 'b'] }),
  ]),
  [
    'most order requests were rejected',
    'most order requests are placed',
    { ...sound, attempts: Array.from({ length: 8 }, (_, index) => attempt(`ref-${index + 1}`, { status: 503 })) },
  ],
])('When %s, then exactly that guarantee is broken', (_what, guarantee, facts) => {
  expect(brokenGuarantees(facts).map((broken) => broken.guarantee)).toContain(guarantee);
});
