/** `webhooks`: the endpoints of clients. */
import type { Database } from '../../../data/database/database';
import { changeEndpoint } from '../../../data/webhooks/endpoints';
import {
  endpointOrders,
  endpointStates,
  findOperatedEndpoint,
  listOperatedEndpoints,
  skipDelivery,
  type OperatedEndpoint,
} from '../../../data/webhooks/operated-endpoints';
import { replayEvents } from '../../../data/webhooks/redelivery';
import { day } from '../../../domain/time';
import { endpointMessages } from '../../../domain/webhooks/delivery-rules';
import { MAX_OPEN_REPLAYS } from '../../../domain/webhooks/endpoint-limits';
import { inTerminal, option, optionalWord, optionOr, requiredOption, word } from '../arguments';
import { clientIdNamed } from '../client-named';
import { comparisonText } from '../comparison';
import type { Context } from '../context';
import { client, count, eventId, id, oneOf, text } from '../kinds';
import { timeOrAge } from '../time-kinds';
import { everyRole, operation } from '../operation';
import { tried } from '../tried';
import { signalWorkflow, skipEvent } from './endpoint-signals';
import { plural } from '../text';

const endpoint = inTerminal(word(id, 'the number of the endpoint'), 'id; see webhooks list');

const endpointArguments = {
  state: option(oneOf('state', endpointStates), 'only endpoints in this state: working, failing, paused or disabled'),
  search: option(text, 'only endpoints with this text in the URL'),
  sort: optionOr(oneOf('order', endpointOrders), 'client', 'client, or failing (the longest failing first)'),
  after: option(id, 'only endpoints behind this one, for the next page'),
  limit: option(count, 'maximum number of endpoints; default: all'),
};

const endpointColumns = {
  id: 'number',
  client_id: 'number',
  client: 'text',
  url: 'text',
  enabled: 'flag',
  disabled_reason: 'text',
  paused: 'flag',
  failing_since: 'time',
  circuit_open_until: 'time',
  pending: 'number',
  oldest_event: 'text',
  last_error: 'text',
} as const;

export const listEndpointsOf = operation({
  name: 'webhooks list',
  about: 'The endpoints of a client, or of all clients, with their state',
  roles: everyRole,
  effect: 'reads',
  arguments: { client: optionalWord(client, 'id, name or API key'), ...endpointArguments },
  columns: endpointColumns,
  run: (context, given) => listEndpoints(context, given, false),
});

const listFailing = operation({
  name: 'webhooks failing',
  button: 'Show the failing ones',
  about: 'Endpoints that fail, are paused or were disabled by the service: since when, the last error, waiting events',
  roles: everyRole,
  effect: 'reads',
  arguments: { client: option(client, 'only those of this client: id, name or API key'), ...endpointArguments },
  columns: endpointColumns,
  run: (context, given) => listEndpoints(context, given, true),
});

type GivenFilter = Omit<Parameters<typeof listOperatedEndpoints>[1], 'clientId' | 'onlyFailing'>;

async function listEndpoints(
  { database }: Context,
  { client: named, ...filter }: GivenFilter & { client?: string | undefined },
  onlyFailing: boolean,
) {
  const clientId = await clientIdNamed(database, named);
  const endpoints = await listOperatedEndpoints(database, { ...filter, clientId, onlyFailing });
  return endpoints.map(({ nonce: _internal, ...shown }) => shown);
}

/** An operation that sends a signal to the endpoint's workflow. `outcome`: what the endpoint then does. */
function signalling(
  verb: 'retry' | 'pause' | 'resume',
  {
    about,
    message,
    outcome,
    harmless,
  }: { about: string; message: 'retryNow' | 'pause' | 'resume'; outcome: string; harmless?: string },
) {
  return operation({
    name: `webhooks ${verb}`,
    about,
    roles: ['support'],
    effect: 'changes',
    givesAccess: false,
    ...(harmless !== undefined && { harmless }),
    arguments: { endpoint },
    trial: 'NONE',
    ...(message !== 'retryNow' && {
      isUnasked: true as const,
      async preview({ database }: Context, { endpoint: endpointId }: { readonly endpoint: number }) {
        const { of, values } = standingOf(await enabledEndpoint(database, endpointId));
        return `${of}\n${comparisonText(values, { paused: message === 'pause' })}`;
      },
    }),
    async check({ database }, { endpoint: endpointId }) {
      if (endpointId === undefined) return;
      const found = await enabledEndpoint(database, endpointId);
      if (message === 'retryNow') assertWaiting(found);
    },
    async run(context, { endpoint: endpointId }) {
      const found = await enabledEndpoint(context.database, endpointId);
      await context.withTemporal((temporal) => signalWorkflow(temporal, found, endpointMessages[message]));
      return `Endpoint ${found.url} of ${found.client} ${outcome}. See it with: webhooks list ${found.client_id}`;
    },
  });
}

/** Whether the endpoint gets events. */
const standingOf = ({ client: owner, url, enabled, paused }: OperatedEndpoint) => ({
  of: `${url} of ${owner}`,
  values: { enabled, paused },
});

/** Throws if no event can be sent to the endpoint now. */
function assertWaiting({ id: endpointId, paused, pending }: OperatedEndpoint): void {
  if (paused) throw new Error(`Endpoint ${endpointId} is paused. Resume it with: webhooks resume ${endpointId}`);
  if (pending === 0)
    throw new Error(
      `No event waits for endpoint ${endpointId}. Send earlier events again with: webhooks replay ${endpointId} --since <time>`,
    );
}

