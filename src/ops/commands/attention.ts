/** `attention`: the one list of what needs a person. */
import type { Command } from 'commander';
import { settleAttention } from '../../data/attention';
import { listAttention } from '../../data/operator-reads';
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
          listed.map((one) => ({ ...one })),
        );
      }),
    );

  attention
    .command('settle')
    .description('Take off the list what you have settled with supplier or client; the rest goes by itself')
    .argument('<number>', 'its id on the list', read.positiveInteger)
    .requiredOption('--reason <text>', 'what was done; kept beside it')
    .action((id: number, { reason }: { reason: string }) =>
      withDatabase(async (database) => {
        await settleAttention(database, id, reason);
        console.log(`Number ${id} is off the list.`);
      }),
    );
}
