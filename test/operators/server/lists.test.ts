/** The lists of operators: filters, sequences, pages and files. docs/operators/api.md. */
import { randomUUID } from 'node:crypto';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { raiseAttention } from '../../../src/data/attention/attention';
import { jsonName, pathOf } from '../../../src/operators/operations/json-arguments';
import type { DataOperation } from '../../../src/operators/operations/operation';
import { operations } from '../../../src/operators/operations/operations';
import { newClient, newKey, useClient, useDatabase } from '../../support/clients';
import { ops } from '../../support/operator';
import { orderOf, place } from '../../support/orders';
import { Receiver, register } from '../../support/receiver';
import { callOperation, serviceCaller } from '../../support/service-accounts';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { useMade } from '../../support/made';

const database = useDatabase();
/** In the names of what this file creates. */
const mark = randomUUID().slice(0, 8);
const admin = useMade(() => serviceCaller('admin'));
const client = useClient(database, { USD: 1_000, EUR: 10, JPY: 100 });
const receiver = useMade(() => Receiver.listen(), 'close');
const order = useMade(() => place(client.api, orderOf('voucher_instant')));

beforeAll(async () => {
  for (let endpoint = 0; endpoint < 3; endpoint++) await register(client.api, receiver);
  await newKey(database, client.id, { label: `${mark} reader`, scopes: ['read'] });
  await newKey(database, client.id, { expiresAt: new Date(Date.now() - 60_000) });
  for (const role of ['viewer', 'support', 'support'])
    await ops`people invite ${randomUUID()}.${mark}@goods.example --name "Ann ${mark}" --role ${role}`;
  for (const name of ['Ann', 'Bob', 'Cleo'])
    await ops`clients invite-admin ${client.id} ${name}.${mark}@goods.example --name ${name}`;
  for (const [family, product] of [
    ['VOUCHER', 1],
    ['TOPUP', 1],
    ['TOPUP', 2],
  ])
    for (const table of ['client_discounts (discount_percent,', 'client_blacklist ('])
      await rows(
        database,
        `INSERT INTO ${table} client_id, family, product_id)
         VALUES (${table.includes('percent') ? '5, ' : ''}$client, $family, $product)`,
        { client: client.id, family, product },
      );
  for (const product of [1, 2, null])
    await sql(database)`INSERT INTO margin_rules (client_id, family, product_id, min_margin_percent)
         VALUES (${client.id}, 'TOPUP', ${product}, 1)`;
  for (const kind of ['sold-unknown', 'cost-differs', 'delivered-unsold'])
    await rows(
      database,
      `INSERT INTO statement_differences (supplier, reference, kind, detail, at, month, resolution, resolved_at, reason)
       SELECT $mark, 'a/b', $kind, 'It differs', now(), date_trunc('month', now(), 'UTC')::date, CASE WHEN reason IS NOT NULL THEN 'ACCEPTED' END,
              CASE WHEN reason IS NOT NULL THEN now() END, reason
         FROM (SELECT CASE WHEN $kind = 'cost-differs' THEN 'agreed' END) AS accepted (reason)`,
      { mark, kind },
    );
});

async function listed(name: string, args: object = {}): Promise<Json[]> {
  const { status, body } = await callOperation(admin.token, name, args);
  expect({ name, args, status, error: body.error }).toEqual({ name, args, status: 200, error: undefined });
  return body['result'] as Json[];
}

async function csvOf(name: string, args: object): Promise<{ status: number; lines: string[] }> {
  const response = await fetch(`${loadStack().ops_url}${pathOf({ name })}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin.token}`, Accept: 'text/csv', 'Content-Type': 'application/json' },
    body: JSON.stringify(args),
  });
  return { status: response.status, lines: (await response.text()).trim().split('\n') };
}

const isRead = (operation: (typeof operations)[number]): operation is DataOperation =>
  operation.effect === 'reads' && 'run' in operation;
const reading = operations.filter(isRead);

