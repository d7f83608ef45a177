#!/usr/bin/env node
/** Starts the command-line tool `dgo` from a checkout or from the package. */
import { existsSync } from 'node:fs';

const program = new URL('../dist/esm/cli/main.js', import.meta.url);
if (existsSync(program)) {
  await import(program.href);
} else {
  console.error('dgo is not built yet. Run npm run build in the checkout, then try again.');
  process.exitCode = 1;
}
