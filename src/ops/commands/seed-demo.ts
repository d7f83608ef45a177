/** `seed-demo`: called by the local stack when it starts. */
import type { Command } from 'commander';
import { loadConfig } from '../../config';
import { migrate } from '../../data/migrate';
import { loadReferenceData } from '../../data/reference-data';
import { suppliersFrom } from '../../suppliers/registry';
import { readCredentials, seedDemo } from '../seed-demo';
import { withDatabase } from '../session';

export function addSeedDemoCommand(program: Command): void {
  program
    .command('seed-demo')
    .description('Put the demo data of a sandbox in place and print it as JSON')
    .action(async () => {
      const config = loadConfig();
      if (config.mode === 'production') throw new Error('seed-demo is refused in production: SERVICE_MODE');
      const file = process.env['DEMO_CREDENTIALS_FILE'];
      if (!file) throw new Error("Set DEMO_CREDENTIALS_FILE to the file with the demo clients' credentials");
      await migrate(config.database.url);
      await withDatabase(async (database) => {
        await loadReferenceData(database);
        const seeded = await seedDemo(database, suppliersFrom(config), readCredentials(file));
        console.log(JSON.stringify(seeded));
      });
    });
}
