/** The running stack for tests and benchmarks: its `stack.json`. */
import { dirname } from 'node:path';
import { readStackFile } from '../stack/launch';
import { RunDirectory } from '../stack/run-directory';
import type { StackFile } from '../stack/stack-file';

/** The loaded file. A test file may start a stack of its own, and all test files of a process share this module. */
let loaded: { file: string; stack: StackFile } | undefined;

/** The stack under test, named by STACK_FILE. */
export function loadStack(): StackFile {
  const file = process.env['STACK_FILE'];
  if (!file) throw new Error('STACK_FILE does not name the stack.json of a running stack');
  if (loaded?.file !== file) loaded = { file, stack: readStackFile(file) };
  return loaded.stack;
}

/** The run directory of the stack under test, with its secrets and logs. */
export function stackDirectory(): RunDirectory {
  return new RunDirectory(dirname(process.env['STACK_FILE'] ?? ''));
}
