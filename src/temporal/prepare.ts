/** Prepares a Temporal server for the service: search attributes and maintenance schedules. */
import {
  type Client,
  type Connection,
  type ConnectionLike,
  ScheduleAlreadyRunning,
  ScheduleClient,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleOptions,
} from '@temporalio/client';
import { defaultPayloadConverter, type PayloadCodec } from '@temporalio/common';
import type { Logger } from 'pino';
import { repeatUntil } from '../async/promises';
import { ALREADY_EXISTS, hasStatus, INVALID_ARGUMENT, NOT_FOUND, PERMISSION_DENIED, UNIMPLEMENTED } from './connection';
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
import { maintenanceSchedules, maintenanceWorkflow, type MaintenanceSchedule } from '../domain/maintenance';
import { minute } from '../domain/time';
import { backgroundQueue } from './task-queues';

const POLL_INTERVAL_MS = 10_000;

/** Temporal answers, but its database was emptied or replaced. */
export class TemporalEmptied extends Error {
  override readonly name = 'TemporalEmptied';
}

/** Throws `TemporalEmptied` if the server knows neither the namespace nor any search attribute. */
export async function assertNotEmptied(client: Client): Promise<void> {
  const missing = await inNamespace(client, () => missingSearchAttributes(client));
  if (missing.length < searchAttributes.length) return;
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
  const missing = [...attributes.map(({ name }) => name), ...(await missingSchedules(client))];
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

const searchAttributes = [
  orderId,
  clientId,
  productFamily,
  orderStatus,
  attention,
  failureCode,
  supplier,
  productId,
  activationStatus,
];

type SearchAttribute = (typeof searchAttributes)[number];

const { INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;

/** For each type: its name for the server, its name for people, and a value that no workflow has, so that a query for it reads nothing. */
const types = {
  INT: { indexed: INDEXED_VALUE_TYPE_INT, shown: 'Int', unused: '0' },
  KEYWORD: { indexed: INDEXED_VALUE_TYPE_KEYWORD, shown: 'Keyword', unused: "'none'" },
};

const indexedTypesOf = (attributes: readonly SearchAttribute[]) =>
  Object.fromEntries(attributes.map(({ name, type }) => [name, types[type].indexed]));

/** Every search attribute with its type. */
export const searchAttributeTypes = indexedTypesOf(searchAttributes);

/** The attributes of the namespace, which the server has in memory; undefined if others keep the operator service, as in Temporal Cloud. */
async function listedSearchAttributes({ connection, options }: Client): Promise<object | undefined> {
  try {
    const { namespace } = options;
    return (await operatorServiceOf(connection).listSearchAttributes({ namespace })).customAttributes ?? {};
  } catch (error) {
    if (!isRefused(error)) throw error;
    return undefined;
  }
}

/** Only a connection of its own, which every client of the service has, reaches the operator service. */
const operatorServiceOf = (connection: ConnectionLike) => (connection as Connection).operatorService;

const isRefused = (error: unknown) => hasStatus(error, PERMISSION_DENIED) || hasStatus(error, UNIMPLEMENTED);

/** Whether the server accepts queries for all these attributes. Needs only the service for workflows. */
async function areUsable(client: Client, attributes: readonly SearchAttribute[]): Promise<boolean> {
  const query = attributes.map(({ name, type }) => `${name} = ${types[type].unused}`).join(' AND ');
  try {
    await client.workflowService.countWorkflowExecutions({ namespace: client.options.namespace, query });
    return true;
  } catch (error) {
    if (!hasStatus(error, INVALID_ARGUMENT)) throw error;
    return false;
  }
}

/**
 * The attributes that the server does not know. Queries only a server that does not list them, because a frontend takes ten queries a
 * second of a namespace by default, and each probe of `/ready` asks.
 */
export async function missingSearchAttributes(client: Client): Promise<SearchAttribute[]> {
  const listed = await listedSearchAttributes(client);
  if (listed) return searchAttributes.filter(({ name }) => !(name in listed));
  if (await areUsable(client, searchAttributes)) return [];
  const usable = await Promise.all(searchAttributes.map((attribute) => areUsable(client, [attribute])));
  return searchAttributes.filter((_, index) => !usable[index]);
}

/**
 * Registers the attributes and returns once workflows can be started with them. Idempotent. Throws if the server does not
 * accept them within 30 s, or if others create them there, as in Temporal Cloud: the message names them.
 */
export async function registerSearchAttributes(client: Client): Promise<void> {
  const missing = await missingSearchAttributes(client);
  if (missing.length > 0) await addSearchAttributes(client, missing);
  // Also if none was missing, because another process may have registered them just now.
  await untilUsable(client);
}

async function addSearchAttributes(client: Client, missing: readonly SearchAttribute[]): Promise<void> {
  const { connection, options } = client;
  try {
    await operatorServiceOf(connection).addSearchAttributes({
      namespace: options.namespace,
      searchAttributes: indexedTypesOf(missing),
    });
  } catch (error) {
    if (isRefused(error)) throw new Error(toBeCreated(options.namespace, missing), { cause: error });
    // Another process has registered them meanwhile.
    if (!hasStatus(error, ALREADY_EXISTS)) throw error;
  }
}

function toBeCreated(namespace: string, missing: readonly SearchAttribute[]): string {
  const listed = missing.map(({ name, type }) => `${name} (${types[type].shown})`).join(', ');
  return `Temporal lets this process create no search attributes in namespace ${namespace}. Create them there: ${listed}`;
}

/** Waits until queries accept the attributes: a server confirms attributes up to two seconds before its own processes know them. */
async function untilUsable(client: Client): Promise<void> {
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
    if (await areUsable(client, searchAttributes)) return;
    await sleep(RETRY_INTERVAL_MS);
  }
  throw new Error(`Temporal does not use the new search attributes of namespace ${client.options.namespace}`);
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
  return new ScheduleClient({ connection, namespace, identity, dataConverter: { payloadCodecs: [plainText] } });
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
  const ids = await Promise.all(unlisted.map(async ({ id }) => ((await hasSchedule(schedules, id)) ? [] : [id])));
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

function optionsOf({ id, everyMs, offsetMs = 0, limitMs, attempts, summary }: MaintenanceSchedule): ScheduleOptions {
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
      workflowExecutionTimeout: attempts * (limitMs + minute),
      staticSummary: summary,
    },
  };
}
