/** No reading operation shows a role what it may not see. docs/operators/operations.md#costs. */
import { clearAttention, raiseAttention } from '../../../src/data/attention/attention';
import { reportHigherCosts } from '../../../src/data/catalogue/reported-costs';
import { oneRow, rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { raiseReversal } from '../../../src/data/purchases/purchase-polls';
import { markedCosts } from '../../../src/data/schema/migrations/0045-marked-costs';
import { markedCost } from '../../../src/domain/cost-texts';
import type { Role } from '../../../src/domain/operators/roles';
import { changesOf, termsOf } from '../../../src/domain/prices/source-terms';
import { priceChangeText } from '../../../src/domain/prices/price-changes';
import { isObject } from '../../../src/domain/unknown-values';
import { sentenceOf } from '../../../src/operators/operations/failure';
import type { Operation } from '../../../src/operators/operations/operation';
import { operations } from '../../../src/operators/operations/operations';
import { importProducts, voucherProduct } from '../../support/catalogue';
import { storeUnits } from '../../support/fulfilment';
import { createOrder, deliveredOrder } from '../../support/ledger-orders';
import { newHolder, newKey } from '../../../dev/testbed/ledger-rows';
import { storePerson, useOperatingPeople } from '../../support/operating-people';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import { newClaim } from '../../support/claims';

const scratch = scratchDatabase();
const { database } = scratch;
const reason = 'Ticket 4711';

/** Costs and margins that occur nowhere else. */
const costs = {
  ofSource: '7101.73',
  feeOfSource: '7102.37',
  charged: '7103.91',
  ofPurchase: '7104.19',
  chosen: '7105.53',
  audited: '7106.21',
  feeAudited: '7107.33',
  proposed: '9108.47',
  offered: '7109.59',
  daily: '7110.61',
  inStatement: '7111.67',
  minMargin: '57.31',
  markup: '56.17',
} as const;

/** A text about an order, which only roles that may see recipients read. */
const text = 'They call back on +4915112345678';

const { people } = useOperatingPeople(scratch);
const ada = people.as('ada', 'admin');
/** Of reading operations that need them, or that show more with them. */
let given: Readonly<Record<string, object>>;

beforeAll(async () => {
  for (const [name, role] of [
    ['ada', 'admin'],
    ['fay', 'finance'],
    ['fox', 'finance'],
  ] as const)
    await storePerson(scratch, name, role);
  given = await planted();
});

/** Plants the values. Returns the arguments of the operations that read them. */
async function planted(): Promise<typeof given> {
  const card = voucherProduct('Card');
  const categories = [{ name: card.category, subCategories: [] }];
  const product = (await importProducts(database, { categories, voucherProducts: [card] })).get(card.sku);
  const holder = await newHolder(database, 100_000);
  const client = String(holder.clientId);
  await newKey(database, holder.clientId);
  const { id: item, sku } = await sql.one(database)<{ id: number; sku: string }>`SELECT item_id AS id, sku
       FROM product_sources WHERE family = 'VOUCHER'`;
  const source = { family: 'vouchers', item, supplier: 'simulator', sku };
  await ada.run('margins set', {
    family: 'vouchers',
    markup: costs.markup,
    min_margin: costs.minMargin,
    reason,
    force: true,
  });
  await ada.run('sources set', {
    ...source,
    cost: costs.audited,
    fee: costs.feeAudited,
    currency: 'USD',
    reason,
    force: true,
  });
  const reported = { costPercent: null, costFixed: costs.charged, fee: '0', costCurrency: 'USD' };
  await sql(database)`UPDATE product_sources
       SET cost_fixed = ${costs.ofSource}, fee = ${costs.feeOfSource}, reported_cost = ${JSON.stringify(reported)}::jsonb`;
  await reportHigherCosts(database, 'simulator');
  const order = await plantedOrder(holder, product);
  const claim = await newClaim(database, { clientId: holder.clientId, orderId: order });
  const offer = await plantedOffer();
  await sql(database)`WITH sold AS (INSERT INTO supplier_sales
       VALUES (now() - interval '1 hour', 'simulator', 'USD', ${costs.daily}, 0))
     INSERT INTO supplier_balances VALUES ('simulator', 'USD', 5, now())`;
  await rows(
    database,
    `INSERT INTO statement_differences (supplier, reference, kind, detail, at, month)
     VALUES ('simulator', 'a/b', 'cost-differs', $detail, now(), date_trunc('month', now(), 'UTC')::date)`,
    { detail: `a/b costs ${markedCost(`${costs.inStatement} USD`)}` },
  );
  await ada.run('approval-rules set', { operation: 'price', roles: 'finance', reason });
  const { proposal } = await ada.run('sources set', { ...source, cost: costs.proposed, reason, force: true });
  const address = { client, email: 'kim@client.example' };
  await ada.run('clients invite-admin', { ...address, name: 'Kim' });
  return {
    'orders show': { order },
    'orders story': { order },
    'orders refundable': { order },
    'orders reveal': { order, reason },
    'orders find': { client },
    'orders card': { code: 'a code of no card' },
    'claims show': { claim },
    'esims show': { order },
    search: { value: String(order) },
    'refunds show': { import: 1 },
    'refunds result': { import: 1 },
    'approvals show': { proposal },
    'clients show': { client },
    'clients overview': { client },
    'clients sessions': { client },
    'clients members': { client },
    'clients rate-limits': { client },
    'discounts list': { client },
    'blacklist list': { client },
    'keys list': { client },
    'wallets statement': { wallet: holder.walletId, from: '2026-01-01', to: '2026-01-02' },
    'catalogue export': { supplier: 'simulator' },
    'catalogue compare': { offer },
    'products show': { family: 'vouchers', product },
    'sources list': { family: 'vouchers', product },
    'routes explain': { family: 'vouchers', product, amount: '10', client },
    'suppliers show': { name: 'simulator' },
    'suppliers hit': { name: 'simulator', since: '2026-01-01' },
    'suppliers only': { name: 'simulator' },
    'books export': { month: '2026-10' },
    'books parts': { month: '2026-10', line: 1 },
    'approvals list': { state: 'pending' },
    'audit list': { limit: 1_000 },
    'reports margin': { month: '2026-11' },
    'reports sales': { from: '2026-01-01' },
    'reports parts': { from: '2026-01-01' },
    'reports spend': { from: '2026-01-01' },
    'webhooks list': { client },
  };
}

/** An order whose supplier reported a cost and reversed the purchase, with a note. */
async function plantedOrder(
  holder: Awaited<ReturnType<typeof newHolder>>,
  productId: number | undefined,
): Promise<number> {
  const orderId = await deliveredOrder(database, holder, { productId: productId ?? 0, price: '9000' });
  const { reference } = await oneRow<{ reference: string }>(
    database,
    `UPDATE supplier_purchases SET state = 'DELIVERED', cost = $cost, cost_currency = 'USD', cost_rate = 1, why = $why
      WHERE order_id = $orderId RETURNING reference`,
    { orderId, cost: costs.ofPurchase, why: `priority 1, cost ${markedCost(`${costs.chosen} USD`)}` },
  );
  await raiseReversal(database, reference);
  const [entry] = await sql(database)<{ id: number }>`SELECT id FROM attention WHERE order_id = ${orderId}`;
  await people.as('sue', 'support').run('attention note', { number: entry?.id, text });
  // One that is over: the story shows its reason.
  const reason = `Sold for ${markedCost(`${costs.ofPurchase} USD`)}`;
  await raiseAttention(database, { orderId }, 'GOODS_APART', reason);
  await clearAttention(database, { orderId }, ['GOODS_APART']);
  return orderId;
}

/** An offer whose change waits for a decision. */
async function plantedOffer(): Promise<number> {
  const offer = (fixed: string) => ({
    family: 'VOUCHER' as const,
    sku: 'OFFER',
    name: 'Offer',
    country: 'USA',
    currency: 'USD',
    amounts: { fixed: ['10'] },
    inputs: [],
    cost: { fixed, fee: '0', currency: 'USD' },
  });
  const held = changesOf(termsOf(offer('1')), termsOf(offer(costs.offered)))
    .map(priceChangeText)
    .join('; ');
  const { id } = await sql.one(database)<{ id: number }>`
    INSERT INTO supplier_offers (supplier, family, sku, terms, held, first_seen_at, last_seen_at, changed_at, sellable_at)
     VALUES ('simulator', 'VOUCHER', 'OFFER', ${JSON.stringify(offer(costs.offered))}::jsonb, ${held}, now(), now(), now(), now()) RETURNING id`;
  return id;
}

/** These find nothing in the planted data, and say so: a bank's file, an eSIM, an import, a closed month, a recipient, schedules of Temporal. */
const withoutSubject = [
  'bank check',
  'bank csv-check',
  'esims show',
  'refunds show',
  'refunds result',
  'books export',
  'books parts',
  'orders reveal',
  'maintenance list',
];

const reading = operations.filter(({ effect }) => effect === 'reads');

/** All that the operation gives: data, remarks, or the error. */
async function outputOf(name: string, role: Role, { name: operation, ...described }: Operation): Promise<unknown> {
  const who = people.as(name, role);
  const call = given[operation] ?? {};
  try {
    const data = 'parts' in described ? await who.read(operation, call) : (await who.run(operation, call)).data;
    return JSON.parse(JSON.stringify({ data, remarks: who.remarks })) as unknown;
  } catch (error) {
    return { error: sentenceOf(error) };
  }
}

/** The fields whose values differ, with the value of the first output. */
function differences(one: unknown, other: unknown, field = ''): { field: string; value: unknown; instead: unknown }[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((each: unknown, index) => differences(each, other[index], field));
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return names.flatMap((name) => differences(one[name], other[name], name));
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ field, value: one, instead: other }];
}

