/** Gives the tests a stack: the one in STACK_FILE, or a new one on free ports. */
import { launchStack, readStackFile, separateEnvironment, type LaunchedStack } from '../../dev/stack/launch';
import { keepDatabasesInMemory } from './memory';
import { nameOf, newDatabase, type ScratchDatabase } from '../../dev/testbed/scratch-database';

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
  const runDirectory = process.env['TEST_RUN_DIR'] ?? '.run/test';
  keepDatabasesInMemory(runDirectory);
  const env = await separateEnvironment(runDirectory);
  globalThis.ownStack = await launchStack(env, ['--fresh']);
  process.env['STACK_FILE'] = globalThis.ownStack.file;
  // The ops CLI sends mail itself, and stack.json does not name the mail server.
  process.env['SMTP_PORT'] = env['SMTP_PORT'];
}

/** The template of this run's installed databases. */
async function makeTemplate(): Promise<ScratchDatabase> {
  const template = await newDatabase();
  // PostgreSQL only copies a database without connections.
  await template.database.close();
  process.env['SCRATCH_TEMPLATE'] = nameOf(template);
  return template;
}
