/** Prepares a Temporal server for the service: search attributes and maintenance schedules. */
import {
  type Client,
  type Connection,
  ScheduleAlreadyRunning,
  ScheduleClient,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import { defaultPayloadConverter, type PayloadCodec } from '@temporalio/common';
import type { Logger } from 'pino';
import { repeatUntil } from '../async/promises';
import { hasStatus, NOT_FOUND, ALREADY_EXISTS, INVALID_ARGUMENT } from './connection';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporal } from '@temporalio/proto';
import {
  activationStatus,
  attention,
  clientId,
  failureCode,
  orderId,
  orderStatus,
  productFamily,
  productId,
  supplier,
} from './search-attributes';
import {
  maintenanceSchedules,
  maintenanceWorkflow,
  TASK_ATTEMPTS,
  taskLimitMs,
  type MaintenanceSchedule,
} from '../domain/maintenance';
import { backgroundQueue } from './task-queues';

const POLL_INTERVAL_MS = 10_000;

/** Temporal answers, but its database was emptied or replaced. */
export class TemporalEmptied extends Error {
  override readonly name = 'TemporalEmptied';
}

/** Throws `TemporalEmptied` if the server knows neither the namespace nor any search attribute. */
export async function assertNotEmptied(client: Client): Promise<void> {
  const missing = await inNamespace(client, () => missingSearchAttributes(client));
  if (missing.length < Object.keys(searchAttributeTypes).length) return;
  throw new TemporalEmptied(
    `Temporal knows none of the search attributes of namespace ${client.options.namespace}: its database was emptied. ` +
      'A running worker registers them within seconds and starts open orders again',
  );
}

/** Registers search attributes and schedules. Idempotent. Throws `TemporalEmptied` if the namespace is missing. */
export async function prepareTemporal(client: Client): Promise<void> {
  await inNamespace(client, () => registerSearchAttributes(client));
  await ensureMaintenanceSchedules(client);
}

/** Prepares the server again whenever it loses search attributes or schedules, until the signal aborts. */
export function keepTemporalPrepared(client: Client, log: Logger, stopping: AbortSignal): Promise<void> {
  return repeatUntil(stopping, POLL_INTERVAL_MS, () =>
    prepareIfEmptied(client, log).catch((err: unknown) => {
      log.warn({ err }, 'Temporal could not be prepared. The next check retries');
    }),
  );
}

/**
 * Prepares the server if search attributes or schedules are missing, and returns whether they were. Checks the schedules, too,
 * because an earlier preparation may have failed half-way, and the API registers only the attributes.
 */
export async function prepareIfEmptied(client: Client, log: Logger): Promise<boolean> {
  const attributes = await inNamespace(client, () => missingSearchAttributes(client));
  const missing = [...attributes, ...(await missingSchedules(client))];
  if (missing.length === 0) return false;
  log.error(
    { missing },
    'Temporal has lost search attributes or schedules, as if its database was emptied. They are created again',
  );
  await prepareTemporal(client);
  return true;
}

/** Makes a call that needs the namespace. Throws `TemporalEmptied` if the namespace is missing. */
async function inNamespace<Result>(client: Client, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!hasStatus(error, NOT_FOUND)) throw error;
    const { namespace } = client.options;
    throw new TemporalEmptied(
      `Temporal has no namespace ${namespace}: its database was emptied. Create the namespace, then restart API and worker`,
    );
  }
}

const RETRY_INTERVAL_MS = 250;
const MAX_ATTEMPTS = 120;

const { INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;

/** Every search attribute with its type. */
export const searchAttributeTypes = {
  [orderId.name]: INDEXED_VALUE_TYPE_INT,
  [clientId.name]: INDEXED_VALUE_TYPE_INT,
  [productFamily.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [orderStatus.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [attention.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [failureCode.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [supplier.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [productId.name]: INDEXED_VALUE_TYPE_INT,
  [activationStatus.name]: INDEXED_VALUE_TYPE_KEYWORD,
};

/** Only a connection of its own, which every client of the service has, reaches the operator service. */
const operatorServiceOf = ({ connection }: Client) => (connection as Connection).operatorService;

/** The names of the attributes that the server does not know. */
export async function missingSearchAttributes(client: Client): Promise<string[]> {
  const operatorService = operatorServiceOf(client);
  const { namespace } = client.options;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return Object.keys(searchAttributeTypes).filter((name) => !(name in (customAttributes ?? {})));
}

/**
 * Registers the attributes and returns once workflows can be started with them. Idempotent. Throws if the server does not
 * accept them within 30 s.
 */
export async function registerSearchAttributes(client: Client): Promise<void> {
  await addSearchAttributes(client, new Set(await missingSearchAttributes(client)));
  // Also if none was missing, because another process may have registered them just now.
  await untilUsable(client);
}

async function addSearchAttributes(client: Client, missing: ReadonlySet<string>): Promise<void> {
  if (missing.size === 0) return;
  try {
    await operatorServiceOf(client).addSearchAttributes({
      namespace: client.options.namespace,
      searchAttributes: Object.fromEntries(
        Object.entries(searchAttributeTypes).filter(([name]) => missing.has(name)),
      ),
    });
  } catch (error) {
    // Another process has registered them meanwhile.
    if (!hasStatus(error, ALREADY_EXISTS)) throw error;
  }
}

/** Waits until queries accept the attributes: a server confirms attributes up to two seconds before its own processes know them. */
async function untilUsable(client: Client): Promise<void> {
  const query = Object.keys(searchAttributeTypes)
    .map((name) => `${name} IS NULL`)
    .join(' AND ');
  for (let attempts = 1; ; attempts++) {
    try {
      await client.workflow.count(query);
      return;
    } catch (error) {
      if (!hasStatus(error, INVALID_ARGUMENT) || attempts === MAX_ATTEMPTS) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

/**
 * Leaves payloads of schedules in plain text, because they are only ids and summaries from this code: with encrypted ones, no run
 * and no worker could start after the retirement of their payload key. Does not read stored payloads, which an update replaces:
 * the Temporal UI encrypts those of a schedule that an operator has edited.
 */
const plainText: PayloadCodec = {
  encode: async (payloads) => payloads,
  decode: async (payloads) => payloads.map(() => defaultPayloadConverter.toPayload(null)),
};

export function schedulesOf({ connection, options }: Client): ScheduleClient {
  const { namespace, identity } = options;
  return new ScheduleClient({
    connection,
    namespace,
    identity,
    dataConverter: { payloadCodecs: [plainText] },
  });
}

/** Creates or updates the schedules. A paused schedule stays paused. Several workers may call it at once. */
export async function ensureMaintenanceSchedules(client: Client): Promise<void> {
  const schedules = schedulesOf(client);
  await Promise.all(maintenanceSchedules.map((schedule) => ensure(schedules, optionsOf(schedule))));
}

/**
 * Reads the list of schedules, because describing nine schedules costs the server nine workflow tasks. The list is slightly behind,
 * so the absence of a schedule is confirmed.
 */
async function missingSchedules(client: Client): Promise<string[]> {
  const schedules = schedulesOf(client);
  const listed = new Set<string>();
  for await (const { scheduleId } of schedules.list()) listed.add(scheduleId);
  const unlisted = maintenanceSchedules.filter(({ id }) => !listed.has(id));
  const ids = await Promise.all(
    unlisted.map(async ({ id }) => ((await hasSchedule(schedules, id)) ? [] : [id])),
  );
  return ids.flat();
}

async function hasSchedule(schedules: ScheduleClient, id: string): Promise<boolean> {
  try {
    await schedules.getHandle(id).describe();
    return true;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}

async function ensure(schedules: ScheduleClient, options: ScheduleOptions): Promise<void> {
  try {
    await schedules.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await schedules.getHandle(options.scheduleId).update(({ state }) => ({ ...options, state }));
  }
}

function optionsOf({ id, everyMs, offsetMs = 0, tasks, summary }: MaintenanceSchedule): ScheduleOptions {
  return {
    scheduleId: id,
    spec: { intervals: [{ every: everyMs, offset: offsetMs }] },
    // After an outage of the server, one run replaces all missed runs.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: everyMs },
    action: {
      type: 'startWorkflow',
      workflowType: maintenanceWorkflow,
      workflowId: `${id}-run`,
      taskQueue: backgroundQueue,
      args: [id],
      // A run that takes longer hangs, or has lost its worker, and must not block the next ones.
      workflowExecutionTimeout: TASK_ATTEMPTS * Math.max(...tasks.map(taskLimitMs)),
      staticSummary: summary,
    },
  };
}
