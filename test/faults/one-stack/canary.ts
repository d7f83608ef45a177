/**
 * Searches everything that the service writes for secrets of orders, clients and keys. The supplier repeats every
 * request in its responses, and spans are exported. docs/decisions/0031-seal-raw-supplier-responses.md.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callControl } from '../../../dev/stack/controls';
import type { Modes } from '../../../dev/simulator/modes';
import { rows, type Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient, type OwnClient } from '../../support/clients';
import { kindsIn, type Finding, type Marker } from '../../support/markers';
import { callCodec, printedBy } from '../../support/operator';
import { callOperation, serviceCaller } from '../../support/service-accounts';
import { orderOf, ordersPath, type Voucher } from '../../support/orders';
import { ready } from '../../support/own-stack';
import { Receiver } from '../../support/receiver';
import { ApiClient, type Json, type Resource } from '../../support/stack';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';
import { esimOrders, topupOrders } from '../../support/variant-orders';
import { until } from '../../../dev/testbed/waiting';
import { testTraces, type Traced } from '../../tracing/traces';
import { serviceTemporalClient } from '../../../dev/testbed/temporal-clients';
import { workflowOf } from '../../support/workflows';

/** The supplier's behaviour in each round, and the final status of its orders. */
const rounds: Record<string, { modes: Modes; ends: string }> = {
  // Slow enough to attach an address before the order ends.
  well: { modes: { delay_ms: { purchase: 1_000 } }, ends: 'DELIVERED' },
  refused: { modes: { echo: { on: ['purchase'], status: 422 } }, ends: 'FAILED' },
  busy: { modes: { echo: { on: ['purchase'], status: 503, calls: 2 } }, ends: 'DELIVERED' },
  broken: {
    modes: { echo: { on: ['purchase', 'lookup'], status: 503, calls: 3 }, half_json: ['purchase', 'lookup'] },
    ends: 'PENDING',
  },
};

/** The collections of the families. */
const families = [ordersPath, topupOrders, esimOrders];

/** The places where a secret may appear, and the reasons. */
const allowed: readonly { kind: RegExp; place: RegExp; why: string }[] = [
  { kind: /^ICCID$/, place: /^webhook esim\./, why: 'the contract fills it in' },
  { kind: /^(card|claim URL|voucher reference|activation code)$/, place: /^mail$/, why: 'the mail delivers it' },
  { kind: /^(number|account|e-mail)$/, place: /^mail$/, why: 'the mail shows the ordered items' },
];

const markers: Marker[] = [];
const mark = (kind: string, value: string | null | undefined): void => {
  if (value && value.length >= 10) markers.push({ kind, value });
};

let database: Database;
let client: OwnClient;
let receiver: Receiver;
let topupProduct: number;
/** The number of ended orders with an address. */
let mailsDue = 0;

/** Marks all credentials of the client. */
async function markCredentials(): Promise<void> {
  mark('API secret', client.credentials.api_secret);
  const { api_url } = loadStack();
  const { body } = await new ApiClient(api_url).post<{ data: Record<string, string> }>('/auth/login', {
    username: client.credentials.api_key,
    password: client.credentials.api_secret,
  });
  mark('access token', body.data['access_token']);
  mark('refresh token', body.data['refresh_token']);
}

/** A receiver that fails once for each type of event, with a response body that must not be stored. */
async function newReceiver(): Promise<Receiver> {
  const listening = await Receiver.listen();
  const failed = new Set<string>();
  listening.answer = ({ type }) => {
    if (failed.has(type)) return 204;
    failed.add(type);
    return 500;
  };
  mark('receiver response', 'not for your eyes');
  const { body } = await client.api.post<{ secret: string }>('/api/v1/webhooks/endpoints', {
    url: listening.url,
    event_types: [
      'order.delivered',
      'order.failed',
      'topup.delivered',
      'topup.failed',
      'esim.delivered',
      'esim.failed',
      'esim.installed',
      'wallet.debited',
      'wallet.credited',
    ],
  });
  listening.secret = body.secret;
  mark('webhook secret', body.secret);
  return listening;
}

