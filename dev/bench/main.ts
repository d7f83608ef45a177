/**
 * `npm run bench`: the cost of the service, compared with its floor or with few of something, measured in turns on the
 * running stack or on new ones. docs/performance.md.
 */
import { withStack } from '../stack/launch';
import { messageOf } from '../stack/problem';
import { RunDirectory } from '../stack/run-directory';
import type { StackFile } from '../stack/stack-file';
import type { Bench, Settings } from './bench';
import type { DimensionName } from './growth/dimensions';
import { measureGrowth } from './growth/growth';
import {
  isGrowthPart,
  isStackPart,
  partDescriptions,
  readOptions,
  type MeasureOptions,
  type PartName,
} from './options';
import { measures } from './parts';
import { POSTGRES_RUN_DIR, withPostgresStack } from './postgres-stack';
import { keep, kept, table, type PartReport } from './report';

const say = (line: string): void => console.error(line);

/** The settings of a part, which is about to be measured: those of the command, otherwise its own. */
function settingsOf(name: PartName, { seconds, rounds, share, release }: MeasureOptions): Settings {
  const part = partDescriptions[name];
  say(`${name}: ${part.about}, about ${part.minutes} min ...`);
  return { seconds: seconds ?? 4, rounds: rounds ?? part.rounds ?? 3, share, release, say };
}

async function measureOn(stack: StackFile, options: MeasureOptions): Promise<void> {
  const { names, persistence } = options;
  for (const name of names.filter(isStackPart)) {
    const bench: Bench = { stack, persistence, ...settingsOf(name, options) };
    keep(name, persistence, await measures[name](bench));
  }
}

async function measureGrowing(options: MeasureOptions): Promise<void> {
  for (const name of options.names.filter(isGrowthPart)) {
    const dimension = name.slice('growth:'.length) as DimensionName;
    keep(name, options.persistence, await measureGrowth(dimension, settingsOf(name, options)));
  }
}

/** The reports in the order of the parts. */
function inOrder(reports: readonly PartReport[]): PartReport[] {
  const names = Object.keys(partDescriptions);
  const place = ({ part }: PartReport): number => names.indexOf(part);
  return [...reports].sort((a, b) => place(a) - place(b));
}

/** Measures the parts of the options, the last ones on stacks of their own. */
async function run(options: MeasureOptions): Promise<void> {
  const { names, persistence } = options;
  const isOnPostgres = persistence === 'postgres';
  if (isOnPostgres) process.env['RUN_DIR'] = POSTGRES_RUN_DIR;
  // The test helpers read the stack from this variable.
  process.env['STACK_FILE'] = new RunDirectory().file('stack.json');
  const work = (stack: StackFile): Promise<void> => measureOn(stack, options);
  if (names.some(isStackPart)) await (isOnPostgres ? withPostgresStack(say, work) : withStack(work));
  await measureGrowing(options);
  const isWanted = (part: string) => names.some((name) => name === part);
  console.log(table(inOrder(kept().filter((one) => isWanted(one.part) && one.persistence === persistence))));
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if ('help' in options) return console.log(options.help);
  await run(options);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