const retry = signalling('retry', {
  about: 'Send the oldest waiting event at once. When it succeeds, the others follow',
  message: 'retryNow',
  harmless: 'It sends an event again to the endpoint that waits for it.',
  outcome: 'gets its oldest event at once; after its success the others follow',
});

const pause = signalling('pause', {
  about: 'Hold all events of an endpoint until it is resumed',
  message: 'pause',
  outcome: 'is paused: its events wait',
});

const resume = signalling('resume', {
  about: 'Release the events of a paused endpoint',
  message: 'resume',
  outcome: 'is resumed',
});

const replay = operation({
  name: 'webhooks replay',
  about: 'Send every event since a time again, delivered or not',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  arguments: {
    endpoint,
    since: inTerminal(
      requiredOption(timeOrAge, 'events since this time'),
      'events since this time, or of the last 90m, 12h, 1d',
    ),
  },
  check: async ({ database }, { endpoint: endpointId }) =>
    endpointId === undefined || enabledEndpoint(database, endpointId),
  async preview(context, { endpoint: endpointId, since }) {
    const { client: owner, url } = await enabledEndpoint(context.database, endpointId);
    return `Sends ${url} of ${owner} all its events since ${kept(context, since).toISOString()} again.`;
  },
  async run(context, { endpoint: endpointId, since }) {
    const { database } = context;
    const { client: owner, client_id: clientId } = await enabledEndpoint(database, endpointId);
    const from = kept(context, since);
    const events = await replayEvents(database, { clientId, by: 'OPERATOR' }, endpointId, from);
    if (events === 'IN_PROGRESS')
      throw new Error(`A replay of endpoint ${endpointId} is in progress: wait for its end`);
    if (events === 'TOO_MANY')
      throw new Error(`${owner} has ${MAX_OPEN_REPLAYS} replays in progress, the maximum: wait for the end of one`);
    return `${plural(events, 'event')} since ${from.toISOString()} ${events === 1 ? 'is' : 'are'} sent to endpoint ${endpointId} of ${owner} again.`;
  },
});

/** The time from which on events are kept, or a later `since`. */
function kept({ config }: Context, since: Date): Date {
  return new Date(Math.max(since.getTime(), Date.now() - config.eventRetentionDays * day));
}

const skip = operation({
  name: 'webhooks skip',
  about: 'Give up one event, so that later ones continue',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  arguments: {
    endpoint,
    event: inTerminal(word(eventId, 'the id of the event, which begins with evt'), 'id: evt_...'),
  },
  trial: 'NONE',
  async check(context, { endpoint: endpointId, event }) {
    if (endpointId === undefined) return;
    await enabledEndpoint(context.database, endpointId);
    if (event === undefined) return;
    if (!(await tried(context, ({ database }) => skipDelivery(database, endpointId, event))))
      throw notWaiting(endpointId, event);
  },
  async preview({ database }, { endpoint: endpointId, event }) {
    const { client: owner } = await endpointOf(database, endpointId);
    return `Never sends ${event} to endpoint ${endpointId} of ${owner}.`;
  },
  async run(context, { endpoint: endpointId, event }) {
    const found = await enabledEndpoint(context.database, endpointId);
    if (!(await skipEvent(context, found, event))) throw notWaiting(endpointId, event);
    return `${event} is not sent to endpoint ${endpointId} of ${found.client}.`;
  },
});

function notWaiting(endpointId: number, event: string): Error {
  return new Error(`${event} does not wait for endpoint ${endpointId}: check both ids`);
}

const enable = operation({
  name: 'webhooks enable',
  about: 'Enable an endpoint again. It then counts as working',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  arguments: { endpoint },
  compared: async ({ database }, { endpoint: endpointId }) => standingOf(await endpointOf(database, endpointId)),
  run: ({ database }, { endpoint: endpointId }) => setEnabled(database, endpointId, true),
});

const disable = operation({
  name: 'webhooks disable',
  about: 'Disable an endpoint and give up its waiting events',
  roles: ['support'],
  effect: 'changes',
  givesAccess: false,
  arguments: { endpoint },
  async preview({ database }, { endpoint: endpointId }) {
    const { client: owner, url, pending } = await endpointOf(database, endpointId);
    return `Disables ${url} of ${owner} and gives up ${pending} waiting events.`;
  },
  run: ({ database }, { endpoint: endpointId }) => setEnabled(database, endpointId, false),
});

async function setEnabled(database: Database, endpointId: number, enabled: boolean): Promise<string> {
  const { client: owner, client_id: clientId } = await endpointOf(database, endpointId);
  await changeEndpoint(database, { clientId, by: 'OPERATOR' }, endpointId, { enabled });
  return `Endpoint ${endpointId} of ${owner} is ${enabled ? 'enabled' : 'disabled'}.`;
}

async function endpointOf(database: Database, id: number): Promise<OperatedEndpoint> {
  const endpoint = await findOperatedEndpoint(database, id);
  if (!endpoint) throw new Error(`There is no endpoint ${id}. See them with: webhooks list`);
  return endpoint;
}

/** The endpoint. Throws if it is disabled, because it then gets no events. */
async function enabledEndpoint(database: Database, id: number): Promise<OperatedEndpoint> {
  const endpoint = await endpointOf(database, id);
  if (!endpoint.enabled) throw new Error(`Endpoint ${id} is disabled. Enable it with: webhooks enable ${id}`);
  return endpoint;
}

export const webhookOperations = [listEndpointsOf, listFailing, retry, pause, resume, replay, skip, enable, disable];
