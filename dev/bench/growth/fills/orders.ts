/**
 * Fills a stack with orders and ledger entries. Most are copies of rows that the service wrote, with all that new orders depend on:
 * the numbers of a wallet's entries, the counters, and the sequences.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { second } from '../../../../src/domain/time';
import { copyRows, spread } from '../copies';
import type { Side } from '../side';

/** Clients that send requests concurrently. */
const SENDERS = 16;

/** Orders of the measured client in 90 days, half of them vouchers, the others top-ups of 100 products in three countries. */
export async function addOrders(side: Side, count: number): Promise<void> {
  await addCopies(side, 'voucher_instant', Math.floor(count / 2));
  await addCopies(side, 'topup_instant', Math.ceil(count / 2));
  await countOrders(side);
}

async function addCopies(side: Side, scenario: string, count: number): Promise<void> {
  const { id: original } = await side.client.order(scenario);
  const order = await side.number('SELECT max(order_id) FROM order_reservations');
  const entry = await side.number('SELECT max(id) FROM transactions');
  const sequence = await side.number(`SELECT entry_count FROM wallets WHERE id = ${side.walletId}`);
  const id = `${order} + n`;
  const moment = spread(count, 90);
  const ofOrder = { where: `order_id = ${original}` };
  await copyRows(
    side,
    [
      {
        table: 'transactions',
        where: `order_id = ${original} AND kind = 'ORDER'`,
        values: {
          id: `${entry} + n`,
          sequence: `${sequence} + n`,
          order_id: id,
          reference_number: `'${scenario}-' || n`,
          created_at: moment,
        },
      },
      { table: 'orders', where: `id = ${original}`, values: orderValues({ id, entry, scenario, moment }) },
      {
        table: 'supplier_purchases',
        ...ofOrder,
        values: {
          reference: `'${scenario}-' || n`,
          order_id: id,
          sent_at: moment,
          updated_at: moment,
          // The simulator reports no cost.
          cost: '8.4',
          cost_currency: "'USD'",
        },
      },
      {
        table: 'vouchers',
        ...ofOrder,
        values: { order_id: id, code_hash: `sha256(('${scenario}' || n)::bytea)`, claim_hash: 'NULL' },
      },
      {
        table: 'topup_orders',
        ...ofOrder,
        values: { order_id: id, phone_hash: `sha256(('${scenario}' || n)::bytea)` },
      },
    ],
    count,
  );
  await side.number(`SELECT setval(pg_get_serial_sequence('order_reservations', 'order_id'), ${order + count})`);
  await side.database.query(
    `UPDATE wallets SET entry_count = (SELECT max(sequence) FROM transactions WHERE wallet_id = ${side.walletId})
      WHERE id = ${side.walletId}`,
  );
}

/** One of a thousand has failed. */
function orderValues({
  id,
  entry,
  scenario,
  moment,
}: Record<'id' | 'scenario' | 'moment', string> & { entry: number }) {
  const hasFailed = 'n % 1000 = 7';
  return {
    id,
    transaction_id: `${entry} + n`,
    client_reference: `'${scenario}-' || n`,
    product_id: '1 + n % 100',
    country_code: `(ARRAY['USA', 'IND', 'FRA'])[1 + n % 3]`,
    status: `CASE WHEN ${hasFailed} THEN 'FAILED' ELSE 'DELIVERED' END`,
    delivered_quantity: `CASE WHEN ${hasFailed} THEN 0 ELSE 1 END`,
    failure_code: `CASE WHEN ${hasFailed} THEN 'UNKNOWN' END`,
    placed_at: moment,
    completed_at: moment,
  };
}

/** The counters that the triggers would have written, and the sums of ended orders. The maintenance adds up the counters of the lists. */
export async function countOrders(side: Side): Promise<void> {
  const statements = [
    'TRUNCATE order_counts, order_totals, daily_orders',
    `INSERT INTO order_counts (client_id, family, status, product_id, country_code, change)
     SELECT client_id, family, status, CASE family WHEN 'TOPUP' THEN product_id END,
            CASE family WHEN 'TOPUP' THEN country_code END, count(*) FROM orders GROUP BY 1, 2, 3, 4, 5`,
    `INSERT INTO daily_orders SELECT client_id, family, day_of(placed_at), deduction_currency, count(*), sum(total_payable)
       FROM orders WHERE status <> 'FAILED' GROUP BY 1, 2, 3, 4`,
    ...countedEntries,
    'TRUNCATE order_sums, outdated_order_sums',
    `UPDATE orders_summed SET through = '-infinity'`,
  ];
  for (const statement of statements) await side.database.query(statement);
  while (await side.number(`SELECT roll_up_order_sums('10 minutes')::integer`));
}

/** What the maintenance counts of the ledger. */
export const countedEntries = [
  'TRUNCATE ledger_counted, ledger_totals',
  'INSERT INTO ledger_counted SELECT id, entry_count FROM wallets',
  `INSERT INTO ledger_totals SELECT currency_code, kind, transaction_type, count(*), sum(amount)
     FROM transactions JOIN wallets ON wallets.id = wallet_id GROUP BY 1, 2, 3`,
];

/** Entries of the measured client's wallet in 90 days. */
export async function addEntries(side: Side, count: number): Promise<void> {
  const { walletId } = side;
  const sequence = await side.number(`SELECT entry_count FROM wallets WHERE id = ${walletId}`);
  const entry = await side.number('SELECT max(id) FROM transactions');
  const values = {
    id: `${entry} + n`,
    sequence: `${sequence} + n`,
    reference_number: `'growth-' || n`,
    created_at: spread(count, 90),
  };
  const original = await side.number(
    `SELECT min(id) FROM transactions WHERE wallet_id = ${walletId} AND kind = 'FUNDING'`,
  );
  await copyRows(side, [{ table: 'transactions', where: `id = ${original}`, values }], count);
  await side.database.query(`UPDATE wallets SET entry_count = entry_count + ${count} WHERE id = ${walletId}`);
  for (const statement of countedEntries) await side.database.query(statement);
}

/** Delivered eSIMs, each monitored by its workflow. They are real orders, because the supplier must know them. */
export function addEsims(side: Side, count: number): Promise<void> {
  return orderMany(side, 'esim_instant', count);
}

/** Orders that their supplier has accepted and not delivered. Each request waits 10 s for its goods. */
export function addOpenOrders(side: Side, count: number): Promise<void> {
  return orderMany(side, 'voucher_delayed', count, 20 * SENDERS);
}

/** Orders until this many are placed. A request that an overloaded machine rejects is repeated a second later. */
async function orderMany(side: Side, scenario: string, count: number, senders = SENDERS): Promise<void> {
  let begun = 0;
  let placed = 0;
  const send = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const status = await side.client.tryScenario(scenario);
      if (status !== 200) {
        begun -= 1;
        await sleep(second);
        continue;
      }
      placed += 1;
      if (placed % 2_000 === 0) console.error(`    ${placed} orders`);
    }
  };
  await Promise.all(Array.from({ length: senders }, send));
}
