/** `clients`: the accounts of API clients. */
import type { Command } from 'commander';
import { recordOperation } from '../../data/operations/audit';
import { countAccess, accountModels, type ClientRow, type DailyCap } from '../../data/clients/accounts';
import { countReadOnlyTokens, endSessions } from '../../data/clients/sessions';
import type { Feature } from '../../domain/orders/families';
import { rateClasses, rateLimitOf, type ServiceMode } from '../../domain/clients/rate-classes';
import type { Family } from '../../domain/orders/families';
import * as read from '../arguments';
import { confirm, dangerous } from '../confirmation';
import { show, type Row } from '../output';
import { withDatabase } from '../session';
import { clientArgument, clientNamed } from './client-argument';

/** Settings as the options give them. A rate of null is the default of its class. */
interface Settings {
  contact?: string;
  features?: Feature[];
  cidrs?: string[];
  bulkLimit?: number;
  rateLimit?: Record<string, number | null>;
  codesInMail?: boolean;
}

export function addClientCommands(program: Command): void {
  const clients = program.command('clients').description('Accounts of API clients');
  addCreate(clients);
  addSet(clients);
  addDailyCap(clients);
  addRateLimits(clients);
  addSuspend(clients);
  addResume(clients);
  addEndSessions(clients);

  clients
    .command('list')
    .description('All accounts')
    .action((_options: object, command: Command) =>
      withDatabase(async (database) => {
        const all = await accountModels(database).clients.findAll({ order: ['id'] });
        show(command, all.map(overview));
      }),
    );

  clients
    .command('show')
    .description('One account with all its settings')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => show(command, [details(await clientNamed(database, named))])),
    );
}

function addRateLimits(clients: Command): void {
  clients
    .command('rate-limits')
    .description('Calls a minute that an account has in each class')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database, { mode }) => {
        const { rateLimits } = await clientNamed(database, named);
        show(command, rateLimitRows(mode, rateLimits));
      }),
    );
}

function rateLimitRows(mode: ServiceMode, overrides: ClientRow['rateLimits']): Row[] {
  return rateClasses.map((rateClass) => ({
    class: rateClass.name,
    calls_a_minute: rateLimitOf(rateClass, mode, overrides),
    default: rateClass.defaults[mode],
    set_by_operator: rateClass.name in overrides,
  }));
}

function addCreate(clients: Command): void {
  withSettings(clients.command('create'))
    .description('Open an account; then give it a key and a wallet')
    .argument('<name>', 'unique name')
    .action((name: string, settings: Settings, command: Command) =>
      withDatabase(async (database) => {
        if (!settings.contact)
          throw new Error('Name the address for operational mail with --contact <email>');
        const values = { name, contactEmail: settings.contact, ...columnsOf(settings, {}) };
        show(command, [overview(await accountModels(database).clients.create(values))]);
      }),
    );
}

function addSet(clients: Command): void {
  withSettings(clients.command('set'))
    .description('Change settings of an account; what is not named stays as it is')
    .addArgument(clientArgument())
    .action((named: string, settings: Settings, command: Command) =>
      withDatabase(async (database) => {
        const client = await clientNamed(database, named);
        await client.update(columnsOf(settings, client.rateLimits));
        show(command, [details(client)]);
      }),
    );
}

function withSettings(command: Command): Command {
  return command
    .option('--contact <email>', 'address for operational mail', read.email)
    .option('--features <list>', 'vouchers,topups,esim or some of them', read.features)
    .option('--cidrs <list>', 'networks that may create orders; "" allows all', read.cidrs)
    .option('--bulk-limit <n>', 'most vouchers in one order, 1 to 5000', read.bulkLimit)
    .option(
      '--rate-limit <class=n>',
      `requests a minute, or "default"; classes: ${rateClasses.map(({ name }) => name).join(', ')}`,
      read.rateLimit,
    )
    .option('--codes-in-mail', 'put voucher codes into notification mails')
    .option('--no-codes-in-mail', 'keep them out');
}

