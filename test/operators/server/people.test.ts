/** People and service accounts, as admins change them. docs/operators/people.md. */
import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeArguments } from '../../../dev/stack/services';
import { environmentBeside } from '../../../dev/stack/settings';
import { sql } from '../../../dev/testbed/sql';
import { useDatabase } from '../../support/clients';
import { useOperatingPeople } from '../../support/operating-people';
import { ops, printedBy } from '../../support/operator';
import { scratchDatabase } from '../../../dev/testbed/scratch-database';
import { startOperatorsProcess } from '../../support/service-process';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { runTool } from '../../support/tool';
import { until } from '../../../dev/testbed/waiting';
import { lockOut, wrongCodesOf } from '../../support/wrong-codes';

const database = useDatabase();
const why = 'as agreed';
let email: string;
beforeEach(() => {
  email = `${randomUUID()}@goods.example`;
});

/** Runs a command of the stack, as people read its output. */
const said = (...words: string[]) => printedBy(loadStack().database_url, ...words);

const stateOf = async (person: string) => (await ops`people list`).find((row) => row['email'] === person);

async function entriesOf(object: string): Promise<Json[]> {
  return ops`audit list --object ${object}`;
}

async function mailTo(person: string): Promise<string> {
  return until(`a mail to ${person}`, async () => {
    const mails = (await (await fetch(`${loadStack().mailbox_url}/messages`)).json()) as {
      to: unknown;
      text: string;
    }[];
    return mails.find(({ to }) => JSON.stringify(to).includes(person))?.text;
  });
}

test('When a person invited an address five times in an hour, then a sixth time is rejected, also after a withdrawal', async () => {
  const invite = () => said('people', 'invite', email, '--name', 'Ann', '--role', 'viewer');
  for (let invitation = 1; invitation <= 5; invitation++) await invite();
  await said('people', 'withdraw', email);
  await expect(invite()).rejects.toThrow('No more than 5 invitations to one address');
  expect(await stateOf(email)).toBeUndefined();
});

test('When an admin invites a person, then the person gets a mail, and the audit names the admin and has no secret of its link', async () => {
  await said('people', 'invite', email, '--name', 'Ann', '--role', 'support', '--operator', 'alice', '--reason', why);
  expect(await stateOf(email)).toMatchObject({ name: 'Ann', role: 'support', state: 'INVITED' });
  expect(await mailTo(email)).toContain(loadStack().ops_url);
  expect(await entriesOf(`person/${email}`)).toEqual([
    expect.objectContaining({
      operator: 'alice',
      command: 'people invite',
      reason: why,
      action: 'person.invited',
      door: 'CLI',
      after: { name: 'Ann', role: 'support' },
    }),
  ]);
});

test('When an admin gives a person the name of another one, then the command says who has it', async () => {
  const name = `Ann ${randomUUID()}`;
  await said('people', 'invite', email, '--name', name, '--role', 'viewer');
  const invited = `${randomUUID()}@goods.example`;
  const { stderr } = await runTool`people invite ${invited} --name ${name.toUpperCase()} --role viewer`;
  expect(stderr).toContain(`${email} has the name ${name.toUpperCase()}, too.`);
  expect((await stateOf(invited))?.['state']).toBe('INVITED');
});

test('When an admin unlocks a person, then the wrong codes are forgotten, and the audit has how many', async () => {
  await said('people', 'invite', email, '--name', 'Ann', '--role', 'viewer');
  await lockOut(database, 'identity_operators', email);
  const sentence = await said('people', 'unlock', email, '--reason', why);
  expect(sentence).toContain(`30 wrong codes for ${email}`);
  expect(await wrongCodesOf(database, 'identity_operators', email)).toEqual([]);
  expect((await entriesOf(`person/${email}`))[0]).toMatchObject({
    action: 'person.unlocked',
    reason: why,
    after: { wrong_codes: 30 },
  });
});

