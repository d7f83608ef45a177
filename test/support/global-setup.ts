/** Gives the tests a stack: the one STACK_FILE names, or one of their own, begun afresh on free ports. */
import { migrate } from '../../src/data/schema/migrate';
import { loadReferenceData } from '../../src/data/schema/reference-data';
import { launchStack, readStackFile, type LaunchedStack } from '../../dev/stack/launch';
import { freePorts } from '../../dev/stack/ports';
import { emptyDatabase, nameOf, type ScratchDatabase } from './scratch-database';

declare global {
  var ownStack: LaunchedStack | undefined;
  var scratchTemplate: ScratchDatabase | undefined;
}

export default async function globalSetup(): Promise<void> {
  const named = process.env['STACK_FILE'];
  if (named) readStackFile(named);
  else await startStack();
  globalThis.scratchTemplate = await makeTemplate();
}

async function startStack(): Promise<void> {
  const env: NodeJS.ProcessEnv = { ...process.env, RUN_DIR: '.run/test' };
  for (const [name, port] of Object.entries(await freePorts())) env[name] = String(port);
  globalThis.ownStack = await launchStack(env, ['--fresh']);
  process.env['STACK_FILE'] = globalThis.ownStack.file;
  // The tool sends mail itself; stack.json does not name where.
  process.env['SMTP_PORT'] = env['SMTP_PORT'];
}

/** The database that the installed ones of this run are copies of: to copy it takes a tenth of what migrations take. */
async function makeTemplate(): Promise<ScratchDatabase> {
  const template = await emptyDatabase();
  await migrate(template.url);
  await loadReferenceData(template.database);
  // What is copied has no connections.
  await template.database.close();
  process.env['SCRATCH_TEMPLATE'] = nameOf(template);
  return template;
}
