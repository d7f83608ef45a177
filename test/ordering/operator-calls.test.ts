/** The audit has every call of an operator, also calls that cannot be read, or that PostgreSQL cannot store as they are. */
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { defaultPayloadConverter, msToTs } from '@temporalio/common';
import { temporal as proto } from '@temporalio/proto';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { recordOperatorCall } from '../../src/data/audit/operator-calls';
import { recordOperatorCalls } from '../../src/ordering/maintenance/operator-calls';
import { EncryptionCodec } from '../../src/temporal/codec';
import { dataConverter } from '../../src/temporal/connection';
import { newKeyRing } from '../support/keys';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();
const workflowId = 'webhook-endpoint-1-noncenonce12';
beforeAll(async () => {
  await sql(database)`WITH owner AS (INSERT INTO clients (name, contact_email)
       VALUES ('Acme Ltd', 'a@client.example') RETURNING id)
     INSERT INTO webhook_endpoints (id, nonce, client_id, url, description, event_types, enabled, sealed_secret)
     SELECT 1, 'noncenonce12', id, 'https://acme.example', '', '{}', true, 'sealed' FROM owner`;
});
beforeEach(() => sql(database)`UPDATE webhook_endpoints SET enabled = true, paused = false`);
const payloadOf = (value: unknown) => defaultPayloadConverter.toPayload(value);

/** A payload under a key that the worker lacks. */
async function sealed() {
  const [payload = null] = await new EncryptionCodec(newKeyRing()).encode([payloadOf('secret')]);
  return payload;
}

interface Update {
  identity?: string;
  args?: proto.api.common.v1.IPayload[];
  /** Undefined while the update runs. */
  outcome: proto.api.update.v1.IOutcome | undefined;
  /** How long ago the update was accepted. */
  ageMs?: number;
  /** Before the update arrives: a change of its endpoint. */
  change?: string;
}

/** The history of a run with these updates, which it has received one after another. */
function historyOf(updates: readonly Update[]) {
  const { HistoryEvent } = proto.api.history.v1;
  return updates.flatMap(({ identity = 'jane@ops.example', args = [], outcome, ageMs = 120_000 }, index) => {
    const accepted = HistoryEvent.fromObject({
      eventId: 5 + 2 * index,
      eventTime: msToTs(Date.now() - ageMs),
      workflowExecutionUpdateAcceptedEventAttributes: {
        acceptedRequest: { meta: { identity }, input: { name: 'skipEvent', args: { payloads: args } } },
      },
    });
    if (!outcome) return [accepted];
    const completed = HistoryEvent.fromObject({
      eventId: 6 + 2 * index,
      workflowExecutionUpdateCompletedEventAttributes: { acceptedEventId: 5 + 2 * index, outcome },
    });
    return [accepted, completed];
  });
}

/** Records the updates to one run as a worker and maintenance do. Returns their audit entries, and the number of notes left. */
async function copied(updates: readonly Update[]) {
  const workflow = {
    async *list() {},
    getHandle: () => ({ fetchHistory: async () => ({ events: historyOf(updates) }) }),
  };
  const { options } = new Client({ dataConverter: dataConverter(newKeyRing()) });
  const temporal = { options, workflow } as unknown as Client;
  const run = { workflowId, runId: randomUUID() };
  for (const [index, { change }] of updates.entries()) {
    if (change) await rows(database, `UPDATE webhook_endpoints SET ${change}`);
    await recordOperatorCall(database, run, index + 1);
  }
  await sql(database)`UPDATE operator_messages SET noted_at = now() - interval '2 minutes'`;
  await sql(database)`UPDATE webhook_endpoints SET enabled = false`;
  await recordOperatorCalls({ database, auditDatabase: database, temporal });
  const notes = await sql(database)`DELETE FROM operator_messages RETURNING id`;
  const statement = 'SELECT operator, reason, before, after FROM audit_entries WHERE source LIKE $run ORDER BY source';
  return { entries: await rows(database, statement, { run: `${workflowId}/${run.runId}/%` }), notes: notes.length };
}

/** The audit entries of one update. */
async function audited(update: Update) {
  const { entries, notes } = await copied([update]);
  expect(notes).toBe(0);
  return entries;
}

const refused = { failure: { message: 'Another event is older' } };
const succeeded = { success: { payloads: [payloadOf(true)] } };

test('When the response of an update is a failure under an unknown key, then the entry says so', async () => {
  const outcome = { failure: { message: 'Encoded failure', encodedAttributes: await sealed() } };
  expect(await audited({ args: [payloadOf('evt_1')], outcome })).toMatchObject([
    { after: { asked: ['evt_1'], answer: { refused: 'unreadable' } } },
  ]);
});

test('When one argument cannot be decoded or is no text or JSON, then the entry says so and has the others', async () => {
  const args = [payloadOf('evt_1'), (await sealed()) ?? {}, payloadOf(Buffer.from('bytes'))];
  expect(await audited({ args, outcome: succeeded })).toMatchObject([
    { after: { asked: ['evt_1', 'unreadable', 'unreadable'], answer: true } },
  ]);
});