const plantedIn = (output: unknown) =>
  Object.entries(costs).flatMap(([name, value]) => ((JSON.stringify(output) ?? '').includes(value) ? [name] : []));

const costName =
  /cost|margin|markup|^(charged|earned|fee|currency_difference|spend|supplier_credits|orders_with_unknown_cost)$/i;

/** What a role reads in the place of a cost. */
const isLeftOut = (value: unknown) =>
  value === null ||
  (typeof value === 'string' && plantedIn(value).length === 0) ||
  (Array.isArray(value) && value.length === 0) ||
  JSON.stringify(value).includes('hidden');

/** The planted costs that finance has read. */
const seen = new Set<string>();

/** Whether support has nothing in the place of a cost. A proposed change of prices has no arguments either. */
const isExpected =
  (name: string) =>
  ({ field, value, instead }: ReturnType<typeof differences>[number]) =>
    field in others ||
    (name === 'approvals show' && instead === undefined) ||
    (isLeftOut(instead) && (costName.test(field) || plantedIn(value).length > 0));

/** Fields that differ between roles for another reason. */
const others: Readonly<Record<string, string>> = {
  actions: 'each role has operations of its own',
  action: 'each role has operations of its own',
  obstacle: 'each role has operations of its own',
  may_approve: 'each role approves what its rules name',
  hidden: 'says what is left out',
  remarks: 'say what waits for the role',
  age: 'the time between two reads',
  at: 'the time between two reads',
  to: 'the time between two reads',
};