test('When an admin withdraws an invitation, then it is gone, and the audit has it', async () => {
  await said('people', 'invite', email, '--name', 'Ann', '--role', 'viewer');
  await said('people', 'withdraw', email, '--reason', why);
  expect(await stateOf(email)).toBeUndefined();
  expect((await entriesOf(`person/${email}`)).map(({ action }) => action)).toEqual([
    'person.uninvited',
    'person.invited',
  ]);
});

test.each([
  [
    ['people', 'set'],
    ['--role', 'finance'],
  ],
  [['people', 'suspend'], []],
  [['people', 'resume'], []],
  [['people', 'remove-second-factor'], []],
  [
    ['people', 'unlock'],
    ['--reason', why],
  ],
  [['people', 'withdraw'], []],
])('When nobody has the address of %j, then the admin reads it, and nothing changes', async (words, options) => {
  await expect(said(...words, email, ...options)).rejects.toThrow(email);
  expect(await entriesOf(`person/${email}`)).toEqual([]);
});

test('When the last admin would lose the role, then the change is rejected', async () => {
  await expect(said('people', 'set', 'admin@localhost.example', '--role', 'viewer')).rejects.toThrow('last admin');
});

test('When an admin makes and revokes a service account, then the token is shown once, and the audit has no secret', async () => {
  const name = `program-${randomUUID()}`;
  const [made] = await ops`service-accounts create ${name} --role viewer --operations "ledger verify"
    --days 30 --reason ${why}`;
  expect(made?.['token']).toMatch(/^opsvc_/);
  expect(JSON.stringify(await ops`service-accounts list`)).not.toContain(made?.['token']);
  await said('service-accounts', 'revoke', name);
  const entries = await entriesOf(`service_account/${name}`);
  expect(entries.map(({ action }) => action)).toEqual(['service_account.revoked', 'service_account.created']);
  expect(JSON.stringify(entries)).not.toContain(made?.['token']);
});

describe('When admins make service accounts and suspend each other', () => {
  const scratch = scratchDatabase();
  const { people, ann, bea } = useOperatingPeople(scratch, { ann: 'admin', bea: 'admin' });
  const account = (name: string) => ({ name, role: 'admin', days: '30', reason: why });

  test('then the creation names the operations that give access, which the account may never use', async () => {
    const operations = 'wallets fund,keys create,people resume';
    await ann.run('service-accounts create', { ...account('nightly'), operations });
    expect(ann.remarks).toEqual([
      'No service account may use operations that give access, because it has no second factor. Each use is rejected: keys create, people resume.',
    ]);
    const job = people.as('nightly', 'admin', { owner: 'ann' });
    await expect(job.run('people resume', { email: 'ann@people.example' })).rejects.toThrow(
      'people resume gives access: no service account may use it, because it has no second factor.',
    );
  });

  test('then the list names who made each, and which have no owner', async () => {
    await sql(scratch.database)`
      INSERT INTO identity_operators.service_accounts (name, role, operations, networks, created_by, expires_at, token_hash)
       VALUES ('old', 'viewer', '{attention}', '{}', 'Zoe', now() + interval '1 day', 'x')`;
    expect((await ann.run('service-accounts list')).data).toEqual([
      expect.objectContaining({ name: 'nightly', made_by: 'ann', owner: 'ann@people.example', state: 'ACTIVE' }),
      expect.objectContaining({ name: 'old', made_by: 'Zoe', owner: 'without an owner', state: 'ACTIVE' }),
    ]);
  });

  test('then the suspension says before and after what sleeps, and the resumption what wakes', async () => {
    const email = 'ann@people.example';
    await sql(scratch.database)`
      INSERT INTO identity_operators."session" (id, token, "userId", "expiresAt", "updatedAt", kind, machine, "lastUsedAt")
       SELECT kind, kind, 'account-ann', now() + interval '1 hour', now(), kind, 'laptop', now()
         FROM unnest(ARRAY['CLI', 'BROWSER']) kind`;
    await sql(scratch.database)`
      INSERT INTO identity_operators.invitations (email, name, role, invited_by, inviter_id, expires_at)
       VALUES ('eve@people.example', 'Eve', 'admin', 'ann', 'account-ann', now() + interval '1 day')`;
    const sleeps =
      'Until the person is resumed, these sleep: the logins of the ops CLI on laptop; the service accounts nightly; the invitations of eve@people.example.';
    expect(await bea.preview('people suspend', { email })).toBe(
      `Suspends ${email}. Ends 1 session of browsers. ${sleeps}`,
    );
    expect((await bea.run('people suspend', { email })).data).toBe(`${email} is suspended. ${sleeps}`);
    expect((await bea.run('service-accounts list', { state: 'ASLEEP' })).data).toMatchObject([{ name: 'nightly' }]);
    expect((await bea.run('sessions list', { email })).data).toMatchObject([{ kind: 'CLI', asleep: true }]);
    await expect(bea.run('people suspend', { email: 'bea@people.example' })).rejects.toThrow('last admin');
    expect(await bea.preview('people resume', { email })).toBe(
      `Lets ${email} sign in again. Wakes laptop, nightly, eve@people.example.`,
    );
    await bea.run('people resume', { email });
    expect((await bea.run('service-accounts list', { state: 'ASLEEP' })).data).toEqual([]);
  });
});

