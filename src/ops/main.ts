/** The ops CLI: `npm run ops -- <command>`. docs/operators/cli.md. */
import { printSafely, sentenceOf } from './output';
import { ForceRequired } from './confirmation';
import { opsProgram } from './program';

printSafely();
opsProgram()
  .parseAsync()
  .catch((error: unknown) => {
    console.error(sentenceOf(error));
    process.exitCode = error instanceof ForceRequired ? 2 : 1;
  });
