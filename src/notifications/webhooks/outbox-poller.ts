/**
 * Signals the workflows of endpoints that have pending events. To find these endpoints, it polls the database when a due event is
 * announced to it, and at intervals. Polls find every committed event, and cost less than a signal for every order.
 * docs/decisions/0010-write-events-to-an-outbox.md.
 */
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import { pause, runAllSteps } from '../../async/promises';
import type { Database } from '../../data/database/database';
import {
  claimIdleEndpoints,
  markIdle,
  overdueEndpoints,
  type IdleEndpoint,
} from '../../data/webhooks/waiting-endpoints';
import { disablingsToMail } from '../../data/webhooks/disabling-mails';
import {
  disabledMailWorkflow,
  disabledMailWorkflowId,
  endpointMessages,
  endpointWorkflow,
  endpointWorkflowId,
  type DisablingKey,
  type EndpointKey,
} from '../../domain/webhooks/delivery-rules';
import { clientId } from '../../temporal/search-attributes';
import { webhooksQueue } from '../../temporal/task-queues';
import type { DueEvents } from './due-events';

/** The shortest time between two polls, so that announcements in quick succession share a poll. */
const MIN_INTERVAL_MS = 10;
/**
 * The interval between polls for overdue deliveries, and for mails about disabled endpoints. A delivery is overdue if it has been due
 * for longer than this.
 */
const SWEEP_INTERVAL_MS = 10_000;
/** Wait after an error: PostgreSQL or Temporal is unreachable. */
const ERROR_BACKOFF_MS = 2_000;

export interface OutboxPollerDependencies {
  database: Database;
  temporal: TemporalClient;
  log: Logger;
}

/**
 * Polls whenever `events.next` resolves, until `stopping` aborts. Any number of processes can run it: only one of them claims
 * an idle endpoint (one whose workflow does not look for events by itself) and signals its workflow.
 */
export async function pollOutbox(
  dependencies: OutboxPollerDependencies,
  events: DueEvents,
  stopping: AbortSignal,
): Promise<void> {
  /** Whether an announcement may explain the events that the next poll finds. */
  let maybeAnnounced = true;
  let sweptAt = 0;
  while (!stopping.aborted) {
    try {
      await runAllSteps(
        async () => {
          const found = await signalIdleEndpoints(dependencies);
          if (found > 0 && !maybeAnnounced) void events.recordUnannounced(dependencies.database);
        },
        async () => {
          if (performance.now() - sweptAt < SWEEP_INTERVAL_MS) return;
          sweptAt = performance.now();
          await runAllSteps(
            () => signalOverdueEndpoints(dependencies, new Date(Date.now() - SWEEP_INTERVAL_MS)),
            () => startMails(dependencies),
          );
        },
      );
      await pause(MIN_INTERVAL_MS, stopping);
      maybeAnnounced = await events.next(stopping);
    } catch (err) {
      dependencies.log.error({ err }, 'webhook endpoints could not be notified');
      await pause(ERROR_BACKOFF_MS, stopping);
      // The next poll may find events whose announcement the failed poll has consumed.
      maybeAnnounced = true;
    }
  }
}

/** Signals the workflow of every idle endpoint with a due delivery. Returns the number of these endpoints. */
async function signalIdleEndpoints(dependencies: OutboxPollerDependencies): Promise<number> {
  const endpoints = await claimIdleEndpoints(dependencies.database);
  await Promise.all(
    endpoints.map(async (endpoint) => {
      try {
        await signalPending(dependencies.temporal, endpoint);
      } catch (error) {
        // Releases the claim, so that the next poll finds the endpoint again.
        await markIdle(dependencies.database, endpoint.endpointId);
        throw error;
      }
    }),
  );
  return endpoints.length;
}

/** Signals the workflow of every endpoint with a delivery that was due before the given time: a crash may have lost a signal. */
async function signalOverdueEndpoints({ database, temporal }: OutboxPollerDependencies, before: Date): Promise<void> {
  const overdue = await overdueEndpoints(database, before);
  await Promise.all(overdue.map((endpoint) => signalPending(temporal, endpoint)));
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

function signalPending(temporal: TemporalClient, endpoint: IdleEndpoint): Promise<void> {
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
