/** `audit`: the sensitive calls of clients and the changes by operators. */
import type { Command } from 'commander';
import { listAudit, type ListedAudit } from '../../data/operations/audit';
import * as read from '../arguments';
import { aligned, wantsJson, wrapped } from '../output';
import { onDatabase } from '../session';

interface ListOptions {
  client?: string;
  object?: string;
  since?: Date;
  until?: Date;
  command?: string;
  limit: number;
}

export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('The audit log: sensitive calls of clients and changes by operators')
    .command('list')
    .description('Entries, newest first: time, caller, address or command, action, object, reason')
    .option('--client <client>', 'only entries of this client: id, name or API key')
    .option(
      '--object <object>',
      'only entries of this object. wallet/12 and order/17 include every ledger entry',
    )
    .option('--since <time>', 'only entries since this time, or of the last 90m, 12h, 1d', read.timeOrAge)
    .option('--until <time>', 'only entries before this time', read.timeOrAge)
    .option('--operator <name>', 'only entries of this operator')
    .option('--command <command>', 'only entries of this command, such as "wallets fund"')
    .option('--limit <n>', 'maximum number of entries', read.positiveInteger, 100)
    .action(
      onDatabase(
        async ({ database, command }, { client, object, since, until, command: by, limit }: ListOptions) => {
          // The program takes `--operator` before its commands do, because it has an option of this name.
          const { operator } = command.optsWithGlobals<{ operator?: string }>();
          const clientId = client === undefined ? undefined : (await read.clientNamed(database, client)).id;
          const entries = await listAudit(database, {
            ...{ clientId, object, since, until, operator },
            command: by,
            limit,
          });
          if (wantsJson(command) || entries.length === 0) return entries;
          return hasLedger(object) ? table(entries) : entries.map(textOf).join('\n\n');
        },
      ),
    );
}

/** Whether the object can have ledger entries. */
function hasLedger(object: string | undefined): boolean {
  return object !== undefined && /^(wallet|order)\//.test(object);
}

/** An entry in lines that fit the terminal: time and action, caller, changes, reason. */
function textOf(entry: ListedAudit): string {
  const { at, action, object, client } = entry;
  const who = client === null ? actorOf(entry) : `${actorOf(entry)}, account of ${client}`;
  const details = [who, changesOf(entry), reasonOf(entry)].filter((detail) => detail !== '');
  const heading = wrapped(`${at.toISOString()} ${action} ${object}`);
  return [heading, ...details.map((detail) => wrapped(detail, 2))].join('\n');
}

/** A row for each audit entry, with its ledger entry. The last column wraps. */
function table(entries: readonly ListedAudit[]): string {
  const lines = [['at', 'what', 'amount', 'balance', 'by'], ...entries.map(cellsOf)];
  return aligned(lines)
    .map((cells) => {
      const firstCells = `${cells.slice(0, -1).join('  ')}  `;
      return firstCells + wrapped(String(cells.at(-1)).trimEnd(), firstCells.length).trimStart();
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

/** The changes as text, such as `bulk_limit: 100 -> 5`. A value that was added or removed stands alone. */
function changesOf({ before, after }: ListedAudit): string {
  const sides = [before, after].map((side) => new Map<string, unknown>(Object.entries(side ?? {})));
  const names = new Set(sides.flatMap((side) => [...side.keys()]));
  return [...names]
    .filter((name) => sides.some((side) => (side.get(name) ?? null) !== null))
    .map((name) => {
      const values = sides.filter((side) => side.has(name)).map((side) => JSON.stringify(side.get(name)));
      return `${name}: ${values.join(' -> ')}`;
    })
    .join(', ');
}
