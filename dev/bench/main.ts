/**
 * `npm run bench`: what the service costs, each line beside the least that it could cost, measured by turns on the
 * stack that runs, or on one of its own. docs/performance.md.
 */
import { withStack } from '../stack/launch';
import { messageOf } from '../stack/problem';
import { RunDirectory } from '../stack/run-directory';
import type { StackFile } from '../stack/stack-file';
import type { Bench } from './bench';
import { partDescriptions, readOptions, type MeasureOptions } from './options';
import { measures } from './parts';
import { POSTGRES_RUN_DIR, withPostgresStack } from './postgres-stack';
import { profiled } from './profiles';
import { keep, kept, markdown, table, type PartReport } from './report';

async function measure(stack: StackFile, { names, profile, ...options }: MeasureOptions): Promise<void> {
  const say = (line: string): void => console.error(line);
  for (const name of names) {
    const { about, minutes } = partDescriptions[name];
    say(`${name}: ${about}, about ${minutes} min ...`);
    const bench: Bench = { stack, ...options, say };
    if (profile) await profiled(name, stack, say, () => measures[name](bench));
    else keep(name, options.persistence, await measures[name](bench));
  }
  if (profile) return;
  const isWanted = (part: string) => names.some((name) => name === part);
  const measured = kept().filter((one) => isWanted(one.part) && one.persistence === options.persistence);
  console.log(table(inOrder(measured)));
}

/** As the parts are listed; what another command measured last. */
function inOrder(reports: readonly PartReport[]): PartReport[] {
  const names: readonly string[] = Object.keys(partDescriptions);
  const place = ({ part }: PartReport): number => (names.includes(part) ? names.indexOf(part) : names.length);
  return [...reports].sort((a, b) => place(a) - place(b));
}

/** On the stack that the options name. */
function run(options: MeasureOptions): void {
  const work = (stack: StackFile): Promise<void> => measure(stack, options);
  const isOnPostgres = options.persistence === 'postgres';
  if (isOnPostgres) process.env['RUN_DIR'] = POSTGRES_RUN_DIR;
  // What tests know of a stack, they know from there.
  process.env['STACK_FILE'] = new RunDirectory().file('stack.json');
  void (isOnPostgres ? withPostgresStack(console.error, work) : withStack(work));
}

function main(): void {
  const options = readOptions(process.argv.slice(2));
  switch (options.do) {
    case 'print':
      return console.log(options.text);
    case 'show':
      return console.log(markdown(inOrder(kept())));
    case 'measure':
      return run(options);
  }
}

try {
  main();
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
