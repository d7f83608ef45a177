/** `webhooks`: the endpoints of clients. */
import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import type { Database } from '../../data/database/database';
import { changeEndpoint } from '../../data/webhooks/endpoints';
import {
  findOperatedEndpoint,
  listOperatedEndpoints,
  type OperatedEndpoint,
} from '../../data/webhooks/operated-endpoints';
import { replayEvents } from '../../data/webhooks/redelivery';
import { day } from '../../domain/time';
import { endpointMessages, endpointWorkflowId, MAX_OPEN_REPLAYS } from '../../domain/webhooks/delivery-rules';
import * as read from '../arguments';
import { confirm, dangerous } from '../confirmation';
import { onDatabase, withTemporal, type Session } from '../session';

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('Webhook endpoints of clients');
  addLists(webhooks);
  addSignal(
    webhooks,
    'retry',
    'retryNow',
    'sends its oldest event at once; after its success the others follow',
  ).description('Send the oldest waiting event at once. When it succeeds, the others follow');
  addSignal(webhooks, 'pause', 'pause', 'is paused: its events wait').description(
    'Hold all events of an endpoint until it is resumed',
  );
  addSignal(webhooks, 'resume', 'resume', 'is resumed').description(
    'Release the events of a paused endpoint',
  );
  addReplay(webhooks);
  addSkip(webhooks);
  addSwitch(webhooks, 'enable', true, 'Enable an endpoint again. It then counts as working');
  addSwitch(webhooks, 'disable', false, 'Disable an endpoint and give up its waiting events');
}

function addLists(webhooks: Command): void {
  webhooks
    .command('list')
    .description('The endpoints of a client, or of all clients, with their state')
    .addArgument(read.clientArgument('[client]'))
    .action(
      onDatabase(async ({ database }, named: string | undefined) => {
        const clientId = named === undefined ? undefined : (await read.clientNamed(database, named)).id;
        return rowsOf(await listOperatedEndpoints(database, { clientId, onlyFailing: false }));
      }),
    );

  webhooks
    .command('failing')
    .description(
      'Endpoints that fail, are paused or were disabled by the service: since when, the last error, waiting events',
    )
    .action(
      onDatabase(async ({ database }) =>
        rowsOf(await listOperatedEndpoints(database, { clientId: undefined, onlyFailing: true })),
      ),
    );
}

function rowsOf(endpoints: readonly OperatedEndpoint[]) {
  return endpoints.map(({ nonce: _internal, ...endpoint }) => endpoint);
}

function onEndpoint(command: Command): Command {
  return command.argument('<endpoint>', 'id; see webhooks list', read.positiveInteger);
}

/** Adds a command that sends a signal to the endpoint's workflow. */
function addSignal(
  webhooks: Command,
  name: string,
  message: 'retryNow' | 'pause' | 'resume',
  outcome: string,
): Command {
  return onEndpoint(webhooks.command(name)).action(
    onDatabase(async (session, id: number) => {
      const endpoint = await enabledEndpoint(session.database, id);
      if (message === 'retryNow' && endpoint.paused)
        throw new Error(`Endpoint ${id} is paused: webhooks resume ${id}`);
      if (message === 'retryNow' && endpoint.pending === 0)
        throw new Error(
          `No event waits for endpoint ${id}. Send earlier events again with: webhooks replay ${id} --since <time>`,
        );
      await withTemporal(session, (temporal) => signal(temporal, endpoint, endpointMessages[message]));
      return `Endpoint ${id} of ${endpoint.client} ${outcome}. See it with: webhooks list ${endpoint.client_id}`;
    }),
  );
}

/** Signals the endpoint's workflow and returns its id. Throws if the tasks of the workflow fail. */
async function signal(
  temporal: Client,
  { id: endpointId, nonce, client_id: clientId, url }: OperatedEndpoint,
  message: 'eventsPending' | 'pause' | 'resume' | 'retryNow',
): Promise<string> {
  const { signalEndpoint } = await import('../../notifications/webhooks/outbox-poller.js');
  const { assertMakesProgress } = await import('../../temporal/failing-workflows.js');
  await signalEndpoint(temporal, { endpointId, nonce, clientId, url }, message);
  const workflowId = endpointWorkflowId({ endpointId, nonce });
  await assertMakesProgress(temporal, workflowId);
  return workflowId;
}

