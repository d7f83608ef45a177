/** What the pages of operators read: an order's story, the search, the day, lists and their export. */
import { firstRow, oneRow, rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { clearAttention, raiseAttention } from '../../../src/data/attention/attention';
import { newClient, useClient, useDatabase } from '../../support/clients';
import { ops } from '../../support/operator';
import { ended, orderOf, ordersPath, place, read, type VoucherOrder } from '../../support/orders';
import { callOperation, serviceCaller, type ServiceCaller } from '../../support/service-accounts';
import { newMark, voucherProduct } from '../../support/catalogue';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { accepted, topupOrders } from '../../support/variant-orders';
import { timeAt } from '../../../src/domain/time';

const database = useDatabase();
const email = `desk.${Date.now()}@customer.example`;
const client = useClient(database, { USD: 1_000 });
let order: VoucherOrder;
let support: ServiceCaller;
let viewer: ServiceCaller;

beforeAll(async () => {
  [support, viewer] = [await serviceCaller('support'), await serviceCaller('viewer')];
  order = await place(client.api, orderOf('voucher_instant', { client_reference: `desk-${client.id}`, email }));
  await ended(client.api, order.id);
  // The simulator reports no cost.
  await sql(database)`UPDATE supplier_purchases SET cost = 9, cost_currency = 'USD'
       WHERE order_id = ${order.id}`;
});

async function result<Result>({ token }: ServiceCaller, name: string, args: object = {}): Promise<Result> {
  const { status, body } = await callOperation(token, name, args);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body['result'] as Result;
}

interface Story {
  order: Json;
  waits_for: string | null;
  money: Json;
  hidden: string[];
  timeline: { kind: string; at: string; text: string; detail: string | null; by: string | null }[];
  actions: { operation: string; arguments: Json }[];
}

interface Priced {
  price_line: string;
  terms: { step: string; text: string; audit: Json | null }[];
  entries: Json[];
  debited: string;
  now: string;
}

test('When the story of an order is read, then it tells each step in time, the money, and what the role can do', async () => {
  const story = await result<Story>(viewer, 'orders story', { order: order.id });
  expect(story.order).toMatchObject({
    id: order.id,
    status: 'DELIVERED',
    workflow_id: expect.stringContaining('order-'),
  });
  const kinds = story.timeline.map(({ kind }) => kind);
  for (const kind of ['PLACED', 'LEDGER', 'PURCHASE_CREATED', 'PURCHASE_SENT', 'GOODS', 'EVENT', 'ENDED'])
    expect(kinds).toContain(kind);
  const times = story.timeline.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  expect(story.timeline.find(({ kind }) => kind === 'GOODS')?.text).toMatch(/^simulator delivered 1 x /);
  expect(story.money).toMatchObject({ currency: 'USD', refunded: '0.00', refund_due: null, cost: expect.any(String) });
  expect(story.money['debited']).toBe(story.money['kept']);
  expect(story.actions).toEqual([]);
  expect(JSON.stringify(story)).not.toContain(email);
});

test('When a client asks why it was charged an amount, then the story has each step, and who set its terms, whatever the settings are now', async () => {
  const own = await newClient(database, { DKK: 10_000 });
  const product = Number(orderOf('voucher_instant').product_id);
  await ops`rates set USD DKK 10.5 --force --reason "First rate"`;
  await ops`fees set USD DKK 1.5 --force --reason "First fee"`;
  await ops`discounts set ${own.id} vouchers ${product} 5 --reason Agreed`;
  const { id } = await place(own.api, orderOf('voucher_instant', { quantity: 3, wallet_id: own.wallets['DKK'] }));
  await ended(own.api, id);
  await ops`discounts set ${own.id} vouchers ${product} 4 --force --reason Less`;
  const moneyOf = async () => (await result<Story>(support, 'orders story', { order: id })).money as unknown as Priced;
  const { price_line: line, terms, entries, debited, now } = await moneyOf();
  expect(line).toBe(
    '3 x 10.00 USD = 30.00, less 1.50 (5 %) = 28.50 USD, x 10.5 = 299.25 DKK, fee 4.49 (1.5 %) = 303.74 DKK',
  );
  expect(debited).toBe('303.74');
  expect(entries).toMatchObject([{ kind: 'ORDER', amount: '-303.74', currency: 'DKK' }]);
  expect(now).toBe('With us: 303.74 DKK, for 3 of 3 units delivered.');
  expect(terms.map(({ text }) => text.replace(/set by \S+ on \S+\.$/, 'set'))).toEqual([
    'Discount of the client, 5 %: set',
    'Rate, 10.5: set',
    'Fee, 1.5 %: set',
  ]);
  // Each names the one entry that set it.
  const named = await Promise.all(terms.map(async ({ audit }) => result<Json[]>(viewer, 'audit list', audit ?? {})));
  expect(named).toMatchObject([[{ reason: 'Agreed' }], [{ reason: 'First rate' }], [{ reason: 'First fee' }]]);
  await sql(database)`UPDATE orders SET rate_file_day = '2026-11-27' WHERE id = ${id}`;
  expect((await moneyOf()).terms[1]?.text).toMatch(/^Rate, 10\.5: the feed, \d{4}-/);
  await sql(database)`UPDATE orders
       SET discount_percent = NULL, is_own_discount = NULL, fee_percent = NULL, rate_as_of = NULL, rate_file_day = NULL
       WHERE id = ${id}`;
  const older = await moneyOf();
  expect(older.price_line).toBe(
    '3 x 10.00 USD = 30.00, less 1.50 (percentage not recorded) = 28.50 USD, x 10.5 = 299.25 DKK, fee 4.49 (percentage not recorded) = 303.74 DKK',
  );
  expect(older.terms).toEqual([
    { step: 'DISCOUNT', text: 'Discount: the percentage is not recorded.', audit: null },
    { step: 'RATE', text: 'Rate, 10.5: who set it is not recorded.', audit: null },
    { step: 'FEE', text: 'Fee: the percentage is not recorded.', audit: null },
  ]);
});

test('When the denomination of an order was replaced, then the page of the order and the audit of the product still name who set its discount', async () => {
  const catalogue = await serviceCaller('catalogue');
  const card = voucherProduct(`${newMark()} card`);
  const importFrom = (min: string, reason: string) => {
    const voucherProducts = [{ ...card, denominations: [{ min, max: '500', discount: '3' }] }];
    const file = { name: 'card.json', text: JSON.stringify({ supplier: 'simulator', voucherProducts }) };
    return result(catalogue, 'catalogue import', { file, reason, force: true });
  };
  await importFrom('5', 'Agreed in June');
  const product = await sql.one(database)<{ id: number }>`
    SELECT id FROM voucher_products WHERE supplier_sku = ${card.sku}`;
  const { id } = await place(client.api, { product_id: product.id, denomination: 10, quantity: 1 });
  await importFrom('6', 'From 6 on');
  const { money } = await result<Story>(support, 'orders story', { order: id });
  const [discount] = (money as unknown as Priced).terms;
  expect(discount?.text).toMatch(/^Discount of the denomination, 3 %: set by .+ on /);
  expect(await result<Json[]>(viewer, 'audit list', discount?.audit ?? {})).toMatchObject([
    { reason: 'Agreed in June' },
  ]);
  const entries = await result<Json[]>(viewer, 'audit list', { family: 'vouchers', product: product.id });
  expect(new Set(entries.map(({ reason }) => reason))).toEqual(new Set(['Agreed in June', 'From 6 on']));
  expect(entries.map(({ action }) => action)).toContain('voucher_denomination.deleted');
});

test('When the audit of an order has a call that was copied from its history, then the story names the person', async () => {
  await rows(
    database,
    `INSERT INTO audit_entries (at, actor_kind, operator, command, source, action, object, after)
     VALUES (now(), 'OPERATOR', 'ops/Jane', 'terminate', $object, 'workflow.terminated', $object, '{}')`,
    { object: `order/${order.id}` },
  );
  const { timeline } = await result<Story>(viewer, 'orders story', { order: order.id });
  expect(timeline.filter(({ kind }) => kind === 'OPERATOR')).toMatchObject([
    { text: 'Workflow terminated by Jane.', by: 'Jane' },
  ]);
});

test('When orders end while their stories are read, then a story that waits for nothing has the end', async () => {
  const placed = await Promise.all(Array.from({ length: 6 }, () => place(client.api, orderOf('voucher_delayed'))));
  const lastStoryOf = async (id: number) => {
    for (;;) {
      const story = await result<Story>(viewer, 'orders story', { order: id });
      if (story.waits_for === null) return story;
    }
  };
  for (const { order: shown, timeline } of await Promise.all(placed.map(({ id }) => lastStoryOf(id)))) {
    expect(shown['status']).toBe('DELIVERED');
    expect(timeline.map(({ kind }) => kind)).toContain('ENDED');
  }
});

test('When support reads a story, then it offers the operations of the role, and hides what the order left', async () => {
  const story = await result<Story>(support, 'orders story', { order: order.id });
  expect(story.actions.map(({ operation, arguments: args }) => [operation, args])).toContainEqual([
    'mail resend',
    { order: order.id },
  ]);
  expect(story.money).toMatchObject({ cost: null, margin: null, debited: expect.stringMatching(/^\d+\.\d\d$/) });
  expect(story.hidden).toHaveLength(1);
  const pending = await place(client.api, orderOf('voucher_delayed'));
  const { waits_for: waits, actions } = await result<Story>(support, 'orders story', { order: pending.id });
  expect(waits).toMatch(/^Waits: .*supplier simulator/);
  expect(actions.map(({ operation }) => operation)).toEqual(['orders retry', 'orders cancel']);
});

test('When operators take, note, release and settle an entry about an order, then its story has each with the person and the text', async () => {
  const other = await serviceCaller('support');
  const { id } = await ended(client.api, (await place(client.api, orderOf('voucher_instant'))).id);
  const raised = async (reason: string) => {
    await raiseAttention(database, { orderId: id }, 'GOODS_APART', reason);
    const [entry] = await result<{ id: number }[]>(viewer, 'attention', { client: client.id });
    return { number: entry?.id };
  };
  const entry = await raised('2 units');
  await result(support, 'attention take', { ...entry, reason: 'Mine' });
  await result(support, 'attention note', { ...entry, text: 'They call back on Monday' });
  await result(support, 'attention note', { ...entry, text: 'Of another order' });
  await result(support, 'attention withdraw-note', entry);
  await result(other, 'attention release', { ...entry, reason: 'She is ill' });
  await result(other, 'attention take', entry);
  await result(other, 'attention settle', { ...entry, reason: 'Credit note 17' });
  await raised('3 units');
  await result(support, 'attention settle', { ...entry, reason: 'Credit note 18' });
  await raised('4 units');
  await clearAttention(database, { orderId: id }, ['GOODS_APART']);

  const notes = async (caller: typeof support) =>
    (await result<Json[]>(caller, 'audit list', { operator: support.name }))
      .filter(({ what }) => String(what).startsWith('Note added'))
      .map(({ changed }) => String(changed));
  expect(await notes(support)).toContainEqual(expect.stringContaining('Note: They call back on Monday'));
  expect(await notes(viewer)).toContainEqual(expect.stringContaining('Note: hidden'));

  const { timeline } = await result<Story>(support, 'orders story', { order: id });
  const steps = timeline.filter(({ kind }) => kind === 'ATTENTION');
  expect(steps.map(({ text, detail, by }) => [text, detail, by])).toEqual([
    ['Taken: goods apart.', 'Mine', support.name],
    ['Note about goods apart.', 'They call back on Monday', support.name],
    [`Released: goods apart, which ${support.name} had taken.`, 'She is ill', other.name],
    ['Taken: goods apart.', null, other.name],
    ['Needs no more attention: goods apart.', 'Credit note 17', other.name],
    ['Needs no more attention: goods apart.', 'Credit note 18', support.name],
    ['Needs attention: goods apart.', '4 units', null],
    ['Needs no more attention: goods apart.', null, null],
  ]);
});

test('When a person settles an entry about an order, then the story names the person at its end', async () => {
  const { id } = await ended(client.api, (await place(client.api, orderOf('voucher_instant'))).id);
  await raiseAttention(database, { orderId: id }, 'GOODS_APART', '1 unit');
  const [entry] = await result<{ id: number }[]>(viewer, 'attention', { client: client.id });
  await result(support, 'attention settle', { number: entry?.id, reason: 'Sold on' });
  const { timeline } = await result<Story>(support, 'orders story', { order: id });
  expect(timeline.filter(({ kind }) => kind === 'ATTENTION')).toMatchObject([
    { text: 'Needs attention: goods apart.', detail: '1 unit', by: null },
    { text: 'Needs no more attention: goods apart.', detail: 'Sold on', by: support.name },
  ]);
});

interface Found {
  found: { by: string; kind: string; id: number }[];
  not_searched: { by: string; why: string }[];
}

const search = (caller: ServiceCaller, value: unknown) => result<Found>(caller, 'search', { value: String(value) });

test('When support reveals the recipient of an order, then it gives a reason, and the audit has person and reason', async () => {
  const without = await callOperation(support.token, 'orders reveal', { order: order.id });
  expect([without.status, without.body.error?.message]).toEqual([400, expect.stringContaining('reason')]);
  const why = `asked by phone ${client.id}`;
  const args = { order: order.id, reason: why };
  expect(await result(support, 'orders reveal', args)).toEqual({ order: order.id, email, input: null, iccid: null });
  const topup = await accepted(client.api, topupOrders, orderOf('topup_instant'));
  const { phone_number: number } = orderOf('topup_instant')['input_data'] as { phone_number: string };
  expect(await result(support, 'orders reveal', { order: topup.id, reason: why })).toMatchObject({
    input: { phone_number: `+${number}` },
  });
  const other = await callOperation(viewer.token, 'orders reveal', args);
  expect([other.status, JSON.stringify(other.body)]).toEqual([403, expect.not.stringContaining(email)]);
  const entries = await result<Json[]>(support, 'audit list', { object: `order/${order.id}` });
  expect(entries.filter(({ action }) => action === 'recipient.revealed')).toMatchObject([
    { operator: support.name, reason: why, client_id: client.id },
  ]);
  expect(JSON.stringify(entries)).not.toContain(email);
});

test('When one value is searched, then whatever it names is found', async () => {
  const purchase = (await sql.first(database)<{ reference: string; id: string }>`
    SELECT reference, supplier_order_id AS id FROM supplier_purchases WHERE order_id = ${order.id}`) as {
    reference: string;
    id: string;
  };
  const { vouchers, transaction_id: transaction } = await read(client.api, order.id);
  const code = String(vouchers[0]?.card_number);
  const key = await sql.first(database)<{ key: string }>`SELECT api_key AS key FROM api_keys
       WHERE client_id = ${client.id}`;
  const { request_id: request } = (await sql.first(database)<{ request_id: string }>`SELECT request_id
       FROM order_reservations WHERE order_id = ${order.id}`) as { request_id: string };
  const values: [unknown, string, string, number][] = [
    [order.id, 'order id', 'order', order.id],
    [`Order-${order.id}`, 'order id', 'order', order.id],
    [purchase.reference.replace(/-[^-]*$/, ''), 'order id', 'order', order.id],
    [request, 'request id', 'order', order.id],
    [client.id, 'number', 'client', client.id],
    [`wallet ${client.wallets['USD']}`, 'number', 'wallet', Number(client.wallets['USD'])],
    [`desk-${client.id}`, 'client reference', 'order', order.id],
    [transaction, 'transaction', 'order', order.id],
    [purchase.reference, 'our reference', 'order', order.id],
    [purchase.id, "supplier's id", 'order', order.id],
    [email.toUpperCase(), 'e-mail address', 'order', order.id],
    [code, 'voucher code', 'order', order.id],
    [` ${code.toLowerCase()}`, 'voucher code', 'order', order.id],
    [code.replace(/(.{4})(?=.)/g, '$1-'), 'voucher code', 'order', order.id],
    [code.replace(/(.{5})/g, '$1 '), 'voucher code', 'order', order.id],
    [key?.key, 'API key', 'client', client.id],
  ];
  for (const [value, by, kind, id] of values)
    expect((await search(support, value)).found).toContainEqual(expect.objectContaining({ by, kind, id }));
});

test('When the id of an event, an endpoint, a product or a variant is searched, then it leads to where an operator sees it', async () => {
  const owner = await newClient(database);
  const event = await sql.one(database)<{ id: string; type: string }>`
    SELECT id, type FROM events WHERE order_id = ${order.id} ORDER BY sequence LIMIT 1`;
  const lone = await sql.one(database)<{ id: string; type: string }>`
    INSERT INTO events (client_id, type, data) VALUES (${owner.id}, 'catalogue.changed', '{}') RETURNING id, type`;
  const { body: endpoint } = await owner.api.post<Json>('/api/v1/webhooks/endpoints', {
    url: loadStack().simulator_url,
    enabled: false,
  });
  const topup = await sql.one(database)<{ id: number; product_id: number; name: string }>`
    SELECT variant.id, product_id, product.name || ', variant ' || variant.id || ': ' || variant.name AS name
      FROM topup_variants variant JOIN topup_products product ON product.id = product_id LIMIT 1`;
  const product = Number(orderOf('voucher_instant').product_id);
  const values: [unknown, object][] = [
    [event.id, { by: 'event id', kind: 'order', id: order.id, name: `event ${event.type}` }],
    [lone.id, { by: 'event id', kind: 'client', id: owner.id, name: `event ${lone.type}` }],
    [endpoint['id'], { by: 'number', kind: 'endpoint', id: endpoint['id'], name: endpoint['url'] }],
    [product, { by: 'number', kind: 'product', family: 'VOUCHER', id: product }],
    [topup.id, { kind: 'product', family: 'TOPUP', id: topup.product_id, name: topup.name }],
  ];
  for (const [value, hit] of values)
    expect((await search(viewer, value)).found).toContainEqual(expect.objectContaining(hit));
  expect((await search(viewer, `Endpoint ${String(endpoint['id'])}`)).found).toMatchObject([
    { kind: 'endpoint', client: { id: owner.id } },
  ]);
  expect((await search(viewer, `${event.id}0`)).found).toEqual([]);
});

test('When the code of a card is searched, then the hit names the card and where it stands, and nothing repeats the code', async () => {
  const { id } = await ended(client.api, (await place(client.api, orderOf('voucher_instant', { quantity: 3 }))).id);
  const { vouchers } = await read(client.api, id);
  const [first, second, third] = vouchers.map(({ card_number: number }) => String(number));
  const reference = `Ticket ${id}`;
  await result(support, 'orders refund', { order: id, unit: [2], reason_code: 'INVALID_GOODS', reference });
  const { body } = await client.api.post<{ id: number }>(`${ordersPath}/${id}/claims`, {
    kind: 'INVALID_CODE',
    unit: 3,
    text: 'It is used.',
  });
  const replaced = { claim: body.id, how: 'replace', reason: 'Agreed' };
  await result(support, 'claims accept', replaced);
  const states = [
    [first, 1, 'REFUNDABLE'],
    [second, 2, 'REFUNDED'],
    [third, 3, 'REPLACED'],
  ] as const;
  for (const [code, unit, state] of states) {
    const found = await search(support, code);
    expect(found.found).toMatchObject([{ by: 'voucher code', kind: 'order', id, unit, state }]);
    const cards = await result<Json[]>(support, 'orders card', { code });
    expect(cards).toMatchObject([{ order_id: id, unit, state }]);
    expect(JSON.stringify([found, cards])).not.toContain(code);
  }
  for (const value of [reference.toUpperCase(), `order-${id}-r1`, `refund 1 of order ${id}`])
    expect((await search(viewer, value)).found).toMatchObject([{ by: 'refund', id, name: 'refund 1' }]);
  expect((await search(viewer, `claim-${body.id}`)).found).toMatchObject([
    { by: 'number', kind: 'claim', id: body.id, state: 'ACCEPTED' },
  ]);
  expect((await search(viewer, 'SIMU')).found).toContainEqual(
    expect.objectContaining({ by: 'supplier', kind: 'supplier', name: 'simulator' }),
  );
  expect((await callOperation(viewer.token, 'orders card', { code: first })).status).toBe(403);
});

test('When the beginning of a value is searched in any case, then whatever it begins is found, a few of each kind as suggestions', async () => {
  const admin = await serviceCaller('admin');
  const mark = `zq${client.id}`;
  const rowOf = async (statement: string, binds: object = {}) =>
    (await firstRow<{ id: number }>(database, statement, { mark, ...binds }))?.id;
  const other = await rowOf(
    `INSERT INTO clients (name, contact_email) VALUES ('Big-' || upper($mark) || ' Ltd', 'a@client.example') RETURNING id`,
  );
  const member = await rowOf(
    `INSERT INTO members (client_id, email, name, role, invited_until) VALUES ($other, $mark || '@acme.example', 'Ann', 'viewer', now())
     RETURNING id`,
    { other },
  );
  const product = await rowOf(
    `INSERT INTO voucher_products (name, category_id, country_code, currency_code, supplier, supplier_sku)
     SELECT 'Card of ' || $mark || 'Games 5', category_id, country_code, currency_code, supplier, $mark FROM voucher_products LIMIT 1
     RETURNING id`,
  );
  const hits = async (value: string, suggest: boolean) =>
    (await result<Found>(admin, 'search', { value, suggest })).found;
  const values: [string, string, number | undefined][] = [
    [`#${order.id}`, 'order id', order.id],
    [`DESK-${client.id}`, 'client reference', order.id],
    [mark, 'client', other],
    [`ltd ${mark.toUpperCase()}`, 'client', other],
    [`${mark}gam`, 'product', product],
    [`${mark.toUpperCase()}@AC`, 'member', member],
  ];
  for (const [value, by, id] of values)
    for (const suggest of [true, false])
      expect(await hits(value, suggest)).toContainEqual(expect.objectContaining({ by, id }));
  for (const value of [`${client.id}desk-`, `${mark}games 6`, '&|!:*', "'"])
    expect(await hits(value, true)).toEqual([]);
  const many = await hits('#1', true);
  expect(many.filter(({ by }) => by === 'order id').length).toBeLessThanOrEqual(5);
});

test('When an admin searches for the address of an operator, then it is found; no other role finds it', async () => {
  const admin = await serviceCaller('admin');
  const people = await result<{ email: string }[]>(admin, 'people list');
  const email = String(people[0]?.email);
  const value = email.slice(0, email.indexOf('@') + 1).toUpperCase();
  const of = async (caller: ServiceCaller) => (await result<Found>(caller, 'search', { value, suggest: true })).found;
  expect(await of(admin)).toContainEqual(expect.objectContaining({ by: 'operator', name: email }));
  expect((await of(viewer)).filter(({ by }) => by === 'operator')).toEqual([]);
});

test('When a funding is searched by its reference, then the result has the wallet and its client', async () => {
  const finance = await serviceCaller('finance');
  const [wallet, reference] = [client.wallets['USD'], `desk-funding-${client.id}`];
  await result(finance, 'wallets fund', { wallet, amount: '1', reference });
  expect((await search(finance, reference)).found).toMatchObject([
    {
      by: 'transaction',
      kind: 'wallet',
      id: wallet,
      client: { id: client.id, name: expect.any(String), status: 'ACTIVE' },
    },
  ]);
});

test('When a phone number is searched, then its top-ups are found', async () => {
  const { id } = await accepted(client.api, topupOrders, orderOf('topup_instant'));
  const { phone_number: number } = orderOf('topup_instant')['input_data'] as { phone_number: string };
  expect((await search(support, `+${number}`)).found).toContainEqual(
    expect.objectContaining({ by: 'phone number', id }),
  );
});

test('When a viewer searches, then codes and recipients find nothing, and the result says why', async () => {
  const { vouchers } = await read(client.api, order.id);
  for (const value of [email, vouchers[0]?.card_number])
    expect(await search(viewer, value)).toEqual({
      found: [],
      not_searched: [{ by: 'recipients and voucher codes', why: expect.stringContaining('Your role reads no codes') }],
    });
  const { body } = await callOperation(viewer.token, 'orders find', { recipient: email });
  expect(body.error?.message).toContain('Your role reads no codes');
});

test('When a value is searched, then no audit entry has it', async () => {
  await search(support, email);
  const found = await sql(database)`SELECT FROM audit_entries e WHERE e::text LIKE '%' || ${email} || '%'`;
  expect(found).toEqual([]);
});

test('When the day is read, then it has orders, times and margins by family and supplier, and the state of suppliers', async () => {
  interface Day {
    families: Json[];
    suppliers: Json[];
    attention: Json;
    hidden: string[];
  }
  const day = await result<Day>(viewer, 'today');
  const vouchers = day.families.find(({ family }) => family === 'VOUCHER');
  expect(vouchers).toMatchObject({ median_seconds: expect.any(Number), delivered_percent: expect.any(Number) });
  expect(vouchers?.['money']).toContainEqual(
    expect.objectContaining({ currency: 'USD', sold: expect.any(String), margin: expect.any(String) }),
  );
  const simulator = day.suppliers.find(({ supplier }) => supplier === 'simulator');
  expect(simulator).toMatchObject({
    health: expect.any(String),
    orders: expect.any(Number),
    balances: expect.any(Array),
  });
  expect(simulator?.['spend']).not.toEqual([]);
  expect(vouchers?.['orders']).toBeGreaterThan(0);
  expect(day.hidden).toEqual([]);
  const hidden = await result<Day>(support, 'today');
  expect(hidden.hidden).toHaveLength(1);
  expect(
    hidden.families
      .flatMap(({ money }) => money as Json[])
      .flatMap(({ cost, margin, orders_with_unknown_cost: unknown }) => [cost, margin, unknown])
      .filter((shown) => shown !== null),
  ).toEqual([]);
});

/** Moves the times of an order. Returns its new end. */
async function movedBy(id: number, interval: string): Promise<Date> {
  const { at } = await oneRow<{ at: Date }>(
    database,
    `UPDATE orders SET placed_at = placed_at + $interval::interval, completed_at = completed_at + $interval::interval
      WHERE id = $id RETURNING completed_at AS at`,
    { id, interval },
  );
  return at;
}

test('When a day is read by hour, then its orders and spend stand beside those of the same hours a week before', async () => {
  interface Counts {
    hours: { hour: string; orders: number; failed: number }[];
    clients: { client_id: number; currency: string; orders: number; spent: string }[];
    suppliers: { supplier: string; p50: number; p95: number; hours: Json[] }[];
  }
  const own = await newClient(database, { USD: 100 });
  const [sold, before] = [
    await place(own.api, orderOf('voucher_instant')),
    await place(own.api, orderOf('voucher_instant')),
  ];
  for (const { id } of [sold, before]) await ended(own.api, id);
  const at = await movedBy(before.id, '-7 days');
  const day = await result<{ now: Counts; week_before: Counts }>(viewer, 'reports day');
  const spentIn = ({ clients }: Counts) =>
    clients.filter(({ client_id: id }) => id === own.id).map(({ orders, spent }) => [orders, spent]);
  const price = Number(sold.charged_amount).toFixed(2);
  expect([spentIn(day.now), spentIn(day.week_before)]).toEqual([[[1, price]], [[1, price]]]);
  const total = ({ hours }: Counts) => hours.reduce((sum, { orders }) => sum + orders, 0);
  expect(total(day.now)).toBeGreaterThan(1);
  const hourOfIt = timeAt(at.setUTCMinutes(0, 0, 0)).toISOString();
  expect(day.week_before.hours.find(({ hour }) => hour === hourOfIt)?.orders).toBeGreaterThan(0);
  expect(day.now.suppliers).toContainEqual(
    expect.objectContaining({ supplier: 'simulator', p50: expect.any(Number), p95: expect.any(Number) }),
  );
  const past = await result<{ now: Counts; week_before: Counts }>(viewer, 'reports day', {
    day: at.toISOString().slice(0, 10),
  });
  expect(spentIn(past.now)).toEqual([[1, price]]);
  expect(past.now.hours).toHaveLength(24);
  // The sums of its days count it where it was.
  await movedBy(before.id, '7 days');
});

test('When suppliers are read over a day or 30 days, then each step has results, times and, for who sees margins, the cost', async () => {
  interface Step {
    supplier: string;
    delivered: number;
    p50: number | null;
    cost_percent: number | null;
  }
  const lastOf = async (caller: ServiceCaller, over: string) =>
    (await result<Step[]>(caller, 'reports suppliers', { over, supplier: 'simulator' })).at(-1);
  const shown = { supplier: 'simulator', delivered: expect.any(Number), p50: expect.any(Number) };
  expect(await lastOf(viewer, 'month')).toMatchObject({ ...shown, cost_percent: expect.any(Number) });
  expect(await lastOf(support, 'month')).toMatchObject({ ...shown, cost_percent: null });
});

function asCsv(name: string, args: object): Promise<Response> {
  return fetch(`${loadStack().ops_url}/ops/v1/${name}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${viewer.token}`, Accept: 'text/csv', 'Content-Type': 'application/json' },
    body: JSON.stringify(args),
  });
}

