/** Reasons and notes about an order, which may name a person: sealed, kept out of Temporal, and erased with the recipient. */
import { randomBytes } from 'node:crypto';
import { raiseAttention } from '../../../src/data/attention/attention';
import { sql } from '../../../dev/testbed/sql';
import { useClient, useDatabase } from '../../support/clients';
import { pathOf } from '../../../src/operators/operations/json-arguments';
import { ops, printedBy } from '../../support/operator';
import { ended, orderOf, place } from '../../support/orders';
import { callOperation, serviceCaller, type ServiceCaller } from '../../support/service-accounts';
import { loadStack } from '../../../dev/testbed/loaded-stack';
import type { Json } from '../../support/stack';
import { markersInHistory, storedPlacesOf } from '../../support/stored-places';
import { until } from '../../../dev/testbed/waiting';
import { temporalClient } from '../../../dev/testbed/temporal-clients';
import { workflowOf } from '../../support/workflows';

jest.setTimeout(120_000);

const database = useDatabase();
const client = useClient(database, { USD: 100 });

const ERASED = '(erased with the recipient)';
const command = (...words: (string | number)[]) => printedBy(loadStack().database_url, ...words);
const shown = async (...words: (string | number)[]) =>
  JSON.parse(await command('--json', ...words)) as Json & { refunds: Json[] };

/** The reasons of operators that the audit shows about the object. */
const reasonsOf = async (object: string) =>
  (await ops`audit list --object ${object}`).map(({ reason }) => reason).filter(Boolean);

/** An entry of the attention list about the order. */
async function entryAbout(orderId: number): Promise<number> {
  await raiseAttention(database, { orderId }, 'GOODS_APART', 'A test');
  const entry = await sql.first(database)<{ id: number }>`SELECT id FROM attention
       WHERE order_id = ${orderId}`;
  return (entry as { id: number }).id;
}

test('When operators write reasons and notes about orders, then they read them, nothing holds them in the clear, and an erasure removes them', async () => {
  const email = `ann.${randomBytes(8).toString('hex')}@example.com`;
  const text = `Ann Miller ${randomBytes(8).toString('hex')} called`;
  const markers = [{ kind: 'text', value: text }];

  const { id } = await ended(client.api, (await place(client.api, orderOf('voucher_instant', { email }))).id);
  await ops`orders refund ${id} --amount 1 --reason-code GOODWILL --reference T-1 --note ${text}`;
  const entry = await entryAbout(id);
  await command('attention', 'note', entry, text);
  expect(await ops`attention --kind GOODS_APART --client ${client.id}`).toMatchObject([
    { order_id: id, notes: [{ text }] },
  ]);
  await command('attention', 'settle', entry, '--reason', text);

  const { id: held } = await place(client.api, orderOf('voucher_held', { email }));
  await command('orders', 'cancel', held, '--reason', text);

  const read = async () => ({
    note: (await shown('orders', 'show', id)).refunds[0]?.['note'],
    settled: await reasonsOf(`attention/${entry}`),
    story: JSON.stringify(await shown('orders', 'story', id)).includes(text),
  });
  expect(await read()).toEqual({ note: text, settled: [text], story: true });
  expect(await storedPlacesOf(database, markers)).toEqual(['order_texts.sealed_text (sealed): text']);
  const temporal = await temporalClient();
  const { workflowId } = await workflowOf(temporal, database, held);
  expect(await markersInHistory(temporal, workflowId, markers)).toEqual([]);
  await temporal.connection.close();

  await until('the mails', async () => {
    const due = await sql.first(database)`SELECT FROM orders WHERE id IN (${id}, ${held})
         AND mailed_at IS NULL LIMIT 1`;
    return !due;
  });
  const { body } = await client.api.post<Json>('/api/v1/recipients/erase', { email });
  expect(body).toEqual({ erased: 2, pending: 0 });
  expect(await storedPlacesOf(database, markers)).toEqual([]);
  expect(await read()).toEqual({ note: ERASED, settled: [ERASED], story: false });
});

