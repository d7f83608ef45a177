/** A worker's probes while it starts, and when one of its workers has failed. */
import type { Client } from '@temporalio/client';
import type { Database } from '../../src/data/database/database';
import { health, workerReadiness, type ProbedWorker } from '../../src/worker/probes';

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

const gone = async () => Promise.reject(new Error('gone'));

test('When a part does not answer, then /ready of the worker names it as that of the API does', async () => {
  const response = await workerReadiness({
    database: { query: gone } as unknown as Database,
    temporal: { connection: { workflowService: { getSystemInfo: async () => ({}) } } } as unknown as Client,
    workers: () => [worker('orders', 'FAILED')],
  });
  expect(response.status).toBe(503);
  expect(JSON.parse(response.body)).toMatchObject({ failing: ['postgresql', 'workers'], not_polling: ['orders'] });
});