/** The arguments without which an operation cannot be called. */
function neededArguments({ name, arguments: described }: DataOperation): Json {
  const known: Json = {
    client: String(client.id),
    order: order.id,
    family: 'vouchers',
    product: 1,
    name: 'simulator',
    amount: '10',
    month: '2026-11',
    from: '1d',
    value: 'no such value',
    code: 'a code of no card',
    supplier: 'simulator',
  };
  return Object.fromEntries(
    Object.entries(described)
      .filter(([, { isRequired }]) => isRequired)
      .map(([argument]) => [jsonName(argument), known[name === 'attention' ? '' : argument]]),
  );
}

/** Operations whose result is one object, so that there are no rows of it. */
const ofOneObject = [
  'clients overview',
  'catalogue export',
  'catalogue compare',
  'products show',
  'today',
  'orders show',
  'orders story',
  'orders refundable',
  'orders reveal',
  'reports day',
  'claims show',
  'approvals show',
];
/** They need an object or a file that this file does not create. */
const withoutObject = ['books parts', 'refunds show', 'esims show', 'routes explain', 'bank check', 'bank csv-check'];

test('When an operation reads rows, then its description names exactly their columns, in their sequence', async () => {
  const shown: Json = {};
  const described: Json = {};
  for (const operation of reading) {
    const { name, columns } = operation;
    if (ofOneObject.includes(name) || withoutObject.includes(name)) continue;
    const names = Object.keys(columns ?? {});
    const given = neededArguments(operation);
    const { status, lines } = await csvOf(name, given);
    const result: unknown = await listed(name, given);
    const found = (operation.rows?.(result) ?? (result as Json[])).map((row) => Object.keys(row).join());
    shown[name] = [status, lines[0], ...found];
    described[name] = [
      200,
      names.join(),
      ...found.map((keys) => names.filter((column) => keys.split(',').includes(column)).join()),
    ];
  }
  expect(shown).toEqual(described);
  expect(Object.keys(shown).length).toBeGreaterThan(30);
});

test.each(ofOneObject)('When %s has one object as its result, then it describes no columns', (name) => {
  expect(reading.find((operation) => operation.name === name)).not.toHaveProperty('columns');
});

test('When a list is empty, then its file has the header, and the flags of others are true or false', async () => {
  const none = await csvOf('wallets list', { client: String(client.id), currency: 'KWD' });
  expect(none.lines).toEqual(['id,client_id,client,currency_code,balance,credit_limit,available,is_default,closed_at']);
  const { lines } = await csvOf('wallets list', { client: String(client.id), sort: 'balance' });
  expect(lines.slice(1).map((line) => line.split(',')[7])).toEqual(['false', 'false', 'true']);
});

test('When the document of the API describes a list, then its result has the columns with their types', async () => {
  const document = (await (
    await fetch(`${loadStack().ops_url}/ops/v1/openapi.json`, { headers: { Authorization: `Bearer ${admin.token}` } })
  ).json()) as { paths: Record<string, { post: { responses: Record<string, { content: Json }> } }> };
  const { content } = document.paths['/ops/v1/keys/list']?.post.responses['200'] ?? {};
  expect(content?.['application/json']).toMatchObject({
    schema: {
      properties: {
        result: {
          type: 'array',
          items: {
            properties: {
              id: { type: ['number', 'null'] },
              scopes: { type: ['array', 'null'] },
              created_at: { type: ['string', 'null'], format: 'date-time' },
            },
          },
        },
      },
    },
  });
});

const idOf = (row: Json) => String(row['id']);
const productOf = (row: Json) =>
  `${{ VOUCHER: 'vouchers', TOPUP: 'topups', ESIM: 'esim' }[String(row['family'])]}/${String(row['product_id'])}`;

/** Lists with pages, except sessions, which other tests begin and end: the conditions that select rows of this file, and what names a row. */
const paged: readonly [name: string, args: () => Json, nameOf?: (row: Json) => string][] = [
  ['people list', () => ({ search: mark }), ({ email }) => String(email)],
  ['service-accounts list', () => ({ search: mark })],
  ['clients members', () => ({ client: String(client.id) })],
  ['keys list', () => ({ client: String(client.id) })],
  ['webhooks list', () => ({ client: String(client.id) })],
  ['webhooks failing', () => ({ client: String(client.id) })],
  ['wallets list', () => ({ client: String(client.id) })],
  ['clients list', () => ({ search: mark })],
  ['discounts list', () => ({ client: String(client.id) }), productOf],
  ['blacklist list', () => ({ client: String(client.id) }), productOf],
  ['margins list', () => ({ client: String(client.id) })],
  ['reconcile differences', () => ({ supplier: mark }), ({ number }) => String(number)],
  ['attention', () => ({ supplier: mark })],
];

