/** The format of a log line of any process. */
import { runWithWork } from '../src/process/current-work';
import { createLogger } from '../src/process/log';

function logged(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLogger('worker', 'info', { write: (line: string) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

test('When a message is logged, then the line has the level name, an ISO time, the process and the message', () => {
  expect(logged((log) => log.warn({ supplier: 'one' }, 'it is slow'))).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    process: 'worker',
    pid: process.pid,
    supplier: 'one',
    msg: 'it is slow',
  });
});

test('When a message is logged within a context, then the line has the context, also after an await', async () => {
  const work = { orderId: 4, workflowId: 'order-4-x', runId: 'r', activity: 'buy', attempt: 2, requestId: 'q' };
  const lines: string[] = [];
  const log = createLogger('worker', 'info', { write: (line: string) => void lines.push(line) });
  await runWithWork(work, async () => {
    await new Promise(setImmediate);
    log.info('bought');
  });
  log.info('idle');
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ ...work, msg: 'bought' }),
    expect.not.objectContaining({ orderId: 4 }),
  ]);
});
