/** The runbook's order cases, each with its real fault. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client as TemporalClient } from '@temporalio/client';
import { rows, type Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient, type OwnClient } from '../../support/clients';
import { stackDatabase } from '../../../dev/testbed/clients';
import { callerAt } from '../../support/from-address';
import { ended, orderOf, ordersPath, place, reached, read, type VoucherOrder } from '../../support/orders';
import { balanceOf, boughtFor, entriesOf, kindsMovedBy } from '../../support/records';
import { scenarioNamed } from '../../support/orders';
import { sellUnderReference } from '../../support/sales';
import { callOperation } from '../../support/service-accounts';
import { runTool } from '../../support/tool';
import { until } from '../../../dev/testbed/waiting';
import { resetToStart, workflowOf } from '../../support/workflows';
import { serviceTemporalClient, temporalClient } from '../../../dev/testbed/temporal-clients';
import * as incidents from '../incidents';
import { OperatedStack } from './operated-stack';
import { describeCase, type Done, type RunbookCase } from './runbook-case';

let stack: OperatedStack;
let database: Database;
let temporal: TemporalClient;
let client: OwnClient;
beforeAll(async () => {
  stack = await OperatedStack.start('orders');
  database = stackDatabase();
  temporal = await temporalClient();
  client = await newClient(database, { USD: 10_000 });
});
afterAll(async () => {
  await temporal?.connection.close();
  await database?.close();
  await stack?.stop();
});

/** The time limit for the repair of an order case, in seconds. */
const MENDED_WITHIN_S = 60;

const attention = 'npm run ops -- attention';
const show = 'npm run ops -- orders show <order>';
const retry = 'npm run ops -- orders retry <order>';

/** The order may have retried by itself a moment before the command. */
const retried = (runbook: RunbookCase, order: number) =>
  runbook.run(retry, { order }).catch((error: Error) => {
    expect(error.message).toContain(`Order ${order} is DELIVERED: that is final`);
  });

/** Triggers the schedule now. */
const maintain = (schedule: string) => temporal.schedule.getHandle(schedule).trigger();

const isListed = async (kind: string, order?: number) =>
  (await incidents.listed(database, kind, order === undefined ? {} : { order })) !== undefined;
const untilListed = (kind: string, order?: number) =>
  incidents.untilListed(database, kind, order === undefined ? {} : { order });
const untilUnlisted = (kind: string, order?: number) =>
  incidents.untilUnlisted(database, kind, order === undefined ? {} : { order });

interface Shown {
  purchases: { reference: string; state: string }[];
  completed_at: string | null;
}

/** Runs the command of the runbook. Returns what the same command prints with `--json`. */
async function shownAs(runbook: RunbookCase, order: number): Promise<Shown> {
  await runbook.run(show, { order });
  return shown(await runTool`--json orders show ${order}`);
}

