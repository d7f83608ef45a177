/** The ops CLI: `npm run ops -- <command>`. docs/operators/cli.md. */
import { printSafely } from './output';
import { runCommand } from './run-command';

printSafely();
void runCommand(process.argv.slice(2));
