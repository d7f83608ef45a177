/** Gives the tests a stack: the one STACK_FILE names, or one of their own, begun afresh on free ports. */
import { launchStack, type LaunchedStack } from '../../stack/launch';
import { freePorts } from '../../stack/ports';

declare global {
  var ownStack: LaunchedStack | undefined;
}

export default async function globalSetup(): Promise<void> {
  if (process.env['STACK_FILE']) return;
  const env: NodeJS.ProcessEnv = { ...process.env, RUN_DIR: '.run/test' };
  for (const [name, port] of Object.entries(await freePorts())) env[name] = String(port);
  globalThis.ownStack = await launchStack(env, ['--fresh']);
  process.env['STACK_FILE'] = globalThis.ownStack.file;
}
