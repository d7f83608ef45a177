/** The command-line options of the harness. */
import { randomInt } from 'node:crypto';
import { InvalidArgumentError, Command, Option } from 'commander';
import { FAKE_NAMES, type FakeName } from '../stack/fakes';
import type { PlanOptions } from './plan/plan';

export interface Options extends PlanOptions {
  /** The seeds, one for each run. */
  seeds: number[];
  /** Measures only the effect of expensive clients on others. */
  floods: boolean;
}

interface Given {
  seed?: number;
  seeds?: number;
  seconds: number;
  dedup?: 'on' | 'off';
  rate: number;
  suppliers?: true;
  sources?: true;
  down?: FakeName;
  busy?: true;
  floods?: true;
}

/** Short seeds, because people type them. */
const HIGHEST_SEED = 1_000_000;

/** Reads the arguments. Invalid ones and `--help` print a message and end the process. */
export function readOptions(args: readonly string[]): Options {
  const command = new Command('test:faults')
    .description('Places orders during random faults, and proves afterwards that nothing was lost')
    .addOption(new Option('--seed <n>', 'repeat the run with this seed').argParser(wholeNumber))
    .addOption(new Option('--seeds <n>', 'the number of runs, each with its own seed').argParser(wholeNumber))
    .addOption(
      new Option('--seconds <n>', 'the duration of the disturbances of each run').argParser(wholeNumber).default(180),
    )
    .addOption(new Option('--dedup <on|off>', 'whether the supplier deduplicates by reference').choices(['on', 'off']))
    .addOption(new Option('--rate <n>', 'orders a second').argParser(positive).default(1.2))
    .addOption(new Option('--suppliers', 'order from the fakes of real suppliers, too'))
    .addOption(new Option('--sources', 'give items of the fakes further sources; implies --suppliers'))
    .addOption(
      new Option('--down <supplier>', 'one fake is down all the time, and nothing else; implies --suppliers').choices(
        FAKE_NAMES,
      ),
    )
    .addOption(
      new Option('--busy', 'other programs take every core all the time, and nothing else').conflicts([
        'suppliers',
        'sources',
        'down',
      ]),
    )
    .addOption(new Option('--floods', 'measure the effect of expensive clients on others, 20 s a load'));
  command.parse(args, { from: 'user' });
  const { seed, seeds = 1, seconds, dedup, rate, floods = false, ...given } = command.opts<Given>();
  const { sources = false, down } = given;
  const first = seed ?? randomInt(HIGHEST_SEED);
  return {
    seeds: Array.from({ length: seeds }, (_, index) => first + index),
    seconds,
    dedup: dedup && dedup === 'on',
    rate,
    suppliers: given.suppliers === true || sources || down !== undefined,
    sources,
    down,
    busy: given.busy === true,
    floods,
  };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('Give a whole number above 0.');
  return value;
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 100)) throw new InvalidArgumentError('Give a number above 0, up to 100.');
  return value;
}