describe('When a role reads by an operation', () => {
  test.each(reading.map((operation) => [operation.name, operation]))(
    'then %s shows it what others see, less what the role may not see',
    async (name, operation) => {
      const read = async (who: string, role: Role) =>
        operation.roles.includes(role) ? outputOf(who, role, operation) : undefined;
      const whole = await outputOf('ada', 'admin', operation);
      const error = isObject(whole) && 'error' in whole ? whole['error'] : undefined;
      expect(error).toEqual(withoutSubject.includes(name) ? expect.any(String) : undefined);
      const support = await read('sue', 'support');
      if (support !== undefined) {
        expect(plantedIn(support)).toEqual([]);
        expect(differences(whole, support).filter((one) => !isExpected(name)(one))).toEqual([]);
      }
      const [finance, viewer] = [await read('fay', 'finance'), await read('vic', 'viewer')];
      plantedIn(finance).forEach((cost) => seen.add(cost));
      expect(JSON.stringify([finance, viewer])).not.toContain(text);
      if (finance && viewer) expect(differences(finance, viewer).filter(({ field }) => !(field in others))).toEqual([]);
      if (name === 'orders story') expect(JSON.stringify(support)).toContain(text);
    },
  );

  test('then finance has seen each planted cost', () => {
    expect([...seen].toSorted()).toEqual(Object.keys(costs).toSorted());
  });
});

