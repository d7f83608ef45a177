/** The rights of the roles that do not own the schema. docs/decisions/0033-give-each-role-only-what-it-needs.md. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { clearAttention, raiseAttention } from '../../src/data/attention/attention';
import { deleteOldAudit } from '../../src/data/audit/audit-entries';
import { oneRow, openDatabase, rows, type Database } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { roleNames } from '../../src/data/schema/roles';
import { migrate } from '../../src/data/schema/migrate';
import { storeBalances } from '../../src/data/suppliers/supplier-balances';
import { auditOperatorCall, type OperatorCall } from '../../src/data/audit/operator-calls';
import { storeOnce } from '../../src/data/purchases/families/family-storage';
import { prepareSchema } from '../../src/data/schema/migrate';
import { ensureRoles, type RoleUrls } from '../../dev/sandbox/roles';
import { newClient } from '../support/clients';
import { fund } from '../../dev/testbed/clients';
import { deliveredOrder } from '../support/ledger-orders';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { lockWaits } from '../support/lock-waits';
import { performTasks } from '../support/maintenance';
import { balanceOf } from '../support/records';
import { newDatabase, scratchDatabase } from '../../dev/testbed/scratch-database';
import { until } from '../../dev/testbed/waiting';
import { loadStack } from '../../dev/testbed/loaded-stack';

const scratch = scratchDatabase();
const { database: owner } = scratch;
const names = roleNames(new URL(scratch.url).pathname.slice(1));
const password = () => randomBytes(18).toString('base64url');
const passwords = () => ({
  service: password(),
  operator: password(),
  retention: password(),
  operatorIdentity: password(),
  memberIdentity: password(),
});

let urls: RoleUrls;
let service: Database;
let retention: Database;
let signIn: Database;
let operator: Database;
beforeAll(async () => {
  urls = (await ensureRoles(scratch.url, passwords())) as RoleUrls;
  expect(await migrate(scratch.url)).toEqual(['grants']);
  service = openDatabase(urls.service, 1);
  retention = openDatabase(urls.retention, 1);
  signIn = openDatabase(urls.operatorIdentity, 1);
  operator = openDatabase(urls.operator, 1);
  const { wallets } = await newClient(owner, { USD: 10 });
  await fund(owner, wallets['USD'] as number, 5);
});
afterAll(async () => {
  await service.close();
  await retention.close();
  await signIn.close();
  await operator.close();
  // The database is already dropped, so the roles own nothing and have no rights.
  const server = openDatabase(loadStack().database_url, 1);
  for (const name of Object.values(names)) await rows(server, `DROP ROLE ${name}`);
  await server.close();
});

/** The tables and views on which the role has one of the rights, or none of them. */
async function tablesBy(role: string, rights: string, hasOne: boolean): Promise<string[]> {
  const found = await sql(owner)<{ name: string }>`SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'p')
        AND has_table_privilege(${role}, oid, ${rights}) = ${hasOne} ORDER BY relname`;
  return found.map(({ name }) => name);
}

test('When the schema has a table or a view, then grants.sql lets the service read it', async () => {
  expect(await tablesBy(names.service, 'SELECT', false)).toEqual([]);
});

