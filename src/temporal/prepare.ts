/** What the service needs of a Temporal server beside its own workers: search attributes and schedules. */
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { repeatUntil } from '../async/promises';
import { hasStatus, NOT_FOUND } from './grpc-status';
import { ensureMaintenanceSchedules } from './maintenance-schedules';
import {
  missingSearchAttributes,
  registerSearchAttributes,
  searchAttributeTypes,
} from './register-search-attributes';

/** Milliseconds between two looks at what the server knows. */
const LOOK_MS = 10_000;

/** Temporal answers, but it does not hold what it held before: its database was emptied or replaced. */
export class TemporalEmptied extends Error {
  override readonly name = 'TemporalEmptied';
}

/** Throws `TemporalEmptied` where the server knows neither the namespace nor any of the search attributes. */
export async function assertNotEmptied(client: Client): Promise<void> {
  const missing = await inNamespace(client, () => missingSearchAttributes(client));
  if (missing.length < Object.keys(searchAttributeTypes).length) return;
  throw new TemporalEmptied(
    `Temporal knows none of the search attributes of namespace ${client.options.namespace}: its database was emptied. ` +
      'A running worker registers them within seconds and starts open orders again',
  );
}

/** Registers search attributes and schedules. Repeatable. Throws `TemporalEmptied` where there is no namespace. */
export async function prepareTemporal(client: Client): Promise<void> {
  await inNamespace(client, () => registerSearchAttributes(client));
  await ensureMaintenanceSchedules(client);
}

/** Prepares the server again whenever it has lost its search attributes, until the signal aborts. */
export function keepTemporalPrepared(client: Client, log: Logger, stopping: AbortSignal): Promise<void> {
  return repeatUntil(stopping, LOOK_MS, () =>
    prepareWhereEmptied(client, log).catch((err: unknown) => {
      log.warn({ err }, 'Temporal could not be asked for its search attributes');
    }),
  );
}

/** Returns whether anything was missing. */
export async function prepareWhereEmptied(client: Client, log: Logger): Promise<boolean> {
  const missing = await inNamespace(client, () => missingSearchAttributes(client));
  if (missing.length === 0) return false;
  log.error(
    { missing },
    'Temporal has lost its search attributes: its database was emptied. They are registered again',
  );
  await prepareTemporal(client);
  return true;
}

/** Makes a call that needs the namespace. Throws `TemporalEmptied` if there is none. */
async function inNamespace<Result>(client: Client, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!hasStatus(error, NOT_FOUND)) throw error;
    const { namespace } = client.options;
    throw new TemporalEmptied(
      `Temporal has no namespace ${namespace}: its database was emptied. Create the namespace, then start API and worker anew`,
    );
  }
}
