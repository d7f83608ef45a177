/**
 * Tells the workflows of endpoints that events wait for them. A look at the database ten times a second
 * costs less than a signal with every order, and cannot be forgotten by whoever writes an event: what is
 * committed is found. (A NOTIFY would make every commit queue for one lock.)
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client as TemporalClient } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../../data/database';
import { overdueEndpoints, wakeSleepers, type Sleeper } from '../../data/webhooks/wake-ups';
import { fallAsleep } from '../../data/webhooks/deliveries';
import { disablingsToMail } from '../../data/webhooks/disablings';
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

// Milliseconds.
const LOOK_EVERY = 100;
/** How often wake-ups are looked for that a crash has lost, and how late something must be to count as lost. */
const SWEEP_EVERY = 10_000;
/** How often mails about disabled endpoints are looked for. */
const MAILS_EVERY = 2_000;
/** After an error, which is that PostgreSQL or Temporal is away. */
const RETRY_AFTER = 2_000;

export interface DoorbellTools {
  database: Database;
  temporal: TemporalClient;
  log: Logger;
}

/** Rings until told to stop. Any number of processes may do so at once: each wake-up is taken by one. */
export async function ringDoorbells(tools: DoorbellTools, stopping: AbortSignal): Promise<void> {
  let swept = 0;
  let mailed = 0;
  while (!stopping.aborted) {
    try {
      await ringSleepers(tools);
      if (performance.now() - mailed >= MAILS_EVERY) {
        mailed = performance.now();
        await startMails(tools);
      }
      if (performance.now() - swept >= SWEEP_EVERY) {
        swept = performance.now();
        await ringOverdue(tools, new Date(Date.now() - SWEEP_EVERY));
      }
      await pause(LOOK_EVERY, stopping);
    } catch (err) {
      tools.log.error({ err }, 'webhook endpoints could not be woken');
      await pause(RETRY_AFTER, stopping);
    }
  }
}

/** Tells every endpoint that sleeps although something is due. */
export async function ringSleepers(tools: DoorbellTools): Promise<void> {
  const sleepers = await wakeSleepers(tools.database);
  await Promise.all(
    sleepers.map(async (sleeper) => {
      try {
        await ring(tools.temporal, sleeper);
      } catch (error) {
        // Marked awake, but not told: found again at the next look.
        await fallAsleep(tools.database, sleeper.endpointId);
        throw error;
      }
    }),
  );
}

/** Tells every endpoint that was to send something before that moment: what a crash left behind. */
async function ringOverdue({ database, temporal }: DoorbellTools, before: Date): Promise<void> {
  const overdue = await overdueEndpoints(database, before);
  await Promise.all(overdue.map((sleeper) => ring(temporal, sleeper)));
}

/** Has every client told whose endpoint was disabled, by a workflow of its own for each mail. */
async function startMails({ database, temporal }: DoorbellTools): Promise<void> {
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

/** Signals the endpoint's workflow, and starts it where it does not run. */
async function ring(
  temporal: TemporalClient,
  { endpointId, nonce, clientId: client, url }: Sleeper,
): Promise<void> {
  const key: EndpointKey = { endpointId, nonce };
  await temporal.workflow.signalWithStart<(key: EndpointKey) => Promise<void>, []>(endpointWorkflow, {
    workflowId: endpointWorkflowId(key),
    taskQueue: webhooksQueue,
    args: [key],
    signal: endpointMessages.eventsWaiting,
    // The host alone: a path may hold secrets.
    staticSummary: `Webhooks of client ${client} to ${new URL(url).host}`,
    typedSearchAttributes: [{ key: clientId, value: client }],
  });
}

async function pause(time: number, stopping: AbortSignal): Promise<void> {
  await sleep(time, undefined, { signal: stopping }).catch(() => undefined);
}
