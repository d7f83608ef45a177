import { sentenceOf } from '../operations/failure';
import { RemoteDoor } from './operators-client';
import { currentLogin } from './login';
import { CommandFailed } from './output';
import { opsProgram } from './program';
import { currentOperator } from './command-resources';

/** Runs a command of the ops CLI. If it fails, prints why and sets the exit code of the process. */
export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    await opsProgram(new RemoteDoor(currentLogin, currentOperator)).parseAsync(words, { from: 'user' });
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = error instanceof CommandFailed ? error.exitCode : 1;
  }
}
