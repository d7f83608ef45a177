/**
 * Replays the workflow histories of earlier releases with this release, because open runs must be able to continue.
 * docs/developers/changing-a-workflow.md.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { temporal } from '@temporalio/proto';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { orderScenarios } from '../../dev/sandbox/scenarios';
import { orderMessages } from '../../src/domain/orders/order-messages';
import { endpointMessages } from '../../src/domain/webhooks/delivery-rules';
import { replay } from '../../src/temporal/replay';
import { recordedScenarios } from './recorded-scenarios';
import { readRecordings, writeRecording, type Recording, type Run } from './recording';
import { built, dist, errorsOf, type Errors } from './replays';
import { quietRuntime } from '../support/quiet-runtime';

const { EventType } = temporal.api.enums.v1;
const recordings = readRecordings();

beforeAll(quietRuntime);

const typesIn = ({ history }: Run) => (history.events ?? []).map(({ eventType }) => eventType);
const workflowOf = ({ history }: Run) =>
  history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? '';

test('When a run waits for its first task, then it is skipped, and the later runs are replayed', async () => {
  const [recording] = recordings as [Recording];
  const waiting = { ...recording, history: { events: recording.history.events?.slice(0, 1) ?? [] } };
  const replayed: string[] = [];
  for await (const { workflowId } of replay([waiting, recording], {}, built)) replayed.push(workflowId);
  expect(replayed).toEqual([recording.workflowId]);
});

describe('This build', () => {
  let whole: Errors;
  let traced: Errors;
  beforeAll(async () => {
    whole = await errorsOf(recordings, built);
    traced = await errorsOf(recordings, { codePath: join(dist, 'workflow-bundle-traced.js') });
  });

  test.each(recordings)('When $name is replayed, then this build makes the same decisions', ({ workflowId }) => {
    expect(whole.get(workflowId)).toEqual([undefined]);
  });

  test.each(recordings)(
    'When $name is replayed with tracing, then the workflows make the same decisions',
    (recording) => {
      expect(traced.get(recording.workflowId)).toEqual([undefined]);
    },
  );
});

describe('The recordings', () => {
  test('When scenarios and recordings are compared, then each scenario has one recording', () => {
    expect(recordings.map(({ name }) => name)).toEqual(Object.keys(recordedScenarios).sort());
  });

  test('When a scenario is listed, then it is recorded, or one of those that are rejected alike', () => {
    const listed = orderScenarios(() => 1).map(({ name }) => name);
    const ofRefusals = listed.filter((name) => name.startsWith('topup_reject_'));
    const missing = listed.filter((name) => !(name in recordedScenarios) && !ofRefusals.includes(name));
    expect(missing).toEqual([]);
    expect(ofRefusals.filter((name) => name in recordedScenarios)).toHaveLength(1);
  });

  test('When the bundle has a workflow, then a run of it is recorded', () => {
    const exported = [...readFileSync(join(dist, 'workflows/index.js'), 'utf8').matchAll(/get (\w+) ?\(/g)];
    const names = exported.map(([, name]) => name as string);
    expect(names).toHaveLength(8);
    expect([...new Set(recordings.map(workflowOf))].sort()).toEqual(names.sort());
  });

  test('When a workflow accepts a message, then a run with that message is recorded', () => {
    const recorded = recordings.flatMap(({ history }) =>
      (history.events ?? []).map(
        (event) =>
          event.workflowExecutionSignaledEventAttributes?.signalName ??
          event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.name,
      ),
    );
    // A query leaves no trace in a history.
    const { attentionChanged, state, ...messages } = { ...orderMessages, ...endpointMessages };
    expect(recorded).not.toContain(state);
    expect(recorded).toEqual(expect.arrayContaining([...Object.values(messages), attentionChanged]));
  });

  test('When a workflow can continue in a new run, then such a run is recorded', () => {
    const continued = recordings.filter((run) =>
      typesIn(run).includes(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW),
    );
    expect(continued.map(workflowOf).sort()).toEqual(['esimMonitor', 'voucherOrder']);
  });

  test('When a recording exists, then it is not overwritten', async () => {
    const codec = { encode: async <T>(payloads: T) => payloads, decode: async <T>(payloads: T) => payloads };
    const [recording] = recordings as [Recording];
    await expect(writeRecording(recording, codec, false)).rejects.toThrow('EEXIST');
  });
});

/** An additional timer before the first step of each workflow. */
const mistakes: Readonly<Record<string, string>> = {
  'order/run': 'await _workflow.CancellationScope.nonCancellable(async ()=>{',
  'esim-monitor': 'const step = ',
  'webhook-endpoint': 'const seen = ',
  maintenance: 'await performTasks',
  'endpoint-disabled-mail': 'try {',
  'refund-import': 'const run = ',
};

/** One recording of each workflow. */
const oneOfEach = [...new Map(recordings.map((recording) => [workflowOf(recording), recording])).values()];

describe('A mistake in a workflow', () => {
  let folder: string;
  let errors: Errors;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mistaken-'));
    cpSync(join(dist, 'workflows'), join(folder, 'workflows'), { recursive: true });
    symlinkSync(join(dist, 'src'), join(folder, 'src'));
    for (const [file, call] of Object.entries(mistakes)) {
      const path = join(folder, 'workflows', `${file}.js`);
      const source = readFileSync(path, 'utf8');
      if (!source.includes(call)) throw new Error(`${file} has no "${call}"`);
      const timer = `await require('@temporalio/workflow').sleep(1000);`;
      const changed = call.endsWith('{') ? `${call} ${timer}` : `${timer} ${call}`;
      writeFileSync(path, source.replace(call, changed));
    }
    symlinkSync(join(dist, '../node_modules'), join(folder, 'node_modules'));
    const mistaken = await bundleWorkflowCode({
      workflowsPath: join(folder, 'workflows/index.js'),
      logger: new DefaultLogger('ERROR'),
    });
    errors = await errorsOf(oneOfEach, mistaken);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(oneOfEach)('When a timer is inserted, then the replay of $name fails and names it', ({ workflowId }) => {
    expect(errors.get(workflowId)).toEqual([expect.stringMatching(/[Nn]ondeterminism/)]);
  });
});
