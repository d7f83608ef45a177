/** Every voucher scenario of the sandbox, from the order to the last ledger entry. All run concurrently. */
import { randomUUID } from 'node:crypto';
import { newClient, type OwnClient, useDatabase } from '../support/clients';
import { ops } from '../support/operator';
import { ended, ordersPath, scenarioNamed, type Voucher, type VoucherOrder } from '../support/orders';
import { boughtFor, entriesOf, eventsOf, unsoundWallets, type RecordedEvent } from '../support/records';
import { endingScenarios, type Answer, type Json } from '../support/stack';

/** The price, goods and refund of a scenario. Amounts include the catalogue's default discounts. */
interface Outcome {
  paid: string;
  refunded?: string;
  form: 'code' | 'link';
  delivered: number;
  events: string[];
}

const whole = { form: 'code', delivered: 1, events: ['order.delivered'] } as const;
const outcomes: Record<string, Outcome> = {
  voucher_instant: { ...whole, events: ['order.delivered'], paid: '9.80' },
  voucher_url: { ...whole, events: ['order.delivered'], paid: '14.47', form: 'link' },
  voucher_range: { ...whole, events: ['order.delivered'], paid: '41.97' },
  voucher_bulk: { ...whole, events: ['order.delivered'], paid: '2450.00', delivered: 500 },
  voucher_delayed: { ...whole, events: ['order.delivered'], paid: '10.00' },
  voucher_partial: {
    ...whole,
    paid: '100.00',
    delivered: 10,
    events: ['order.partially_delivered', 'order.delivered'],
  },
  voucher_partial_then_failed: {
    ...whole,
    paid: '100.00',
    refunded: '60.00',
    delivered: 4,
    events: ['order.partially_delivered', 'order.failed'],
  },
  voucher_out_of_stock: { ...whole, paid: '10.00', refunded: '10.00', delivered: 0, events: ['order.failed'] },
  voucher_timeout_fulfilled: { ...whole, events: ['order.delivered'], paid: '10.00' },
  voucher_slow: { ...whole, events: ['order.delivered'], paid: '10.00' },
  voucher_flaky: { ...whole, events: ['order.delivered'], paid: '10.00' },
  voucher_redeemable: { ...whole, events: ['order.delivered'], paid: '25.00' },
};
const names = Object.keys(outcomes);

interface ScenarioRun {
  client: OwnClient;
  reference: string;
  created: Answer<VoucherOrder>;
  order: VoucherOrder;
  events: RecordedEvent[];
}

const database = useDatabase();
const runs = new Map<string, Promise<ScenarioRun>>();

beforeAll(async () => {
  for (const name of names) {
    const client = await newClient(database, { USD: 5_000 });
    await ops`clients set ${client.id} --bulk-limit 500`;
    const running = run(name, client);
    // The test of the scenario reports a failure.
    running.catch(() => undefined);
    runs.set(name, running);
  }
});

async function run(name: string, client: OwnClient): Promise<ScenarioRun> {
  const reference = randomUUID();
  const { body } = scenarioNamed(name);
  const created = await client.api.order<VoucherOrder>(ordersPath, { ...body, client_reference: reference });
  const order = await ended(client.api, created.body.id);
  return { client, reference, created, order, events: await eventsOf(database, order.id) };
}

async function runOf(name: string): Promise<ScenarioRun & { outcome: Outcome }> {
  return { ...(await (runs.get(name) as Promise<ScenarioRun>)), outcome: outcomes[name] as Outcome };
}

test('When the stack lists its voucher scenarios, then this file tests each of them', () => {
  const listed = endingScenarios().filter(({ path }) => path === ordersPath);
  expect(listed.map(({ name }) => name).sort()).toEqual([...names].sort());
});