function addReplay(webhooks: Command): void {
  dangerous(onEndpoint(webhooks.command('replay')))
    .description('Send every event since a time again, delivered or not')
    .requiredOption('--since <time>', 'events since this time, or of the last 90m, 12h, 1d', read.timeOrAge)
    .action(
      onDatabase(async ({ database, config, command }, id: number, { since }: { since: Date }) => {
        const { client, client_id: clientId, url } = await enabledEndpoint(database, id);
        const from = new Date(Math.max(since.getTime(), Date.now() - config.eventRetentionDays * day));
        await confirm(command, `Sends ${url} of ${client} all its events since ${from.toISOString()} again.`);
        const events = await replayEvents(database, { clientId, by: 'OPERATOR' }, id, from);
        if (events === 'IN_PROGRESS')
          throw new Error(`A replay of endpoint ${id} is in progress: wait for its end`);
        if (events === 'TOO_MANY')
          throw new Error(
            `${client} has ${MAX_OPEN_REPLAYS} replays in progress, the maximum: wait for the end of one`,
          );
        return `${events} events since ${from.toISOString()} are sent to endpoint ${id} of ${client} again.`;
      }),
    );
}

function addSkip(webhooks: Command): void {
  onEndpoint(dangerous(webhooks.command('skip')))
    .description('Give up one event, so that later ones continue')
    .argument('<event>', 'id: evt_...', read.eventId)
    .action(
      onDatabase(async (session, id: number, eventId: string) => {
        const endpoint = await enabledEndpoint(session.database, id);
        await confirm(session.command, `Never sends ${eventId} to endpoint ${id} of ${endpoint.client}.`);
        if (!(await skip(session, endpoint, eventId)))
          throw new Error(`${eventId} does not wait for endpoint ${id}: check both ids`);
        return `${eventId} is not sent to endpoint ${id} of ${endpoint.client}.`;
      }),
    );
}

/** Skipping takes one statement. */
const UPDATE_TIMEOUT_MS = 10_000;

async function skip(session: Session, endpoint: OperatedEndpoint, eventId: string): Promise<boolean> {
  const { assertMakesProgress } = await import('../../temporal/failing-workflows.js');
  return withTemporal(session, async (temporal) => {
    // The signal starts the workflow of an endpoint that has none yet.
    const workflowId = await signal(temporal, endpoint, endpointMessages.eventsPending);
    const workflow = temporal.workflow.getHandle(workflowId);
    try {
      return await temporal.withDeadline(Date.now() + UPDATE_TIMEOUT_MS, () =>
        workflow.executeUpdate<boolean, [string]>(endpointMessages.skipEvent, { args: [eventId] }),
      );
    } catch (error) {
      // Temporal's errors name neither the cause nor a remedy.
      await assertMakesProgress(temporal, workflowId);
      throw new Error(notTaken(endpoint, eventId), { cause: error });
    }
  });
}

function notTaken({ id, client_id: clientId }: OperatedEndpoint, eventId: string): string {
  return (
    `The workflow of endpoint ${id} did not take the message. It may still skip ${eventId}. Check that a worker runs with ` +
    `\`deploy status\`, and whether the event still waits with \`webhooks list ${clientId}\`, then retry.`
  );
}

function addSwitch(webhooks: Command, name: string, enabled: boolean, description: string): void {
  const command = onEndpoint(webhooks.command(name)).description(description);
  if (!enabled) dangerous(command);
  command.action(
    onDatabase(async ({ database, command: called }, id: number) => {
      const { client, client_id: clientId, url, pending } = await endpointOf(database, id);
      if (!enabled)
        await confirm(called, `Disables ${url} of ${client} and gives up ${pending} waiting events.`);
      await changeEndpoint(database, { clientId, by: 'OPERATOR' }, id, { enabled });
      return `Endpoint ${id} of ${client} is ${enabled ? 'enabled' : 'disabled'}.`;
    }),
  );
}

async function endpointOf(database: Database, id: number): Promise<OperatedEndpoint> {
  const endpoint = await findOperatedEndpoint(database, id);
  if (!endpoint) throw new Error(`There is no endpoint ${id}. See them with: webhooks list`);
  return endpoint;
}

/** The endpoint. Throws if it is disabled, because it then gets no events. */
async function enabledEndpoint(database: Database, id: number): Promise<OperatedEndpoint> {
  const endpoint = await endpointOf(database, id);
  if (!endpoint.enabled) throw new Error(`Endpoint ${id} is disabled: webhooks enable ${id}`);
  return endpoint;
}
