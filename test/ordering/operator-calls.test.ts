/** The audit has every call of an operator, also calls that cannot be read, or that PostgreSQL cannot store as they are. */
import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { defaultPayloadConverter, msToTs } from '@temporalio/common';
import { temporal as proto } from '@temporalio/proto';
import { rows } from '../../src/data/database/database';
import { recordOperatorCall } from '../../src/data/operations/operator-calls';
import { recordOperatorCalls } from '../../src/ordering/maintenance/operator-calls';
import { EncryptionCodec } from '../../src/temporal/codec';
import { dataConverter } from '../../src/temporal/connection';
import { newKeyRing } from '../support/keys';
import { scratchDatabase } from '../support/scratch-database';

const { database } = scratchDatabase();
const workflowId = 'webhook-endpoint-1-noncenonce12';
const payloadOf = (value: unknown) => defaultPayloadConverter.toPayload(value);

/** A payload under a key that the worker lacks. */
async function sealed() {
  const [payload = null] = await new EncryptionCodec(newKeyRing()).encode([payloadOf('secret')]);
  return payload;
}

interface Update {
  identity?: string;
  args: proto.api.common.v1.IPayload[];
  outcome: proto.api.update.v1.IOutcome;
}

/** Records one update of two minutes ago as maintenance does. Returns its audit entry. */
async function audited({ identity = 'jane@ops.example', args, outcome }: Update) {
  const { HistoryEvent } = proto.api.history.v1;
  const accepted = HistoryEvent.fromObject({
    eventId: 5,
    eventTime: msToTs(Date.now() - 120_000),
    workflowExecutionUpdateAcceptedEventAttributes: {
      acceptedRequest: { meta: { identity }, input: { name: 'skipEvent', args: { payloads: args } } },
    },
  });
  const completed = HistoryEvent.fromObject({
    eventId: 6,
    workflowExecutionUpdateCompletedEventAttributes: { acceptedEventId: 5, outcome },
  });
  const workflow = {
    async *list() {},
    getHandle: () => ({ fetchHistory: async () => ({ events: [accepted, completed] }) }),
  };
  const { options } = new Client({ dataConverter: dataConverter(newKeyRing()) });
  const temporal = { options, workflow } as unknown as Client;
  const run = { workflowId, runId: randomUUID() };
  await recordOperatorCall(database, run, 1);
  await rows(database, `UPDATE operator_messages SET noted_at = now() - interval '2 minutes'`);
  await recordOperatorCalls({ database, auditDatabase: database, temporal });
  expect(await rows(database, 'SELECT FROM operator_messages')).toEqual([]);
  return rows(database, 'SELECT operator, reason, after FROM audit_entries WHERE source = $source', {
    source: `${workflowId}/${run.runId}/5`,
  });
}

const succeeded = { success: { payloads: [payloadOf(true)] } };

test('When the answer of an update is a failure under an unknown key, then the entry says so', async () => {
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

test('When an update has no arguments and no answer, then the entry has none', async () => {
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
