/** What pages offer: for each state of a subject, an operation is offered exactly if its preview and the operation itself are accepted. */
import { randomUUID } from 'node:crypto';
import { raiseAttention } from '../../../src/data/attention/attention';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { sentenceOf } from '../../../src/operators/operations/failure';
import { useClient, useDatabase } from '../../support/clients';
import { importProducts, voucherProduct } from '../../support/catalogue';
import { storeUnits } from '../../support/fulfilment';
import { createOrder, endOrder } from '../../support/ledger-orders';
import { newHolder, newKey, type Holder } from '../../../dev/testbed/ledger-rows';
import { storePerson, useOperatingPeople } from '../../support/operating-people';
import { ops } from '../../support/operator';
import { orderOf, place, reached } from '../../support/orders';
import { callOperation, serviceCaller, type ServiceCaller } from '../../support/service-accounts';
import { until } from '../../../dev/testbed/waiting';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import { newClaim } from '../../support/claims';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';

const { people, ada } = useOperatingPeople(scratch, { ada: 'admin', bob: 'finance' });
let product: number;
beforeAll(async () => {
  const card = voucherProduct('Card', { denominations: [{ min: '5', max: '500', discount: '2' }] });
  const categories = [{ name: card.category, subCategories: [] }];
  const made = await importProducts(database, { categories, voucherProducts: [card] });
  product = made.get(card.sku) as number;
});

/** What is known of a subject's arguments. */
type Known = Record<string, unknown>;
/** Makes a subject in one of its states. */
type Make = () => Promise<Known>;

const money = (balance: number) => async (): Promise<Holder> => newHolder(database, balance);
const run = async (operation: string, given: object) => (await ada.run(operation, { reason, ...given })).data;

const wallet = (balance: number, change?: string) => async () => {
  const { walletId } = await money(balance)();
  if (change !== undefined) await run(change, { wallet: walletId });
  return { wallet: walletId };
};
const client = (change?: string) => async () => {
  const { clientId } = await money(0)();
  if (change !== undefined) await run(change, { client: String(clientId) });
  return { client: String(clientId) };
};
const key = (change?: string) => async () => {
  const { apiKey } = await newKey(database, (await money(0)()).clientId);
  if (change !== undefined) await run(change, { api_key: apiKey });
  return { api_key: apiKey };
};

const admin = async () => {
  const { client: of } = await client()();
  const email = `${randomUUID()}@client.example`;
  await run('clients invite-admin', { client: of, email, name: 'Kim' });
  return { client: of, email };
};
const join = (email: string) => sql(database)`UPDATE members SET state = 'ACTIVE' WHERE email = ${email}`;
const member = (state: 'ACTIVE' | 'SUSPENDED', isAlone: boolean) => async () => {
  const invited = await admin();
  await join(invited.email);
  if (!isAlone) {
    const other = { ...invited, email: `${randomUUID()}@client.example` };
    await run('clients invite-admin', { ...other, name: 'Lou' });
    await join(other.email);
  }
  if (state === 'SUSPENDED') await run('members suspend', invited);
  return invited;
};

const person = (change?: string) => async () => {
  const name = randomUUID();
  await storePerson(scratch, name, 'support');
  const email = `${name}@people.example`;
  if (change !== undefined) await run(change, { email });
  return { email };
};
const account = (change?: string) => async () => {
  const name = randomUUID();
  const operation = 'ledger verify';
  await run('service-accounts create', { name, role: 'viewer', operations: operation, days: 1 });
  if (change !== undefined) await run(change, { name });
  return { name };
};

const entry = (kind: 'GOODS_APART' | 'OUTCOME_UNKNOWN', change?: string) => async () => {
  const { order } = await orderIn('DELIVERED')();
  await raiseAttention(database, { orderId: Number(order) }, kind, 'A reason');
  const { id } = await sql.one(database)<{ id: number }>`SELECT id FROM attention
       WHERE order_id = ${Number(order)} AND kind = ${kind}`;
  if (change === 'taken by Bob') await people.as('bob', 'support').run('attention take', { number: id });
  else if (change !== undefined) await run(change, { number: id });
  return { number: id };
};

