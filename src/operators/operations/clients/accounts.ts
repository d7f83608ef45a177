/** `clients`: the accounts of API clients. */
import {
  changeAccount,
  countAccess,
  createAccount,
  accountOrders,
  listAccounts,
  type ClientRow,
} from '../../../data/clients/accounts';
import { marked } from '../../../data/database/marked-changes';
import { holdOrdersOf } from '../../../data/orders/held-orders';
import { closeClient, readClosing, readRemains } from '../../../data/clients/close-client';
import { countReadOnlyTokens } from '../../../data/clients/token-sessions';
import { clientFloors } from '../../../data/prices/stored-margin-rules';
import { findClientOfKey } from '../../../data/orders/value-search';
import { floorsChanges } from '../../../domain/prices/margin-changes';
import { flag, option, optionOr, options, requiredOption, word, type ArgumentValues } from '../arguments';
import { assertClient, clientNamed } from '../client-named';
import { guardPrices } from '../guarded-prices';
import { client, count, email, family, id, money, oneOf, text } from '../kinds';
import { listChangeText } from '../list-changes';
import { clientName } from '../names';
import { everyRole, force, neededReason, operation } from '../operation';
import { presentOf } from '../comparison';
import { accountChanges, accountSettings, changedLists, listParts, presentAccount } from './account-settings';
import { capOf, capsOf, presentCap } from './daily-caps';
import { listRateLimits } from './rate-limit';
import { plural } from '../text';

const ofClient = { client: word(client, 'id, name or API key') };
const contact = [email, 'address for operational mail'] as const;

const create = operation({
  name: 'clients create',
  button: 'Open an account',
  about: 'Open an account. Then give it a key and a wallet',
  roles: [],
  effect: 'changes',
  arguments: { name: word(clientName, 'unique name'), contact: requiredOption(...contact), ...accountSettings },
  async run({ database, remark, account: { door } }, { name, contact: contactEmail, ...given }) {
    const [owner] = await findClientOfKey(database, name);
    if (owner) throw new Error(`This name is an API key of client ${owner.id}. Give another name`);
    const values = { ...columnsOf(given, {}), name, contactEmail };
    const created = overview(await marked(database, ['NEW_CLIENT'], () => createAccount(database, values)));
    const command = `clients invite-admin ${created.id} ${contactEmail} --name <name>`;
    // The page of the client has a button for it.
    remark(`Invite its first admin to the console${door === 'PAGE' ? '.' : `: ${command}`}`);
    return [created];
  },
});

const set = operation({
  name: 'clients set',
  button: 'Change the account',
  about: 'Change the given settings of an account. A list is given whole, or by what comes and what goes',
  roles: [],
  effect: 'changes',
  approval: 'PRICE',
  arguments: {
    ...ofClient,
    contact: option(...contact),
    ...accountSettings,
    ...listParts,
    force: force('move it to a group with a lower minimum margin'),
  },
  present: presentOf(ofClient, async ({ database }, { client: named }) =>
    presentAccount(await clientNamed(database, named)),
  ),
  async preview({ database }, { client: named, ...given }) {
    const account = await clientNamed(database, named);
    return `Client ${account.id}, ${account.name}\n${accountChanges(account, given)}`;
  },
  async run(context, { client: named, contact: contactEmail, force: isForced, ...given }) {
    const { database } = context;
    const { id } = await clientNamed(database, named);
    const floors = { ...clientFloors(database, id), changes: floorsChanges(id) };
    const changed = await guardPrices(context, isForced)(given.group === undefined ? [] : [floors], () =>
      changeAccount(database, id, (account) => ({
        ...(contactEmail !== undefined && { contactEmail }),
        ...columnsOf(given, account.rateLimits),
        ...changedLists(account, given),
      })),
    );
    return [details(changed)];
  },
});

function columnsOf(given: ArgumentValues<typeof accountSettings>, rateLimits: Readonly<Record<string, number>>) {
  const { features, cidrs: allowedCidrs, bulkLimit: limit, rateLimit: limits, group } = given;
  const { codesInMail, conversions } = given;
  return {
    ...(features && { features }),
    ...(allowedCidrs && { allowedCidrs }),
    ...(limit !== undefined && { bulkLimit: limit }),
    ...(limits.length > 0 && { rateLimits: withoutNulls({ ...rateLimits, ...Object.fromEntries(limits) }) }),
    ...(codesInMail !== undefined && { codesInMail }),
    ...(conversions !== undefined && { conversions }),
    ...(group !== undefined && { clientGroup: group === '' ? null : group }),
  };
}

function withoutNulls(limits: Record<string, number | null>): Record<string, number> {
  return Object.fromEntries(Object.entries(limits).filter((entry): entry is [string, number] => entry[1] !== null));
}

const ofCap = { ...ofClient, family: word(family, 'vouchers, topups or esim') };

const cap = operation({
  name: 'clients cap',
  button: 'Cap orders',
  about: 'Cap what a client may order of a family per day. Without a number and a sum, remove the cap',
  roles: [],
  effect: 'changes',
  arguments: {
    ...ofCap,
    count: option(count, 'orders'),
    value: options(money, 'sum of the debits in a wallet currency'),
  },
  check: assertClient,
  present: presentOf(
    ofCap,
    async ({ database }, { client: named, family: capped }) =>
      presentCap((await clientNamed(database, named)).dailyCaps[capped]),
    true,
  ),
  async preview({ database }, { client: named, family: capped, ...given }) {
    const { dailyCaps } = await clientNamed(database, named);
    const caps = listChangeText('Caps', capsOf(dailyCaps[capped]), capsOf(capOf(given)), 'no cap');
    return caps ?? 'The caps stay as they are.';
  },
  async run({ database }, { client: named, family: capped, ...given }) {
    const { id } = await clientNamed(database, named);
    const cap = capOf(given);
    const changed = await changeAccount(database, id, ({ dailyCaps }) => {
      const { [capped]: _replaced, ...others } = dailyCaps;
      return { dailyCaps: cap ? { ...others, [capped]: cap } : others };
    });
    return [details(changed)];
  },
});