test('When a proxy names the port of a service account’s machine, then its network still decides', async () => {
  const name = `job-${randomUUID()}`;
  const [made] = await ops`service-accounts create ${name} --role viewer --operations "wallets list"
    --networks 203.0.113.0/24 --days 1 --reason ${why}`;
  const process = await startOperatorsProcess({ TRUSTED_PROXIES: '127.0.0.1' });
  const statusFrom = async (address: string) => {
    const response = await fetch(`${process.url}/ops/v1/wallets/list`, {
      method: 'POST',
      body: '{}',
      headers: {
        authorization: `Bearer ${String(made?.['token'])}`,
        'content-type': 'application/json',
        'x-forwarded-for': address,
      },
    });
    return response.status;
  };
  expect(await statusFrom('203.0.113.9:4711')).toBe(200);
  expect(await statusFrom('198.51.100.9:4711')).toBe(401);
  await process.stop();
});

test('When the CLI works with the token of its checkout, then a logout says that there is no login to end', async () => {
  const before = process.env['XDG_CONFIG_HOME'];
  process.env['XDG_CONFIG_HOME'] = mkdtempSync(join(tmpdir(), 'no-login-'));
  try {
    const { exitCode, stderr } = await runTool`logout`;
    expect({ exitCode, stderr: stderr.trim() }).toEqual({
      exitCode: 1,
      stderr:
        'There is no login to end: commands use OPS_TOKEN, the token of a service account or of the stack of this checkout.',
    });
  } finally {
    if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
    else process.env['XDG_CONFIG_HOME'] = before;
  }
});

test('When the machine of the service invites and unlocks an admin, then the person gets the mail, and the audit names who did it', async () => {
  const environment = { ...environmentBeside(loadStack(), stackDirectory()), OPS_OPERATOR: 'root of the machine' };
  const command = [...nodeArguments('src/operators/cli/main.js'), 'invite-admin', email, '--name', 'First'];
  await promisify(execFile)(process.execPath, command, { env: environment });
  expect(await stateOf(email)).toMatchObject({ role: 'admin', state: 'INVITED' });
  expect(await entriesOf(`person/${email}`)).toEqual([
    expect.objectContaining({ operator: 'root of the machine', command: 'invite-admin', door: null }),
  ]);
  await lockOut(database, 'identity_operators', email);
  const unlock = [...nodeArguments('src/operators/cli/main.js'), 'unlock-admin', email, '--reason', why];
  await promisify(execFile)(process.execPath, unlock, { env: environment });
  expect(await wrongCodesOf(database, 'identity_operators', email)).toEqual([]);
  expect((await entriesOf(`person/${email}`))[0]).toMatchObject({
    operator: 'root of the machine',
    command: 'unlock-admin',
    action: 'person.unlocked',
    reason: why,
  });
});