const orderIn = (state: 'OPEN' | 'DELIVERED' | 'REFUNDED' | 'REFUND_DUE') => async () => {
  const holder = await money(1_000)();
  const { orderId } = await createOrder(database, holder, { productId: product, price: '9.99' });
  if (state === 'OPEN') return { order: orderId };
  if (state === 'REFUND_DUE')
    await rows(database, 'UPDATE wallets SET closed_at = now() WHERE id = $walletId', { ...holder });
  else await storeUnits(database, orderId, 1);
  await endOrder(database, orderId);
  if (state === 'REFUNDED') await run('orders refund', { order: orderId, ...refund, reference: 'earlier' });
  return { order: orderId };
};
const refund = { unit: 1, reason_code: 'INVALID_GOODS', reference: 'first' };

const claim = (change?: string, how?: string) => async () => {
  const { order } = await orderIn('DELIVERED')();
  const { clientId } = await sql.one(database)<{ clientId: number }>`SELECT client_id AS "clientId"
       FROM orders WHERE id = ${Number(order)}`;
  const id = await newClaim(database, { clientId, orderId: Number(order) });
  if (change !== undefined) await run(change, { claim: id, ...(how !== undefined && { how }) });
  return { claim: id };
};

const endpoint = (state: string) => async () => {
  const { clientId } = await money(0)();
  const made = await sql.first(database)<{ id: number }>`
    INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, paused, sealed_secret)
     VALUES (left(gen_random_uuid()::text, 12), ${clientId}, 'https://client.example/hooks', '', '{}', ${state !== 'disabled'}, ${state === 'paused'}, 'sealed')
     RETURNING id`;
  return { endpoint: made?.id };
};

/** The first rule needs a second admin, and no approval itself. */
async function setRule(): Promise<void> {
  await storePerson(scratch, 'eve', 'admin');
  await run('approval-rules set', { operation: 'fund', currency: 'USD', amount: '0', roles: 'admin' });
}
let rule: Promise<void> | undefined;
const proposal = (change?: string) => async () => {
  await (rule ??= setRule());
  const { walletId } = await money(0)();
  const bob = people.as('bob', 'finance');
  const proposed = await bob.run('wallets fund', { wallet: walletId, amount: '5', reference: randomUUID(), reason });
  if (change !== undefined) await run(change, { proposal: proposed.proposal });
  return { proposal: proposed.proposal };
};

const spendRule = async () => {
  await run('spend-rules set', { kind: 'per-hour', orders: 5, ...(await client()()) });
  const { id } = await sql.one(database)<{ id: number }>`SELECT max(id) AS id FROM spend_rules`;
  return { rule: id };
};
const gone = (name: string) => async () => ({ [name]: 999_999 });

/** The rest that a person gives, so that the call is complete. */
const given: Readonly<Record<string, object>> = {
  'wallets fund': { amount: '5' },
  'wallets adjust': { amount: '5' },
  'keys set': { label: 'Shop' },
  'orders refund': refund,
  'claims accept': { how: 'refund' },
  'claims credit': { credit: 'USD=1' },
  'attention note': { text: 'They call back' },
  'people set': { role: 'viewer' },
  'spend-rules set': {},
  'clients cap': { family: 'vouchers', count: 5 },
  'webhooks replay': { since: '1d' },
};

