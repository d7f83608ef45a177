/** `audit`: who made which sensitive call, and what operators changed. */
import type { Command } from 'commander';
import { listAudit, type ListedAudit } from '../../data/audit';
import * as read from '../arguments';
import { show, wrapped } from '../output';
import { withDatabase } from '../session';
import { clientNamed } from './client-argument';

interface ListOptions {
  client?: string;
  object?: string;
  since?: Date;
  limit: number;
}

export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('Who did what: sensitive calls of clients, changes by operators')
    .command('list')
    .description('The newest entries first: when, who, from where or by which command, what, on what, why')
    .option('--client <client>', 'only of this client: id, name or API key')
    .option('--object <object>', 'only on this, as entries name it: wallet/12, with what moved its money')
    .option('--since <time>', 'only from then on, or so long ago: 90m, 12h, 1d', read.since)
    .option('--limit <n>', 'at most so many', read.positiveInteger, 100)
    .action(({ client, object, since, limit }: ListOptions, command: Command) =>
      withDatabase(async (database) => {
        const clientId = client === undefined ? undefined : (await clientNamed(database, client)).id;
        const entries = await listAudit(database, { clientId, object, since, limit });
        if (command.optsWithGlobals<{ json?: boolean }>().json)
          return show(
            command,
            entries.map((entry) => ({ ...entry })),
          );
        console.log(entries.length === 0 ? 'None.' : entries.map(textOf).join('\n\n'));
      }),
    );
}

/** An entry in lines that fit the terminal: when and what, who and how, what changed, why. */
function textOf(entry: ListedAudit): string {
  const { at, action, object, client, reason } = entry;
  const who = entry.actor === 'OPERATOR' ? operatorOf(entry) : callerOf(entry);
  const details = [
    client === null ? who : `${who}, account of ${client}`,
    changesOf(entry),
    reason === null ? '' : `Reason: ${reason}`,
  ].filter((detail) => detail !== '');
  const heading = wrapped(`${at.toISOString()} ${action} ${object}`);
  return [heading, ...details.map((detail) => wrapped(detail, 2))].join('\n');
}

function operatorOf({ operator, command, database_role: role }: ListedAudit): string {
  return `${operator ?? 'unknown operator'}${role === null ? '' : ` (${role})`} by ${command ?? 'Temporal'}`;
}

function callerOf({ api_key: key, address, request_id: request }: ListedAudit): string {
  return `Client with key ${key ?? 'unknown'} from ${address ?? 'unknown address'}, request ${request ?? 'unknown'}`;
}

/** `bulk_limit: 100 -> 5`; of what is new or gone the one value there is. */
function changesOf({ before, after }: ListedAudit): string {
  const [was, is] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names
    .filter((name) => (was.get(name) ?? null) !== null || (is.get(name) ?? null) !== null)
    .map((name) => {
      const values = [was, is].filter((side) => side.has(name)).map((side) => JSON.stringify(side.get(name)));
      return `${name}: ${values.join(' -> ')}`;
    })
    .join(', ');
}