/** The text without its line breaks, which depend on the width of the terminal. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

const shown = ({ stdout }: Pick<Done, 'stdout'>) => JSON.parse(stdout.slice(stdout.indexOf('{'))) as Shown;

describeCase('supplier-down', (runbook) => {
  test('When a supplier is down for long, then orders wait for it and are delivered after its recovery', async () => {
    await stack.control('outage', { seconds: 3_600 });
    const order = await place(client.api, orderOf('voucher_instant'));
    expect(order.status).toBe('PENDING');
    await sql(database)`UPDATE supplier_calls SET failing_since = failing_since - interval '11 minutes'
         WHERE failing_since IS NOT NULL`;
    await maintain('maintenance');
    await untilListed('SUPPLIER_DOWN');

    runbook.startWatch();
    expect(inOneLine((await runbook.run(attention)).stdout)).toMatch(/SUPPLIER_DOWN simulator.*1 orders wait for it/);
    expect((await shownAs(runbook, order.id)).purchases).toMatchObject([{ state: 'READY' }]);
    await stack.control('outage', { seconds: 0 });
    await retried(runbook, order.id);
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    expect(runbook.stopWatch('supplier down')).toBeLessThan(MENDED_WITHIN_S);

    expect(await boughtFor(order.id)).toHaveLength(1);
    // Calls of these tasks may have failed, too, if they ran during the outage.
    for (const schedule of ['maintenance-stock', 'maintenance-suppliers', 'maintenance']) await maintain(schedule);
    await untilUnlisted('SUPPLIER_DOWN');
    expect((await runbook.run('npm run ops -- reconcile --dry-run')).stdout).toContain('Everything agrees');
  });
});

describeCase('account-blocked', (runbook) => {
  test('When the supplier blocks the account, then orders wait until it is unblocked', async () => {
    await stack.control('account', { blocked: true });
    const order = await place(client.api, orderOf('voucher_instant'));
    await untilListed('SUPPLIER_BLOCKED', order.id);
    const { stdout } = await runbook.run(attention);
    expect(stdout).toMatch(/ACCOUNT_BLOCKED/);
    expect(stdout).toMatch(new RegExp(`SUPPLIER_BLOCKED order ${order.id} `));
    await stack.control('account', { blocked: false });
    await retried(runbook, order.id);
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    await untilUnlisted('SUPPLIER_BLOCKED', order.id);
    await sql(database)`UPDATE supplier_health SET blocked_at = blocked_at - interval '3 minutes'`;
    await maintain('maintenance');
    await untilUnlisted('ACCOUNT_BLOCKED');
  });
});

describeCase('supplier-paused', (runbook) => {
  test('When a supplier is paused, then it is on the list with the reason until it is resumed', async () => {
    await runTool`suppliers pause simulator --reason "It delivers used codes"`;
    expect(inOneLine((await runbook.run(attention)).stdout)).toMatch(/SUPPLIER_PAUSED.*simulator.*used codes/);
    const paused = await runbook.run('npm run ops -- suppliers show <supplier>', { supplier: 'simulator' });
    expect(paused.stdout).toMatch(/paused +all .*used codes/);
    const resume = 'npm run ops -- suppliers resume <supplier> --reason "Repaired, ticket 4715"';
    await runbook.run(resume, { supplier: 'simulator' });
    expect(await isListed('SUPPLIER_PAUSED')).toBe(false);
  });
});

describeCase('stopped-sales', (runbook) => {
  const list = 'npm run ops -- products stopped';
  const stop =
    'npm run ops -- products stop --family vouchers --product <product> --hold --reason "Used codes, ticket 4733"';
  const resume = 'npm run ops -- products resume <stop> --reason "The supplier has replaced its stock, ticket 4733"';

  test('When a sale is stopped, then nothing is debited until it is resumed, which releases what the stop has held', async () => {
    const held = await place(client.api, orderOf('voucher_held'));
    const order = orderOf('voucher_instant');
    const product = Number(order['product_id']);
    await runbook.run(stop, { product });
    expect(inOneLine((await runbook.run(attention)).stdout)).toMatch(/SALES_STOPPED.*Used codes, ticket 4733/);
    const refused = await client.api.post(ordersPath, order);
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({ error: expect.objectContaining({ message: 'Invalid product_id: not found' }) }),
    ]);
    const { stdout } = await runbook.run(list);
    const [, number = ''] = /^ *(\d+) +PRODUCT/m.exec(stdout) ?? [];
    // As if the stop had held it: a purchase that nothing has sent is rare.
    await sql(database)`UPDATE orders SET held = held || jsonb_build_object('stop', ${number}::integer)
         WHERE id = ${held.id}`;
    expect((await runbook.run(resume, { stop: number })).stdout).toContain('1 held order is released.');
    expect(await ended(client.api, held.id)).toMatchObject({ status: 'DELIVERED' });
    await ended(client.api, (await place(client.api, order)).id);
    expect(await isListed('SALES_STOPPED')).toBe(false);
  });
});

describeCase('balance-low', (runbook) => {
  const alert = 'npm run ops -- suppliers alert <supplier> --currency <currency> --below <amount>';
  const setSum = (amount: number) => runbook.run(alert, { supplier: 'simulator', currency: 'USD', amount });

  test('When the balance falls below its threshold, then it is on the list until someone pays in', async () => {
    await setSum(500);
    await stack.control('balance', { amount: '499.99' });
    await maintain('maintenance-suppliers');
    await untilListed('BALANCE_LOW');
    expect(inOneLine((await runbook.run(attention)).stdout)).toMatch(/BALANCE_LOW.*499\.99 USD; the threshold is 500/);
    const shownLow = await runbook.run('npm run ops -- suppliers show <supplier>', { supplier: 'simulator' });
    expect(shownLow.stdout).toMatch(/balance low +USD .*threshold 500/);
    await stack.control('balance', { amount: '100000' });
    await maintain('maintenance-suppliers');
    await untilUnlisted('BALANCE_LOW');
  });
});

describeCase('stuck-order', (runbook) => {
  const sku = 'SIM-GC-COFFEE-US';

  test('When an order waits long for its next attempt, then a command starts the attempt immediately', async () => {
    await stack.control('behaviour', { sku, modes: { busy: { retry_after_seconds: 3_600 } } }, 'PUT');
    const order = await place(client.api, orderOf('voucher_instant'));
    expect(order.status).toBe('PENDING');
    await stack.control(`behaviour?sku=${sku}`, undefined, 'DELETE');
    runbook.startWatch();
    expect((await shownAs(runbook, order.id)).purchases).toMatchObject([{ state: 'READY' }]);
    await runbook.run(retry, { order: order.id });
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    expect(runbook.stopWatch('stuck order')).toBeLessThan(MENDED_WITHIN_S);
    expect((await shownAs(runbook, order.id)).completed_at).not.toBeNull();
  });

  test('When an order has no workflow, then it is started again and bought once', async () => {
    const order = await place(client.api, orderOf('voucher_slow'));
    await (await workflowOf(temporal, database, order.id)).terminate('by mistake');
    await sql(database)`
      UPDATE orders SET placed_at = placed_at - interval '2 minutes' WHERE id = ${order.id}`;
    const found = await runbook.run('npm run ops -- reconcile', {}, { exitCode: 1 });
    expect(found.stdout).toMatch(new RegExp(`order-without-workflow +order ${order.id} .*started again`));
    expect(await ended(client.api, order.id)).toMatchObject({ status: 'DELIVERED' });
    expect(await boughtFor(order.id)).toHaveLength(1);
  });

  test('When a client no longer wants an order for which nothing was bought, then it is cancelled and refunded', async () => {
    await stack.control('behaviour', { sku, modes: { busy: {} } }, 'PUT');
    const order = await place(client.api, orderOf('voucher_instant'));
    await runbook.run('npm run ops -- orders cancel <order> --reason "Client asked for it, ticket 4711"', {
      order: order.id,
    });
    expect(await read(client.api, order.id)).toMatchObject({ status: 'CANCELLED', refunded_amount: 9.8 });
    await stack.control('behaviour', undefined, 'DELETE');
    expect(await boughtFor(order.id)).toEqual([]);
  });
});

describeCase('unknown-outcome', (runbook) => {
  const look = async () => {
    const order = await place(client.api, orderOf('voucher_needs_operator'));
    await untilListed('OUTCOME_UNKNOWN', order.id);
    runbook.startWatch();
    const { stdout } = await runbook.run(attention);
    expect(stdout).toMatch(new RegExp(`OUTCOME_UNKNOWN order ${order.id} `));
    expect((await shownAs(runbook, order.id)).purchases).toMatchObject([{ state: 'SENT' }]);
    return order.id;
  };

  test('When the supplier never sold the goods, then the order is polled again, fails and is refunded', async () => {
    const order = await look();
    await runbook.run('npm run ops -- orders resolve <order> ask-again', { order });
    expect(await read(client.api, order)).toMatchObject({ status: 'PENDING' });
    await runbook.run(`npm run ops -- orders resolve <order> not-bought --reason "Supplier's ticket 991: never sold"`, {
      order,
    });
    expect(await reached(client.api, order, 'FAILED')).toMatchObject({ refunded_amount: 10 });
    expect(runbook.stopWatch('unknown outcome, never sold')).toBeLessThan(MENDED_WITHIN_S);
    await untilUnlisted('OUTCOME_UNKNOWN', order);
  });

  test('When the supplier hands over the goods, then the client reads them', async () => {
    const order = await look();
    const goods = { 'card number': 'RUNBOOK-1234-5678', pin: '0042' };
    await runbook.run(`echo '[{"card_number": "<card number>", "pin_code": "<pin>"}]' > goods.json`, goods);
    await runbook.run(
      'npm run ops -- orders resolve <order> delivered --reason "Goods by mail, ticket 992" --goods goods.json',
      { order },
    );
    await runbook.run('rm goods.json');
    const delivered = await reached(client.api, order, 'DELIVERED');
    expect(runbook.stopWatch('unknown outcome, delivered with its goods')).toBeLessThan(MENDED_WITHIN_S);
    expect(delivered.vouchers).toMatchObject([{ card_number: goods['card number'], pin_code: goods.pin }]);
    await untilUnlisted('OUTCOME_UNKNOWN', order);
  });

  test('When the supplier does not correct unusable goods, then the order fails and is refunded', async () => {
    await stack.control('behaviour', { modes: { unreadable_units: [1] } }, 'PUT');
    const order = (await place(client.api, orderOf('voucher_instant'))).id;
    await untilListed('OUTCOME_UNKNOWN', order);
    runbook.startWatch();
    expect((await shownAs(runbook, order)).purchases).toMatchObject([{ state: 'PENDING' }]);
    await runbook.run(
      `npm run ops -- orders resolve <order> unusable --reason "Supplier's ticket 993: no correction"`,
      { order },
    );
    expect(await reached(client.api, order, 'FAILED')).toMatchObject({ refunded_amount: 9.8 });
    expect(runbook.stopWatch('unknown outcome, unusable goods')).toBeLessThan(MENDED_WITHIN_S);
    await stack.control('behaviour', undefined, 'DELETE');
    await untilUnlisted('OUTCOME_UNKNOWN', order);
  });

  test('When the supplier has no purchase and the order has another source, then that source delivers', async () => {
    const sku = 'SIM-GC-SLOW';
    const body = orderOf('voucher_slow');
    const lost = { answer_lost: { when: 'before_buying', by: 'reset' } };
    await stack.control('behaviour', { sku, modes: { ...lost, half_json: ['lookup'] } }, 'PUT');
    const order = (await place(client.api, body)).id;
    await addSource(order, 'SIM-GC-COFFEE-US');
    await untilListed('ANSWER_LOST', order);
    // From now on, the lookup shows that nothing was bought.
    await stack.control('behaviour', { sku, modes: lost }, 'PUT');
    runbook.startWatch();
    await until('a conclusive lookup', () => decideElsewhere(order).catch(unlessItMayRun), 60);
    await reached(client.api, order, 'DELIVERED');
    expect(runbook.stopWatch('unknown outcome, bought elsewhere')).toBeLessThan(MENDED_WITHIN_S);
    await untilUnlisted('ANSWER_LOST', order);
    expect(await boughtFor(order)).toHaveLength(1);
  });

  /** Adds a source to an order. The stack has one supplier, so a SKU of it stands for a second one. */
  async function addSource(orderId: number, sku: string): Promise<void> {
    await rows(
      database,
      `UPDATE orders SET sources = sources || jsonb_build_array(sources -> 0
                || jsonb_build_object('id', (SELECT id FROM product_sources WHERE sku = $sku), 'sku', $sku::text))
        WHERE id = $orderId`,
      { orderId, sku },
    );
  }

  const decideElsewhere = (order: number) =>
    runbook.run(`npm run ops -- orders resolve <order> elsewhere --reason "Supplier's ticket 991: never sold"`, {
      order,
    });

  /** A lookup of the service may come first: then it sends the purchase again, whose answer is lost, too, and the order waits again. */
  function unlessItMayRun(error: Error): undefined {
    if (!/may still run|does not wait for a decision/.test(error.message)) throw error;
  }
});