const subjects: readonly [operations: readonly string[], states: Readonly<Record<string, Make>>][] = [
  [
    ['wallets fund', 'wallets adjust', 'wallets make-default', 'wallets close', 'wallets reopen'],
    { empty: wallet(0), 'with money': wallet(10), closed: wallet(0, 'wallets close'), missing: gone('wallet') },
  ],
  [
    [
      'clients suspend',
      'clients resume',
      'clients close',
      'clients end-sessions',
      'clients cap',
      'clients set',
      'keys create',
      'keys revoke-all',
    ],
    {
      active: client(),
      suspended: client('clients suspend'),
      closed: client('clients close'),
      missing: async () => ({ client: '999999' }),
    },
  ],
  [
    ['keys set', 'keys roll', 'keys revoke'],
    { active: key(), revoked: key('keys revoke'), missing: async () => ({ api_key: 'none' }) },
  ],
  [
    ['members reinvite', 'members suspend', 'members resume', 'clients unlock-member', 'members remove'],
    {
      invited: admin,
      'the last admin': member('ACTIVE', true),
      'one of two admins': member('ACTIVE', false),
      suspended: member('SUSPENDED', false),
    },
  ],
  [
    [
      'people set',
      'people suspend',
      'people resume',
      'people unlock',
      'people remove-second-factor',
      'people withdraw',
    ],
    {
      active: person(),
      suspended: person('people suspend'),
      'the last admin': async () => ({ email: 'ada@people.example' }),
      missing: async () => ({ email: 'nobody@people.example' }),
    },
  ],
  [
    ['service-accounts revoke'],
    { active: account(), revoked: account('service-accounts revoke'), missing: async () => ({ name: 'none' }) },
  ],
  [['sessions end'], { missing: async () => ({ session: 'none' }) }],
  [
    ['attention take', 'attention release', 'attention note', 'attention settle'],
    {
      open: entry('GOODS_APART'),
      'that clears itself': entry('OUTCOME_UNKNOWN'),
      taken: entry('GOODS_APART', 'attention take'),
      'taken by another person': entry('GOODS_APART', 'taken by Bob'),
      settled: entry('GOODS_APART', 'attention settle'),
    },
  ],
  [
    ['orders refund'],
    {
      open: orderIn('OPEN'),
      delivered: orderIn('DELIVERED'),
      'refunded in full': orderIn('REFUNDED'),
      missing: gone('order'),
    },
  ],
  [
    ['claims send', 'claims accept', 'claims reject', 'claims credit'],
    {
      open: claim(),
      'at the supplier': claim('claims send'),
      accepted: claim('claims accept', 'refund'),
      rejected: claim('claims reject'),
      missing: gone('claim'),
    },
  ],
  [
    ['webhooks enable', 'webhooks disable', 'webhooks replay'],
    {
      working: endpoint('working'),
      paused: endpoint('paused'),
      disabled: endpoint('disabled'),
      missing: gone('endpoint'),
    },
  ],
  [['spend-rules remove'], { set: spendRule, missing: gone('rule') }],
  [
    ['approvals approve', 'approvals reject'],
    {
      pending: proposal(),
      approved: proposal('approvals approve'),
      rejected: proposal('approvals reject'),
      missing: gone('proposal'),
    },
  ],
];

/** The states of existing subjects in which each operation was rejected. */
const rejected: Record<string, string[]> = {};

/** Offers, previews and runs the operation on a new subject in the state. Returns what disagrees; undefined if all say the same. */
async function disagreement(name: string, state: string, make: Make): Promise<object | undefined> {
  const known = await make();
  const said = (promise: Promise<unknown>) => promise.then(() => undefined, sentenceOf);
  const isEntry = name === 'wallets fund' || name === 'wallets adjust';
  const complete = { ...known, ...given[name], ...(isEntry && { reference: randomUUID() }), reason };
  const obstacle = await ada.obstacle(name, known);
  const preview = await said(ada.preview(name, complete));
  const ran = await said(ada.run(name, complete));
  if (ran !== undefined && state !== 'missing') (rejected[name] ??= []).push(state);
  const isExpected = state !== 'missing' || ran !== undefined;
  const agree = (obstacle !== undefined) === (ran !== undefined) && preview === ran && isExpected;
  return agree ? undefined : { name, state, obstacle, preview, ran };
}

test.each(subjects)(
  'When %j are done with a subject in each of its states, then offer, preview and operation agree',
  async (names, states) => {
    const played = names.flatMap((name) =>
      Object.entries(states).map(([state, make]) => disagreement(name, state, make)),
    );
    expect((await Promise.all(played)).filter((one) => one !== undefined)).toEqual([]);
  },
);

