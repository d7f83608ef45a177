/**
 * A process that runs commands of the ops CLI, one after another, for the process that forked it. Each command does what it does in
 * `npm run ops`. They share the start of Node, which takes a second of CPU.
 */
import { printSafely } from '../../src/operators/cli/output';
import { runCommand } from '../../src/operators/cli/run-command';

/** The output and the exit code of a command. */
export interface Printed {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** The output of the running command. */
let printed = { stdout: '', stderr: '' };

function keepOutput(name: keyof typeof printed): void {
  process[name].write = (text: string | Uint8Array): boolean => {
    printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
    return true;
  };
}

async function run(words: readonly string[]): Promise<void> {
  printed = { stdout: '', stderr: '' };
  process.exitCode = 0;
  await runCommand(words);
  const result: Printed = { ...printed, exitCode: Number(process.exitCode) };
  process.send?.(result);
}

keepOutput('stdout');
keepOutput('stderr');
printSafely();
process.on('message', (words: string[]) => void run(words));
process.once('disconnect', () => process.exit());