test('When a list is asked for as CSV, then it has the same rows, and an object has none', async () => {
  const response = await asCsv('orders/find', { client: client.id, limit: 1, oldest_first: true });
  expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
  const [header, row] = (await response.text()).split('\n');
  expect(header).toMatch(/^id,client_id,client,client_reference,/);
  expect(row).toMatch(new RegExp(`^${order.id},${client.id},`));
  expect((await asCsv('orders/story', { order: order.id })).status).toBe(400);
});

test('When a list of several pages is asked for as CSV without a limit, then the file has every row once', async () => {
  const object = `desk/${Date.now()}`;
  // Rows of one transaction have the same time, so that only their ids tell where a page begins.
  await sql(database)`INSERT INTO audit_entries (at, actor_kind, operator, action, object, after)
     SELECT now(), 'OPERATOR', 'desk', 'desk.tested', ${object}, jsonb_build_object('n', n) FROM generate_series(1, 2100) n`;
  const numbersIn = async (args: object) => {
    const csv = await (await asCsv('audit/list', { object, ...args })).text();
    return [...csv.matchAll(/""n"":(\d+)/g)].map(([, n]) => Number(n));
  };
  const all = Array.from({ length: 2_100 }, (_, index) => 2_100 - index);
  expect(await numbersIn({})).toEqual(all);
  expect(await numbersIn({ limit: 3 })).toEqual(all.slice(0, 3));
});