describe('When a list is read in pages,', () => {
  beforeAll(async () => {
    for (const number of [1, 2]) {
      const name = `night ${mark} ${number}`;
      await ops`service-accounts create ${name} --role viewer --days 1 --operations "wallets list"
        --networks ""`;
      const { id } = await newClient(database);
      await sql(database)`UPDATE clients SET name = ${name} WHERE id = ${id}`;
    }
    await sql(database)`UPDATE webhook_endpoints SET failing_since = now() - id * interval '1 minute'
         WHERE client_id = ${client.id}`;
    for (const subject of [{ supplier: mark }, { supplier: `${mark}2` }])
      await raiseAttention(database, subject, 'SUPPLIER_DOWN', 'It is down');
    await raiseAttention(database, { supplier: mark }, 'BALANCE_LOW', 'It is low');
  });

  test.each(paged)('then the pages of %s have each row once, in every sequence', async (name, args, nameOf = idOf) => {
    const { sort, after: behindOf } = reading.find((operation) => operation.name === name)?.arguments ?? {};
    const isNumber = behindOf?.kind?.schema.type === 'integer';
    const orders = (sort?.kind?.schema['enum'] as readonly string[] | undefined) ?? [undefined];
    for (const order of orders) {
      const given = { ...args(), ...(order !== undefined && { sort: order }) };
      const whole = (await listed(name, { ...given, limit: 1_000 })).map(nameOf);
      const seen: string[] = [];
      for (let after: string | undefined; ; after = seen.at(-1)) {
        const behind = after === undefined ? {} : { after: isNumber ? Number(after) : after };
        const page = await listed(name, { ...given, ...behind, limit: 1 });
        if (page.length === 0) break;
        seen.push(...page.map(nameOf));
        expect(seen.length).toBeLessThanOrEqual(whole.length);
      }
      expect([name, order, seen]).toEqual([name, order, whole]);
    }
  });
});