async function productNamed(name: string): Promise<number> {
  const { body } = await client.api.get<(Resource & { name: string })[]>('/api/v1/topups/products?per_page=100');
  return (body.find((product) => product.name === name) as Resource).id;
}

/** Places one order of each family while the supplier has this behaviour. */
async function play(round: string, modes: Modes, ends: string): Promise<void> {
  await behave(modes);
  const orders = await Promise.all(families.map((path) => placeAndAttach(path, `${round}-${families.indexOf(path)}`)));
  if (ends === 'PENDING') return;
  await Promise.all(orders.map(({ path, id }) => endOf(path, id, ends)));
  mailsDue += orders.filter(({ hasEmail }) => hasEmail).length;
}

function behave(modes: Modes): Promise<void> {
  return callControl(loadStack().simulator_url, 'PUT', 'behaviour', { modes });
}

interface PlacedOrder {
  path: string;
  id: number;
  /** Attaches an address. An instant order may be delivered before that. */
  hasEmail: boolean;
}

async function placeAndAttach(path: string, reference: string): Promise<PlacedOrder> {
  const created = client.api.post(path, { ...bodyFor(path), client_reference: reference });
  const id = await until(`the order ${reference}`, async () => {
    const { status, body } = await client.api.get<Resource[]>(`${path}?client_reference=${reference}`);
    return status === 200 ? body[0]?.id : undefined;
  });
  const hasEmail =
    path === ordersPath ||
    (await client.api.patch(`${path}/${id}/notification-email`, { email: newEmail() })).status === 200;
  await created;
  return { path, id, hasEmail };
}

function newEmail(): string {
  const email = `canary.${randomBytes(6).toString('hex')}@example.com`;
  mark('e-mail', email);
  return email;
}

function bodyFor(path: string): Json {
  if (path === ordersPath) return orderOf('voucher_instant', { email: newEmail() });
  if (path === esimOrders) return orderOf('esim_instant');
  // The last three digits of a number select a scenario. These digits select no scenario.
  const account = `84${randomInt(1e7, 1e8)}77`;
  const phone = `1202555${randomInt(1e3, 1e4)}`;
  mark('account', account);
  mark('number', phone);
  return {
    product_id: topupProduct,
    amount: 20,
    input_data: { account_number: account, meter_type: 'single', contact_phone: phone },
  };
}

/** Waits for the end of an order, and marks its goods. */
async function endOf(path: string, id: number, status: string): Promise<void> {
  const order = await until(
    `order ${id} ${status}`,
    async () => {
      const { body } = await client.api.get<Json & { status: string }>(`${path}/${id}`);
      return body.status === status ? body : undefined;
    },
    120,
  );
  for (const voucher of (order['vouchers'] ?? []) as Voucher[]) {
    mark('card', voucher.card_number);
    mark('claim URL', voucher.claim_url);
    mark('voucher reference', voucher.voucher_reference_number);
  }
  mark('activation code', order['activation_code'] as string | undefined);
  mark('ICCID', order['iccid'] as string | undefined);
}

/** Sends secrets in the wrong fields, as a mistaken client does. */
async function sendNonsense(): Promise<void> {
  const [password, number, token] = ['Pw', 'Nr', 'Tk'].map((kind) => `${kind}${randomBytes(9).toString('hex')}`);
  const { api_url } = loadStack();
  mark('wrong password', password);
  await new ApiClient(api_url).post('/auth/login', { username: client.credentials.api_key, password });
  mark('broken body', number);
  await client.api.send(ordersPath, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"email": "${number}`,
  });
  await client.api.get(`/api/v1/topups/mobile-lookup?number=${number}`);
  mark('wrong token', token);
  await client.api.get('/api/v1/wallets', { authorization: `Bearer ${token}` });
}

