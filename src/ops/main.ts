/** The ops CLI: `npm run ops -- <command>`. docs/operators/cli.md. */
import { sentenceOf } from '../operations/failure';
import { CommandFailed, printSafely } from './output';
import { RemoteDoor } from './door';
import { currentLogin } from './login';
import { opsProgram } from './program';
import { currentOperator } from './session';

printSafely();
opsProgram(new RemoteDoor(currentLogin, currentOperator))
  .parseAsync()
  .catch((error: unknown) => {
    console.error(sentenceOf(error));
    process.exitCode = error instanceof CommandFailed ? error.exitCode : 1;
  });
