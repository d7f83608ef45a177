/** The metrics of API and worker, compared with docs/operators/metrics.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStoredMetrics } from '../../src/data/maintenance/metrics';
import { markMailed, reportUndeliverable } from '../../src/data/orders/order-mails';
import { findTarget, type Target } from '../../src/data/webhooks/deliveries';
import { markDisablingMailed, reportUndeliverableDisabling } from '../../src/data/webhooks/disabling-mails';
import { recordHealth } from '../../src/data/webhooks/endpoint-health';
import { setPaused } from '../../src/data/webhooks/operated-endpoints';
import { countLedger, postEntry } from '../../src/data/wallets/operated-entries';
import { Exact } from '../../src/domain/prices/money';
import { sql } from '../../dev/testbed/sql';
import { attentionKinds } from '../../src/domain/attention/attention-kinds';
import { healthy } from '../../src/domain/webhooks/delivery-rules';
import { ROOT } from '../../dev/stack/run-directory';
import { newClient, useClient, useDatabase } from '../support/clients';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { placedOrder } from '../support/placed-order';
import { scratchDatabase } from '../../dev/testbed/scratch-database';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Resource } from '../support/stack';
import { until } from '../../dev/testbed/waiting';

const page = readFileSync(join(ROOT, 'docs/operators/metrics.md'), 'utf8');
const database = useDatabase();
const client = useClient(database, { USD: 1_000 });

type Source = 'worker' | 'api';

async function scrape(source: Source): Promise<string> {
  const { metrics_url, api_metrics_url } = loadStack();
  const response = await fetch(source === 'api' ? api_metrics_url : metrics_url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return response.text();
}

/** The value of one series, or 0. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

/** The names of the service's metrics. */
function metricsIn(text: string): string[] {
  return [...text.matchAll(/^# TYPE (digital_goods_\w+) /gm)].map(([, name]) => name as string);
}

async function placed(name: string): Promise<Resource & { status: string; charged_amount: number }> {
  const scenario = loadStack().scenarios.find((one) => one.name === name);
  if (!scenario) throw new Error(`No scenario ${name}`);
  const answer = await client.api.post<Resource & { status: string; charged_amount: number }>(
    scenario.path,
    scenario.body,
  );
  expect(answer.status).toBe(200);
  return answer.body;
}

test('When the metrics page is read, then it names exactly the exported metrics', async () => {
  const named = [...page.matchAll(/^\| `(digital_goods_\w+)`/gm)].map(([, name]) => name as string);
  const exported = new Set([...metricsIn(await scrape('api')), ...metricsIn(await scrape('worker'))]);
  expect([...new Set(named)].sort()).toEqual([...exported].sort());
  expect(named).toHaveLength(exported.size);
});

test('When a kind has no entries, then its gauges are 0 instead of absent', async () => {
  await countLedger(database);
  const exported = await until('metrics with a currency', async () => {
    const text = await scrape('worker');
    return text.includes('digital_goods_attention_amount{') ? text : undefined;
  });
  for (const kind of attentionKinds) {
    expect(exported).toMatch(new RegExp(`^digital_goods_attention\\{kind="${kind}"\\} \\d+$`, 'm'));
    expect(exported).toMatch(new RegExp(`^digital_goods_attention_oldest_seconds\\{kind="${kind}"\\} [\\d.]+$`, 'm'));
    expect(exported).toMatch(new RegExp(`^digital_goods_attention_amount\\{kind="${kind}",currency="USD"\\} `, 'm'));
  }
  expect(exported).toMatch(/^digital_goods_oldest_unsent_purchase_seconds\{family="TOPUP"\} /m);
  expect(exported).toMatch(/^digital_goods_maintenance_overdue_seconds\{task="verifyLedger"\} 0$/m);
});

test('When the API listens for changes and has no Redis, then only the connection for changes is shown, as working', async () => {
  const shown = (await scrape('api')).split('\n').filter((line) => line.startsWith('digital_goods_connection_up'));
  expect(shown).toEqual(['digital_goods_connection_up{connection="changes"} 1']);
});

test('When requests are answered, then they are timed by route, and no label contains an id', async () => {
  const series = (route: string, status: string) =>
    `digital_goods_http_request_seconds_count{route="${route}",method="GET",status="${status}"}`;
  const before = await scrape('api');
  const order = await placed('voucher_instant');
  await client.api.get(`/api/v1/orders/${order.id}?x=secret`);
  await client.api.get(`/api/v1/orders/999999999`);
  const after = await scrape('api');
  const grown = (status: string) =>
    valueOf(after, series('/api/v1/orders/:id', status)) - valueOf(before, series('/api/v1/orders/:id', status));
  expect(grown('2xx')).toBeGreaterThanOrEqual(1);
  expect(grown('4xx')).toBeGreaterThanOrEqual(1);
  expect(after).not.toMatch(/route="[^"]*(\d{2}|\?)/);
});

test('When a path matches no route, then it is timed as such, and no label contains its text', async () => {
  await client.api.get('/nonsense/4711/of-a-stranger');
  const exported = await scrape('api');
  expect(exported).toMatch(/^digital_goods_http_request_seconds_count\{route="none",method="any",status="4xx"\}/m);
  expect(exported).not.toContain('stranger');
});

test('When a call is rejected, then the reason is counted', async () => {
  const series = 'digital_goods_http_refusals_total{reason="insufficientBalance"}';
  const before = valueOf(await scrape('api'), series);
  const poor = await newClient(database, { USD: 0.01 });
  const scenario = loadStack().scenarios.find(({ name }) => name === 'voucher_instant');
  await poor.api.post(scenario?.path ?? '', scenario?.body);
  expect(valueOf(await scrape('api'), series)).toBeGreaterThan(before);
});

test('When the public port is scraped, then it has no metrics', async () => {
  expect(await fetch(`${loadStack().api_url}/metrics`)).toMatchObject({ status: 404 });
});

test('When orders end, then they are counted by status and reason, with their supplier calls', async () => {
  const before = await scrape('worker');
  await placed('voucher_instant');
  expect((await placed('topup_reject_recipient_barred')).status).toBe('FAILED');
  const after = await scrape('worker');
  for (const series of [
    'digital_goods_orders_ended_total{family="VOUCHER",status="DELIVERED",failure_code=""}',
    'digital_goods_orders_ended_total{family="TOPUP",status="FAILED",failure_code="RECIPIENT_BARRED"}',
    'digital_goods_supplier_call_seconds_count{supplier="simulator",family="VOUCHER",call="purchase",outcome="answered"}',
  ]) {
    expect(valueOf(after, series)).toBeGreaterThan(valueOf(before, series));
  }
});

test('When money moves, then the ledger’s totals grow by it once, also after repeated counts', async () => {
  // No other test uses this currency.
  const currency = 'NZD';
  const series = `digital_goods_ledger_amount{kind="FUNDING",type="CREDIT",currency="${currency}"}`;
  const { wallets } = await newClient(database, { [currency]: 1_000 });
  const stored = async () => {
    const row = await sql.first(database)<{ amount: string }>`SELECT coalesce(sum(amount), 0) AS amount
         FROM ledger_totals WHERE kind = 'FUNDING' AND currency_code = ${currency}`;
    return Number(row?.amount);
  };
  await countLedger(database);
  const before = await stored();
  const walletId = wallets[currency] as number;
  const funding = { walletId, kind: 'FUNDING', type: 'CREDIT', reference: 'more', remarks: 'More' } as const;
  await postEntry(database, { ...funding, amount: new Exact('12.50') });
  await Promise.all([countLedger(database), countLedger(database), countLedger(database)]);
  await countLedger(database);
  expect(await stored()).toBe(before + 12.5);
  await until('the figure', async () => valueOf(await scrape('worker'), series) === before + 12.5, 20);
});

test('When clocks agree, then API and worker report it', async () => {
  for (const source of ['api', 'worker'] as const) {
    const exported = await scrape(source);
    expect(exported).toMatch(/^digital_goods_database_clock_offset_seconds -?[\d.e-]+$/m);
    expect(Math.abs(valueOf(exported, 'digital_goods_database_clock_offset_seconds'))).toBeLessThan(5);
  }
});

test('When the database uses sequences, then the used share of each is exported', async () => {
  const sequences = await sql(database)<{ name: string }>`SELECT sequencename AS name FROM pg_sequences
       WHERE schemaname = 'public'`;
  const share = await sql.first(database)<{ used: number }>`SELECT max(id)::float8 / 2147483647 AS used
       FROM transactions`;
  const exported = await scrape('worker');
  const seriesOf = (name: string) => `digital_goods_sequence_used_ratio{sequence="${name}"}`;
  for (const { name } of sequences) expect(exported).toContain(seriesOf(name));
  const used = valueOf(exported, seriesOf('transactions_id_seq'));
  expect(used).toBeGreaterThan(0);
  expect(used).toBeLessThanOrEqual((share?.used ?? 0) * 1.1);
});

test('When the worker is scraped, then the metrics of the SDK are included that the metrics page names', async () => {
  const named = [...page.matchAll(/^\| `(temporal_\w+)`/gm)].map(([, name]) => name as string);
  // Metrics of failures appear with the first failure: test/faults/kills.test.ts.
  const always = named.filter((name) => !/_fail(ed|ure)$/.test(name));
  expect(always.length).toBeGreaterThan(2);
  // Those of activities appear with the first run of a maintenance schedule.
  const exported = await until(
    `${always.join(', ')} of the worker`,
    async () => {
      const text = await scrape('worker');
      return always.every((name) => new RegExp(`^# TYPE ${name} `, 'm').test(text)) ? text : undefined;
    },
    80,
  );
  expect(exported).toMatch(/^digital_goods_database_figures_up 1$/m);
});

test('When a worker runs, then its probes succeed', async () => {
  const base = loadStack().metrics_url.replace('/metrics', '');
  const [health, ready, other] = await Promise.all(
    ['/health', '/ready', '/other'].map((path) => fetch(`${base}${path}`)),
  );
  expect([health?.status, ready?.status, other?.status]).toEqual([200, 200, 404]);
  expect(await ready?.json()).toEqual({ status: 'ready', postgres: true, temporal: true, not_polling: [] });
});

describe('When webhook deliveries are overdue', () => {
  const { database: scratch } = scratchDatabase();
  beforeEach(() => sql(scratch)`UPDATE webhook_endpoints SET enabled = false`);

  /** An endpoint, unchanged for a month, with an event that has been due for an hour. */
  async function waitingEndpoint(): Promise<Target> {
    const { id } = await sql.one(scratch)<{ id: number }>`WITH client AS (
         INSERT INTO clients (name, contact_email) VALUES (gen_random_uuid(), 'waiting@client.example') RETURNING id)
       INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret, updated_at)
       SELECT 'nonce', id, 'https://client.example', '', '{}', true, 'sealed', now() - interval '30 days' FROM client
       RETURNING id`;
    await sql(scratch)`INSERT INTO events (client_id, type, data, created_at)
       SELECT client_id, 'wallet.credited', '{}', now() - interval '1 hour' FROM webhook_endpoints WHERE id = ${id}`;
    return (await findTarget(scratch, id)) as Target;
  }

  const setHealth = (target: Target, failingSince: Date | null) =>
    scratch.transaction((transaction) => recordHealth(scratch, target, { ...healthy, failingSince }, transaction));
  const backlog = async () => (await readStoredMetrics(scratch)).backlog[0];
  const anHour = 3_600;

  test('then the age is that of the oldest event of a working endpoint, independent of failing endpoints', async () => {
    await setHealth(await waitingEndpoint(), new Date());
    expect(await backlog()).toMatchObject({ webhooks: 1, oldestWebhook: 0, failingEndpoints: 1 });
    await waitingEndpoint();
    const { webhooks, oldestWebhook, failingEndpoints } = (await backlog()) ?? {};
    expect({ webhooks, failingEndpoints }).toEqual({ webhooks: 2, failingEndpoints: 1 });
    expect(Math.round((oldestWebhook ?? 0) / anHour)).toBe(1);
  });

  test('then an endpoint without due events does not count, even if it changed long ago', async () => {
    const { id } = await waitingEndpoint();
    await sql(scratch)`UPDATE webhook_deliveries SET state = 'DELIVERED' WHERE endpoint_id = ${id}`;
    expect(await backlog()).toMatchObject({ webhooks: 0, oldestWebhook: 0 });
  });

  test('then an endpoint with an open replay does not count', async () => {
    const { id } = await waitingEndpoint();
    await sql(scratch)`INSERT INTO webhook_replays (endpoint_id, since, next_sequence, last_sequence)
         VALUES (${id}, now(), 1, 2)`;
    expect(await backlog()).toMatchObject({ webhooks: 1, oldestWebhook: 0 });
  });

  test.each([
    [
      'recovers',
      async (target: Target) => {
        await setHealth(target, new Date());
        await setHealth(target, null);
      },
    ],
    ['is resumed', ({ id }: Target) => setPaused(scratch, id, false)],
  ])('and the endpoint %s, then the age counts from then on', async (_how, recover) => {
    await recover(await waitingEndpoint());
    const { webhooks, oldestWebhook } = (await backlog()) ?? {};
    expect(webhooks).toBe(1);
    expect(oldestWebhook).toBeLessThan(60);
  });
});

describe('When emails are not sent', () => {
  const { database: scratch } = scratchDatabase();
  afterEach(async () => {
    await sql(scratch)`UPDATE orders SET sealed_email = NULL`;
    await sql(scratch)`UPDATE webhook_disablings SET mail = 'SENT'`;
  });

  /** An order with an address that ended this many hours ago. */
  async function endedOrder(hoursAgo: number): Promise<number> {
    const { orderId } = await placedOrder(scratch, 'ESIM');
    await sql(scratch)`
      UPDATE orders SET status = 'FAILED', sealed_email = 'sealed', completed_at = now() - ${hoursAgo} * interval '1 hour'
       WHERE id = ${orderId}`;
    return orderId;
  }

  /** An endpoint that the service disabled this many hours ago. Returns the id of the disabling. */
  async function disabling(hoursAgo: number): Promise<number> {
    const { clientId } = await newHolder(scratch);
    const { id } = await sql.one(scratch)<{ id: number }>`WITH endpoint AS (
         INSERT INTO webhook_endpoints (nonce, client_id, url, description, event_types, enabled, sealed_secret)
         VALUES ('nonce', ${clientId}, 'https://client.example', '', '{}', false, 'sealed') RETURNING id, url)
       INSERT INTO webhook_disablings (endpoint_id, url, reason, disabled_at)
       SELECT id, url, 'GONE', now() - ${hoursAgo} * interval '1 hour' FROM endpoint RETURNING id`;
    return id;
  }

  /** The age of the oldest due mail, in hours. */
  async function oldest(): Promise<number> {
    const { mail } = await readStoredMetrics(scratch);
    return Math.round((mail[0]?.oldest ?? NaN) / 3_600);
  }

  test('then the age is that of the oldest one, about an order or about a disabled endpoint', async () => {
    expect(await oldest()).toBe(0);
    await endedOrder(1);
    expect(await oldest()).toBe(1);
    const second = await disabling(2);
    expect(await oldest()).toBe(2);
    const third = await endedOrder(3);
    expect(await oldest()).toBe(3);
    await markMailed(scratch, third, new Date());
    expect(await oldest()).toBe(2);
    await markDisablingMailed(scratch, second);
    expect(await oldest()).toBe(1);
  });

  test('and the service no longer tries, because it listed them for attention, then they do not count', async () => {
    await endedOrder(1);
    await reportUndeliverable(scratch, await endedOrder(3));
    await reportUndeliverableDisabling(scratch, await disabling(2));
    expect(await oldest()).toBe(1);
  });
});