/** The review of the orders of a suspended client. */
const suspension = { because: 'The client was suspended', hours: 24 };

const suspend = operation({
  name: 'clients suspend',
  about: 'End all sessions and block logins, refreshes and writes. Access tokens can still read',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: {
    ...ofClient,
    hold: flag('also hold the open orders of which no purchase was sent, until they are released or cancelled'),
  },
  async preview({ database }, { client: named, hold }) {
    const { id, name } = await clientNamed(database, named);
    const { keys, sessions } = await countAccess(database, id);
    const suspended = `Suspends ${name}: ${plural(keys, 'key')} can no longer log in, ${plural(sessions, 'session ends', 'sessions end')}, all writes are rejected.`;
    return hold ? `${suspended} Its open orders of which nothing was sent are held.` : suspended;
  },
  async run(context, { client: named, hold }) {
    const { database } = context;
    const { id } = await clientNamed(database, named);
    const suspended = await changeAccount(database, id, () => ({ status: 'SUSPENDED' }));
    // After the suspension, the client places no more orders.
    if (hold) context.remark(`${plural(await holdOrdersOf(database, id, suspension), 'order is', 'orders are')} held.`);
    return [overview(suspended)];
  },
});

const resume = operation({
  name: 'clients resume',
  about: 'Lift a suspension. The client logs in again. Its older access tokens can only read',
  inTerminal:
    'Lift a suspension. The client logs in again. Prints the number of its older access tokens, which can only read',
  roles: [],
  effect: 'changes',
  arguments: ofClient,
  async compared({ database }, { client: named }) {
    const { name, status } = await clientNamed(database, named);
    return { of: `Client ${name}`, values: { status: status.toLowerCase() } };
  },
  async run({ database }, { client: named }) {
    const { id } = await clientNamed(database, named);
    const resumed = await changeAccount(database, id, () => ({ status: 'ACTIVE' }));
    const tokens = await countReadOnlyTokens(database, id);
    return [{ ...overview(resumed), unexpired_access_tokens: tokens }];
  },
});

const close = operation({
  name: 'clients close',
  about: 'Suspend an account, revoke its keys, end its sessions, and disable its endpoints with their waiting events',
  inTerminal:
    'Suspend an account, revoke its keys, end its sessions, and disable its endpoints with their waiting events. Prints what remains',
  roles: [],
  effect: 'changes',
  givesAccess: false,
  arguments: { ...ofClient, reason: neededReason },
  async preview({ database }, { client: named }) {
    const { id, name } = await clientNamed(database, named);
    const closing = await readClosing(database, id);
    const { keys_revoked: keys, sessions_ended: sessions } = closing;
    const { endpoints_disabled: endpoints, waiting_events: events } = closing;
    return `Closes ${name}: revokes ${plural(keys, 'key')}, ends ${plural(sessions, 'session')}, disables ${plural(endpoints, 'endpoint')} and gives up ${plural(events, 'waiting event')}.`;
  },
  async run({ database }, { client: named }) {
    const { id, name } = await clientNamed(database, named);
    const closed = await closeClient(database, id);
    const { open_orders, balances } = await readRemains(database, id);
    return [{ id, name, status: 'SUSPENDED', ...closed, open_orders, balances }];
  },
});

const overviewColumns = {
  id: 'number',
  name: 'text',
  status: 'text',
  features: 'list',
  bulk_limit: 'number',
  contact: 'text',
} as const;

const list = operation({
  name: 'clients list',
  about: 'All accounts',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    search: option(text, 'only those with this text in the name'),
    status: option(oneOf('status', ['ACTIVE', 'SUSPENDED'] as const), 'only those in this status: active or suspended'),
    sort: optionOr(oneOf('order', accountOrders), 'id', 'id, name or created'),
    after: option(id, 'only those behind this one, for the next page'),
    limit: option(count, 'maximum number of accounts; default: all'),
  },
  columns: overviewColumns,
  run: async ({ database }, filter) => (await listAccounts(database, filter)).map(overview),
});

export const showClient = operation({
  name: 'clients show',
  about: 'One account with all its settings',
  roles: everyRole,
  effect: 'reads',
  arguments: ofClient,
  columns: {
    ...overviewColumns,
    allowed_cidrs: 'list',
    rate_limits: 'object',
    daily_caps: 'object',
    codes_in_mail: 'flag',
    conversions: 'flag',
    group: 'text',
    created_at: 'time',
  },
  run: async ({ database }, { client: named }) => [details(await clientNamed(database, named))],
});

function overview(account: ClientRow) {
  const { id, name, status, features, bulkLimit: limit, contactEmail } = account;
  return { id, name, status, features, bulk_limit: limit, contact: contactEmail };
}

function details(account: ClientRow) {
  return {
    ...overview(account),
    allowed_cidrs: account.allowedCidrs,
    rate_limits: account.rateLimits,
    daily_caps: account.dailyCaps,
    codes_in_mail: account.codesInMail,
    conversions: account.conversions,
    group: account.clientGroup,
    created_at: account.createdAt,
  };
}

export const accountOperations = [create, set, cap, listRateLimits, suspend, resume, close, list, showClient];
