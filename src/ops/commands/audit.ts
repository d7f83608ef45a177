/** `audit`: who made which sensitive call, and what operators changed. */
import type { Command } from 'commander';
import { listAudit, type ListedAudit } from '../../data/operations/audit';
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
    .option(
      '--object <object>',
      'only on this, as entries name it: wallet/12 or order/17, each with all that moved its money',
    )
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
        if (entries.length === 0) console.log('None.');
        else console.log(hasLedger(object) ? table(entries) : entries.map(textOf).join('\n\n'));
      }),
    );
}

/** Of these all that moved their money is listed, too. */
function hasLedger(object: string | undefined): boolean {
  return object !== undefined && /^(wallet|order)\//.test(object);
}

/** An entry in lines that fit the terminal: when and what, who and how, what changed, why. */
function textOf(entry: ListedAudit): string {
  const { at, action, object, client } = entry;
  const who = client === null ? actorOf(entry) : `${actorOf(entry)}, account of ${client}`;
  const details = [who, changesOf(entry), reasonOf(entry)].filter((detail) => detail !== '');
  const heading = wrapped(`${at.toISOString()} ${action} ${object}`);
  return [heading, ...details.map((detail) => wrapped(detail, 2))].join('\n');
}

/** An entry a row, with what it moved. The last column is as long as it is: it goes on below itself. */
function table(entries: readonly ListedAudit[]): string {
  const lines = [['at', 'what', 'amount', 'balance', 'by'], ...entries.map(cellsOf)];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.map((cells) => (cells[column] ?? '').length)),
  );
  return lines
    .map((cells) => {
      const before = widths.map((width, column) => `${(cells[column] ?? '').padEnd(width)}  `).join('');
      return before + wrapped(cells.at(-1) ?? '', before.length).trimStart();
    })
    .join('\n');
}

function cellsOf(entry: ListedAudit): string[] {
  const { moved } = entry;
  const at = `${entry.at.toISOString().slice(0, 19)}Z`;
  if (!moved)
    return [at, entry.action, '', '', sentences([actorOf(entry), changesOf(entry), reasonOf(entry)])];
  const { kind, amount, currency, balance_after: balance, order_id: order, reference } = moved;
  const source = order === null ? `Reference ${reference}` : `Order ${order}`;
  const by = [actorOf(entry), source, reasonOf(entry)];
  return [at, kind, `${amount} ${currency}`, balance, sentences(by)];
}

function sentences(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('. ');
}

function reasonOf({ reason }: ListedAudit): string {
  return reason === null ? '' : `Reason: ${reason}`;
}

function actorOf(entry: ListedAudit): string {
  if (entry.actor === 'SERVICE') return '';
  return entry.actor === 'OPERATOR' ? operatorOf(entry) : callerOf(entry);
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