describeCase('refund-due', (runbook) => {
  test('When an order failed after its wallet was closed, then the wallet is reopened and credited', async () => {
    const outage = (seconds: number) => stack.control('outage', { seconds });
    const { owner, wallet, order, credited } = await incidents.dueRefund(database, outage);

    runbook.startWatch();
    expect(inOneLine((await runbook.run(attention)).stdout)).toMatch(new RegExp(`REFUND_DUE order ${order.id} `));
    await runbook.run('npm run ops -- wallets list <client>', { client: owner.id });
    await runbook.run('npm run ops -- wallets reopen <wallet>', { wallet });
    await credited();
    expect(runbook.stopWatch('refund due')).toBeLessThan(MENDED_WITHIN_S);

    expect(await entriesOf(database, order.id)).toHaveLength(2);
    await runbook.run('npm run ops -- ledger verify');
  });
});

describeCase('late-goods', (runbook) => {
  test('When goods arrive for an abandoned order, then no client sees them, and the money is claimed back', async () => {
    // The request is lost in the network, the order is cancelled, then the supplier finds the request in its queue.
    const lost = { modes: { answer_lost: { when: 'before_buying', by: 'reset' } } };
    await stack.control('behaviour', lost, 'PUT');
    const order = await place(client.api, orderOf('voucher_instant'));
    await until('the cancelled order', () => isCancelled(order.id), 60);
    await stack.control('behaviour', undefined, 'DELETE');
    const { purchases: given } = shown(await runTool`--json orders show ${order.id}`);
    await sellUnderReference(order.id, given[0]?.reference ?? '');
    await sql(database)`UPDATE supplier_purchases SET late_check_at = now() WHERE order_id = ${order.id}`;
    await maintain('maintenance-suppliers');
    await untilListed('GOODS_APART', order.id);

    runbook.startWatch();
    const { stdout } = await runbook.run(attention);
    const [number = ''] = new RegExp(`^\\d+(?= GOODS_APART order ${order.id} )`, 'm').exec(stdout) ?? [];
    const { purchases } = await shownAs(runbook, order.id);
    expect(purchases[0]?.reference).toMatch(new RegExp(`^order-${order.id}-`));
    await runbook.run('npm run ops -- attention settle <number> --reason "Credited by the supplier, note 2026-118"', {
      number,
    });
    expect(await isListed('GOODS_APART', order.id)).toBe(false);
    expect(runbook.stopWatch('late goods')).toBeLessThan(MENDED_WITHIN_S);

    expect((await runbook.run('npm run ops -- reconcile --dry-run')).stdout).toContain('Everything agrees');
    expect(await read(client.api, order.id)).toMatchObject({ status: 'CANCELLED', refunded_amount: 9.8, vouchers: [] });
  });

  async function isCancelled(orderId: number): Promise<true | undefined> {
    const { exitCode } = await runTool`orders cancel ${orderId} --reason "Waited for long enough"`;
    return exitCode === 0 ? true : undefined;
  }
});

