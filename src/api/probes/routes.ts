/** Probes for load balancers, without a token. docs/specification.md#probes. */
import type { RequestHandler } from 'express';
import { ping } from '../../data/database/database';
import { errors } from '../../domain/errors';
import { SingleFlight, timedOut, withTimeout } from '../../async/promises';
import { second } from '../../domain/time';
import type { OrderWorkers } from '../../ordering/placement/order-workers';
import type { TemporalStorage } from '../../ordering/placement/temporal-storage';
import { assertNotEmptied, TemporalEmptied } from '../../temporal/prepare';
import { assertReads } from '../../temporal/storage';
import type { Dependencies } from '../dependencies';
import { json } from '../openapi/operation';
import { enumText, flag, object } from '../openapi/schema';
import type { ApiRoutes } from '../server/route';

const DEADLINE_MS = 2_000;
/** How long probes share the result of a check. Probes carry no token, so any number of them must cost little. */
const CHECK_SHARED_MS = second;

export interface PartsOfApi extends Pick<Dependencies, 'database' | 'temporal' | 'stopping' | 'log'> {
  orderWorkers: Pick<OrderWorkers, 'areAvailable'>;
  temporalStorage: Pick<TemporalStorage, 'isFailing'>;
}

export const probeRoutes: ApiRoutes = {
  'GET /health': {
    id: 'getHealth',
    tag: 'Probes',
    summary: 'Check that the process responds',
    access: 'open',
    scope: 'none',
    responses: { 200: json('The process responds.', object({ status: enumText('Always `ok`.', ['ok']) })) },
    handler: () => (_request, response) => void response.json({ status: 'ok' }),
  },
  'GET /ready': {
    id: 'getReadiness',
    tag: 'Probes',
    summary: 'Check that PostgreSQL and Temporal respond',
    access: 'open',
    scope: 'none',
    errors: [errors.temporalEmptied()],
    responses: {
      200: json(
        'Both respond.',
        object({
          status: enumText('Always `ready`.', ['ready']),
          order_workers: flag('Whether a worker runs new orders. Order requests are rejected while none does.', true),
        }),
      ),
    },
    handler: apiReadiness,
  },
};

/**
 * Responds with 200 while PostgreSQL and Temporal respond, Temporal can store workflows and the process is not stopping; else
 * with 503, whose key `failing` names the parts. An emptied Temporal database has its own message. The body of a 200 says whether a worker takes orders.
 */
export function apiReadiness(deps: PartsOfApi): RequestHandler {
  const { database, temporal, orderWorkers, temporalStorage, stopping, log } = deps;

  const checkTemporal = async () => {
    await Promise.all([
      assertReads(temporal, DEADLINE_MS),
      temporal.withDeadline(Date.now() + DEADLINE_MS, () => assertNotEmptied(temporal)),
    ]);
    if (temporalStorage.isFailing) throw new Error('Temporal answers but does not store');
  };

  const findFailures = async () => {
    const checks = { postgresql: beforeDeadline(ping(database)), temporal: checkTemporal() };
    const failed = Object.entries(checks).map(async ([part, check]) => {
      const err: unknown = await check.then(() => undefined, asError);
      if (err !== undefined) log.warn({ err, part }, 'not ready');
      return err === undefined ? [] : [{ part, err }];
    });
    return (await Promise.all(failed)).flat();
  };
  const check = new SingleFlight<Awaited<ReturnType<typeof findFailures>>>(CHECK_SHARED_MS);

  return async (_request, response) => {
    if (stopping.aborted) throw errors.serviceUnavailable();
    const failed = await check.run(findFailures);
    if (failed.length === 0) return void response.json({ status: 'ready', order_workers: orderWorkers.areAvailable });
    const isEmptied = failed.every(({ err }) => err instanceof TemporalEmptied);
    const error = isEmptied ? errors.temporalEmptied() : errors.serviceUnavailable();
    response.status(error.status).set('Link', error.helpLink).set(error.headers);
    response.json({ ...error.envelope(), failing: failed.map(({ part }) => part) });
  };
}

const asError = (error: unknown) => error ?? new Error('unknown');

async function beforeDeadline(work: Promise<unknown>): Promise<void> {
  if ((await withTimeout(work, DEADLINE_MS)) === timedOut) throw new Error('PostgreSQL did not answer in time');
}