/** The columns of the settings that were given. */
function columnsOf(settings: Settings, rateLimits: Readonly<Record<string, number>>) {
  const { contact, features, cidrs, bulkLimit, rateLimit, codesInMail } = settings;
  return {
    ...(contact && { contactEmail: contact }),
    ...(features && { features }),
    ...(cidrs && { allowedCidrs: cidrs }),
    ...(bulkLimit && { bulkLimit }),
    ...(rateLimit && { rateLimits: withoutNulls({ ...rateLimits, ...rateLimit }) }),
    ...(codesInMail !== undefined && { codesInMail }),
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
    .description('Set the most a client may order of a family in a day; without options: no cap')
    .addArgument(clientArgument())
    .argument('<family>', 'vouchers, topups or esim', read.family)
    .option('--count <n>', 'orders', read.positiveInteger)
    .option(
      '--value <currency=amount>',
      'sum of what is debited in a wallet currency; repeatable',
      read.money,
    )
    .action((named: string, family: Family, { count, value }: DailyCap, command: Command) =>
      withDatabase(async (database) => {
        const cap = { ...(count !== undefined && { count }), ...(value && { value }) };
        const client = await clientNamed(database, named);
        const { [family]: _replaced, ...others } = client.dailyCaps;
        const isCap = count !== undefined || value !== undefined;
        await client.update({ dailyCaps: isCap ? { ...others, [family]: cap } : others });
        show(command, [details(client)]);
      }),
    );
}

function addEndSessions(clients: Command): void {
  dangerous(clients.command('end-sessions'))
    .description(
      'End all sessions of an account, which logs in again; access tokens read for an hour at most, and write nothing',
    )
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const { id: clientId, name } = await clientNamed(database, named);
        const { sessions } = await countAccess(database, clientId);
        await confirm(command, `Ends ${sessions} sessions of ${name}.`);
        const ended = await database.transaction(async (transaction) => {
          const count = await endSessions(database, clientId, transaction);
          const entry = { clientId, action: 'sessions.ended', object: `client/${clientId}` } as const;
          if (count > 0)
            await recordOperation(database, { ...entry, before: { sessions: count } }, transaction);
          return count;
        });
        console.log(`${ended} sessions of ${name} are ended.`);
      }),
    );
}

function addSuspend(clients: Command): void {
  dangerous(clients.command('suspend'))
    .description('End all sessions; no login, no refresh, no writes; access tokens still read')
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const client = await clientNamed(database, named);
        const { keys, sessions } = await countAccess(database, client.id);
        const what = `${keys} keys no longer log in, ${sessions} sessions end`;
        await confirm(command, `Suspends ${client.name}: ${what}, all writes are refused.`);
        show(command, [overview(await client.update({ status: 'SUSPENDED' }))]);
      }),
    );
}

function addResume(clients: Command): void {
  clients
    .command('resume')
    .description(
      'Lift a suspension; the client logs in again; counts its unexpired access tokens from before, which only read',
    )
    .addArgument(clientArgument())
    .action((named: string, _options: object, command: Command) =>
      withDatabase(async (database) => {
        const client = await clientNamed(database, named);
        const resumed = await client.update({ status: 'ACTIVE' });
        const tokens = await countReadOnlyTokens(database, client.id);
        show(command, [{ ...overview(resumed), unexpired_access_tokens: tokens }]);
      }),
    );
}

function overview({ id, name, status, features, bulkLimit, contactEmail }: ClientRow): Row {
  return { id, name, status, features, bulk_limit: bulkLimit, contact: contactEmail };
}

function details(client: ClientRow): Row {
  return {
    ...overview(client),
    allowed_cidrs: client.allowedCidrs,
    rate_limits: client.rateLimits,
    daily_caps: client.dailyCaps,
    codes_in_mail: client.codesInMail,
    created_at: client.createdAt,
  };
}
