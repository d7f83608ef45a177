/** `attention`: the list of everything that needs a person. */
import type { Command } from 'commander';
import { settleAttention } from '../../data/operations/attention';
import { listAttention, type ListedAttention } from '../../data/operations/operator-reads';
import { resolvingCommands } from '../../domain/operations/attention-kinds';
import { day, hour, minute, second } from '../../domain/time';
import * as read from '../arguments';
import { onDatabase } from '../session';

export function addAttentionCommands(program: Command): void {
  const attention = program
    .command('attention')
    .description(
      'Everything that needs a person: orders, suppliers, webhook endpoints, the service. Oldest first',
    )
    .action(
      onDatabase(async ({ database }) => {
        const listed = await listAttention(database);
        return listed.map((one) => ({ ...one, age: readableAge(one.age), resolve: resolvingCommand(one) }));
      }),
    );

  attention
    .command('settle')
    .description(
      'Remove a row that you have settled with supplier or client, or give up a mail. Other rows clear themselves',
    )
    .argument('<number>', 'the id on the list', read.positiveInteger)
    .requiredOption('--reason <text>', 'what was done; stored with the row', read.reason)
    .action(
      onDatabase(async ({ database }, id: number, { reason }: { reason: string }) => {
        await settleAttention(database, id, reason);
        return `Number ${id} is off the list.`;
      }),
    );
}

/** An age in seconds, in its largest whole unit: `3d`, `5h`, `12m`, `40s`. */
function readableAge(seconds: number): string {
  const ms = Math.max(0, seconds * second);
  if (ms >= day) return `${Math.floor(ms / day)}d`;
  if (ms >= hour) return `${Math.floor(ms / hour)}h`;
  if (ms >= minute) return `${Math.floor(ms / minute)}m`;
  return `${Math.floor(ms / second)}s`;
}

/** The command that resolves the entry, with the ids of the entry. */
function resolvingCommand({
  id,
  kind,
  order_id: order,
  supplier,
  endpoint_id: endpoint,
}: ListedAttention): string {
  // The mail about a disabled endpoint belongs to no order.
  if (kind === 'MAIL_UNDELIVERABLE' && order === null) return 'webhooks failing';
  return resolvingCommands[kind]
    .replace('<id>', String(id))
    .replace('<order>', String(order))
    .replace('<supplier>', String(supplier))
    .replace('<endpoint>', String(endpoint));
}
