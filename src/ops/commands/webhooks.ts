/** `webhooks`: the endpoints of clients, as operators look after them. The same limits hold as for clients. */
import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import type { Config } from '../../config';
import type { Database } from '../../data/database/database';
import { changeEndpoint } from '../../data/webhooks/endpoints';
import {
  findOperatedEndpoint,
  listOperatedEndpoints,
  type OperatedEndpoint,
} from '../../data/webhooks/operated-endpoints';
import { replayEvents } from '../../data/webhooks/redelivery';
import { day } from '../../domain/time';
import { endpointMessages, endpointWorkflowId, MAX_OPEN_REPLAYS } from '../../domain/webhooks';
import * as read from '../arguments';
import { confirm, dangerous } from '../confirmation';
import { show, type Row } from '../output';
import { withDatabase, withTemporal } from '../session';
import { clientArgument, clientNamed } from './client-argument';

export function addWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').description('Webhook endpoints of clients');
  addLists(webhooks);
  addSignal(
    webhooks,
    'retry',
    'retryNow',
    'sends its oldest event at once; when it gets through, the others follow',
  ).description('Send the oldest event at once; when it gets through, the others follow');
  addSignal(webhooks, 'pause', 'pause', 'is paused: its events wait').description(
    'Hold all events of an endpoint back until it is resumed',
  );
  addSignal(webhooks, 'resume', 'resume', 'goes on').description('Let the events of a paused endpoint go on');
  addReplay(webhooks);
  addSkip(webhooks);
  addSwitch(webhooks, 'enable', true, 'Enable an endpoint again: it is reset, and counts as working');
  addSwitch(webhooks, 'disable', false, 'Disable an endpoint: what waits for it is given up');
}

function addLists(webhooks: Command): void {
  webhooks
    .command('list')
    .description('Endpoints of a client, or all, with how they stand')
    .addArgument(clientArgument('[client]'))
    .action((named: string | undefined, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const clientId = named === undefined ? undefined : (await clientNamed(database, named)).id;
        show(command, rowsOf(await listOperatedEndpoints(database, { clientId, onlyFailing: false })));
      }),
    );

  webhooks
    .command('failing')
    .description(
      'Endpoints that fail, are paused or that we disabled: since when, the last error, what waits',
    )
    .action((_options: object, command: Command) =>
      withDatabase(async (database) =>
        show(
          command,
          rowsOf(await listOperatedEndpoints(database, { clientId: undefined, onlyFailing: true })),
        ),
      ),
    );
}

function rowsOf(endpoints: readonly OperatedEndpoint[]): Row[] {
  return endpoints.map(({ nonce: _kept, ...endpoint }) => ({ ...endpoint }));
}

function onEndpoint(command: Command): Command {
  return command.argument('<endpoint>', 'id, as webhooks list shows it', read.positiveInteger);
}

/** A command that tells the endpoint's workflow something. */
function addSignal(
  webhooks: Command,
  name: string,
  message: 'retryNow' | 'pause' | 'resume',
  outcome: string,
): Command {
  return onEndpoint(webhooks.command(name)).action((id: number) =>
    withDatabase(async (database, config) => {
      const endpoint = await enabledEndpoint(database, id);
      if (message === 'retryNow' && endpoint.paused)
        throw new Error(`Endpoint ${id} is paused: webhooks resume ${id}`);
      if (message === 'retryNow' && endpoint.pending === 0)
        throw new Error(
          `Nothing waits for endpoint ${id}. What it was sent before comes again by: webhooks replay ${id}`,
        );
      await withTemporal(database, config, (temporal) =>
        signal(temporal, endpoint, endpointMessages[message]),
      );
      console.log(
        `Endpoint ${id} of ${endpoint.client} ${outcome}. See it with: webhooks list ${endpoint.client_id}`,
      );
    }),
  );
}

/** Signals the endpoint's workflow and returns its id. Throws a sentence if that workflow fails its tasks. */
async function signal(
  temporal: Client,
  { id: endpointId, nonce, client_id: clientId, url }: OperatedEndpoint,
  message: 'eventsPending' | 'pause' | 'resume' | 'retryNow',
): Promise<string> {
  const { signalEndpoint } = await import('../../notifications/webhooks/outbox-poller.js');
  const { assertGoesOn } = await import('../../temporal/task-failure.js');
  await signalEndpoint(temporal, { endpointId, nonce, clientId, url }, message);
  const workflowId = endpointWorkflowId({ endpointId, nonce });
  await assertGoesOn(temporal, workflowId);
  return workflowId;
}

