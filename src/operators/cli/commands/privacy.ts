/** `privacy requests apply`: erases recipients again in a restored database, before the service starts. */
import type { Command } from 'commander';
import { applyRequests } from '../../../data/privacy/carried-requests';
import { LONG_STATEMENT_MS } from '../../../data/database/database';
import { commandNamed } from '../operation-command';
import { onDatabase } from '../command-resources';
import { requestsIn } from '../requests-file';

export function addPrivacyCommands(program: Command): void {
  commandNamed(program, 'privacy requests')
    .command('apply')
    .argument('<file>', 'the output of privacy requests export --json')
    .description('After a restore: erase again what was erased before')
    .action(
      onDatabase(
        async ({ database }, file: string) => [await applyRequests(database, requestsIn(file))],
        LONG_STATEMENT_MS,
      ),
    );
}
