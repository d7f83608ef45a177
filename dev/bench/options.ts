/** The options of `npm run bench`. */
import { parseArgs } from 'node:util';
import { persistences, type Persistence } from './report';

interface PartDescription {
  about: string;
  /** The approximate duration. */
  minutes: number;
  /** Runs only if it is named. */
  onlyByName?: true;
  /** Attaches an inspector itself, so it cannot be profiled. */
  inspects?: true;
}

/** The parts in order. The first ones would be disturbed by the open orders that the others leave behind. */
export const partDescriptions = {
  start: { about: 'a second npm start', minutes: 1 },
  rest: { about: 'CPU and memory without orders', minutes: 2 },
  orders: { about: 'instant orders of each family, compared with three local activities', minutes: 4 },
  reads: { about: 'reads, compared with bare Express', minutes: 1 },
  'large-read': {
    about: 'CPU and longest turn of the API when it reads an order of 5,000',
    minutes: 1,
    inspects: true,
  },
  'hot-wallet': { about: 'orders placed on one wallet, compared with one bare statement', minutes: 1 },
  bulk: { about: 'orders of 5,000, one and thirty concurrently, with small orders in parallel', minutes: 2 },
  waiting: { about: 'small orders while waiting eSIM orders are placed', minutes: 2 },
  catalogue: { about: 'small orders while 10,000 offers are synchronised', minutes: 1 },
  'scale-out': { about: 'two APIs and two workers, compared with one of each', minutes: 4, onlyByName: true },
  cost: { about: 'the counted work of one order of each family', minutes: 2, onlyByName: true },
  heap: { about: 'heaps after 20,000 orders', minutes: 15, onlyByName: true, inspects: true },
} as const satisfies Record<string, PartDescription>;

export type PartName = keyof typeof partDescriptions;

const allParts = Object.entries(partDescriptions) as [PartName, PartDescription][];

const USAGE = `npm run bench -- [parts] [options]

  --seconds <n>            the length of each turn (4)
  --rounds <n>             counted turns (3): each figure is their median
  --persistence postgres   uses the Temporal server with PostgreSQL of docker-compose.yml, built from source (needs Go)
  --profile                writes CPU profiles of API and worker to .run/profiles instead of figures; leaves out large-read and heap
  --markdown               measures nothing: prints all results in .run/bench.json

Parts; without any, all but those marked *:
${allParts.map(([name, part]) => `  ${`${name}${part.onlyByName ? ' *' : ''}`.padEnd(14)}${part.about}; ${part.minutes} min`).join('\n')}`;

export interface MeasureOptions {
  do: 'measure';
  names: readonly PartName[];
  seconds: number;
  rounds: number;
  persistence: Persistence;
  profile: boolean;
}

export type Options = MeasureOptions | { do: 'print'; text: string } | { do: 'show' };

/** Reads the arguments. Throws a message if they are invalid. */
export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '3' },
      persistence: { type: 'string', default: 'sqlite' },
      profile: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { do: 'print', text: USAGE };
  if (values.markdown) return { do: 'show' };
  return {
    do: 'measure',
    names: namesOf(positionals, values.profile),
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    persistence: persistenceOf(values.persistence),
    profile: values.profile,
  };
}

function namesOf(given: readonly string[], isProfiled: boolean): PartName[] {
  const unknown = given.find((name) => !(name in partDescriptions));
  if (unknown !== undefined) throw new Error(`Unknown part: "${unknown}".\n\n${USAGE}`);
  const isWanted = (name: PartName, { onlyByName, inspects }: PartDescription) =>
    !(isProfiled && inspects) && (given.length > 0 ? given.includes(name) : !onlyByName);
  return allParts.filter(([name, part]) => isWanted(name, part)).map(([name]) => name);
}

function persistenceOf(text: string): Persistence {
  const known = persistences.find((one) => one === text);
  if (!known) throw new Error(`--persistence is one of ${persistences.join(', ')}.`);
  return known;
}

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a number above 0.`);
  return number;
}
