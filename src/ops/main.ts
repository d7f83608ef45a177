/** The operators' command-line tool: `npm run ops -- <command>`. Described in docs/operators/operations.md. */
import { sentenceOf } from './problems';
import { opsProgram } from './program';

opsProgram()
  .parseAsync()
  .catch((error: unknown) => {
    console.error(sentenceOf(error));
    process.exitCode = 1;
  });
