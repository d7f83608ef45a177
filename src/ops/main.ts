/** The operators' command-line tool: `npm run ops -- <command>`. Described in docs/operators/operations.md. */
import { printSafely } from './output';
import { ForceRequired } from './price-changes';
import { sentenceOf } from './problems';
import { opsProgram } from './program';

printSafely();
opsProgram()
  .parseAsync()
  .catch((error: unknown) => {
    console.error(sentenceOf(error));
    process.exitCode = error instanceof ForceRequired ? 2 : 1;
  });
