/** `audit`: who made which sensitive call, and what operators changed. */
import type { Command } from 'commander';
import { listAudit } from '../../data/audit';
import * as read from '../arguments';
import { show } from '../output';
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
    .option('--object <object>', 'only on this, as entries name it: wallet/12')
    .option('--since <time>', 'only from then on', read.moment)
    .option('--limit <n>', 'at most so many', read.positiveInteger, 100)
    .action(({ client, object, since, limit }: ListOptions, command: Command) =>
      withDatabase(async (database) => {
        const clientId = client === undefined ? undefined : (await clientNamed(database, client)).id;
        const entries = await listAudit(database, { clientId, object, since, limit });
        show(
          command,
          entries.map((entry) => ({ ...entry })),
        );
      }),
    );
}