test('When lists are read in pages, then the last id of a page begins the next one', async () => {
  const orders = (args: object) =>
    result<{ id: number }[]>(viewer, 'orders find', { client: client.id, limit: 1, ...args });
  const [newest] = await orders({});
  const [older] = await orders({ after: newest?.id });
  expect(Number(older?.id)).toBeLessThan(Number(newest?.id));
  const named = (args: object) => result<{ id: number; name: string }[]>(viewer, 'clients list', args);
  const [first, second] = await named({ sort: 'name', limit: 2 });
  expect(await named({ sort: 'name', limit: 1, after: first?.id })).toEqual([second]);
  const [entry, next] = await result<{ id: string }[]>(viewer, 'audit list', { limit: 2 });
  expect(await result(viewer, 'audit list', { limit: 1, after: entry?.id })).toEqual([next]);
  const wallets = await result<{ id: number }[]>(viewer, 'wallets list', { client: client.id, closed: false });
  expect(wallets).toHaveLength(1);
  expect(await result(viewer, 'wallets list', { client: client.id, after: wallets[0]?.id })).toEqual([]);
});

test('When a client is read, then the overview has its settings, keys, wallets, limits, prices and endpoints', async () => {
  const overview = await result<Json>(viewer, 'clients overview', { client: client.id });
  expect(overview).toMatchObject({
    id: client.id,
    account: [expect.objectContaining({ id: client.id, daily_caps: {} })],
    keys: [expect.objectContaining({ api_key: expect.any(String) })],
    wallets: [expect.objectContaining({ currency_code: 'USD' })],
    discounts: [],
    blacklist: [],
    endpoints: [],
    open_orders: expect.any(Number),
    attention: expect.any(Number),
  });
});

test('When sales are reported by day, then today has what the orders sold, cost and left, or that the cost is unknown', async () => {
  const report = async (of: number) =>
    (await result<Json[]>(viewer, 'reports sales', { from: '1d', client: of })).map(({ period, ...row }) => {
      expect(period).toMatch(/^\d{4}-\d\d-\d\d$/);
      return row;
    });
  expect(await report(client.id)).toContainEqual(
    expect.objectContaining({
      family: 'VOUCHER',
      currency: 'USD',
      cost: expect.stringMatching(/^[1-9]\d*\.\d\d$/),
      margin: expect.stringMatching(/^-?\d+\.\d\d$/),
    }),
  );
  const other = await newClient(database, { USD: 100 });
  const sold = await place(other.api, orderOf('voucher_instant'));
  await ended(other.api, sold.id);
  expect(await report(other.id)).toEqual([
    expect.objectContaining({ orders: 1, cost: null, margin: null, orders_with_unknown_cost: 1 }),
  ]);
});