/** Sentences of before their costs were marked, each with a cost that occurs nowhere else. */
const oldReasons = [
  '1 of its units came late and are quarantined; they cost 8101.1 EUR (a-1)',
  'Order 7 (a-1) cost 8102.2 USD, and the client paid 10 USD for it. Order 8 (b-1) cost 8102.3 USD, and the client paid 10 USD for it',
  'The reported cost of order 7 (a-1) cannot be true and is not used: it is 8103.4 USD, far above the known cost',
  'The supplier charges more than the known cost (2): TOPUP item 1 (A): listed 8104.5 %, charged 8105.6 + 8106.7 USD. TOPUP item 2 (B): listed unknown, charged 8107.8. The charged cost counts',
  'The balance is 5 USD; lasts 2 days, because our daily costs are 8108.9; the threshold is 10',
  'TOPUP product 1 (A) of 10 is not sold to kim: A leaves -8109.1 % margin, the floor is 8110.2 %. TOPUP product 2 (B) of 10 is not sold to kim: B its cost is unknown, the floor is 8111.3 %',
  'A: old value 10, new value 9, difference -1 (-10 %), below the cost of 8112.4',
];
const oldHeld =
  'Cost: old value 8113.5, new value 8114.6, difference +1 (+1 %); Amount: old value 10, new value 20; Fee: old value none, new value 8115.7; The cost 8116.8 is above the list price 10';
const oldDetails = [
  'a-1 costs 8117.9 USD after the refund in the statement of simulator, and 8118.1 EUR by our purchase',
  'simulator reversed a-1 and has not refunded 2 units for 8119.2 USD',
];

test('When sentences were stored before their costs were marked, then support reads them without costs, and finance with them', async () => {
  const holder = await newHolder(database, 100_000);
  const { orderId: order } = await createOrder(database, holder, { productId: 0, price: '10' });
  await storeUnits(database, order, 1);
  await sql(database)`UPDATE supplier_purchases SET why = 'priority -1, cost 8120.3 USD, circuit open'
       WHERE order_id = ${order}`;
  for (const [index, text] of oldReasons.entries())
    await raiseAttention(database, { supplier: `old-${index}` }, 'BALANCE_LOW', text);
  await sql(database)`UPDATE supplier_offers SET held = ${oldHeld}`;
  for (const [number, detail] of oldDetails.entries())
    await sql(database)`INSERT INTO statement_differences (supplier, reference, kind, detail, at, month)
       VALUES ('old', ${number}::text, 'cost-differs', ${detail}, now(), date_trunc('month', now(), 'UTC')::date)`;
  // The second time, nothing is left to mark.
  const steps = markedCosts.sql.trim().split(';\n');
  for (const statement of [...steps, ...steps]) await rows(database, statement);
  const read = async (role: Role) => {
    const reader = people.as('kay', role);
    const calls = [
      ['attention', {}],
      ['catalogue review', {}],
      ['catalogue compare', given['catalogue compare']],
      ['reconcile differences', { supplier: 'old' }],
      ['orders show', { order }],
      ['orders story', { order }],
    ] as const;
    const outputs = [];
    for (const [name, call] of calls)
      if (operations.find((one) => one.name === name)?.roles.includes(role))
        outputs.push((await reader.run(name, call ?? {})).data);
    return JSON.stringify(outputs);
  };
  const planted = (text: string) => [...new Set(text.match(/8[12]\d\d\.\d/g))].toSorted();
  const all = planted([...oldReasons, oldHeld, ...oldDetails, '8120.3'].join());
  expect(all).toHaveLength(21);
  expect(planted(await read('support'))).toEqual([]);
  const whole = await read('finance');
  expect(planted(whole)).toEqual(all);
  expect(whole).toContain('Its cost is 8120.3 USD.');
  expect(whole).not.toMatch(/[\uE000\uE001]/);
});

test('When the texts of others have brackets, or marks in a document, then every role reads them whole', async () => {
  const holder = await newHolder(database, 100_000);
  // As no door lets it in.
  const remarks = 'a ⟦b⟧ ⟦c \uE000d';
  await sql(database)`SELECT
       FROM post_entry(${holder.walletId}, 'ADJUSTMENT', 'CREDIT', 1, NULL, 'Brackets', ${remarks}, NULL, NULL, NULL, NULL)`;
  const wallet = { wallet: holder.walletId, from: '2026-01-01' };
  await raiseAttention(database, { supplier: 'brackets' }, 'BALANCE_LOW', 'Call ⟦Kim⟧, or ⟦Lee');
  for (const role of ['support', 'finance'] as const) {
    const reader = people.as('kay', role);
    const lines = JSON.parse(await reader.read('wallets statement', wallet)) as object[];
    expect(lines).toContainEqual(expect.objectContaining({ remarks }));
    expect(JSON.stringify((await reader.run('attention')).data)).toContain('Call ⟦Kim⟧, or ⟦Lee');
  }
});
