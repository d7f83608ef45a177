/** Refunds after delivery as operators make them: one order, and files of orders. docs/operators/refunds.md. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rows } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient, useDatabase } from '../../support/clients';
import { ops, runOps } from '../../support/operator';
import { ended, orderOf, place } from '../../support/orders';
import { balanceOf } from '../../support/records';
import { callOperation } from '../../support/service-accounts';
import { loadStack, stackDirectory } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { runTool } from '../../support/tool';
import { until } from '../../../dev/testbed/waiting';
import { useNew } from '../../support/made';

jest.setTimeout(120_000);

const database = useDatabase();
const client = useNew(() => newClient(database, { USD: 1_000 }));

async function delivered(quantity = 1): Promise<number> {
  const { id } = await place(client.api, orderOf('voucher_instant', { quantity }));
  return (await ended(client.api, id)).id;
}
const walletId = () => client.wallets['USD'] as number;
const said = async (...words: (string | number)[]) => {
  const { stdout, stderr, exitCode } = await runOps`${words}`;
  return { text: `${stdout}${stderr}`.trim(), exitCode };
};
const reasoned = ['--reason-code', 'GOODWILL', '--reference', 'T-1'];

test('When an operator refunds an order, then the audit names the person, and a repetition changes nothing', async () => {
  const id = await delivered(2);
  const words = ['orders', 'refund', id, '--units', 1, ...reasoned, '--note', 'Called twice'];
  const [first] = await ops`${words} --operator alice`;
  expect(first).toMatchObject({ order_id: id, number: 1, units: 1, outcome: 'credited' });
  expect(await ops`${words}`).toMatchObject([{ number: 1, outcome: 'refunded before, nothing changed' }]);
  expect(await ops`audit list --object order_refund/${id}/1`).toMatchObject([
    { operator: 'alice', command: 'orders refund', action: 'order_refund.created', reason: 'T-1' },
  ]);
  const [shown] = [JSON.parse((await runOps`--json orders show ${id}`).stdout) as Json];
  expect(shown).toMatchObject({
    refund_count: 1,
    refunds: [{ number: 1, note: 'Called twice', operator: 'alice', reason_code: 'GOODWILL' }],
  });
  expect((await runOps`orders show ${id}`).stdout).toContain('Refunds after delivery');
});

test('When several gift cards are refunded, then one preview names their sum and the balance, and all are refunded or none', async () => {
  const id = await delivered(4);
  const words = (...units: number[]) => ['orders', 'refund', id, ...units.flatMap((unit) => ['--unit', unit])];
  const refundable = async () => (await callOperation(token, 'orders refundable', { order: id })).body['result'];
  const token = stackDirectory().operatorToken();
  expect(await refundable()).toMatchObject({
    left: '39.2',
    balance: '960.8',
    unit_sums: ['9.8', '19.6', '29.4', '39.2'],
  });
  const body = { order: id, unit: [3, 1], reason_code: 'INVALID_GOODS', reference: 'T-2' };
  const previewed = await callOperation(token, 'orders refund', body, { preview: true });
  expect(previewed.body['preview']).toContain(`Refunds 19.6 USD for units 1 and 3 of order ${id}`);
  expect(previewed.body['preview']).toContain(`Wallet ${walletId()}: 960.8 USD → 980.4 USD. The order kept 39.2 USD`);
  expect((await said(...words(3, 1), ...reasoned, '--expected-sum', '19.59')).text).toContain(
    'The refund would move 19.6 and not 19.59 USD',
  );
  const refunded = await ops`${words(3, 1)} ${reasoned} --expected-sum 19.60`;
  expect(refunded).toMatchObject([
    { number: 1, unit: 1, amount: '9.8', outcome: 'credited' },
    { number: 2, unit: 3, amount: '9.8', outcome: 'credited' },
  ]);
  expect(await ops`${words(1, 3)} ${reasoned}`).toMatchObject([
    { number: 1, outcome: 'refunded before, nothing changed' },
    { number: 2, outcome: 'refunded before, nothing changed' },
  ]);
  expect((await said(...words(3, 4), ...reasoned)).text).toContain('Give another reference for the others');
  expect((await said(...words(2, 3), '--reason-code', 'OTHER', '--reference', 'T-3')).text).toContain(
    'is no gift card that can be refunded',
  );
  expect((await said(...words(2, 4), '--amount', 1, ...reasoned)).text).toContain('Several units are refunded whole');
  expect(await refundable()).toMatchObject({
    left: '19.6',
    unit_sums: ['9.8', '19.6'],
    cards: [{ state: 'REFUNDED' }, { state: 'REFUNDABLE' }, { state: 'REFUNDED' }, { state: 'REFUNDABLE' }],
  });
  expect(await balanceOf(database, walletId())).toBe('980.4');
});

test('When the options of a refund are incomplete, then nothing is refunded, and the error names the missing one', async () => {
  const id = await delivered();
  const rejected = async (...words: (string | number)[]) => (await said('orders', 'refund', id, ...words)).text;
  expect(await rejected('--units', 1, '--amount', 5, ...reasoned)).toContain(
    'Give one of --units, --unit and --amount',
  );
  expect(await rejected(...reasoned)).toContain('Give one of --units, --unit and --amount');
  expect(await rejected('--units', 1, '--reference', 'T-1')).toContain('Give the code with --reason-code');
  expect(await rejected('--units', 1, '--reason-code', 'OTHER')).toContain('Give a reference with --reference');
  expect(await rejected('--units', 1, '--reason-code', 'OTHER', '--reference', 'claim-7')).toContain(
    "claim-7 is the reference of a claim's refund",
  );
  expect(await rejected('--units', 1, '--reason-code', 'OTHER', '--reference', 'Ｃlaim\u200b-7')).toContain(
    "is the reference of a claim's refund",
  );
  expect(await rejected('--units', 1, '--reason-code', 'OTHER', '--reference', '\u200b')).toContain(
    'Give a reference that can be read',
  );
  expect(await rejected('--units', 99_999_999_999, ...reasoned)).toContain('Give a whole number from 1 to 2147483647');
  expect(await rejected()).toContain('Give the reason');
  expect(await rejected('--reason', 'No refund was due')).toContain(
    `Order ${id} is DELIVERED: no refund is due. To refund delivered goods, give the units or an amount`,
  );
});

test('When the client asks for a mail, then its contact gets one about the credited refund', async () => {
  const email = `refunds-${client.id}@client.example`;
  await sql(database)`UPDATE clients SET contact_email = ${email} WHERE id = ${client.id}`;
  const id = await delivered();
  await ops`orders refund ${id} --amount 2.5 ${reasoned} --mail`;
  await ops`maintenance run maintenance-mails --reason Test`;
  const mail = await until(`a mail to ${email}`, async () => {
    const response = await fetch(`${loadStack().mailbox_url}/messages`);
    const mails = (await response.json()) as { to: string; subject: string }[];
    return mails.find(({ to }) => to.includes(email));
  });
  expect(mail.subject).toBe(`Refund of 2.50 USD for order ${id}`);
});

describe('A file of refunds', () => {
  function fileOf(lines: readonly string[]): string {
    const file = join(tmpdir(), `refunds-${randomUUID()}.csv`);
    writeFileSync(file, ['order,units,amount,reason_code,reference,note', ...lines].join('\n'));
    return file;
  }
  const importOf = async (file: string) => {
    const { stdout, stderr } = await runOps`--json refunds import ${file} --reason Recall --yes`;
    const [found] = JSON.parse(stdout || stderr) as { id: number; state: string; rejected: number }[];
    if (!found) throw new Error('No import');
    return found;
  };
  const end = (id: number) =>
    until(`the end of import ${id}`, async () => {
      const [found] = await ops`refunds show ${id}`;
      return found?.['state'] === 'ENDED' ? found : undefined;
    });
  const results = async (id: number) => JSON.parse((await runTool`--json refunds result ${id}`).stdout) as Json[];

  test('When it is imported, then each sound line is credited once, and the result has every line', async () => {
    const [one, other] = [await delivered(3), await delivered(1)];
    const file = fileOf([
      `${one},2,,INVALID_GOODS,recall,"Codes, of the supplier"`,
      `${other},,1.50,WRONG_PRICE,recall,`,
      `${other},,99,WRONG_PRICE,too-much,`,
      `${one},2,,INVALID_GOODS,recall,`,
    ]);
    const before = Number(await balanceOf(database, walletId()));
    const preview = (await said('refunds', 'import', file, '--reason', 'Recall', '--yes')).text;
    expect(preview).toBeDefined();
    const [first] = await ops`refunds list`;
    await end(first?.['id'] as number);
    expect(await results(first?.['id'] as number)).toMatchObject([
      { line: 2, order_id: one, result: 'CREDITED', amount: '19.6', number: 1 },
      { line: 3, order_id: other, result: 'CREDITED', amount: '1.5', number: 1 },
      {
        line: 4,
        result: 'REJECTED',
        number: null,
        error: expect.stringContaining('1.5 are refunded or replaced: 99 more are not left'),
      },
      { line: 5, result: 'SKIPPED', number: 1 },
    ]);
    expect(Number(await balanceOf(database, walletId()))).toBe(before + 21.1);
    const again = await importOf(file);
    expect(await end(again.id)).toMatchObject({ credited: 0, skipped: 3, rejected: 1 });
    expect(Number(await balanceOf(database, walletId()))).toBe(before + 21.1);
    expect((await runTool`refunds result ${again.id}`).stdout).toMatch(
      /^line,order_id,reference,result,number,amount,currency,transaction_id,error\n2,/,
    );
  });

  test('When a line repeats a reference for another unit or amount, then it is rejected as the command is', async () => {
    const id = await delivered(3);
    const file = fileOf([
      `${id},1,,INVALID_GOODS,recall,`,
      `${id},2,,INVALID_GOODS,RECALL ,`,
      `${id},,9.80,INVALID_GOODS,Ｒecall,`,
      `${id},1,,INVALID_GOODS,Recall,`,
    ]);
    const { id: importId } = await importOf(file);
    await end(importId);
    const sentence = `belongs to another refund of order ${id}: refund 1, 9.8 of 1 units`;
    expect(await results(importId)).toMatchObject([
      { line: 2, result: 'CREDITED', number: 1 },
      { line: 3, result: 'REJECTED', error: `Reference RECALL ${sentence}` },
      { line: 4, result: 'REJECTED', error: `Reference Ｒecall ${sentence}` },
      { line: 5, result: 'SKIPPED', number: 1 },
    ]);
    const { text } = await said(
      'orders',
      'refund',
      id,
      '--units',
      2,
      '--reason-code',
      'INVALID_GOODS',
      '--reference',
      'RECALL',
    );
    expect(text).toContain(`Reference RECALL ${sentence}`);
  });

  test('When a column is doubled, then nothing is imported', async () => {
    const file = join(tmpdir(), `refunds-${randomUUID()}.csv`);
    writeFileSync(file, 'order,amount,amount,reason_code,reference\n1,5,50,GOODWILL,T-1');
    const { text, exitCode } = await said('refunds', 'import', file, '--reason', 'Test', '--yes');
    expect(exitCode).not.toBe(0);
    expect(text).toContain('it has the column amount twice');
  });

  test('When a line of the file is not valid, then nothing is imported, and the error names the line', async () => {
    const id = await delivered();
    const { text, exitCode } = await said(
      'refunds',
      'import',
      fileOf([`${id},1,5,GOODWILL,T-1,`, `x,1,,GOODWILL,T-2,`, `${id},1,,KIND,T-3,`]),
      '--reason',
      'Test',
      '--yes',
    );
    expect(exitCode).not.toBe(0);
    expect(text).toContain('line 2: Give one of units, unit and amount.');
    expect(text).toContain('line 3: order: Give a whole number from 1.');
    expect(text).toContain('line 4: reason_code: Give one of GOODWILL');
  });

  test('When an import is paused, then no refund follows until it is resumed', async () => {
    const id = await delivered(5);
    const wallet = { id: walletId() };
    const lines = [1, 2, 3, 4, 5].map((number) => `${id},1,,GOODWILL,T-${number},`);
    // The first refund waits for the lock, so that the pause comes before the second one.
    const paused = await database.transaction(async (transaction) => {
      await rows(database, 'SELECT FROM wallets WHERE id = $id FOR NO KEY UPDATE', wallet, transaction);
      const { id: importId } = await importOf(fileOf(lines));
      await ops`refunds pause ${importId} --reason "Wrong file"`;
      return importId;
    });
    const state = await until('the pause', async () => {
      const [found] = await ops`refunds show ${paused}`;
      return Number(found?.['credited']) <= 1 && found?.['state'] === 'PAUSED' ? found : undefined;
    });
    expect(state).toMatchObject({ state: 'PAUSED', lines: 5 });
    await ops`refunds resume ${paused} --reason "Right file"`;
    expect(await end(paused)).toMatchObject({ credited: 5, waiting: 0 });
    expect(await ops`audit list --object refund_import/${paused}`).toMatchObject([
      { command: 'refunds resume', reason: 'Right file' },
      { command: 'refunds pause', reason: 'Wrong file' },
      { command: 'refunds import', action: 'refund_import.created' },
    ]);
  });

  test('When the wallet of a line is closed, then the import ends, and the refund is credited when the wallet is reopened', async () => {
    const id = await delivered(2);
    await sql(database)`UPDATE wallets SET closed_at = now() WHERE id = ${walletId()}`;
    const { id: importId } = await importOf(fileOf([`${id},1,,GOODWILL,T-1,`]));
    expect(await end(importId)).toMatchObject({ credited: 0, waiting: 1 });
    expect(await ops`attention --client ${client.id}`).toMatchObject([{ kind: 'REFUND_AFTER_DUE', order_id: id }]);
    await ops`wallets reopen ${walletId()} --reason Test`;
    expect(await ops`refunds show ${importId}`).toMatchObject([{ credited: 1, waiting: 0 }]);
    expect(await ops`attention --client ${client.id}`).toEqual([]);
  });
});
