/** `attention`: the one list of what needs a person. */
import type { Command } from 'commander';
import { settleAttention } from '../../data/operations/attention';
import { listAttention, type ListedAttention } from '../../data/operations/operator-reads';
import { resolvingCommands } from '../../domain/operations/attention-kinds';
import { day, hour, minute, second } from '../../domain/time';
import * as read from '../arguments';
import { show } from '../output';
import { withDatabase } from '../session';

export function addAttentionCommands(program: Command): void {
  const attention = program
    .command('attention')
    .description('Everything that needs a person: orders, suppliers, webhook endpoints; the oldest first')
    .action((_options: object, command: Command) =>
      withDatabase(async (database) => {
        const listed = await listAttention(database);
        show(
          command,
          listed.map((one) => ({ ...one, age: readableAge(one.age), resolve: resolvingCommand(one) })),
        );
      }),
    );

  attention
    .command('settle')
    .description('Take off the list what you have settled with supplier or client; the rest goes by itself')
    .argument('<number>', 'its id on the list', read.positiveInteger)
    .requiredOption('--reason <text>', 'what was done; kept beside it', read.reason)
    .action((id: number, { reason }: { reason: string }) =>
      withDatabase(async (database) => {
        await settleAttention(database, id, reason);
        console.log(`Number ${id} is off the list.`);
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
