/** What a worker's probes say while it starts, and when part of it does not work. */
import { health, type Asked } from '../../src/worker/probes';

function worker(taskQueue: string, runState: 'RUNNING' | 'FAILED'): Asked {
  return { getStatus: () => ({ runState }), options: { taskQueue } } as unknown as Asked;
}

test.each([
  ['has no worker yet', [], 503, { status: 'starting', task_queues: [] }],
  ['runs all of them', [worker('orders', 'RUNNING'), worker('mail', 'RUNNING')], 200, { status: 'ok' }],
  [
    'has lost one',
    [worker('orders', 'RUNNING'), worker('mail', 'FAILED')],
    503,
    { status: 'stopped', task_queues: ['mail'] },
  ],
])('When the process %s, then its health says so', async (_what, workers, status, body) => {
  const told = await health({ workers: () => workers });
  expect({ ...told, body: JSON.parse(told.body) as object }).toEqual({
    status,
    contentType: 'application/json',
    body,
  });
});
