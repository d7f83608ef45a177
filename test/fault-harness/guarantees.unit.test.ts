/** Each promise of the harness turns red where it is broken, and only then. */
import { Decimal } from 'decimal.js';
import type { Facts, OrderFact } from '../../dev/faults/guarantees/facts';
import { brokenGuarantees } from '../../dev/faults/guarantees/guarantees';
import type { ApiUser, Attempt } from '../../dev/faults/actors/client';
import type { OrderView } from '../../dev/faults/actors/api';

const delivered: OrderFact = {
  id: 1,
  family: 'VOUCHER',
  client: 'client',
  reference: 'ref-1',
  status: 'DELIVERED',
  quantity: 2,
  codes: ['a', 'b'],
  readable: 2,
  debited: new Decimal(20),
  credited: new Decimal(0),
  debits: 1,
  redeemed: 0,
  sold: 2,
  listed: [],
  isExpired: false,
  events: [event('1', 'wallet.debited'), event('2', 'order.delivered')],
};
/** One of three was delivered. */
const failed: OrderFact = {
  ...delivered,
  id: 2,
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
/** Paid with a voucher that was worth 25. */
const redeemed: OrderFact = {
  ...delivered,
  id: 3,
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
  ...delivered,
  id: 4,
  reference: 'ref-4',
  status: 'PENDING',
  codes: [],
  readable: 0,
  sold: 0,
  listed: [{ order_id: 4, kind: 'OUTCOME_UNKNOWN', reason: 'Nobody knows' }],
  events: [],
};

function event(id: string, type: string) {
  return { id, type, data: {} };
}

function attempt(reference: string, special: Partial<Attempt> = {}): Attempt {
  return { family: 'VOUCHER', reference, status: 200, code: undefined, orderId: undefined, ...special };
}

const user = {
  name: 'client',
  wallet: { id: 1, currency: 'USD', funded: 1_000 },
  mailTo: new Map([[1, 'a@b.example']]),
  receiver: { taken: new Set(['1', '2', '3', '4', '5', '6']), unverified: 0, repeated: 1 },
} as unknown as ApiUser;

/** A world in which every promise is kept. */
const sound: Facts = {
  orders: [delivered, failed, redeemed, open],
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
  mails: [
    { to: 'a@b.example', messageId: 'm-1' },
    { to: 'a@b.example', messageId: 'm-1' },
  ],
  strays: [],
};

/** The sound world with one order changed. */
function withOrder(changed: OrderFact): Facts {
  return { ...sound, orders: sound.orders.map((order) => (order.id === changed.id ? changed : order)) };
}

function withUser(special: object): Facts {
  return { ...sound, users: [{ ...user, ...special } as unknown as ApiUser] };
}

test('When all is well, then no promise is broken', () => {
  expect(brokenGuarantees(sound)).toEqual([]);
});

const apart = [{ order_id: 2, kind: 'GOODS_APART', reason: '1 unit came late' }];

test('When goods of an order that failed are on the list, then no promise is broken', () => {
  expect(brokenGuarantees(withOrder({ ...failed, sold: 3, listed: apart }))).toEqual([]);
});

test.each<[what: string, promise: string, facts: Facts]>([
  [
    'a create is answered 500',
    'a create is answered with the order, a refusal, 503 or 504',
    { ...sound, attempts: [...sound.attempts, attempt('ref-7', { status: 500, code: 'INTERNAL_ERROR' })] },
  ],
  [
    'the order of a create answered 200 is missing',
    'a create answered 200 has its order, one answered 503 has none',
    { ...sound, attempts: [...sound.attempts, attempt('ref-7', { orderId: 7 })] },
  ],
  [
    'there is an order of a create answered 503',
    'a create answered 200 has its order, one answered 503 has none',
    {
      ...sound,
      attempts: [...sound.attempts.slice(1), attempt('ref-1', { status: 503, code: 'SERVICE_UNAVAILABLE' })],
    },
  ],
  [
    'a look-up does not find the order',
    'a create answered 200 has its order, one answered 503 has none',
    {
      ...sound,
      attempts: [...sound.attempts.slice(1), attempt('ref-1', { status: undefined })],
      lookedUp: new Map([...sound.lookedUp, ['ref-1', undefined]]),
    },
  ],
  [
    'an order stays open without a reason',
    'an order is not left open unless an operator is told why',
    withOrder({ ...open, listed: [] }),
  ],
  [
    'an order is bought twice',
    'nothing is bought twice without an operator being told',
    withOrder({ ...open, listed: [], sold: 4, status: 'DELIVERED', readable: 2, codes: ['d', 'e'] }),
  ],
  [
    'something is bought for no order',
    'nothing is bought twice without an operator being told',
    { ...sound, strays: [{ reference: 'order-9-x-0001', order_id: 9, units: 1 }] },
  ],
  [
    'goods come from nowhere',
    'nothing is delivered that was not bought',
    withOrder({ ...delivered, sold: 1 }),
  ],
  [
    'an order that failed was sold and nobody is told',
    'what was sold and not delivered is on the list',
    withOrder({ ...failed, sold: 3 }),
  ],
  ['an order is debited twice', 'what was paid is what is readable', withOrder({ ...delivered, debits: 2 })],
  [
    'an order is refunded and readable',
    'what was paid is what is readable',
    withOrder({ ...failed, readable: 3, sold: 3 }),
  ],
  [
    'an open order is refunded',
    'what was paid is what is readable',
    withOrder({ ...open, credited: new Decimal(20) }),
  ],
  [
    'a cancelled order shows goods',
    'what was paid is what is readable',
    withOrder({ ...failed, status: 'CANCELLED' }),
  ],
  [
    'a wallet holds too much',
    'wallets hold what was funded less what was kept',
    { ...sound, balances: new Map([['client', new Decimal(972)]]) },
  ],
  ['two orders show a code', 'no code is shown twice', withOrder({ ...failed, codes: ['a'] })],
  [
    'an event does not arrive',
    'every event arrives, verified and in order',
    withUser({ receiver: { ...user.receiver, taken: new Set(['1', '2', '3', '4', '6']) } }),
  ],
  [
    'events of an order arrive the wrong way round',
    'every event arrives, verified and in order',
    withUser({ receiver: { ...user.receiver, taken: new Set(['2', '1', '3', '4', '5', '6']) } }),
  ],
  [
    'a delivery does not verify',
    'every event arrives, verified and in order',
    withUser({ receiver: { ...user.receiver, unverified: 1 } }),
  ],
  [
    'an end is told twice',
    'every order that ended is told of once',
    withOrder({ ...delivered, events: [...delivered.events, event('6', 'order.delivered')] }),
  ],
  [
    'an order that is open is told of as ended',
    'every order that ended is told of once',
    withOrder({ ...open, events: [event('6', 'order.failed')] }),
  ],
  ['a mail is missing', 'one mail for each order that wants one', { ...sound, mails: [] }],
  [
    'two different mails are sent',
    'one mail for each order that wants one',
    { ...sound, mails: [...sound.mails, { to: 'a@b.example', messageId: 'm-2' }] },
  ],
  [
    'an eSIM ended that was not used up',
    'no eSIM ends because the clock of its supplier is wrong',
    withOrder({ ...delivered, isExpired: true }),
  ],
  ...['', 'a\u200bb', 'a\u202eb', 'a\ufffd', 'a\u0000', 'A'.repeat(4_097)].map(
    (code): [string, string, Facts] => [
      `a code is ${JSON.stringify(code.slice(0, 8))}`,
      'every code can be used',
      withOrder({ ...delivered, codes: [code, 'b'] }),
    ],
  ),
  [
    'most order requests were turned away',
    'most order requests are placed',
    {
      ...sound,
      attempts: Array.from({ length: 8 }, (_, index) => attempt(`ref-${index + 1}`, { status: 503 })),
    },
  ],
])('When %s, then that is said', (_what, promise, facts) => {
  expect(brokenGuarantees(facts).map((broken) => broken.guarantee)).toContain(promise);
});
