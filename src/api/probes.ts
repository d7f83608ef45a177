/** Probes for load balancers, without a token. docs/specification.md#probes. */
import { Router } from 'express';
import { rows } from '../data/database/database';
import { errors } from '../domain/errors';
import { shareResultFor, timedOut, withTimeout } from '../async/promises';
import { second } from '../domain/time';
import type { OrderWorkers } from '../ordering/placement/order-workers';
import type { TemporalStorage } from '../ordering/placement/temporal-storage';
import { assertNotEmptied, TemporalEmptied } from '../temporal/prepare';
import { assertReads } from '../temporal/storage';
import type { Dependencies } from './dependencies';

const DEADLINE_MS = 2_000;
/** Probes come without a token: however many there are, they cost one check each second. */
const CHECK_SHARED_MS = second;

/** What the probes ask. */
export interface ProbedParts extends Pick<Dependencies, 'database' | 'temporal' | 'stopping' | 'log'> {
  orderWorkers: Pick<OrderWorkers, 'areAvailable'>;
  temporalStorage: Pick<TemporalStorage, 'isFailing'>;
}

/**
 * GET /health: the process answers. GET /ready: PostgreSQL and Temporal answer and Temporal stores, else 503, as once the
 * process is told to stop; its body tells whether a worker takes orders. Where Temporal's database was emptied, the 503
 * says so.
 */
export function probeRoutes(deps: ProbedParts): Router {
  const { database, temporal, orderWorkers, temporalStorage, stopping, log } = deps;
  const router = Router();

  /** What /ready answers with instead of its body; undefined if the process is ready. */
  const unreadiness = shareResultFor(CHECK_SHARED_MS, async () => {
    try {
      await Promise.all([
        beforeDeadline(rows(database, 'SELECT 1')),
        assertReads(temporal, DEADLINE_MS),
        temporal.withDeadline(Date.now() + DEADLINE_MS, () => assertNotEmptied(temporal)),
      ]);
      if (temporalStorage.isFailing) throw new Error('Temporal answers but does not store');
      return undefined;
    } catch (err) {
      log.warn({ err }, 'not ready');
      return err instanceof TemporalEmptied ? errors.temporalEmptied() : errors.serviceUnavailable();
    }
  });

  router.get('/health', (_request, response) => {
    response.json({ status: 'ok' });
  });

  router.get('/ready', async (_request, response) => {
    if (stopping.aborted) throw errors.serviceUnavailable();
    const error = await unreadiness();
    if (error) throw error;
    response.json({ status: 'ready', order_workers: orderWorkers.areAvailable });
  });

  return router;
}

async function beforeDeadline(work: Promise<unknown>): Promise<void> {
  if ((await withTimeout(work, DEADLINE_MS)) === timedOut)
    throw new Error('PostgreSQL did not answer in time');
}