describeCase('double-charge-claimed', (runbook) => {
  test('When a client ordered twice by mistake, then the second order is refunded, and the ledger shows why', async () => {
    const { shop, twice, refunded } = await incidents.doubleCharge(database);

    runbook.startWatch();
    const listed = await runbook.run('npm run ops -- orders find --client <client> --since 30d', { client: shop.id });
    expect(listed.stdout).toMatch(/again-[^]*once-/);
    const audited = await runbook.run('npm run ops -- audit list --object order/<order>', { order: twice.id });
    expect(audited.stdout.match(/ ORDER /g)).toHaveLength(1);
    await runbook.run('npm run ops -- orders refund <order> --units 1 --reason-code DUPLICATE --reference <ticket>', {
      order: twice.id,
      ticket: 'ticket-4719',
    });
    expect((await runbook.run(show, { order: twice.id })).stdout).toContain('DUPLICATE');
    expect(runbook.stopWatch('double charge claimed')).toBeLessThan(MENDED_WITHIN_S);

    await runbook.run('npm run ops -- ledger verify');
    await refunded();
  });
});

describeCase('wrong-price', (runbook) => {
  test('When 50 orders paid a wrong price, then a second person approves one file that refunds the difference', async () => {
    const { shop, text, unchanged, refunded } = await incidents.wrongPrice(database);
    const product = Number(scenarioNamed('voucher_instant').body['product_id']);
    await runTool`${incidents.refundsNeedTwo}`;

    runbook.startWatch();
    await runbook.run('npm run ops -- audit list --command "discounts set" --since 30d');
    const discount =
      'npm run ops -- discounts set <client> vouchers <product> <percent> --force --reason "Agreed price, ticket 4720"';
    await runbook.run(discount, { client: shop.id, product, percent: 10 });
    const find =
      'npm run ops -- orders find --client <client> --family vouchers --product <product> --since 30d --limit 1000';
    expect((await runbook.run(find, { client: shop.id, product })).stdout.match(/DELIVERED/g)).toHaveLength(50);
    const file = join(tmpdir(), `wrong-price-${process.pid}.csv`);
    writeFileSync(file, text);
    const importing = 'npm run ops -- refunds import <file> --reason "Wrong price, ticket 4720" --yes';
    const { stdout } = await runbook.run(importing, { file });
    const [, proposal = ''] = /proposal (\d+) waits for approval by admin/.exec(stdout) ?? [];
    await unchanged();

    const approve = 'npm run ops -- approvals approve <proposal> --reason "Compared with the agreed price"';
    // The person who proposed it cannot.
    await runbook.run(approve, { proposal }, { exitCode: 1 });
    const second = { env: { ...process.env, OPS_OPERATOR: 'bob' }, user: {} };
    const proposed = await runbook.run('npm run ops -- approvals show <proposal>', { proposal }, { host: second });
    expect(proposed.stdout).toContain('Credits 50 refunds of 40 USD in all');
    await runbook.run(approve, { proposal }, { host: second });
    await refunded();
    expect((await runbook.run('npm run ops -- refunds list')).stdout).toMatch(/wrong-price.* 50 /);
    expect(runbook.stopWatch('wrong price')).toBeLessThan(2 * MENDED_WITHIN_S);

    await runbook.run('npm run ops -- ledger verify');
  });
});