test.each([
  ['retention', ['audit_entries']],
  ['operatorIdentity', []],
] as const)('When the role %s reads or writes, then only %j', async (role, tables) => {
  expect(await tablesBy(names[role], 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE', true)).toEqual(tables);
});

test('When our supplier balances change, then the service may replace them', async () => {
  await storeBalances(service, 'acme', [
    { amount: '7.5', currency: 'USD' },
    { amount: '3', currency: 'EUR' },
  ]);
  await storeBalances(service, 'acme', [{ amount: '8', currency: 'EUR' }]);
  expect(await sql(owner)`SELECT supplier, currency, amount FROM supplier_balances`).toEqual([
    { supplier: 'acme', currency: 'EUR', amount: '8' },
  ]);
});

test('When the service ends an entry that a person has taken, then it may end the taking, but makes none and writes no note', async () => {
  const subject = { supplier: 'acme' };
  await raiseAttention(owner, subject, 'SUPPLIER_DOWN', 'It is down');
  await sql(owner)`INSERT INTO attention_takings (attention_id, operator) SELECT id, 'alice' FROM attention`;
  await sql(owner)`INSERT INTO attention_notes (attention_id, operator, note) SELECT id, 'alice', 'Call them'
       FROM attention`;
  await clearAttention(service, subject, ['SUPPLIER_DOWN']);
  expect(await sql(owner)`SELECT * FROM attention_takings`).toEqual([]);
  for (const statement of [
    `INSERT INTO attention_takings (attention_id, operator) SELECT id, 'service' FROM attention`,
    `UPDATE attention_notes SET note = 'Mine'`,
  ])
    await expect(rows(service, statement)).rejects.toThrow('permission denied');
  await sql(service)`DELETE FROM attention`;
  expect(await sql(owner)`SELECT * FROM attention_notes`).toEqual([]);
});

test.each([
  `UPDATE approval_proposals SET sealed_call = ''`,
  `UPDATE approval_proposals SET roles = '{support}'`,
  'UPDATE approval_proposals SET expires_at = now()',
  'DELETE FROM approval_proposals',
  'UPDATE approval_rules SET amount = 1',
  'DELETE FROM counted_operations',
  'UPDATE book_months SET lines = 0',
  'DELETE FROM book_lines',
  'DELETE FROM statement_differences',
  'UPDATE supplier_credits SET change = 0',
  'DELETE FROM supplier_credits',
  `INSERT INTO claims (client_id, order_id, kind, due_at) VALUES (1, 1, 'INVALID_CODE', now())`,
  `UPDATE claims SET opened_by = 'another'`,
])(
  "When the operators' process runs %s, then it is rejected: what was proposed, counted, claimed and closed stays",
  async (statement) => {
    await expect(rows(operator, statement)).rejects.toThrow('permission denied');
  },
);

test("When the right of a proposer is checked, then only the operators' process may, and it reads no person", async () => {
  const check = `SELECT * FROM lock_account('no-one')`;
  expect(await rows(operator, check)).toEqual([]);
  await expect(rows(service, check)).rejects.toThrow('permission denied for function lock_account');
  await expect(sql(operator)`SELECT FROM identity_operators."user"`).rejects.toThrow('permission denied');
});

test("When a claim is opened for a client, then only the operators' process may, and in the name of a person", async () => {
  const opening = `SELECT open_claim(1, 1, 'INVALID_CODE', 'sealed', 60, 5)`;
  await expect(rows(service, opening)).rejects.toThrow('permission denied for function open_claim');
  await expect(rows(operator, opening)).rejects.toThrow('a claim is opened in the name of a person');
});

test('When a function runs as the owner of the schema, then no role uses it as a trigger of a table of its own', async () => {
  await sql(service)`CREATE TEMPORARY TABLE mine (client_id integer, allowed_cidrs text[], id integer)`;
  await expect(
    sql(service)`
      CREATE TRIGGER mine AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION mail_network_change()`,
  ).rejects.toThrow('permission denied for function mail_network_change');
  const open = await sql(owner)`SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       AND prosecdef
        AND (proacl IS NULL OR EXISTS (SELECT FROM aclexplode(proacl) WHERE grantee = 0))`;
  expect(open).toEqual([]);
});

test('When a process changes the file of a proposal, then it may only erase it', async () => {
  await sql(operator)`
    INSERT INTO approval_proposals
      (nonce, operation, proposer, proposer_id, proposer_role, accountable, door, roles, sealed_call, sealed_files)
    VALUES ('with a file', 'refunds import', 'sam', '1', 'support', 'sam', 'CLI', '{finance}', '', 'file')`;
  for (const database of [operator, service]) {
    await expect(sql(database)`UPDATE approval_proposals SET sealed_files = 'other'`).rejects.toThrow(
      'changes no file of a proposal',
    );
    await sql(database)`UPDATE approval_proposals SET sealed_files = NULL`;
  }
  await sql(owner)`DELETE FROM approval_proposals WHERE nonce = 'with a file'`;
});

test('When a person approves what he or she proposed, then the database rejects it', async () => {
  await sql(operator)`
    INSERT INTO approval_proposals (nonce, operation, proposer, proposer_id, proposer_role, accountable, door, roles, sealed_call)
    VALUES ('n', 'wallets fund', 'robot', '1', 'finance', 'alice', 'API', '{finance}', '')`;
  for (const name of ['robot', 'alice'])
    await expect(
      rows(operator, `UPDATE approval_proposals SET state = 'APPROVED', decided_at = now(), decided_by = '${name}'`),
    ).rejects.toThrow('violates check constraint');
});

test.each([
  'UPDATE transactions SET amount = 1',
  'UPDATE transactions SET remarks = NULL',
  'DELETE FROM transactions',
  'TRUNCATE transactions',
  'TRUNCATE events',
  'DROP TABLE transactions',
  'ALTER TABLE transactions DISABLE TRIGGER ALL',
  'ALTER TABLE wallets DROP CONSTRAINT wallets_balance_check',
  'DROP FUNCTION post_entry',
  'CREATE TABLE mine (id integer)',
  'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  'DELETE FROM orders',
  'UPDATE order_refunds SET amount = 1',
  'DELETE FROM order_refunds',
  'DELETE FROM vouchers',
  'DELETE FROM wallets',
  'DELETE FROM quarantined_goods',
  'DELETE FROM data_keys',
  "INSERT INTO migrations (name) VALUES ('0099-mine')",
  'UPDATE api_keys SET client_id = 1',
  'UPDATE api_keys SET revoked_at = NULL',
  "UPDATE api_keys SET secret_hash = '', hash_key_id = 'mine'",
  "INSERT INTO api_keys (client_id, api_key, secret_hash, hash_key_id, scopes) VALUES (1, 'mine', '', 'mine', '{}')",
  "UPDATE api_keys SET scopes = '{admin}'",
  'UPDATE api_keys SET expires_at = NULL',
  "SELECT FROM add_successor(1, 'mine', '', 'mine', interval '1 hour')",
  "UPDATE clients SET allowed_cidrs = '{}'",
  "UPDATE clients SET status = 'ACTIVE'",
  "INSERT INTO clients (name, contact_email) VALUES ('Mine', 'me@mine.example')",
  'UPDATE wallets SET credit_limit = 1000',
  'DELETE FROM credit_limits',
  'INSERT INTO credit_limits (wallet_id, from_entry, credit_limit) VALUES (1, 1, 1000)',
  'UPDATE forex_rates SET rate = 1',
  'UPDATE reference_rates SET rate = 1',
  "UPDATE currencies SET code = 'XXX'",
  'UPDATE countries SET active = false',
  'UPDATE voucher_products SET gst_percent = 0',
  'CREATE ROLE mine',
])('When the service runs %s, then PostgreSQL rejects it', async (statement) => {
  await expect(rows(service, statement)).rejects.toThrow(/permission denied|must be owner/);
});

describe('When the service puts money into a wallet', () => {
  const wallet = '(SELECT min(id) FROM wallets)';
  const funding = `SELECT FROM post_entry(${wallet}, 'FUNDING', 'CREDIT', 5, NULL, 'mine', 'Mine', NULL, NULL, NULL, NULL)`;
  const balance = async () =>
    (await sql.first(owner)<{ balance: string }>`SELECT balance FROM wallets ORDER BY id`)?.balance;

  test.each([
    ['by a funding', funding],
    ['by an adjustment', funding.replace('FUNDING', 'ADJUSTMENT')],
    [
      'by a row of the ledger',
      `INSERT INTO transactions (wallet_id, client_id, sequence, kind, transaction_type, amount, balance_after, reference_number, remarks)
       SELECT id, client_id, entry_count + 1, 'FUNDING', 'CREDIT', 5, balance + 5, 'mine', 'Mine' FROM wallets LIMIT 1`,
    ],
  ])('%s, then PostgreSQL rejects it, and nothing moves', async (_how, statement) => {
    const before = await balance();
    await expect(rows(service, statement)).rejects.toThrow(/writes no ledger entries of kind (FUNDING|ADJUSTMENT)/);
    expect(await balance()).toBe(before);
  });

  test('by a conversion, then PostgreSQL accepts only a pair of one client at the stored rate', async () => {
    const [payer, stranger] = [await newHolder(owner, 100), await newHolder(owner)];
    const opened = `INSERT INTO wallets (client_id, currency_code) VALUES ($clientId, 'EUR') RETURNING id`;
    const { id: euros } = await oneRow<{ id: number }>(owner, opened, { clientId: payer.clientId });
    const { id: foreign } = await oneRow<{ id: number }>(owner, opened, { clientId: stranger.clientId });
    await sql(owner)`INSERT INTO forex_rates (source_currency, destination_currency, rate)
         VALUES ('EUR', 'USD', 1.25)
       ON CONFLICT (source_currency, destination_currency) DO UPDATE SET rate = 1.25`;
    const half = (wallet: number, type: string, amount: number, reference: string) =>
      `SELECT FROM post_entry(${wallet}, 'CONVERSION', '${type}', ${amount}, NULL, '${reference}', 'Mine', 'USD', 'EUR', 0.8, 0)`;
    /** Both halves with a row that says so, in one transaction. */
    const pair = (to: number, { debit = 10, credit = 8, rate = 0.8 } = {}) =>
      service.transaction(async (transaction) => {
        const { id } = await sql.one(service, transaction)<{ id: number }>`
          INSERT INTO conversions (client_id, reference, from_wallet_id, to_wallet_id, amount, converted_amount, forex_rate, conversion_charges)
           VALUES (${payer.clientId}, ${randomUUID()}, ${payer.walletId}, ${to}, 10, ${credit}, ${rate}, 0) RETURNING id`;
        await rows(service, half(payer.walletId, 'DEBIT', debit, `conversion-${id}`), {}, transaction);
        await rows(service, half(to, 'CREDIT', credit, `conversion-${id}`), {}, transaction);
        await sql(service, transaction)`SET CONSTRAINTS ALL IMMEDIATE`;
      });
    const rejected = 'is no half of a conversion between two wallets of a client at the present rate and fee';
    await expect(rows(service, half(euros, 'CREDIT', 8, 'conversion-999'))).rejects.toThrow(rejected);
    await expect(pair(foreign)).rejects.toThrow(rejected);
    await expect(pair(euros, { credit: 9 })).rejects.toThrow(rejected);
    await expect(pair(euros, { debit: 9 })).rejects.toThrow(rejected);
    await expect(pair(euros, { rate: 0.9 })).rejects.toThrow(rejected);
    expect(await balanceOf(owner, payer.walletId)).toBe('100');
    await pair(euros);
    expect(await Promise.all([payer.walletId, euros].map((id) => balanceOf(owner, id)))).toEqual(['90', '8']);
    await expect(sql(service)`UPDATE conversions SET amount = 1`).rejects.toThrow('permission denied');
  });

  test('by a refund after delivery, then PostgreSQL lets it credit only what a row of an operator says, once', async () => {
    const { clientId, walletId } = await newHolder(owner, 100);
    const orderId = await deliveredOrder(owner, { clientId, walletId }, { quantity: 2 });
    const credited = async () => Number(await balanceOf(owner, walletId)) - 80;
    const values = `${orderId}, 'T-1', 1, NULL, NULL, 'GOODWILL', NULL, false`;
    const entry = (amount: number) =>
      `SELECT FROM post_entry(${walletId}, 'REFUND_AFTER', 'CREDIT', ${amount}, ${orderId}, 'order-${orderId}-r1', 'Mine', NULL, NULL, NULL, NULL)`;
    await expect(rows(service, `SELECT FROM refund_order(${values})`)).rejects.toThrow('permission denied');
    await expect(rows(service, entry(10))).rejects.toThrow('no refund allows the entry');
    await rows(operator, `SELECT FROM request_refund(${values})`);
    await expect(sql(operator)`UPDATE order_refunds SET amount = 20`).rejects.toThrow('permission denied');
    await expect(rows(service, entry(20))).rejects.toThrow('no refund allows the entry');
    expect(await credited()).toBe(0);
    await rows(service, `SELECT carry_out_refund(${orderId}, 1)`);
    await rows(service, `SELECT carry_out_refund(${orderId}, 1)`);
    await expect(rows(service, entry(10))).rejects.toThrow();
    expect(await credited()).toBe(10);
  });

  test('by the funding of a sandbox, then it is credited only if the sandbox has scenarios', async () => {
    const sandbox = `SELECT FROM fund_sandbox_wallet(${wallet}, 5, 'mine', 'Mine')`;
    await expect(rows(service, sandbox)).rejects.toThrow('not a sandbox');
    await expect(sql(service)`INSERT INTO sandbox_scenarios (scenarios) VALUES ('[]')`).rejects.toThrow(
      'permission denied',
    );
    await expect(rows(retention, sandbox)).rejects.toThrow('permission denied');
    await sql(owner)`INSERT INTO sandbox_scenarios (scenarios) VALUES ('[]')`;
    const before = Number(await balance());
    await rows(service, sandbox);
    expect(Number(await balance())).toBe(before + 5);
    await expect(rows(service, funding)).rejects.toThrow('writes no ledger entries');
  });
});

test('When the schema is migrated, then it has the reference data of the release, without which the service does not start', async () => {
  await sql(owner)`UPDATE countries SET name = 'Another' WHERE alpha_3 = 'DEU'`;
  await sql(owner)`UPDATE currencies SET minor_unit = 0 WHERE code = 'EUR'`;
  await sql(owner)`DELETE FROM currencies WHERE code = 'ISK'`;
  const starting = () => prepareSchema({ mode: 'production', database: { url: urls.service } });
  await expect(starting()).rejects.toThrow('its schema is older than this release (currency ISK is missing)');
  expect(await migrate(scratch.url)).toEqual(['reference data']);
  expect(await sql(owner)`SELECT name FROM countries WHERE alpha_3 = 'DEU'`).toEqual([{ name: 'Germany' }]);
  expect(await sql(owner)`SELECT code, minor_unit FROM currencies WHERE code IN ('EUR', 'ISK')`).toEqual(
    expect.arrayContaining([
      { code: 'EUR', minor_unit: 2 },
      { code: 'ISK', minor_unit: 0 },
    ]),
  );
  await starting();
});

test.each([
  `UPDATE currencies SET minor_unit = 0 WHERE code = 'USD'`,
  `UPDATE currencies SET code = 'ZZZ' WHERE code = 'USD'`,
  `INSERT INTO currencies (name, code, numeric_code, symbol, minor_unit) VALUES ('Play', 'ZZZ', '000', 'Z', 0)`,
  `DELETE FROM currencies`,
  `UPDATE wallets SET currency_code = 'KWD'`,
  `UPDATE wallets SET client_id = 1`,
  `UPDATE orders SET total_payable = 1000`,
  `UPDATE orders SET quantity = 1`,
  `UPDATE orders SET wallet_id = 1`,
  `UPDATE orders SET forex_rate = 1`,
  ...['forex_rates', 'reference_rates'].map((table) => `UPDATE ${table} SET rate = 1`),
  ...['conversion_fees', 'client_discounts', 'margin_rules', 'approval_rules', 'order_refunds'].map(
    (table) => `DELETE FROM ${table}`,
  ),
])(
  'When the service runs %s, then PostgreSQL rejects it: it changes nothing by which amounts are computed',
  async (statement) => {
    await expect(rows(service, statement)).rejects.toThrow(/permission denied|writes no currencies/);
  },
);

test("When the operators' process changes the decimals of a currency, then PostgreSQL rejects it", async () => {
  await expect(sql(operator)`UPDATE currencies SET minor_unit = 0`).rejects.toThrow('permission denied');
});

test('When the API of the previous release repeats its reference data, then it starts', async () => {
  expect(
    await sql(service)`INSERT INTO currencies (name, code, numeric_code, symbol, minor_unit)
    SELECT name, code, numeric_code, symbol, minor_unit FROM currencies
    ON CONFLICT (code) DO UPDATE SET name = excluded.name, minor_unit = excluded.minor_unit
     WHERE (currencies.name, currencies.minor_unit) IS DISTINCT FROM (excluded.name, excluded.minor_unit)`,
  ).toEqual([]);
});

test('When the user may not create roles, then ensureRoles creates no roles and does not fail', async () => {
  expect(await ensureRoles(urls.service, passwords())).toBeUndefined();
});

test('When the schema is older than the service, then the service does not start, and names the command to run', async () => {
  const starting = (url: string, mode: 'sandbox' | 'production' = 'sandbox') =>
    prepareSchema({ mode, database: { url } });
  await starting(urls.service, 'production');
  const [newest] = await sql(owner)<{ name: string }>`DELETE FROM migrations WHERE name = (SELECT max(name)
       FROM migrations) RETURNING name`;
  await expect(starting(urls.service)).rejects.toThrow(
    `its schema is older than this release (${newest?.name} is missing): run npm run ops -- migrate`,
  );
  await sql(owner)`INSERT INTO migrations (name) VALUES ('0001-reference-data')`;
  await expect(starting(urls.service, 'production')).rejects.toThrow('of an earlier development state');
  await sql(owner)`UPDATE migrations SET name = ${newest?.name ?? ''} WHERE name = '0001-reference-data'`;
});

test('When a function file is not applied, then the service does not start, but it starts with one of the next release', async () => {
  const starting = () => prepareSchema({ mode: 'production', database: { url: urls.service } });
  const [file] = await sql(owner)<{ name: string; digest: string }>`DELETE FROM applied_functions
       WHERE name = 'rules/clocks' RETURNING name, digest`;
  await expect(starting()).rejects.toThrow(
    'its schema is older than this release (rules/clocks is missing): run npm run ops -- migrate',
  );
  expect(await migrate(scratch.url)).toEqual([]);
  await starting();
  await sql(owner)`
    UPDATE schema_functions SET digest = 'of the next release' WHERE name = 'rules/clocks'`;
  await starting();
  await sql(owner)`UPDATE schema_functions SET digest = ${file?.digest ?? ''}
       WHERE name = ${file?.name ?? ''}`;
});

test('When a role that does not own the schema acquires locks, then no migration waits for them', async () => {
  const formerLock = 7_203_415_880;
  for (const database of [service, retention, signIn]) {
    await expect(
      database.query('BEGIN; LOCK TABLE public.migrations IN SHARE UPDATE EXCLUSIVE MODE; COMMIT'),
    ).rejects.toThrow('permission denied');
    await sql(database)`ROLLBACK`;
  }
  await sql(retention)`SELECT pg_advisory_lock(${formerLock})`;
  expect(await migrate(scratch.url)).toEqual([]);
  await sql(retention)`SELECT pg_advisory_unlock(${formerLock})`;
});

test('When codes are stored under two lookup keys, then two transactions that store codes of one bucket wait for each other', async () => {
  const other = await owner.transaction();
  await sql(owner, other)`SELECT FROM lookup_buckets WHERE bucket = 5 FOR UPDATE`;
  const storing = storeOnce(service, { statement: 'SELECT 1', binds: {}, buckets: [63, 5, 5] });
  expect(await Promise.race([storing, lockWaits(owner)])).toBe(true);
  await other.commit();
  await storing;
});

test('When another process migrates, then a message names that process', async () => {
  const other = await owner.transaction();
  await sql(owner, other)`LOCK TABLE migrations IN SHARE UPDATE EXCLUSIVE MODE`;
  const [session] = await sql(owner, other)<{ pid: number; role: string }>`
    SELECT pg_backend_pid() AS pid, session_user::text AS role`;
  let printed = '';
  const migrated = migrate(scratch.url, (sentence) => (printed = sentence));
  await until('the sentence', () => Promise.resolve(printed || undefined));
  await other.commit();
  expect(printed).toContain(`waiting for PostgreSQL process ${session?.pid} of role ${session?.role} from `);
  expect(await migrated).toEqual([]);
});

test('When production logs in as the owner of the schema, then it does not start', async () => {
  const database = { url: scratch.url };
  await expect(prepareSchema({ mode: 'production', database })).rejects.toThrow(
    'its user owns the schema, which production rejects',
  );
});

test.each(['retention', 'operatorIdentity'] as const)(
  'When the role %s creates a temporary table, then PostgreSQL rejects it',
  async (role) => {
    const database = { retention, operatorIdentity: signIn }[role];
    await expect(sql(database)`CREATE TEMPORARY TABLE mine (id integer)`).rejects.toThrow('permission denied');
  },
);

describe('the audit', () => {
  const entryFrom = (age: string) =>
    sql(owner)`
      INSERT INTO audit_entries (id, at, actor_kind, client_id, action, object) OVERRIDING SYSTEM VALUE
       SELECT (SELECT least(min(id), 0) - 1 FROM audit_entries), clock_timestamp() - ${age}::interval, 'CLIENT',
              min(id), 'test', 'test' FROM clients`;
  const left = async () =>
    (await sql.first(owner)<{ entries: number }>`SELECT count(*) AS entries FROM audit_entries`)?.entries;

  test('When the service inserts the audit entry of a client, then PostgreSQL accepts it', async () => {
    expect(
      await sql(service)`INSERT INTO audit_entries (actor_kind, client_id, action, object)
    SELECT 'CLIENT', min(id), 'test', 'test' FROM clients`,
    ).toEqual([]);
  });

  test.each([
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    `UPDATE audit_entries SET action = 'nothing'`,
    `INSERT INTO audit_entries (actor_kind, action, object) VALUES ('OPERATOR', 'test', 'test')`,
    `INSERT INTO audit_entries (actor_kind, operator, action, object) VALUES ('OPERATOR', 'alice', 'test', 'test')`,
    `CREATE TEMPORARY TABLE pg_class AS
       SELECT 'audit_entries'::regclass::oid AS oid, oid AS relowner FROM pg_roles WHERE rolname = current_user;
     INSERT INTO audit_entries (actor_kind, action, object) VALUES ('OPERATOR', 'test', 'test')`,
    `INSERT INTO audit_entries (at, actor_kind, client_id, action, object) VALUES (now(), 'CLIENT', 1, 'test', 'test')`,
    `SELECT audit_operator(NULL, 'test', 'test', NULL, NULL)`,
    `SELECT set_config('app.command', 'wallets fund', false), set_config('app.operator', 'alice', false);
     UPDATE attention SET reason = reason; INSERT INTO attention (kind, supplier, reason) VALUES ('SUPPLIER_DOWN', 'x', 'x')`,
  ])('When the service runs %s, then PostgreSQL rejects it', async (statement) => {
    const before = await left();
    await expect(service.query(statement)).rejects.toThrow(/permission denied|writes no audit entries of operators/);
    await service.query('RESET ALL');
    expect(await left()).toBe(before);
  });

  test('When the service names an operator and changes networks as a client, then PostgreSQL rejects it', async () => {
    const { id, credentials } = await newClient(owner);
    const set = `SELECT set_allowed_networks($id, (SELECT id FROM api_keys WHERE api_key = $key), NULL, NULL, NULL, '{10.0.0.0/8}')`;
    const before = await left();
    await expect(
      service.transaction(async (transaction) => {
        await sql(service, transaction)`
          SELECT set_config('app.command', 'clients set', true), set_config('app.operator', 'alice', true)`;
        await rows(service, set, { id, key: credentials.api_key }, transaction);
      }),
    ).rejects.toThrow('writes no audit entries of operators');
    expect(await left()).toBe(before);
    await rows(service, set, { id, key: credentials.api_key });
  });

  test("When the operators' process names no person, then PostgreSQL rejects the entry, and what it is about", async () => {
    const { wallets } = await newClient(owner, { USD: 0 });
    const funding = `SELECT FROM post_entry(${wallets['USD']}, 'FUNDING', 'CREDIT', 5, NULL, 'no-one', 'Mine', NULL, NULL, NULL, NULL)`;
    await expect(rows(operator, funding)).rejects.toThrow("the operators' process needs its person");
    expect(Number(await balanceOf(owner, wallets['USD'] as number))).toBe(0);
  });

  test("When the operators' role changes a value that decides money without a guard, then PostgreSQL refuses it, also without a command", async () => {
    await expect(sql(operator)`
      INSERT INTO forex_rates VALUES ('SEK', 'NOK', 1)`).rejects.toThrow(
      'A change of forex_rates needs a guard of RATE',
    );
  });

  test("When a further login is a member of the operators' role, then it writes entries as that role does", async () => {
    const { role } = await sql.one(operator)<{ role: string }>`SELECT current_user AS role`;
    const url = new URL(urls.operator);
    [url.username, url.password] = [`further_${randomUUID().slice(0, 8)}`, randomUUID()];
    await owner.query(`CREATE ROLE "${url.username}" LOGIN PASSWORD '${url.password}' IN ROLE "${role}"`);
    await owner.query(`ALTER ROLE "${url.username}" SET role = "${role}"`);
    const further = openDatabase(url.href, 1);
    const entry = `INSERT INTO audit_entries (actor_kind, operator, action, object) VALUES ('OPERATOR', $name, 'test', 'test')`;
    expect(await rows(further, entry, { name: 'alice' })).toEqual([]);
    await expect(rows(further, entry, { name: null })).rejects.toThrow("the operators' process needs its person");
    await further.close();
    await owner.query(`DROP ROLE "${url.username}"`);
  });

  test('When an entry is younger than 400 days, then neither the retention role nor the owner can delete it', async () => {
    await entryFrom('399 days');
    for (const database of [retention, owner]) {
      await expect(sql(database)`DELETE FROM audit_entries`).rejects.toThrow('audit entries are kept for 400 days');
      await expect(sql(database)`TRUNCATE audit_entries`).rejects.toThrow(/never changed|permission denied/);
    }
    expect(await deleteOldAudit(retention, 10)).toBe(0);
  });

  test('When entries are older than 400 days, then only the retention role can delete them', async () => {
    const before = Number(await left());
    for (let entry = 0; entry < 3; entry++) await entryFrom('401 days');
    await expect(deleteOldAudit(service, 2)).rejects.toThrow('permission denied');
    await expect(deleteOldAudit(owner, 2)).rejects.toThrow(`only role ${names.retention} deletes audit entries`);
    expect(await deleteOldAudit(retention, 2)).toBe(2);
    expect(await deleteOldAudit(retention, 2)).toBe(1);
    expect(await left()).toBe(before);
  });

  test('When the retention role records an operator call in Temporal, then the audit has one entry, and the role has no other write access', async () => {
    const run = { workflowId: 'other', runId: 'run' };
    const call: OperatorCall = {
      action: 'workflow.signalled',
      at: new Date(),
      command: 'retryNow',
      operator: 'jane',
      reason: null,
      source: 'other/run/7',
      content: {},
    };
    const before = Number(await left());
    for (let time = 0; time < 2; time++)
      await auditOperatorCall({ database: service, auditDatabase: retention }, run, call, { before: null });
    expect(await left()).toBe(before + 1);
    await expect(sql(retention)`SELECT FROM orders`).rejects.toThrow('permission denied');
    await expect(sql(retention)`UPDATE audit_entries SET reason = NULL`).rejects.toThrow('permission denied');
  });
});

test('When roles are missing, then the error of the migration names them', async () => {
  const other = await newDatabase();
  const lone = new URL(other.url).pathname.slice(1) + '_service';
  try {
    await rows(owner, `CREATE ROLE ${lone}`);
    await expect(migrate(other.url)).rejects.toThrow(
      /PostgreSQL has no role \S+_operator, \S+_retention, \S+_operator_identity, \S+_member_identity: make it/,
    );
  } finally {
    await other.drop();
    await rows(owner, `DROP ROLE ${lone}`);
  }
});

test('When maintenance runs as the service, then it may delete rows whose retention is over', async () => {
  const context = {
    database: service,
    auditDatabase: retention,
    openPatientDatabase: () => openDatabase(urls.service, 1),
    suppliers: new Map(),
    eventRetentionDays: 90,
    priceChangeLimitPercent: 20,
    rateMaxAgeHours: 0,
    claims: { unusualCount: 5, unusualPercent: 5 },
  };
  await sql(operator)`INSERT INTO outdated_order_sums VALUES ('2026-01-01')`;
  await performTasks(context, [
    'purgeExpired',
    'rollUpCounters',
    'abandonExpiredReservations',
    'reviewSuppliers',
    'reviewEndpoints',
    'eraseRecipients',
  ]);
  expect(await sql(operator)`SELECT FROM outdated_order_sums`).toEqual([]);
});

test('When the service synchronises a catalogue, then it may store offers, and change sources, images and texts', async () => {
  const supplier = {
    name: 'acme',
    catalogue: async function* () {
      yield [
        {
          family: 'ESIM',
          sku: 'A',
          name: 'A',
          currency: 'USD',
          inputs: [],
          amounts: { fixed: ['10'] },
          cost: { fixed: '9', fee: '0', currency: 'USD' },
        },
      ];
    },
  };
  const context = { database: service, suppliers: new Map([['acme', supplier]]), priceChangeLimitPercent: 20 };
  await sql(owner)`INSERT INTO product_sources (family, item_id, supplier, sku)
       VALUES ('ESIM', 1, 'acme', 'A')`;
  await performTasks(context, ['syncCatalogues']);
  expect(
    await sql(owner)`
    SELECT trim_scale(cost_fixed)::text AS cost FROM product_sources`,
  ).toEqual([{ cost: '9' }]);
});

/** The environment of a running program, from /proc. */
function environmentOf(program: string): Map<string, string> {
  const pid = loadStack().pids[program] as number;
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return new Map(entries.map((entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)]));
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('When the stack runs, then each of its programs has its own role and only the secrets that it uses', () => {
  const secrets = ['DATABASE_URL', 'RETENTION_DATABASE_URL', 'SECRET_KEYS', 'SIMULATOR_SECRET', 'POSTGRES_PASSWORD'];
  const secretsOf = (program: string) => secrets.filter((name) => environmentOf(program).has(name));
  const userOf = (program: string) => new URL(environmentOf(program).get('DATABASE_URL') ?? '').username;
  const {
    service: serviceRole,
    operator: operatorRole,
    retention: retentionRole,
  } = roleNames(new URL(loadStack().database_url).pathname.slice(1));
  for (const program of ['api', 'worker']) expect(userOf(program)).toBe(serviceRole);
  expect(secretsOf('api')).toEqual(['DATABASE_URL', 'SECRET_KEYS', 'SIMULATOR_SECRET']);
  expect(secretsOf('worker')).toEqual(['DATABASE_URL', 'RETENTION_DATABASE_URL', 'SECRET_KEYS', 'SIMULATOR_SECRET']);
  expect(new URL(environmentOf('worker').get('RETENTION_DATABASE_URL') ?? '').username).toBe(retentionRole);
  expect(secretsOf('operators')).toEqual(['DATABASE_URL', 'SECRET_KEYS', 'SIMULATOR_SECRET']);
  expect(userOf('operators')).toBe(operatorRole);
  expect(secretsOf('simulator')).toEqual(['SIMULATOR_SECRET']);
  for (const program of ['mail-catcher', 'temporal']) expect(secretsOf(program)).toEqual([]);
});
