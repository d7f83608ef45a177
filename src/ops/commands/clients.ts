/** `clients`: the accounts of API clients. */
import type { Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import {
  changeAccount,
  countAccess,
  createAccount,
  listAccounts,
  type ClientRow,
  type DailyCap,
} from '../../data/clients/accounts';
import { closeClient, readClosing } from '../../data/clients/close-client';
import { countReadOnlyTokens, endSessions } from '../../data/clients/sessions';
import type { Feature, Family } from '../../domain/orders/families';
import { rateClasses, rateLimitOf } from '../../domain/clients/rate-classes';
import * as read from '../arguments';
import { confirm, dangerous, reasoned } from '../confirmation';
import { onClient, onDatabase } from '../session';

/** The options of `create` and `set`. A rate limit of null resets its class to the default. */
interface Settings {
  contact?: string;
  features?: Feature[];
  cidrs?: string[];
  bulkLimit?: number;
  rateLimit?: Record<string, number | null>;
  codesInMail?: boolean;
  group?: string;
}

export function addClientCommands(program: Command): void {
  const clients = program.command('clients').description('Accounts of API clients');
  addCreate(clients);
  addSet(clients);
  addDailyCap(clients);
  addRateLimits(clients);
  addSuspend(clients);
  addResume(clients);
  addClose(clients);
  addEndSessions(clients);

  clients
    .command('list')
    .description('All accounts')
    .action(onDatabase(async ({ database }) => (await listAccounts(database)).map(overview)));

  clients
    .command('show')
    .description('One account with all its settings')
    .addArgument(read.clientArgument())
    .action(onClient(async (_session, client) => [details(client)]));
}

function addRateLimits(clients: Command): void {
  clients
    .command('rate-limits')
    .description('The requests per minute that an account has in each class')
    .addArgument(read.clientArgument())
    .action(
      onClient(async ({ config: { mode } }, { rateLimits }) =>
        rateClasses.map((rateClass) => ({
          class: rateClass.name,
          calls_a_minute: rateLimitOf(rateClass, mode, rateLimits),
          default: rateClass.defaults[mode],
          set_by_operator: rateClass.name in rateLimits,
        })),
      ),
    );
}

function addCreate(clients: Command): void {
  withSettings(clients.command('create').requiredOption(...contactOption))
    .description('Open an account. Then give it a key and a wallet')
    .argument('<name>', 'unique name', read.clientName)
    .action(
      onDatabase(async ({ database }, name: string, settings: Settings & { contact: string }) => {
        const values = { ...columnsOf(settings, {}), name, contactEmail: settings.contact };
        return [overview(await createAccount(database, values))];
      }),
    );
}

function addSet(clients: Command): void {
  withSettings(clients.command('set').option(...contactOption))
    .description('Change the given settings of an account')
    .addArgument(read.clientArgument())
    .action(
      onClient(async ({ database }, { id }, settings: Settings) => [
        details(await changeAccount(database, id, ({ rateLimits }) => columnsOf(settings, rateLimits))),
      ]),
    );
}

const contactOption = ['--contact <email>', 'address for operational mail', read.email] as const;

function withSettings(command: Command): Command {
  return command
    .option('--features <list>', 'one or more of vouchers,topups,esim', read.featureList)
    .option('--cidrs <list>', 'networks that may create orders; "" allows every address', read.cidrs)
    .option('--bulk-limit <n>', 'maximum number of vouchers in one order, 1 to 5000', read.bulkLimit)
    .option(
      '--rate-limit <class=n>',
      `requests per minute, or "default"; classes: ${rateClasses.map(({ name }) => name).join(', ')}`,
      read.rateLimit,
    )
    .option('--group <name>', 'the group whose margin rules apply to it; "" for none', read.groupName)
    .option('--codes-in-mail', 'put voucher codes into notification mails')
    .option('--no-codes-in-mail', 'keep voucher codes out of notification mails');
}

/** The columns and values for the given settings. */
function columnsOf(settings: Settings, rateLimits: Readonly<Record<string, number>>) {
  const { contact, features, cidrs, bulkLimit, rateLimit, codesInMail, group } = settings;
  return {
    ...(contact && { contactEmail: contact }),
    ...(features && { features }),
    ...(cidrs && { allowedCidrs: cidrs }),
    ...(bulkLimit && { bulkLimit }),
    ...(rateLimit && { rateLimits: withoutNulls({ ...rateLimits, ...rateLimit }) }),
    ...(codesInMail !== undefined && { codesInMail }),
    ...(group !== undefined && { clientGroup: group === '' ? null : group }),
  };
}

function withoutNulls(limits: Record<string, number | null>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(limits).filter((entry): entry is [string, number] => entry[1] !== null),
  );
}