test('When an update has no arguments and no response, then the entry has none', async () => {
  expect(await audited({ args: [], outcome: {} })).toMatchObject([{ after: { asked: [], answer: null } }]);
});

test('When texts have characters that PostgreSQL cannot store, then the entry has them replaced', async () => {
  const args = [payloadOf({ 'a\0': String.raw`\u0000` }), payloadOf('Twice\0 \ud800')];
  expect(await audited({ identity: 'jane\0', args, outcome: succeeded })).toMatchObject([
    {
      operator: 'jane\ufffd',
      reason: 'Twice\ufffd \ufffd',
      after: { asked: [{ 'a\ufffd': String.raw`\u0000` }, 'Twice\ufffd \ufffd'] },
    },
  ]);
});

test('When an operator sends several messages, then each entry shows the state before and after that message', async () => {
  const { entries } = await copied([{ outcome: succeeded }, { outcome: succeeded, change: 'paused = true' }]);
  expect(entries).toMatchObject([
    { before: { enabled: true, paused: false }, after: { enabled: true, paused: true } },
    { before: { enabled: true, paused: true }, after: { enabled: false, paused: true } },
  ]);
});

test('When a message is refused and the state changes afterwards, then its entry shows no change', async () => {
  expect(await audited({ outcome: refused })).toMatchObject([
    { before: { enabled: true }, after: { enabled: true, answer: { refused: 'Another event is older' } } },
  ]);
});

test('When a message still runs, then it is copied later with its result, or without one after 5 minutes', async () => {
  expect(await copied([{ outcome: undefined }])).toEqual({ entries: [], notes: 1 });
  expect(await copied([{ outcome: undefined, ageMs: 301_000 }])).toMatchObject({
    entries: [{ after: { answer: null } }],
    notes: 0,
  });
});

describe('a run whose history was deleted', () => {
  /** The error of the client when Temporal has no history of a run. */
  const notFound = () =>
    Object.assign(new Error('5 NOT_FOUND: workflow execution not found'), {
      code: 5,
      details: 'workflow execution not found',
      metadata: {},
    });
  const run = () => ({ workflowId, runId: randomUUID() });

  /** Runs maintenance. `listed`: the terminated runs; `fails`: the error for the history of a run. */
  async function record(
    fails: (runId: string) => Error,
    listed: readonly { workflowId: string; runId: string; closeTime: Date }[] = [],
  ): Promise<void> {
    await sql(database)`UPDATE operator_messages SET noted_at = now() - interval '2 minutes'`;
    const workflow = {
      async *list() {
        yield* listed;
      },
      getHandle: (_id: string, runId: string) => ({ fetchHistory: () => Promise.reject(fails(runId)) }),
    };
    const { options } = new Client({ dataConverter: dataConverter(newKeyRing()) });
    const temporal = { options, workflow } as unknown as Client;
    await recordOperatorCalls({ database, auditDatabase: database, temporal });
  }
  const entriesOf = (runId: string) =>
    rows(database, 'SELECT action, command, operator, after FROM audit_entries WHERE source LIKE $source ORDER BY id', {
      source: `%/${runId}/%`,
    });

  test('When messages to a run are known only by their notes, then the audit names each message and says that its history was deleted', async () => {
    const deleted = run();
    await recordOperatorCall(database, deleted, 1);
    await recordOperatorCall(database, deleted, 2);
    await recordOperatorCall(database, deleted, null);
    await record(notFound);
    expect(await entriesOf(deleted.runId)).toMatchObject([
      { action: 'workflow.messaged', command: 'message 1', operator: null },
      { command: 'message 2', after: { known: 'message 2; its history was deleted' } },
      { action: 'workflow.cancelled', command: 'cancel', after: { known: 'its history was deleted' } },
    ]);
    expect(await sql(database)`SELECT FROM operator_messages`).toEqual([]);
  });

  test('When one noted run cannot be read, then the other runs and the terminated runs are recorded nevertheless', async () => {
    const [broken, deleted, terminated] = [run(), run(), run()];
    await recordOperatorCall(database, broken, 1);
    await recordOperatorCall(database, deleted, 1);
    const fails = (runId: string) => (runId === broken.runId ? new Error('no connection') : notFound());
    const closeTime = new Date(Date.now() - 60_000);
    await expect(record(fails, [{ ...terminated, closeTime }])).rejects.toThrow('no connection');
    expect(await entriesOf(deleted.runId)).toHaveLength(1);
    expect(await entriesOf(terminated.runId)).toMatchObject([
      { action: 'workflow.terminated', operator: null, after: { known: 'its history was deleted' } },
    ]);
    const kept = await sql(database)`SELECT run_id FROM operator_messages`;
    expect(kept).toEqual([{ run_id: broken.runId }]);
  });

  test('When the namespace is missing, then nothing is recorded as deleted', async () => {
    const noted = run();
    await recordOperatorCall(database, noted, 1);
    const missing = () => Object.assign(notFound(), { message: '5 NOT_FOUND: Namespace x is not found.' });
    await expect(record(missing)).rejects.toThrow('Namespace x');
    expect(await entriesOf(noted.runId)).toEqual([]);
  });
});
