/** The process that buys large orders gives way to all others. */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { loadStack } from '../../dev/testbed/loaded-stack';

const { pids, bulk_metrics_url: metricsUrl } = loadStack();
const pid = pids['bulk-worker'] as number;

test('When the bulk worker runs, then each of its threads and its session have a low priority', () => {
  const threads = readdirSync(`/proc/${pid}/task`).map(Number);
  expect(threads.length).toBeGreaterThan(5);
  expect(new Set(threads.map((thread) => getPriority(thread)))).toEqual(new Set([10]));
  expect(readFileSync(`/proc/${pid}/autogroup`, 'utf8')).toMatch(/nice 10$/m);
});

test('When the worker runs, then it has a higher priority', () => {
  expect(getPriority(pids['worker'])).toBeLessThanOrEqual(10);
  expect(readFileSync(`/proc/${pids['worker']}/autogroup`, 'utf8')).toMatch(/nice 0$/m);
});

test('When the bulk worker is ready, then it polls its queue, and its metrics are those of a worker', async () => {
  const ready = await fetch(metricsUrl.replace(/metrics$/, 'ready'));
  expect([ready.status, await ready.json()]).toMatchObject([200, { not_polling: [] }]);
  const metrics = await (await fetch(metricsUrl)).text();
  expect(metrics).toMatch(/temporal_num_pollers\{[^}]*task_queue="bulk-purchases"/);
  expect(metrics).not.toContain('task_queue="orders"');
});