describe('Orders', () => {
  const clients = useDatabase();
  const owner = useClient(clients, { USD: 1_000 });
  const states: Record<string, number> = {};
  let support: ServiceCaller;
  beforeAll(async () => {
    support = await serviceCaller('support');
    const placed = async (state: string, scenario: string, isIn: (id: number) => Promise<unknown>) => {
      const { id } = await place(owner.api, orderOf(scenario));
      await isIn(id);
      states[state] = id;
    };
    const isUnknown = (id: number) =>
      until(`order ${id} on the list`, async () => {
        const listed = await ops`orders attention`;
        return listed.some(({ order_id: order }) => order === id);
      });
    await Promise.all([
      placed('unknown outcome', 'voucher_needs_operator', isUnknown),
      placed('under review', 'voucher_held', (id) => reached(owner.api, id, 'PENDING')),
      placed('delivered', 'voucher_instant', (id) => reached(owner.api, id, 'DELIVERED')),
      placed('failed', 'voucher_out_of_stock', (id) => reached(owner.api, id, 'FAILED')),
    ]);
  });

  const decide = (decision: string) => ['orders resolve', { decision }] as const;
  const calls = [
    ['orders release', {}],
    ['orders retry', {}],
    ['orders cancel', {}],
    ...['ask-again', 'not-bought', 'delivered', 'elsewhere', 'unusable'].map(decide),
    ['orders refund', {}],
    ['mail resend', {}],
    ['esims poll', {}],
    ['orders reveal', {}],
  ] as const;
  const goods = { name: 'goods.json', text: JSON.stringify([{ card_number: `BY-HAND-${randomUUID()}` }]) };

  test.each<[string, string[]]>([
    ['unknown outcome', ['orders retry', 'orders resolve: ask-again, not-bought, delivered']],
    ['under review', ['orders release', 'orders cancel']],
    ['delivered', ['orders refund']],
    ['failed', []],
  ])(
    'When an order is %s, then its story offers exactly what its preview and the operation accept',
    async (state, expected) => {
      const order = states[state] as number;
      const { body } = await callOperation(support.token, 'orders story', { order });
      const { actions } = body['result'] as { actions: { operation: string; choices: Record<string, string[]> }[] };
      const offered = actions.map(({ operation, choices }) =>
        [operation, choices['decision']?.join(', ')].filter(Boolean).join(': '),
      );
      expect(offered).toEqual(expected);
      for (const [operation, more] of calls) {
        const decision = 'decision' in more ? more.decision : undefined;
        const action = actions.find((one) => one.operation === operation);
        const isOffered =
          action !== undefined && (decision === undefined || action.choices['decision']?.includes(decision));
        const call = {
          order,
          ...more,
          ...(decision === 'delivered' && { goods }),
          ...(operation === 'orders refund' && { unit: 1, reason_code: 'GOODWILL', reference: 'offers' }),
          ...(operation !== 'esims poll' && { reason }),
        };
        // Every open order can be looked up once more, also one that waits for no decision.
        if (decision === 'ask-again' && !isOffered) continue;
        const preview = await callOperation(support.token, operation, call, { preview: true });
        expect([operation, decision, preview.status, preview.body]).toEqual([
          operation,
          decision,
          isOffered ? 200 : 409,
          expect.anything(),
        ]);
        if (isOffered) continue;
        const done = await callOperation(support.token, operation, call);
        expect([done.status, done.body.error?.message]).toEqual([409, preview.body.error?.message]);
      }
    },
  );
});

test('When the state of a subject prevents an operation, then the operation is not offered', () => {
  const sorted = Object.entries(rejected).map(([name, states]) => [name, states.sort()]);
  expect(Object.fromEntries(sorted)).toEqual({
    'wallets fund': ['closed'],
    'wallets adjust': ['closed'],
    'wallets make-default': ['closed'],
    'wallets close': ['with money'],
    'keys set': ['revoked'],
    'keys roll': ['revoked'],
    'keys revoke': ['revoked'],
    'members reinvite': ['one of two admins', 'suspended', 'the last admin'],
    'members suspend': ['invited', 'the last admin'],
    'members resume': ['invited'],
    'members remove': ['the last admin'],
    'people set': ['the last admin'],
    'people suspend': ['the last admin'],
    'people withdraw': ['active', 'suspended', 'the last admin'],
    'service-accounts revoke': ['revoked'],
    'attention take': ['settled', 'taken by another person'],
    'attention release': ['open', 'settled', 'that clears itself'],
    'attention note': ['settled'],
    'attention settle': ['settled', 'that clears itself'],
    'orders refund': ['open', 'refunded in full'],
    'claims send': ['accepted', 'rejected'],
    'claims accept': ['accepted', 'rejected'],
    'claims reject': ['accepted', 'rejected'],
    'webhooks replay': ['disabled'],
    'approvals approve': ['approved', 'rejected'],
    'approvals reject': ['approved', 'rejected'],
  });
});
