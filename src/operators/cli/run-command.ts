import { sentenceOf } from '../operations/failure';
import { RemoteDoor } from './operators-client';
import { currentLogin } from './login';
import { CommandFailed } from './output';
import { explainErrors } from './parse-errors';
import { loginCommands, loginProgram, opsProgram } from './program';
import { currentOperator } from './command-resources';

/**
 * Runs a command of the ops CLI. If it fails, prints why and sets the exit code of the process. Ends the process if the command
 * cannot be read.
 */
export async function runCommand(words: readonly string[]): Promise<void> {
  const [first = ''] = words.filter((word) => word !== '--json');
  const program = loginCommands.includes(first)
    ? loginProgram()
    : opsProgram(new RemoteDoor(currentLogin, currentOperator));
  explainErrors(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    console.error(sentenceOf(error));
    process.exitCode = error instanceof CommandFailed ? error.exitCode : 1;
  }
}
