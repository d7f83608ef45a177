/**
 * Notifies the workflows of endpoints about pending events. A poll at a notification of the database, and at intervals,
 * costs less than a signal with every order, and finds every committed event.
 * docs/decisions/0054-listen-for-due-events.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import { runAllSteps } from '../../async/promises';
import type { Database } from '../../data/database/database';
import {
  claimIdleEndpoints,
  markIdle,
  overdueEndpoints,
  type IdleEndpoint,
} from '../../data/webhooks/deliveries';
import { disablingsToMail } from '../../data/webhooks/endpoint-health';
import {
  disabledMailWorkflow,
  disabledMailWorkflowId,
  endpointMessages,
  endpointWorkflow,
  endpointWorkflowId,
  type DisablingKey,
  type EndpointKey,
} from '../../domain/webhooks';
import { clientId } from '../../temporal/search-attributes';
import { webhooksQueue } from '../../temporal/task-queues';
import type { DueEvents } from './due-events';

/** The shortest time between two polls for events of idle endpoints, so that notifications share a poll. */
const MIN_INTERVAL_MS = 10;
/** Polling interval for overdue deliveries, and the time after which a due delivery is overdue. */
const SWEEP_INTERVAL_MS = 10_000;
/** Polling interval for mails about disabled endpoints. */
const MAIL_INTERVAL_MS = 2_000;
/** Wait after an error: PostgreSQL or Temporal is unreachable. */
const ERROR_BACKOFF_MS = 2_000;

export interface OutboxPollerDependencies {
  database: Database;
  temporal: TemporalClient;
  log: Logger;
}

/**
 * Polls at each notification of `events` and at its intervals, until `stopping` aborts. Safe in any number of processes:
 * one of them claims each idle endpoint.
 */
export async function pollOutbox(
  dependencies: OutboxPollerDependencies,
  events: DueEvents,
  stopping: AbortSignal,
): Promise<void> {
  let isNotified = true;
  let sweptAt = 0;
  let mailedAt = 0;
  while (!stopping.aborted) {
    try {
      await runAllSteps(
        async () => {
          const found = await notifyIdleEndpoints(dependencies);
          if (found > 0 && !isNotified) events.foundUnnotified();
        },
        async () => {
          if (performance.now() - mailedAt < MAIL_INTERVAL_MS) return;
          mailedAt = performance.now();
          await startMails(dependencies);
        },
        async () => {
          if (performance.now() - sweptAt < SWEEP_INTERVAL_MS) return;
          sweptAt = performance.now();
          await notifyOverdueEndpoints(dependencies, new Date(Date.now() - SWEEP_INTERVAL_MS));
        },
      );
      await pause(MIN_INTERVAL_MS, stopping);
      isNotified = await events.next(stopping);
    } catch (err) {
      dependencies.log.error({ err }, 'webhook endpoints could not be notified');
      await pause(ERROR_BACKOFF_MS, stopping);
      // The failed poll may have missed events that were notified.
      isNotified = true;
    }
  }
}

/** Notifies every idle endpoint with a due delivery. Returns their number. */
async function notifyIdleEndpoints(dependencies: OutboxPollerDependencies): Promise<number> {
  const endpoints = await claimIdleEndpoints(dependencies.database);
  await Promise.all(
    endpoints.map(async (endpoint) => {
      try {
        await notify(dependencies.temporal, endpoint);
      } catch (error) {
        // Releases the claim, so that the next poll finds the endpoint again.
        await markIdle(dependencies.database, endpoint.endpointId);
        throw error;
      }
    }),
  );
  return endpoints.length;
}

/** Notifies every endpoint with deliveries that were due before the given time: a crash may have left them behind. */
async function notifyOverdueEndpoints(
  { database, temporal }: OutboxPollerDependencies,
  before: Date,
): Promise<void> {
  const overdue = await overdueEndpoints(database, before);
  await Promise.all(overdue.map((endpoint) => notify(temporal, endpoint)));
}

/** Starts a workflow for each due mail about a disabled endpoint. */
async function startMails({ database, temporal }: OutboxPollerDependencies): Promise<void> {
  const due = await disablingsToMail(database);
  await Promise.all(
    due.map(async ({ id, nonce, endpointId }) => {
      const key: DisablingKey = { disablingId: id, nonce };
      await temporal.workflow.start<(key: DisablingKey) => Promise<void>>(disabledMailWorkflow, {
        workflowId: disabledMailWorkflowId(key),
        taskQueue: webhooksQueue,
        args: [key],
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: `Tell the client that webhook endpoint ${endpointId} is disabled`,
      });
    }),
  );
}

function notify(temporal: TemporalClient, endpoint: IdleEndpoint): Promise<void> {
  return signalEndpoint(temporal, endpoint, endpointMessages.eventsPending);
}

/** Signals the endpoint's workflow, and starts it if it does not run. */
export async function signalEndpoint(
  temporal: TemporalClient,
  { endpointId, nonce, clientId: client, url }: IdleEndpoint,
  signal: Exclude<keyof typeof endpointMessages, 'skipEvent'>,
): Promise<void> {
  const key: EndpointKey = { endpointId, nonce };
  await temporal.workflow.signalWithStart<(key: EndpointKey) => Promise<void>, []>(endpointWorkflow, {
    workflowId: endpointWorkflowId(key),
    taskQueue: webhooksQueue,
    args: [key],
    signal,
    // The host alone: a path may hold secrets.
    staticSummary: `Webhooks of client ${client} to ${new URL(url).host}`,
    staticDetails: `Sends the events of client ${client} to its endpoint ${endpointId} while the endpoint is enabled.`,
    typedSearchAttributes: [{ key: clientId, value: client }],
  });
}

async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => undefined);
}