describe.each(names)('%s', (name) => {
  const { initial_status: first, final_status: last, body } = scenarioNamed(name);

  test(`When it is ordered, then the response is ${first} and the final status is ${last}`, async () => {
    const { created, order } = await runOf(name);
    expect(created).toMatchObject({ status: 200, body: { status: first } });
    expect(order.status).toBe(last);
  });

  test('When the order has ended, then every delivered voucher is readable, and all vouchers are different', async () => {
    const { created, order, outcome } = await runOf(name);
    expect(order.vouchers).toEqual(Array(outcome.delivered).fill(voucherOf(outcome.form)));
    expect(new Set(order.vouchers.map(secretOf)).size).toBe(outcome.delivered);
    expect(created.body.vouchers).toEqual(first === 'PENDING' ? [] : order.vouchers);
  });

  test('When the order has ended, then the supplier has sold its vouchers once, under our reference', async () => {
    const { order, outcome } = await runOf(name);
    const bought = outcome.delivered === 0 ? [] : [purchaseOf(order, outcome)];
    expect(await boughtFor(order.id)).toEqual(bought);
  });

  test('When the order has ended, then it has one debit, and one refund if a refund is due', async () => {
    const { client, order, outcome } = await runOf(name);
    expect(await entriesOf(database, order.id)).toEqual([
      { kind: 'ORDER', type: 'DEBIT', amount: plain(outcome.paid) },
      ...(outcome.refunded ? [{ kind: 'REFUND', type: 'CREDIT', amount: plain(outcome.refunded) }] : []),
    ]);
    const { body: wallet } = await client.api.get(`/api/v1/wallets/${client.wallets['USD']}`);
    expect(wallet['balance']).toBe(5_000 - Number(outcome.paid) + Number(outcome.refunded ?? 0));
    expect(await unsoundWallets(database)).toEqual([]);
  });

  test('When the order has ended, then it has each event once, with exactly the fields of the contract', async () => {
    const { client, reference, order, events, outcome } = await runOf(name);
    const ofOrder = events.filter(({ type }) => type.startsWith('order.'));
    expect(ofOrder).toEqual(outcome.events.map((type) => ({ type, data: orderEvent(type) })));
    const ofWallet = events.filter(({ type }) => type.startsWith('wallet.'));
    expect(ofWallet).toEqual([
      { type: 'wallet.debited', data: walletEvent(outcome.paid) },
      ...(outcome.refunded ? [{ type: 'wallet.credited', data: walletEvent(outcome.refunded) }] : []),
    ]);
    expect(events).toHaveLength(ofOrder.length + ofWallet.length);

    function orderEvent(type: string): Json {
      const isFailed = type === 'order.failed';
      const fulfilled = type === 'order.partially_delivered' ? 4 : outcome.delivered;
      return {
        id: order.id,
        client_reference: reference,
        status: type.replace('order.', '').toUpperCase(),
        product_name: order['product_name'],
        denomination: body['denomination'],
        quantity: body['quantity'],
        amount: order['amount'],
        delivered_quantity: isFailed ? 0 : fulfilled,
        fulfilled_quantity: fulfilled,
        delivered_on: isFailed ? null : expect.stringMatching(rfc3339),
        created_at: order['placed_at'],
      };
    }

    function walletEvent(amount: string): Json {
      return {
        wallet_id: client.wallets['USD'],
        ledger_id: expect.any(Number),
        amount,
        currency: 'USD',
        reference_number: `order-${order.id}`,
        remarks: expect.stringContaining(String(order.id)),
        order_family: 'VOUCHER',
      };
    }
  });
});

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function voucherOf(form: Outcome['form']): Voucher {
  const common = { expires_at: expect.stringMatching(rfc3339), voucher_reference_number: expect.stringMatching(/^VR/) };
  return form === 'code'
    ? {
        ...common,
        card_number: expect.stringMatching(/^[0-9A-Z]{16}$/),
        pin_code: expect.stringMatching(/^\d{6}$/),
        claim_url: null,
      }
    : { ...common, card_number: null, pin_code: null, claim_url: expect.stringMatching(/^https:\/\//) };
}

function secretOf({ card_number: code, claim_url: url }: Voucher): string | null {
  return code ?? url;
}

function purchaseOf(order: VoucherOrder, { delivered }: Outcome): Json {
  return {
    reference: expect.stringMatching(new RegExp(`^order-${order.id}-[0-9a-z]{12}-0001$`)),
    order_id: order.id,
    family: 'VOUCHER',
    units: delivered,
    at: expect.stringMatching(rfc3339),
  };
}

/** The amount without trailing zeros, as `entriesOf` returns it. */
function plain(amount: string): string {
  return String(Number(amount));
}
