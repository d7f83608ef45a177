/** Gives the tests a stack: the one STACK_FILE names, or one of their own, begun afresh on free ports. */
import { existsSync } from 'node:fs';
import { launchStack, type LaunchedStack } from '../../stack/launch';
import { freePorts } from '../../stack/ports';

declare global {
  var ownStack: LaunchedStack | undefined;
}

export default async function globalSetup(): Promise<void> {
  const named = process.env['STACK_FILE'];
  if (named && existsSync(named)) return;
  if (named) throw new Error(`STACK_FILE names ${named}, which is not there: run npm start, or unset it.`);
  const env: NodeJS.ProcessEnv = { ...process.env, RUN_DIR: '.run/test' };
  for (const [name, port] of Object.entries(await freePorts())) env[name] = String(port);
  globalThis.ownStack = await launchStack(env, ['--fresh']);
  process.env['STACK_FILE'] = globalThis.ownStack.file;
}