test('When people write about an order, then others read it only if their role sees recipients', async () => {
  const { id, email, note, claimText, writer } = await orderWithTexts();
  const entry = await entryAbout(id);
  await command('attention', 'note', entry, note);
  await command('attention', 'take', entry, '--reason', note);
  // A reason of the Temporal UI is stored as it is.
  await sql(database)`INSERT INTO audit_entries (actor_kind, operator, door, command, reason, action, object)
     VALUES ('OPERATOR', 'jane', 'TEMPORAL', 'terminate', ${note}, 'workflow.terminate_sent', 'order/' || ${id})`;
  const seenBy = async ({ token }: ServiceCaller) => {
    const read = async (name: string, args: object, headers = {}) => {
      const response = await fetch(`${loadStack().ops_url}${pathOf({ name })}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, ...headers },
        body: JSON.stringify(args),
      });
      expect(response.status).toBe(200);
      return response.text();
    };
    const csv = { Accept: 'text/csv' };
    const texts = await Promise.all([
      read('orders show', { order: id }),
      read('orders story', { order: id }),
      read('attention', { kind: 'GOODS_APART', client: String(client.id) }),
      read('attention', { kind: 'GOODS_APART', client: String(client.id) }, csv),
      read('audit list', { object: `order/${id}` }),
      read('audit list', { command: 'attention take', limit: 20 }, csv),
      read('claims show', { claim: await claimOf(id) }),
    ]);
    const shownTexts = [note, claimText].map((text) => texts.map((one) => one.includes(text)));
    return { note: shownTexts[0], claim: shownTexts[1]?.at(-1), hidden: texts.map((one) => one.includes('hidden')) };
  };
  const everywhere = [true, true, true, true, true, true, false];
  expect(await seenBy(await serviceCaller('support'))).toMatchObject({ note: everywhere, claim: true });
  for (const role of ['viewer', 'catalogue', 'finance'] as const)
    expect(await seenBy(await serviceCaller(role))).toEqual({
      note: everywhere.map(() => false),
      claim: false,
      hidden: everywhere.map(() => true),
    });
  // The person who wrote the note of the refund reads it, and not what others wrote.
  const own = await callOperation(writer.token, 'orders show', { order: id });
  expect(JSON.stringify(own.body)).toContain(note);
  const others = await callOperation(writer.token, 'attention', { kind: 'GOODS_APART', client: String(client.id) });
  expect(JSON.stringify(others.body)).not.toContain(note);
  expect(email).toContain('@');
});

/** A delivered order with a claim, and a refund whose note a person of finance wrote. */
async function orderWithTexts() {
  const mark = randomBytes(8).toString('hex');
  const [note, claimText] = [`Ann Miller ${mark} called`, `Bob Miller ${mark} cannot redeem it`];
  const email = `ann.${mark}@example.com`;
  const order = { ...orderOf('voucher_instant', { email }), quantity: 2 };
  const { id } = await ended(client.api, (await place(client.api, order)).id);
  const filed = { kind: 'INVALID_CODE', unit: 2, text: claimText };
  await client.api.post(`/api/v1/orders/${id}/claims`, filed);
  const writer = await serviceCaller('finance');
  const refund = { order: id, unit: 1, reason_code: 'GOODWILL', reference: `T-${mark}`, note, reason: note };
  expect(await callOperation(writer.token, 'orders refund', refund)).toMatchObject({ status: 200 });
  return { id, email, note, claimText, writer };
}

const claimOf = async (orderId: number) => (await ops`claims list --order ${orderId}`)[0]?.['id'];

test('When a recipient is exported or erased, then the reason is stored sealed, and read as other texts about recipients', async () => {
  const reason = `Ann Miller ${randomBytes(8).toString('hex')} asked`;
  const recipient = `nobody.${randomBytes(8).toString('hex')}@example.com`;
  const support = await serviceCaller('support');
  const viewer = await serviceCaller('viewer');
  for (const name of ['privacy export', 'privacy erase'])
    expect(await callOperation(support.token, name, { recipient, reason })).toMatchObject({ status: 200 });
  expect(await storedPlacesOf(database, [{ kind: 'text', value: reason }])).toEqual([
    'order_texts.sealed_text (sealed): text',
  ]);
  const read = async ({ token }: ServiceCaller) => {
    const { body } = await callOperation(token, 'audit list', { operator: support.name });
    return (body['result'] as { reason: string }[]).map((entry) => entry.reason);
  };
  const [seen, hidden] = [await read(support), await read(viewer)];
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen)).toEqual(new Set([reason]));
  expect(new Set(hidden)).toEqual(new Set(['hidden']));
});

test('When an operator decides about a purchase, then the order and its story show the reason, not the name of its text', async () => {
  const reason = `The portal says so ${randomBytes(8).toString('hex')}`;
  const { id } = await place(client.api, orderOf('voucher_needs_operator'));
  await until('the entry', async () => (await ops`orders attention`).some((order) => order['id'] === id), 60);
  await command('orders', 'resolve', id, 'not-bought', '--reason', reason);
  await ended(client.api, id);
  expect((await shown('orders', 'show', id))['purchases']).toMatchObject([{ detail: `Operator: ${reason}` }]);
  expect((await shown('orders', 'story', id))['timeline']).toContainEqual(
    expect.objectContaining({ kind: 'OPERATOR', detail: reason }),
  );
});

test('When the reason is about no order, then the audit has it as it is', async () => {
  const reason = `Terms of ${randomBytes(8).toString('hex')}`;
  await ops`clients set ${client.id} --bulk-limit 50 --reason ${reason}`;
  const [stored] = [
    await sql.first(database)<{ reason: string }>`SELECT reason FROM audit_entries
         WHERE object = 'client/' || ${client.id} ORDER BY id DESC LIMIT 1`,
  ];
  expect(stored?.reason).toBe(reason);
});
