/** `migrate`: the one command for the owner of the schema. */
import type { Command } from 'commander';
import { loadConfig } from '../../config';
import { recordOperation } from '../../data/operations/audit';
import { migrate } from '../../data/schema/migrate';
import { withDatabase } from '../session';

export function addSchemaCommand(program: Command): void {
  program
    .command('migrate')
    .description('Bring the schema up to date, and the rights of the roles that work on it; as its owner')
    .action(async () => {
      const done = await migrate(loadConfig().database.url, (sentence) => console.error(sentence));
      if (done.length > 0) {
        // Only a schema of this release can tell of it.
        await withDatabase((database) =>
          recordOperation(database, { action: 'schema.migrated', object: 'schema', after: { done } }),
        );
      }
      console.log(done.length === 0 ? 'The schema is up to date.' : `Done: ${done.join(', ')}.`);
    });
}
