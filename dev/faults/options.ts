/** What a run of the harness is told on its command line. */
import { randomInt } from 'node:crypto';
import { InvalidArgumentError, Command, Option } from 'commander';

export interface Options {
  /** One run for each. */
  seeds: number[];
  /** How long orders are placed and disturbed in each run. */
  seconds: number;
  /** Whether the supplier deduplicates by our reference; undefined: the seed decides. */
  dedup: boolean | undefined;
  /** Orders a second, on average. */
  rate: number;
  /** Measures what expensive clients cost others, and disturbs nothing else. */
  floods: boolean;
}

interface Given {
  seed?: number;
  seeds?: number;
  seconds: number;
  dedup?: 'on' | 'off';
  rate: number;
  floods?: true;
}

/** Seeds are shown to people, who type them in again. */
const HIGHEST_SEED = 1_000_000;

/** Reads the arguments. Prints what is wrong with them, or the help, and ends the process there. */
export function readOptions(args: readonly string[]): Options {
  const command = new Command('test:faults')
    .description('Places orders while everything goes wrong, and proves afterwards that nothing was lost')
    .addOption(new Option('--seed <n>', 'repeat the run with this seed').argParser(wholeNumber))
    .addOption(new Option('--seeds <n>', 'so many runs, each with a seed of its own').argParser(wholeNumber))
    .addOption(new Option('--seconds <n>', 'how long each run disturbs').argParser(wholeNumber).default(180))
    .addOption(new Option('--dedup <on|off>', 'the supplier knows our references').choices(['on', 'off']))
    .addOption(new Option('--rate <n>', 'orders a second').argParser(positive).default(1.2))
    .addOption(new Option('--floods', 'measure what expensive clients cost others, 20 s a load'));
  command.parse(args, { from: 'user' });
  const { seed, seeds = 1, seconds, dedup, rate, floods = false } = command.opts<Given>();
  const first = seed ?? randomInt(HIGHEST_SEED);
  return {
    seeds: Array.from({ length: seeds }, (_, index) => first + index),
    seconds,
    dedup: dedup && dedup === 'on',
    rate,
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
