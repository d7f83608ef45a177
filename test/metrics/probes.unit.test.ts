/** A worker's probes while it starts, and when one of its workers has failed. */
import { health, type ProbedWorker } from '../../src/worker/probes';

function worker(taskQueue: string, runState: 'RUNNING' | 'FAILED'): ProbedWorker {
  return { getStatus: () => ({ runState }), options: { taskQueue } } as unknown as ProbedWorker;
}

test.each([
  ['has no worker yet', [], 503, { status: 'starting', task_queues: [] }],
  ['runs all its workers', [worker('orders', 'RUNNING'), worker('mail', 'RUNNING')], 200, { status: 'ok' }],
  [
    'has lost a worker',
    [worker('orders', 'RUNNING'), worker('mail', 'FAILED')],
    503,
    { status: 'stopped', task_queues: ['mail'] },
  ],
])('When the process %s, then its health shows it', async (_what, workers, status, body) => {
  const response = await health({ workers: () => workers });
  expect({ ...response, body: JSON.parse(response.body) as object }).toEqual({
    status,
    contentType: 'application/json',
    body,
  });
});