describeCase('stolen-key', (runbook) => {
  const setRule =
    'npm run ops -- spend-rules set new-network --client <client> --orders 2 --reason "Agreed with the client, ticket 4721"';

  test('When a key is used from a new address, then the orders beyond the rule are not bought, and the client goes on with another key', async () => {
    const shop = await newClient(database, { USD: 1_000 });
    const wallet = shop.wallets['USD'] as number;
    const values = { client: shop.id };
    await place(shop.api, orderOf('voucher_instant'));
    await runbook.run(setRule, values);
    const elsewhere = callerAt('127.9.8.7');
    const authorization = `Bearer ${await shop.api.accessToken()}`;
    const order = () => elsewhere.post<VoucherOrder>(ordersPath, orderOf('voucher_instant'), { authorization });
    const placed = await Promise.all(Array.from({ length: 30 }, async () => (await order()).body));
    const beyond = placed.filter(({ message }) => message === 'Under review');
    expect(beyond).toHaveLength(28);
    const [own, ...stolen] = beyond as [VoucherOrder, ...VoucherOrder[]];
    await Promise.all(beyond.map(({ id }) => untilListed('UNDER_REVIEW', id)));
    await resetEach(beyond);
    for (const { id } of beyond) expect(await boughtFor(id)).toEqual([]);

    runbook.startWatch();
    const held = 'npm run ops -- attention --kind UNDER_REVIEW --client <client>';
    expect((await runbook.run(held, values)).stdout.match(/UNDER_REVIEW order/g)).toHaveLength(28);
    const key = shop.credentials.api_key;
    expect((await runbook.run('npm run ops -- keys list <client>', values)).stdout).toContain(key);
    await runbook.run('npm run ops -- clients suspend <client> --hold', values);
    expect((await order()).status).toBe(403);
    await runbook.run('npm run ops -- keys revoke <key>', { key });
    const created = await runbook.run('npm run ops -- keys create <client>', values);
    await runbook.run('npm run ops -- orders find --client <client> --since 30d', values);
    await runbook.run('npm run ops -- orders release <order> --reason "The client confirmed it by phone"', {
      order: own.id,
    });
    const [first, ...others] = stolen as [VoucherOrder, ...VoucherOrder[]];
    const reason = 'Stolen key, ticket 4721';
    await runbook.run(`npm run ops -- orders cancel <order> --reason "${reason}"`, { order: first.id });
    const cancelled = others.map(({ id }) => callOperation(token(), 'orders cancel', { order: id, reason }));
    for (const { status } of await Promise.all(cancelled)) expect(status).toBe(200);
    await runbook.run('npm run ops -- clients resume <client>', values);
    expect(runbook.stopWatch('stolen key')).toBeLessThan(2 * MENDED_WITHIN_S);

    for (const { id } of stolen) expect(await boughtFor(id)).toEqual([]);
    const restored = incidents.clientWithKeyIn(created.stdout, stack.now.api_url);
    expect(await ended(restored, own.id)).toMatchObject({ status: 'DELIVERED' });
    expect((await order()).status).toBe(403);
    await elsewhere.close();
    expect((await runbook.run(held, values)).stdout).toContain('None.');
    await runbook.run('npm run ops -- reconcile --dry-run');
    await runbook.run('npm run ops -- ledger verify');
    expect(Number(await balanceOf(database, wallet))).toBeCloseTo(1_000 - 4 * 9.8, 2);
    expect(await kindsMovedBy(database, shop.id)).toEqual({ FUNDING: 1, ORDER: 31, REFUND: 27 });
  });

  const token = () => stack.directory.operatorToken();

  /** Resets the workflow of each order to its start. Returns once all are under review again. */
  async function resetEach(orders: readonly VoucherOrder[]): Promise<void> {
    const service = await serviceTemporalClient();
    const reset = async ({ id }: VoucherOrder) => {
      const workflow = await workflowOf(service, database, id);
      await resetToStart(service, workflow);
      await until(`order ${id} after its reset`, async () => {
        const { step } = await workflow.query<{ step: string }>('state');
        return step === 'UNDER_REVIEW';
      });
    };
    await Promise.all(orders.map(reset)).finally(() => service.connection.close());
  }
});

