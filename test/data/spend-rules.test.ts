/** Spend rules hold exactly the orders that a count of all orders of the time would hold, and stop reading at the order that decides. */
import fc from 'fast-check';
import { oneRow, rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import type { SpendRuleKind } from '../../src/data/orders/stored-spend-rules';
import { newHolder, type Holder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

const DAY_MINUTES = 24 * 60;

/** Counts all orders of the time for each rule. */
const countsAll = `
CREATE FUNCTION hold_by_counting_all(
  in_client_id integer, in_currency text, in_total_payable numeric, in_email_hash bytea, in_phone_hash bytea, in_network cidr
) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
  rule    spend_rules;
  counted RECORD;
  since   timestamptz;
BEGIN
  FOR rule IN
    SELECT * FROM spend_rules r
     WHERE r.client_id = in_client_id
        OR r.client_id IS NULL AND NOT EXISTS (SELECT FROM spend_rules own WHERE own.kind = r.kind AND own.client_id = in_client_id)
     ORDER BY r.id
  LOOP
    since := coming_moment(in_client_id) - CASE rule.kind WHEN 'PER_HOUR' THEN interval '1 hour' ELSE interval '1 day' END;
    CONTINUE WHEN rule.kind = 'NEW_NETWORK' AND (in_network IS NULL OR EXISTS (
      SELECT FROM client_networks WHERE client_id = in_client_id AND network = in_network AND first_used_at < since));
    CONTINUE WHEN rule.kind = 'PER_RECIPIENT' AND coalesce(in_phone_hash, in_email_hash) IS NULL;
    SELECT count(*) AS orders, coalesce(sum(total_payable) FILTER (WHERE deduction_currency = in_currency), 0) AS amount INTO counted
      FROM orders o LEFT JOIN topup_orders t ON t.order_id = o.id
     WHERE o.client_id = in_client_id AND o.placed_at > since AND o.replaces_order_id IS NULL
       AND CASE rule.kind
             WHEN 'PER_HOUR' THEN true
             WHEN 'NEW_NETWORK' THEN o.network = in_network
             ELSE CASE WHEN in_phone_hash IS NOT NULL THEN t.phone_hash = in_phone_hash
                       ELSE o.family <> 'TOPUP' AND coalesce(o.mailbox_hash, o.email_hash) = in_email_hash END
           END;
    IF counted.orders >= rule.max_orders OR rule.currency = in_currency AND counted.amount + in_total_payable > rule.max_amount THEN
      RETURN format('Rule %s: more than %s %s', rule.id,
        CASE WHEN counted.orders >= rule.max_orders THEN rule.max_orders || ' orders'
             ELSE trim_scale(rule.max_amount) || ' ' || rule.currency END,
        CASE rule.kind WHEN 'PER_HOUR' THEN 'within an hour'
                       WHEN 'PER_RECIPIENT' THEN 'for one recipient within 24 hours'
                       ELSE 'within 24 hours from the new network ' || in_network END);
    END IF;
  END LOOP;
  RETURN NULL;
END $body$`;

/** Of tables whose triggers and foreign keys the rules do not need. */
const tables = ['orders', 'topup_orders'];

beforeAll(async () => {
  await rows(database, countsAll);
  for (const table of tables) await rows(database, `ALTER TABLE ${table} DISABLE TRIGGER ALL`);
});

const currency = fc.constantFrom('USD', 'EUR');
const network = fc.option(fc.constantFrom('10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24'));
const hash = fc.option(fc.constantFrom('aa', 'bb'));
const amount = fc.integer({ min: 0, max: 20 });

const placedOrder = fc.record({
  // Half of a minute more, so that no order is at the edge of a period.
  minutesAgo: fc.oneof(
    fc.integer({ min: 0, max: 90 }),
    fc.integer({ min: DAY_MINUTES - 90, max: DAY_MINUTES + 90 }),
    fc.integer({ min: 0, max: 4 * DAY_MINUTES }),
  ),
  /** Between the id and the order. */
  reservedMinutes: fc.integer({ min: 0, max: 10 }),
  family: fc.constantFrom('VOUCHER', 'TOPUP', 'ESIM'),
  status: fc.constantFrom('PENDING', 'PARTIALLY_DELIVERED', 'DELIVERED', 'FAILED', 'CANCELLED'),
  amount,
  currency,
  network,
  email: hash,
  mailbox: hash,
  phone: hash,
  replaces: fc.boolean(),
});

const kinds = ['PER_HOUR', 'PER_RECIPIENT', 'NEW_NETWORK'] as const satisfies readonly SpendRuleKind[];
const rule = fc
  .record({
    kind: fc.constantFrom(...kinds),
    isOwn: fc.boolean(),
    maxOrders: fc.option(fc.integer({ min: 0, max: 12 })),
    maxAmount: fc.option(fc.integer({ min: 0, max: 120 })),
    currency,
  })
  .filter(({ maxOrders, maxAmount }) => maxOrders !== null || maxAmount !== null);

const request = fc.record({ currency, amount, email: hash, phone: hash, network });

const storeOrders = `
WITH given AS (
  SELECT *, row_number() OVER (ORDER BY "minutesAgo" + "reservedMinutes" DESC) AS place, now() - ("minutesAgo" + 0.5) * interval '1 minute' AS placed
    FROM jsonb_to_recordset($orders::jsonb) AS one ("minutesAgo" integer, "reservedMinutes" integer, family text, status text,
           amount numeric, currency text, network cidr, email text, mailbox text, phone text, replaces boolean)
), stored AS (
  INSERT INTO orders (id, nonce, client_id, family, product_id, product_name, country_code, sources, quantity, unit_amount, amount,
    discount, base_currency, wallet_id, deduction_currency, total_payable, status, delivered_quantity, network, email_hash, mailbox_hash,
    replaces_order_id, replaces_unit, replaced_price, placed_at, completed_at)
  SELECT place + (SELECT coalesce(max(id), 0) FROM orders), 'nonce0000000', $clientId::integer, family, 1, 'Product', 'USA', '[]', 1, 1, 1, 0, 'USD', $walletId::integer,
         currency, CASE WHEN replaces THEN 0 ELSE amount END, status, (status = 'DELIVERED')::integer, network,
         decode(email, 'hex'), decode(mailbox, 'hex'), CASE WHEN replaces THEN place + (SELECT coalesce(max(id), 0) FROM orders) END, CASE WHEN replaces THEN 1 END,
         CASE WHEN replaces THEN 0 END, placed, CASE WHEN status IN ('DELIVERED', 'FAILED', 'CANCELLED') THEN placed END
    FROM given
  RETURNING id, family
)
INSERT INTO topup_orders (order_id, variant_id, variant_name, phone_hash)
SELECT id, 1, 'Variant', decode(given.phone, 'hex')
  FROM stored JOIN given ON given.place = stored.id - (SELECT coalesce(max(id), 0) FROM orders) WHERE stored.family = 'TOPUP'`;

/** Why the order is held by `hold_of`, and by a count of all orders. */
const heldStatement = `
SELECT hold_of($clientId::integer, 'VOUCHER', 1, 1, $currency::text, $amount::numeric, decode($email, 'hex'), decode($phone, 'hex'), $network::cidr) ->> 'because' AS held,
       hold_by_counting_all($clientId, $currency, $amount, decode($email, 'hex'), decode($phone, 'hex'), $network::cidr) AS expected`;

async function storeAll(holder: Holder, orders: readonly object[], rules: readonly object[]): Promise<void> {
  await sql(database)`DELETE FROM spend_rules`;
  await rows(database, storeOrders, { ...holder, orders: JSON.stringify(orders) });
  await sql(database)`
INSERT INTO spend_rules (kind, client_id, max_orders, max_amount, currency)
SELECT kind, CASE WHEN "isOwn" THEN ${holder.clientId}::integer END, "maxOrders", "maxAmount", CASE WHEN "maxAmount" IS NOT NULL THEN currency END
  FROM jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) AS one (kind text, "isOwn" boolean, "maxOrders" integer, "maxAmount" numeric, currency text)
ON CONFLICT DO NOTHING`;
}

test('When orders are judged, then the rules hold exactly those that a count of all orders would hold', async () => {
  const judged = { held: 0, not: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(placedOrder, { maxLength: 60, size: 'max' }),
      fc.array(rule, { minLength: 1, maxLength: 4 }),
      fc.array(request, { minLength: 8, maxLength: 8 }),
      async (orders, rules, requests) => {
        const holder = await newHolder(database);
        await storeAll(holder, orders, rules);
        await sql(database)`INSERT INTO client_networks
             VALUES (${holder.clientId}::integer, '10.0.2.0/24', now() - interval '2 days')`;
        for (const one of requests) {
          const found = await oneRow<{ held: string | null; expected: string | null }>(database, heldStatement, {
            clientId: holder.clientId,
            ...one,
          });
          expect(found.held).toBe(found.expected);
          judged[found.held === null ? 'not' : 'held'] += 1;
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(Math.min(judged.held, judged.not)).toBeGreaterThan(50);
});

test.each([
  ['of an hour', { kind: 'PER_HOUR', maxOrders: 10 }, { phone: null }],
  ['of an hour, by their sum', { kind: 'PER_HOUR', maxAmount: 10 }, { phone: null }],
  ['from a new network', { kind: 'NEW_NETWORK', maxOrders: 10 }, { phone: null }],
  ['for one recipient', { kind: 'PER_RECIPIENT', maxOrders: 10 }, { phone: 'aa' }],
])(
  'When a limit of orders %s is exceeded by thousands, then the rule reads only as many as decide',
  async (_, limit, { phone }) => {
    const holder = await newHolder(database);
    const orders = Array.from({ length: 3_000 }, (__, index) => ({
      minutesAgo: index % 50,
      reservedMinutes: 0,
      family: 'TOPUP',
      status: 'DELIVERED',
      amount: 1,
      currency: 'USD',
      network: '10.0.0.0/24',
      phone: 'aa',
    }));
    await storeAll(holder, orders, [{ isOwn: true, currency: 'USD', maxOrders: null, maxAmount: null, ...limit }]);
    expect(await readsOf(holder, phone)).toBeLessThan(40);
  },
);

test('When a recipient has thousands of orders from earlier days, then the rule does not read them', async () => {
  const holder = await newHolder(database);
  const orders = Array.from({ length: 3_000 }, (_, index) => ({
    minutesAgo: 3 * DAY_MINUTES + index,
    reservedMinutes: 0,
    family: 'TOPUP',
    status: 'DELIVERED',
    amount: 1,
    currency: 'USD',
    phone: 'aa',
  }));
  await storeAll(holder, orders, [
    { kind: 'PER_RECIPIENT', isOwn: true, maxOrders: 10, maxAmount: null, currency: 'USD' },
  ]);
  expect(await readsOf(holder, 'aa')).toBeLessThan(40);
});

/** The rows of orders that the rules read for one more order, once the planner knows how many there are. */
async function readsOf({ clientId }: Holder, phone: string | null): Promise<number> {
  await sql(database)`ANALYZE orders, topup_orders`;
  const counted = `
    SELECT sum(idx_tup_fetch + seq_tup_read)::integer AS fetched FROM pg_stat_xact_user_tables WHERE relname = ANY ($tables)`;
  return database.transaction(async (transaction) => {
    await sql.first(database, transaction)`SELECT FROM orders WHERE id = 0`;
    const before = await oneRow<{ fetched: number }>(database, counted, { tables }, transaction);
    await sql(database, transaction)`
      SELECT hold_of(${clientId}, 'TOPUP', 1, 1, 'USD', 1, NULL, decode(${phone}, 'hex'), '10.0.0.0/24')`;
    const after = await oneRow<{ fetched: number }>(database, counted, { tables }, transaction);
    return after.fetched - before.fetched;
  });
}
