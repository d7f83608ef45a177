/** The probes of a worker process. docs/operators/metrics.md. */
import type { Client } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { ping, type Database } from '../data/database/database';
import { healthResponse, type ProbeResponse } from '../metrics/server';
import { timedOut, withTimeout } from '../async/promises';

const DEADLINE_MS = 2_000;

export type ProbedWorker = Pick<Worker, 'getStatus' | 'options'>;

export interface PartsOfWorker {
  database: Database;
  temporal: Client;
  /** Empty while the process starts. */
  workers: () => readonly ProbedWorker[];
}

/** 200 while every worker of the process runs; else 503 with the task queues of stopped workers. */
export async function health({ workers }: Pick<PartsOfWorker, 'workers'>): Promise<ProbeResponse> {
  const all = workers();
  const failed = queuesOf(all.filter((worker) => worker.getStatus().runState !== 'RUNNING'));
  if (all.length > 0 && failed.length === 0) return healthResponse(true, { status: 'ok' });
  return healthResponse(false, { status: all.length === 0 ? 'starting' : 'stopped', task_queues: failed });
}

/** 200 while PostgreSQL and Temporal answer and every worker polls; else 503, whose key `failing` names the parts as that of the API does. */
export async function workerReadiness({ database, temporal, workers }: PartsOfWorker): Promise<ProbeResponse> {
  const [postgres, server] = await Promise.all([
    answers(ping(database)),
    answers(temporal.connection.workflowService.getSystemInfo({})),
  ]);
  const all = workers();
  const idle = queuesOf(all.filter((worker) => !polls(worker)));
  const parts = { postgresql: postgres, temporal: server, workers: all.length > 0 && idle.length === 0 };
  const failing = Object.entries(parts).flatMap(([part, answered]) => (answered ? [] : [part]));
  const isReady = failing.length === 0;
  const checks = { postgres, temporal: server, not_polling: idle };
  return healthResponse(isReady, { status: isReady ? 'ready' : 'not ready', ...checks, ...(!isReady && { failing }) });
}

async function answers(call: Promise<unknown>): Promise<boolean> {
  const answered = call.then(
    () => true,
    () => false,
  );
  const answer = await withTimeout(answered, DEADLINE_MS);
  return answer !== timedOut && answer;
}

function polls(worker: ProbedWorker): boolean {
  const { runState, workflowPollerState, activityPollerState } = worker.getStatus();
  const pollers = [activityPollerState, ...('workflowBundle' in worker.options ? [workflowPollerState] : [])];
  return runState === 'RUNNING' && pollers.every((state) => state === 'POLLING');
}

function queuesOf(workers: readonly ProbedWorker[]): string[] {
  return workers.map(({ options }) => options.taskQueue);
}
