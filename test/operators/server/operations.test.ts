/** The operators' process over HTTP. docs/operators/api.md. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { roles } from '../../../src/domain/operators/roles';
import { operations } from '../../../src/operators/operations/operations';
import { RemoteDoor } from '../../../src/operators/cli/operators-client';
import { newClient, useDatabase } from '../../support/clients';
import { ops } from '../../support/operator';
import { callOperation, serviceCaller, type ServiceCaller } from '../../support/service-accounts';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';
import { until } from '../../../dev/testbed/waiting';

const database = useDatabase();
const operatorsLog = join(stackDirectory().path, 'logs', 'operators.log');

test.each(roles)(
  'When a service account of the role %s calls, then exactly the operations of the role that give no access are open, by API and CLI',
  async (role) => {
    const { token } = await serviceCaller(
      role,
      operations.map(({ name }) => name),
    );
    const door = new RemoteDoor(
      () => ({ url: loadStack().ops_url, token }),
      () => 'somebody else',
    );
    for (const operation of operations) {
      const isOfRole = operation.roles.includes(role);
      const isOpen = isOfRole && !operation.givesAccess;
      // A preview checks the role and changes nothing.
      const { status, body } = await callOperation(token, operation.name, {}, { preview: true });
      expect({ operation: operation.name, isOpen: status !== 403 }).toEqual({ operation: operation.name, isOpen });
      if (isOpen) continue;
      expect(body.error).toMatchObject({ code: 'FORBIDDEN' });
      expect(await callOperation(token, operation.name)).toMatchObject({ status: 403 });
      await expect(door.preview(operation, {})).rejects.toThrow(
        `${operation.name} ${isOfRole ? 'gives access: no service account may use it' : 'needs the role'}`,
      );
    }
  },
);

test('When nobody is signed in, then every operation is rejected and says how to log in', async () => {
  for (const { name } of operations)
    expect(await callOperation(undefined, name)).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHENTICATED', message: expect.stringContaining('ops login') } },
    });
});

test("When a client's token is sent to the operators' process, or an operator's to the API, then neither opens", async () => {
  const client = await newClient(database);
  const token = await client.api.accessToken();
  expect(await callOperation(token, 'wallets list')).toMatchObject({ status: 401 });
  const { token: operator } = await serviceCaller('admin');
  const response = await fetch(`${loadStack().api_url}/api/v1/wallets`, {
    headers: { Authorization: `Bearer ${operator}` },
  });
  expect(response.status).toBe(401);
});

test("When the operators' process answers a request, then its log has the person, the path and the status, and no query", async () => {
  const { token } = await serviceCaller('viewer');
  const secret = randomUUID();
  const { headers } = await fetch(`${loadStack().ops_url}/ops/v1/roles?text=${secret}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const log = () => readFileSync(join(stackDirectory().path, 'logs', 'operators.log'), 'utf8');
  const line = await until('a line of the log', async () =>
    log()
      .split('\n')
      .find((each) => each.includes(headers.get('x-request-id') ?? 'none')),
  );
  expect(JSON.parse(line)).toMatchObject({
    msg: 'request',
    method: 'GET',
    path: '/ops/v1/roles',
    status: 400,
    personId: expect.stringMatching(/^service-\d+$/),
  });
  expect(log()).not.toContain(secret);
});

test('When a page of another site sends a call, then it is rejected', async () => {
  const { token } = await serviceCaller('admin');
  const headers = { Origin: 'https://elsewhere.example' };
  expect(
    await fetch(`${loadStack().ops_url}/ops/v1/wallets/list`, {
      method: 'POST',
      headers: { ...headers, Authorization: `Bearer ${token}` },
    }),
  ).toMatchObject({ status: 403 });
});

test('When fifty people change something at once, then each audit entry names its own person, door and reason', async () => {
  const { id, wallets } = await newClient(database, { USD: 0 });
  const callers: ServiceCaller[] = [];
  for (let caller = 0; caller < 50; caller++) callers.push(await serviceCaller('finance'));
  const answers = await Promise.all(
    callers.map(({ token, name }) =>
      callOperation(token, 'wallets fund', {
        wallet: wallets['USD'],
        amount: '1.00',
        reference: `ref-${name}`,
        reason: `because ${name}`,
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(callers.map(() => 200));
  const entries = await ops`audit list --client ${id} --command "wallets fund" --limit 100`;
  const found = entries.map(({ operator, door, reason, after }) => ({
    operator,
    door,
    reason,
    reference: (after as { reference_number?: string }).reference_number,
  }));
  const expected = callers.map(({ name }) => ({
    operator: name,
    door: 'API',
    reason: `because ${name}`,
    reference: `ref-${name}`,
  }));
  const byName = (a: { operator: unknown }, b: { operator: unknown }) =>
    String(a.operator).localeCompare(String(b.operator));
  expect(found.sort(byName)).toEqual(expected.sort(byName));
});

test('When the caller names somebody else, then the audit names the caller', async () => {
  const { id, wallets } = await newClient(database, { USD: 0 });
  const { token, name } = await serviceCaller('finance');
  const args = { wallet: wallets['USD'], amount: '1', reference: 'named' };
  await callOperation(token, 'wallets fund', args, { headers: { 'X-Operator': 'alice' } });
  const [entry] = await ops`audit list --client ${id}`;
  expect(entry).toMatchObject({ operator: name });
});

test('When a page sends a Bearer, too, then the audit has the page', async () => {
  const { ops_url: url } = loadStack();
  const authorization = `Bearer ${stackDirectory().operatorToken() ?? ''}`;
  const made = await fetch(`${url}/ops/v1/sign-in-link`, { method: 'POST', headers: { authorization } });
  const { link } = (await made.json()) as { link: string };
  const followed = await fetch(link, { redirect: 'manual' });
  const [cookie = ''] = (followed.headers.getSetCookie()[0] ?? '').split(';');
  const { id, wallets } = await newClient(database, { USD: 0 });
  const headers = { cookie, Origin: url, Authorization: 'Bearer of-no-one' };
  const args = { wallet: wallets['USD'], amount: '1', reference: 'by-page' };
  expect(await callOperation(undefined, 'wallets fund', args, { headers })).toMatchObject({ status: 200 });
  expect(await ops`audit list --client ${id}`).toMatchObject([{ door: 'PAGE' }]);
});

test('When the name of the local admin is not encoded, then the call is rejected with the cause', async () => {
  const token = stackDirectory().operatorToken() ?? '';
  const headers = { 'X-Operator': '%' };
  expect(await callOperation(token, 'wallets list', {}, { headers })).toMatchObject({
    status: 400,
    body: {
      error: {
        name: 'BadRequestError',
        code: 'VALIDATION_FAILURE',
        message: 'X-Operator: percent-encode the name, in UTF-8.',
      },
    },
  });
});

test('When an operation fails for an unknown reason, then the message names the request, and the log of the process has the cause', async () => {
  const token = stackDirectory().operatorToken() ?? '';
  const name = `Fault ${randomUUID()}`;
  const cause = `A sentence of PostgreSQL about ${randomUUID()}`;
  await rows(
    database,
    `CREATE FUNCTION fail_insert() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION '${cause}' USING ERRCODE = 'XX000'; END $$`,
  );
  const condition = `FOR EACH ROW WHEN (NEW.name = '${name}') EXECUTE FUNCTION fail_insert()`;
  await rows(database, `CREATE TRIGGER fail_insert BEFORE INSERT ON clients ${condition}`);
  try {
    for (const accept of ['application/json', 'application/x-ndjson']) {
      const id = randomUUID();
      const headers = { Accept: accept, 'X-Request-Id': id };
      const { body } = await callOperation(token, 'clients create', { name, contact: 'a@client.example' }, { headers });
      expect(body.error).toMatchObject({
        code: 'INTERNAL_ERROR',
        message: `Something failed here. Try again. If it fails again, search the log for the request ${id}.`,
      });
      const logged = await until('the failure in the log', async () =>
        readFileSync(operatorsLog, 'utf8')
          .split('\n')
          .find((line) => line.includes(id) && line.includes('an operation failed')),
      );
      expect(logged).toContain('XX000');
    }
  } finally {
    await sql(database)`DROP FUNCTION fail_insert CASCADE`;
  }
});

test('When a cell of a file has NUL, then the file is rejected with its line', async () => {
  const { token } = await serviceCaller('catalogue');
  const file = { name: 'new.csv', text: 'family,sku,name\nvouchers,A\u0000,Card\n' };
  expect(await callOperation(token, 'catalogue import', { file, supplier: 'simulator', reason: 'Test' })).toMatchObject(
    {
      status: 400,
      body: { error: { message: 'new.csv, line 2: remove the character U+0000, which cannot be stored.' } },
    },
  );
});

test('When a service account has a list of operations and networks, then only these open', async () => {
  const { token } = await serviceCaller('admin', ['wallets list']);
  expect(await callOperation(token, 'wallets list')).toMatchObject({ status: 200 });
  expect(await callOperation(token, 'clients list')).toMatchObject({ status: 403 });
  const elsewhere = await serviceCaller('admin', ['wallets list'], '203.0.113.0/24');
  expect(await callOperation(elsewhere.token, 'wallets list')).toMatchObject({ status: 401 });
});

test('When a service account is revoked, then its next call is rejected', async () => {
  const { token, name } = await serviceCaller('viewer');
  expect(await callOperation(token, 'wallets list')).toMatchObject({ status: 200 });
  await ops`service-accounts revoke ${name}`;
  expect(await callOperation(token, 'wallets list')).toMatchObject({ status: 401 });
});

test('When an argument is unknown, missing or invalid, then the message names it and nothing changes', async () => {
  const { token } = await serviceCaller('finance');
  const rejected = async (args: object) => (await callOperation(token, 'wallets fund', args)).body.error;
  expect(await rejected({ wallet: 1, amount: '1', reference: 'x', colour: 'red' })).toMatchObject({
    code: 'VALIDATION_FAILURE',
    message: expect.stringContaining('colour'),
  });
  const noArguments = await callOperation(token, 'suppliers list', { colour: 'red' });
  expect(noArguments.body.error?.message).toBe('colour: there is no such argument. Give none.');
  expect(await rejected({ wallet: 1, amount: '1' })).toMatchObject({ message: expect.stringContaining('reference') });
  expect(await rejected({ wallet: 'one', amount: '1', reference: 'x' })).toMatchObject({
    code: 'VALIDATION_FAILURE',
    message: expect.stringContaining('wallet'),
  });
});

test('When a change is asked for as CSV, then it is rejected, and nothing changes', async () => {
  const { id, wallets } = await newClient(database, { USD: 0 });
  const { token } = await serviceCaller('finance');
  const args = { wallet: wallets['USD'], amount: '1', reference: 'as-csv' };
  expect(await callOperation(token, 'wallets fund', args, { headers: { Accept: 'text/csv' } })).toMatchObject({
    status: 400,
    body: { error: { message: 'wallets fund is no list. Ask for application/json.' } },
  });
  expect(await ops`wallets list ${id}`).toMatchObject([{ balance: '0.0000' }]);
});

test('When a caller asks for a preview, then it says what the operation will do, and nothing changes', async () => {
  const { wallets } = await newClient(database, { USD: 5 });
  const wallet = wallets['USD'];
  const { token } = await serviceCaller('finance');
  const args = { wallet, amount: '2.50', reference: 'preview' };
  const { body } = await callOperation(token, 'wallets fund', args, { preview: true });
  expect(body['preview']).toContain('Credits 2.5 USD');
  const { body: after } = await callOperation(token, 'wallets list');
  expect(after['result']).toContainEqual(expect.objectContaining({ id: wallet, balance: '5.0000' }));
});

test.each(['?preview=1', '?preview', '?Preview=true', '?preview=true&preview=true', '?preview=TRUE', '?dry=true'])(
  'When the query of a call is %s, then the call is rejected, and no money moves',
  async (query) => {
    const { id, wallets } = await newClient(database, { USD: 5 });
    const { token } = await serviceCaller('finance');
    const args = { wallet: wallets['USD'], amount: '1', reference: `query${query}` };
    const response = await fetch(`${loadStack().ops_url}/ops/v1/wallets/fund${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(args),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'VALIDATION_FAILURE' } });
    expect(await ops`wallets list ${id}`).toMatchObject([{ balance: '5.0000' }]);
  },
);

test('When a flag that protects is neither true nor false, or the body has no type, then the call does not take it for absent', async () => {
  const { token } = await serviceCaller('finance');
  const { body } = await callOperation(token, 'reconcile', { dry_run: 'yes' });
  expect(body.error).toMatchObject({ code: 'VALIDATION_FAILURE', message: '--dry-run: Give true or false.' });
  const untyped = await fetch(`${loadStack().ops_url}/ops/v1/reconcile`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain' },
    body: '{"dry_run": "yes"}',
  });
  expect(untyped.status).toBe(400);
  const roles = await fetch(`${loadStack().ops_url}/ops/v1/roles?of=me`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(roles.status).toBe(400);
});

test('When the caller of a long operation is gone, then the operation runs to its end', async () => {
  const { token } = await serviceCaller('catalogue');
  const prefix = `gone-${randomUUID().slice(0, 8)}`;
  const gone = new AbortController();
  const response = await fetch(`${loadStack().ops_url}/ops/v1/catalogue/import`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/x-ndjson', 'Content-Type': 'application/json' },
    body: JSON.stringify({ file: { name: 'vouchers.json', text: catalogueOf(prefix, 40) }, reason: 'test' }),
    signal: gone.signal,
  });
  expect(response.status).toBe(200);
  // nginx passes its lines on at once.
  expect(response.headers.get('X-Accel-Buffering')).toBe('no');
  gone.abort();
  await until('the last product is imported', async () => {
    const { body } = await callOperation(token, 'products list', { family: 'vouchers' });
    return (body['result'] as { name: string }[]).find(({ name }) => name === `${prefix} 39`);
  });
});

/** A catalogue file with `count` vouchers of the simulator. */
function catalogueOf(prefix: string, count: number): string {
  const voucherProducts = Array.from({ length: count }, (_, index) => ({
    sku: `${prefix}-${index}`,
    name: `${prefix} ${index}`,
    category: 'Food & Drink',
    subCategory: 'Coffee',
    countryCode: 'USA',
    currencyCode: 'USD',
    deliveryMode: 'Code with PIN',
    deliveryTime: 'Instant',
    denominations: [{ min: '5', max: '5', discount: '2' }],
  }));
  return JSON.stringify({ supplier: 'simulator', voucherProducts });
}