describeCase('invalid-codes', (runbook) => {
  test('When codes of a supplier are invalid, then claims are refunded, replaced or rejected, without an adjustment', async () => {
    const { shop, order, refunded, replaced, rejected, decided } = await incidents.invalidCodes(database);
    const supplier = 'simulator';

    runbook.startWatch();
    const list = 'npm run ops -- claims list --client <client> --open';
    expect((await runbook.run(list, { client: shop.id })).stdout.match(/INVALID_CODE/g)).toHaveLength(3);
    const { stdout } = await runbook.run('npm run ops -- claims show <claim>', { claim: refunded });
    expect(stdout).toMatch(new RegExp(`${supplier}.*order-${order}-`));
    await runbook.run('npm run ops -- suppliers pause <supplier> --reason "Invalid codes, ticket 4722"', { supplier });
    await runbook.run('npm run ops -- claims send <claim> --reason "Asked by email, ticket 4722"', { claim: refunded });
    const accept = (how: string) =>
      `npm run ops -- claims accept <claim> ${how} --reason "The supplier confirms, ticket 4722"`;
    await runbook.run(accept('refund'), { claim: refunded });
    const resume = 'npm run ops -- suppliers resume <supplier> --reason "The batch is withdrawn, ticket 4722"';
    await runbook.run(resume, { supplier });
    await runbook.run(accept('replace'), { claim: replaced });
    await runbook.run('npm run ops -- claims reject <claim> --reason "Used by its holder, says the supplier"', {
      claim: rejected,
    });
    await runbook.run('npm run ops -- claims credit <claim> USD=9.50', { claim: refunded });
    await until(
      'no open claim',
      async () => !(await runbook.run(list, { client: shop.id })).stdout.includes('INVALID_CODE'),
    );
    expect(runbook.stopWatch('invalid codes')).toBeLessThan(2 * MENDED_WITHIN_S);

    await runbook.run('npm run ops -- ledger verify');
    await decided();
  });
});
