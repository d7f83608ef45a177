/**
 * `npm run bench`: the cost of the service, compared with its floor, measured in turns on the running stack or on a new
 * one. docs/performance.md.
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

/** The reports in the order of the parts, then those of other commands. */
function inOrder(reports: readonly PartReport[]): PartReport[] {
  const names: readonly string[] = Object.keys(partDescriptions);
  const place = ({ part }: PartReport): number => (names.includes(part) ? names.indexOf(part) : names.length);
  return [...reports].sort((a, b) => place(a) - place(b));
}

/** Runs the work on the stack of the options. */
function run(options: MeasureOptions): void {
  const work = (stack: StackFile): Promise<void> => measure(stack, options);
  const isOnPostgres = options.persistence === 'postgres';
  if (isOnPostgres) process.env['RUN_DIR'] = POSTGRES_RUN_DIR;
  // The test helpers read the stack from this variable.
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