function addReplay(webhooks: Command): void {
  dangerous(onEndpoint(webhooks.command('replay')))
    .description('Send an endpoint every event since then that it takes once more, delivered before or not')
    .requiredOption('--since <time>', 'a time, or so long ago: 90m, 12h, 1d', read.since)
    .action((id: number, { since }: { since: Date }, command: Command) =>
      withDatabase(async (database, config) => {
        const { client, client_id: clientId, url } = await enabledEndpoint(database, id);
        const from = new Date(Math.max(since.getTime(), Date.now() - config.eventRetentionDays * day));
        await confirm(command, `Sends ${url} of ${client} all its events since ${from.toISOString()} again.`);
        const events = await replayEvents(database, { clientId, by: 'OPERATOR' }, id, from);
        if (events === 'IN_PROGRESS') throw new Error(`A replay of endpoint ${id} is not through yet`);
        if (events === 'TOO_MANY')
          throw new Error(
            `${client} has ${MAX_OPEN_REPLAYS} replays that are not through yet, as many as it may have`,
          );
        console.log(`${events} events since ${from.toISOString()} go to endpoint ${id} of ${client} again.`);
      }),
    );
}

function addSkip(webhooks: Command): void {
  onEndpoint(dangerous(webhooks.command('skip')))
    .description('Give up one event for an endpoint, so that what comes after it goes on')
    .argument('<event>', 'id: evt_...')
    .action((id: number, eventId: string, _options: object, command: Command) =>
      withDatabase(async (database, config) => {
        const endpoint = await enabledEndpoint(database, id);
        await confirm(command, `Never sends ${eventId} to endpoint ${id} of ${endpoint.client}.`);
        if (!(await skip(database, config, endpoint, eventId)))
          throw new Error(`${eventId} does not wait for endpoint ${id}`);
        console.log(`${eventId} is not sent to endpoint ${id} of ${endpoint.client}.`);
      }),
    );
}

/** How long the endpoint's workflow may take for its answer. */
const ANSWER_LIMIT_MS = 30_000;

async function skip(
  database: Database,
  config: Config,
  endpoint: OperatedEndpoint,
  eventId: string,
): Promise<boolean> {
  return withTemporal(database, config, async (temporal) => {
    // An endpoint that nothing was sent to yet has no workflow that could answer.
    const workflowId = await signal(temporal, endpoint, endpointMessages.eventsPending);
    const workflow = temporal.workflow.getHandle(workflowId);
    return temporal.withDeadline(Date.now() + ANSWER_LIMIT_MS, () =>
      workflow.executeUpdate<boolean, [string]>(endpointMessages.skipEvent, { args: [eventId] }),
    );
  });
}

function addSwitch(webhooks: Command, name: string, enabled: boolean, description: string): void {
  const command = onEndpoint(webhooks.command(name)).description(description);
  if (!enabled) dangerous(command);
  command.action((id: number, _options: object, called: Command) =>
    withDatabase(async (database) => {
      const { client, client_id: clientId, url, pending } = await endpointOf(database, id);
      if (!enabled)
        await confirm(called, `Disables ${url} of ${client}; ${pending} events that wait are given up.`);
      await changeEndpoint(database, { clientId, by: 'OPERATOR' }, id, { enabled });
      console.log(`Endpoint ${id} of ${client} is ${name}d.`);
    }),
  );
}

async function endpointOf(database: Database, id: number): Promise<OperatedEndpoint> {
  const endpoint = await findOperatedEndpoint(database, id);
  if (!endpoint) throw new Error(`There is no endpoint ${id}. See them with: webhooks list`);
  return endpoint;
}

/** To one that is disabled nothing is sent. */
async function enabledEndpoint(database: Database, id: number): Promise<OperatedEndpoint> {
  const endpoint = await endpointOf(database, id);
  if (!endpoint.enabled) throw new Error(`Endpoint ${id} is disabled: webhooks enable ${id}`);
  return endpoint;
}
