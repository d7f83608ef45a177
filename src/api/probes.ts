/** Probes for load balancers, without a token. docs/specification.md#probes. */
import { Router } from 'express';
import { rows } from '../data/database';
import { errors } from '../domain/errors';
import { timedOut, withTimeout } from '../domain/with-timeout';
import type { Dependencies } from './dependencies';

const DEADLINE_MS = 2_000;

/**
 * GET /health: the process answers. GET /ready: PostgreSQL and Temporal answer, else 503, as once the process is told
 * to stop; its body tells whether a worker takes orders.
 */
export function probeRoutes(deps: Dependencies): Router {
  const { database, orderWorkers, stopping, log } = deps;
  const { connection } = deps.temporal;
  const router = Router();

  router.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });

  router.get('/ready', async (_request, response) => {
    if (stopping.aborted) throw errors.serviceUnavailable();
    try {
      await Promise.all([
        beforeDeadline(rows(database, 'SELECT 1')),
        connection.withDeadline(Date.now() + DEADLINE_MS, () => connection.workflowService.getSystemInfo({})),
      ]);
    } catch (err) {
      log.warn({ err }, 'not ready');
      throw errors.serviceUnavailable();
    }
    response.json({ status: 'ready', order_workers: orderWorkers.areThere });
  });

  return router;
}

async function beforeDeadline(work: Promise<unknown>): Promise<void> {
  if ((await withTimeout(work, DEADLINE_MS)) === timedOut)
    throw new Error('PostgreSQL did not answer in time');
}
