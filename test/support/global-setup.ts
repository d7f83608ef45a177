/** Gives the tests a stack: the one STACK_FILE names, or one of their own, begun afresh on free ports. */
import { launchStack, readStackFile, type LaunchedStack } from '../../stack/launch';
import { freePorts } from '../../stack/ports';

declare global {
  var ownStack: LaunchedStack | undefined;
}

export default async function globalSetup(): Promise<void> {
  const named = process.env['STACK_FILE'];
  if (named) return void readStackFile(named);
  const env: NodeJS.ProcessEnv = { ...process.env, RUN_DIR: '.run/test' };
  for (const [name, port] of Object.entries(await freePorts())) env[name] = String(port);
  globalThis.ownStack = await launchStack(env, ['--fresh']);
  process.env['STACK_FILE'] = globalThis.ownStack.file;
  // The tool sends mail itself; stack.json does not name where.
  process.env['SMTP_PORT'] = env['SMTP_PORT'];
}