/** Waits until all webhooks and mails are sent. */
async function untilSettled(): Promise<void> {
  await until(
    'webhooks and mails',
    async () => {
      const waiting = await sql.first(database)<{ events: number; mails: number }>`
        SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE state = 'DUE') AS events,
                (SELECT count(*)::int FROM orders WHERE completed_at IS NOT NULL AND sealed_email IS NOT NULL
                    AND mailed_at IS NULL) AS mails`;
      return waiting?.events === 0 && waiting.mails === 0;
    },
    60,
  );
}

/** The secrets in places where they are not allowed. */
function leaks(place: string, text: string): Finding[] {
  return kindsIn(text, markers)
    .filter((kind) => !allowed.some((one) => one.kind.test(kind) && one.place.test(place)))
    .map((kind) => ({ kind, place }));
}

/** The files that the service or its servers write, except those that hold secrets by design. */
function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/(secrets|credentials|stack|pids|lock)\.json$|simulator\.jsonl|postgres\//.test(file));
}

/** Whether an order ended for this address. The contacts of clients get mails about their endpoints. */
const isToCustomer = ({ to }: { to: string }) => markers.some(({ value }) => value === to);

function base64(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64');
}

/** Registers the tests of this subject, on a started stack that exports its spans and that other subjects share. */
export function testCanary(started: () => Traced): void {
  beforeAll(async () => {
    ({ database } = started());
    await ready(started().stack);
    client = await newClient(database, { USD: 5_000 });
    await sql(database)`UPDATE clients SET codes_in_mail = true WHERE id = ${client.id}`;
    await markCredentials();
    receiver = await newReceiver();
    topupProduct = await productNamed('City Power Prepaid Electricity');
    for (const [round, { modes, ends }] of Object.entries(rounds)) await play(round, modes, ends);
    await sendNonsense();
    await untilSettled();
  });
  afterAll(async () => {
    receiver.close();
    await callControl(loadStack().simulator_url, 'DELETE', 'behaviour');
  });

  test('When the rounds are over, then a secret of every kind is known', () => {
    const kinds = [...new Set(markers.map(({ kind }) => kind))].sort();
    expect(kinds.join(', ')).toBe(
      'API secret, ICCID, access token, account, activation code, broken body, card, e-mail, number, ' +
        'receiver response, refresh token, voucher reference, webhook secret, wrong password, wrong token',
    );
  });

  test('When every column of every table is read, then no column has a secret in plain text', async () => {
    const tables = await sql(database)<{ name: string }>`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
        WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`;
    const found: Finding[] = [];
    for (const { name } of tables) {
      // Binary columns are printed as hexadecimal.
      const held = await rows<{ text: string }>(database, `SELECT to_jsonb(t)::text AS text FROM ${name} t`);
      found.push(...leaks(`table ${name}`, held.map(({ text }) => text).join('\n')));
    }
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['public.supplier_purchases', 'public.webhook_attempts', 'public.attention']),
    );
    expect(found).toEqual([]);
  });

  test("When Temporal's database and every log are read, then they contain no secret", () => {
    const files = filesOf(stackDirectory().path);
    const names = files.map((file) => file.replace(/.*\//, ''));
    expect(names).toEqual(
      expect.arrayContaining([
        'temporal.db',
        'temporal.db-wal',
        'api.log',
        'worker.log',
        'simulator.log',
        'temporal.log',
      ]),
    );
    const found = files.flatMap((file) => leaks(file.replace(/.*\//, ''), readFileSync(file, 'latin1')));
    expect(found).toEqual([]);
  });

  test('When the metrics are scraped, then they contain no secret', async () => {
    const metrics = await (await fetch(loadStack().metrics_url)).text();
    expect(metrics).toContain('temporal_');
    expect(leaks('metrics', metrics)).toEqual([]);
  });

  testTraces(started);

  test('When spans are exported, then they contain no secret', () => {
    const { collector } = started();
    expect(collector.spans().map(({ name }) => name)).toContain('simulator POST /purchases');
    expect(leaks('spans', collector.exported)).toEqual([]);
  });

  test('When webhooks arrive, then their bodies contain only the secrets of the contract', () => {
    expect(receiver.faults).toEqual([]);
    expect(receiver.types).toEqual(expect.arrayContaining(['order.delivered', 'topup.failed', 'esim.delivered']));
    expect(receiver.taken.flatMap(({ type, body }) => leaks(`webhook ${type}`, body))).toEqual([]);
  });

  test('When mails arrive, then each contains only the secrets of its own order', async () => {
    // A mail is sent after its order has ended.
    const mails = await until('the mails', async () => {
      const response = await fetch(`${loadStack().mailbox_url}/messages`);
      const caught = (await response.json()) as { to: string }[];
      return caught.filter(isToCustomer).length >= mailsDue ? caught : undefined;
    });
    expect(mailsDue).toBeGreaterThanOrEqual(6);
    for (const mail of mails) expect(leaks('mail', JSON.stringify(mail))).toEqual([]);
    for (const mail of mails.filter(isToCustomer)) {
      const text = JSON.stringify(mail);
      const addresses = markers.filter(({ kind, value }) => kind === 'e-mail' && text.includes(value));
      expect(addresses.map(({ value }) => value)).toEqual([mail.to]);
    }
  });

  test('When an activity fails, then Temporal stores the failure sealed, and operators read a safe message', async () => {
    const temporal = await serviceTemporalClient();
    try {
      const broken = await sql.first(database)<{ id: number }>`SELECT id FROM orders
           WHERE client_reference = 'broken-1'`;
      const workflow = await workflowOf(temporal, database, (broken as { id: number }).id);
      const { lastFailure } = await until('a failure of the activity', async () => {
        const { raw } = await workflow.describe();
        return raw.pendingActivities?.find((activity) => activity.lastFailure);
      });
      expect(lastFailure).toMatchObject({ message: 'Encoded failure', stackTrace: '' });
      const payload = lastFailure?.encodedAttributes;
      const asked = {
        metadata: Object.fromEntries(
          Object.entries(payload?.metadata ?? {}).map(([name, bytes]) => [name, base64(bytes)]),
        ),
        data: base64(payload?.data),
      };
      const answer = await callCodec('decode', [asked]);
      const { payloads } = (await answer.json()) as { payloads: [{ data: string }] };
      const shown = JSON.parse(Buffer.from(payloads[0].data, 'base64').toString()) as { message: string };
      expect(shown.message).toMatch(/^(simulator: (GET|POST) \/purchases: |The supplier does not know the reference)/);
      expect(leaks('failure', JSON.stringify(shown))).toEqual([]);
    } finally {
      await temporal.connection.close();
    }
  });

  test('When an operator shows an order, then the CLI opens the raw supplier response', async () => {
    const refused = await sql.first(database)<{ id: number }>`SELECT id FROM orders
         WHERE client_reference = 'refused-1'`;
    const printed = await printedBy(loadStack().database_url, '--json', 'orders', 'show', Number(refused?.id));
    const shown = JSON.parse(printed) as { supplier_said: { words: string }[] };
    const account = markers.filter(({ kind }) => kind === 'account')[1]?.value;
    expect(shown.supplier_said).toEqual([
      {
        reference: expect.stringMatching(/^order-/),
        at: expect.any(String),
        words: expect.stringContaining(String(account)),
      },
    ]);
    expect(JSON.stringify({ ...shown, supplier_said: [] })).not.toContain(account);
    const { token } = await serviceCaller('viewer');
    const { body } = await callOperation(token, 'orders show', { order: refused?.id });
    expect(body['result']).toMatchObject({ supplier_said: [] });
  });
}