function addDailyCap(clients: Command): void {
  clients
    .command('cap')
    .description('Cap what a client may order of a family per day; without options remove the cap')
    .addArgument(read.clientArgument())
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .option('--count <n>', 'orders', read.positiveInteger)
    .option('--value <currency=amount>', 'sum of the debits in a wallet currency; repeatable', read.money)
    .action(
      onClient(async ({ database }, { id }, family: Family, { count, value }: DailyCap) => {
        const cap = { ...(count !== undefined && { count }), ...(value && { value }) };
        const hasCap = count !== undefined || value !== undefined;
        const capped = await changeAccount(database, id, ({ dailyCaps }) => {
          const { [family]: _replaced, ...others } = dailyCaps;
          return { dailyCaps: hasCap ? { ...others, [family]: cap } : others };
        });
        return [details(capped)];
      }),
    );
}

function addEndSessions(clients: Command): void {
  dangerous(clients.command('end-sessions'))
    .description(
      'End all sessions of an account, which then logs in again. Its access tokens can only read, for at most an hour',
    )
    .addArgument(read.clientArgument())
    .action(
      onClient(async ({ database, command }, { id: clientId, name }) => {
        const { sessions } = await countAccess(database, clientId);
        await confirm(command, `Ends ${sessions} sessions of ${name}.`);
        const ended = await database.transaction(async (transaction) => {
          const count = await endSessions(database, clientId, transaction);
          const entry = { clientId, action: 'sessions.ended', object: `client/${clientId}` } as const;
          if (count > 0)
            await recordOperation(database, { ...entry, before: { sessions: count } }, transaction);
          return count;
        });
        return `${ended} sessions of ${name} are ended.`;
      }),
    );
}

function addSuspend(clients: Command): void {
  dangerous(clients.command('suspend'))
    .description('End all sessions and block logins, refreshes and writes. Access tokens can still read')
    .addArgument(read.clientArgument())
    .action(
      onClient(async ({ database, command }, client) => {
        const { keys, sessions } = await countAccess(database, client.id);
        const effect = `${keys} keys can no longer log in, ${sessions} sessions end, all writes are rejected`;
        await confirm(command, `Suspends ${client.name}: ${effect}.`);
        return [overview(await changeAccount(database, client.id, () => ({ status: 'SUSPENDED' })))];
      }),
    );
}

function addResume(clients: Command): void {
  clients
    .command('resume')
    .description(
      'Lift a suspension. The client logs in again. Prints the number of its older access tokens, which can only read',
    )
    .addArgument(read.clientArgument())
    .action(
      onClient(async ({ database }, { id }) => {
        const resumed = await changeAccount(database, id, () => ({ status: 'ACTIVE' }));
        const tokens = await countReadOnlyTokens(database, id);
        return [{ ...overview(resumed), unexpired_access_tokens: tokens }];
      }),
    );
}

function addClose(clients: Command): void {
  reasoned(dangerous(clients.command('close')))
    .description(
      'Suspend an account, revoke its keys, end its sessions, and disable its endpoints with their waiting events. Prints what remains',
    )
    .addArgument(read.clientArgument())
    .action(
      onClient(async ({ database, command }, { id, name }) => {
        const closing = await readClosing(database, id);
        const { keys_revoked: keys, sessions_ended: sessions } = closing;
        const { endpoints_disabled: endpoints, waiting_events: events } = closing;
        await confirm(
          command,
          `Closes ${name}: revokes ${keys} keys, ends ${sessions} sessions, disables ${endpoints} endpoints and gives up ${events} waiting events.`,
        );
        const closed = await closeClient(database, id);
        const { open_orders, balances } = await readClosing(database, id);
        return [{ id, name, status: 'SUSPENDED', ...closed, open_orders, balances }];
      }),
    );
}

function overview({ id, name, status, features, bulkLimit, contactEmail }: ClientRow) {
  return { id, name, status, features, bulk_limit: bulkLimit, contact: contactEmail };
}

function details(client: ClientRow) {
  return {
    ...overview(client),
    allowed_cidrs: client.allowedCidrs,
    rate_limits: client.rateLimits,
    daily_caps: client.dailyCaps,
    codes_in_mail: client.codesInMail,
    group: client.clientGroup,
    created_at: client.createdAt,
  };
}