describe('When a list is filtered,', () => {
  const of = () => ({ client: String(client.id) });
  const namesOf = async (name: string, args: object, column: string) =>
    (await listed(name, args)).map((row) => row[column]);

  test('then people are those of the state, the role and the text', async () => {
    const states = await namesOf('people list', { state: 'INVITED', role: 'support', search: mark }, 'role');
    expect(states).toEqual(['support', 'support']);
    expect(await listed('people list', { state: 'ACTIVE', search: mark })).toEqual([]);
    expect(await listed('people list', { search: `ann ${mark}`, role: 'viewer' })).toMatchObject([
      { name: `Ann ${mark}`, state: 'INVITED', expires_at: expect.any(String) },
    ]);
  });

  test('then sessions are those of the kind', async () => {
    const kinds = await namesOf('sessions list', {}, 'kind');
    for (const kind of ['BROWSER', 'CLI'])
      expect(await namesOf('sessions list', { kind }, 'kind')).toEqual(kinds.filter((each) => each === kind));
  });

  test('then service accounts are those of the state, the role and the text', async () => {
    const { name } = await serviceCaller('finance');
    const found = { role: 'finance', search: name.toUpperCase() };
    expect(await namesOf('service-accounts list', { ...found, state: 'ACTIVE' }, 'name')).toEqual([name]);
    await ops`service-accounts revoke ${name}`;
    expect(await listed('service-accounts list', { ...found, state: 'ACTIVE' })).toEqual([]);
    expect(await namesOf('service-accounts list', { ...found, state: 'REVOKED' }, 'name')).toEqual([name]);
    expect(await listed('service-accounts list', { search: name, role: 'viewer' })).toEqual([]);
  });

  test('then keys are those of the client, the state, the scope and the text', async () => {
    expect(await listed('keys list', of())).toHaveLength(3);
    expect(await listed('keys list', { ...of(), state: 'ACTIVE' })).toHaveLength(2);
    expect(await listed('keys list', { ...of(), state: 'EXPIRED' })).toHaveLength(1);
    expect(await listed('keys list', { ...of(), state: 'ACTIVE', scope: 'wallets' })).toHaveLength(1);
    const [{ name } = {}] = await ops`clients show ${client.id}`;
    expect(await listed('keys list', { search: `${mark} READ` })).toMatchObject([
      { label: `${mark} reader`, scopes: ['read'], client_id: client.id, client: name },
    ]);
    const expiring = await namesOf('keys list', { ...of(), sort: 'expires' }, 'expires_at');
    expect(expiring).toEqual([expect.any(String), null, null]);
  });

  test('then members are those of the state, the role and the text', async () => {
    expect(await namesOf('clients members', { ...of(), search: 'bob' }, 'name')).toEqual(['Bob']);
    expect(await listed('clients members', { ...of(), state: 'INVITED', role: 'admin' })).toHaveLength(3);
    expect(await listed('clients members', { ...of(), state: 'ACTIVE' })).toEqual([]);
    expect(await listed('clients members', { ...of(), role: 'viewer' })).toEqual([]);
  });

  test('then sessions of a client are those of the key', async () => {
    await client.api.get('/api/v1/wallets');
    const key = client.credentials.api_key;
    expect(await namesOf('clients sessions', { ...of(), of: key }, 'of')).toContain(key);
    expect(await listed('clients sessions', { ...of(), of: 'other' })).toEqual([]);
  });

  test('then endpoints are those of the client, the state and the text', async () => {
    const [first, second, third] = await namesOf('webhooks list', of(), 'id');
    const set = (id: unknown, change: string) =>
      rows(database, `UPDATE webhook_endpoints SET ${change} WHERE id = $id`, { id });
    await set(first, 'paused = true');
    await set(second, 'failing_since = now()');
    await set(third, 'enabled = false, failing_since = NULL');
    const inState = (state: string) => namesOf('webhooks list', { ...of(), state }, 'id');
    expect([await inState('PAUSED'), await inState('FAILING'), await inState('DISABLED')]).toEqual([
      [first],
      [second],
      [third],
    ]);
    expect(await inState('WORKING')).toEqual([]);
    expect(await namesOf('webhooks failing', { ...of(), state: 'FAILING' }, 'id')).toEqual([second]);
    expect(await namesOf('webhooks failing', of(), 'id')).toEqual([first, second]);
    expect(await listed('webhooks list', { ...of(), search: 'HTTP' })).toHaveLength(3);
    expect(await listed('webhooks list', { ...of(), search: mark })).toEqual([]);
  });

  test('then products of a client and rules of margins are those of the family and the product', async () => {
    for (const name of ['discounts list', 'blacklist list', 'margins list']) {
      const found = await namesOf(name, { ...of(), family: 'topups', product: 1 }, 'product_id');
      expect([name, found]).toEqual([name, [1]]);
      expect(await listed(name, { ...of(), family: 'esim' })).toEqual([]);
    }
    expect(await namesOf('discounts list', of(), 'family')).toEqual(['TOPUP', 'TOPUP', 'VOUCHER']);
  });

  test('then differences are those of the kind and the month, open or accepted', async () => {
    const found = (args: object) => namesOf('reconcile differences', { supplier: mark, ...args }, 'kind');
    expect(await found({ kind: 'cost-differs' })).toEqual(['cost-differs']);
    expect(await found({ accepted: true })).toEqual(['cost-differs']);
    expect(await found({ accepted: false })).toEqual(['sold-unknown', 'delivered-unsold']);
    expect(await found({ open: true })).toEqual(['sold-unknown', 'delivered-unsold']);
    expect(await found({ month: '2020-01' })).toEqual([]);
  });

  test('then rates are those of the currency', async () => {
    const pairs = await listed('rates list', { currency: 'EUR' });
    expect(pairs.length).toBeGreaterThan(0);
    for (const { source, destination } of pairs) expect([source, destination]).toContain('EUR');
  });
});
