/** What `npm run bench` can be told. */
import { parseArgs } from 'node:util';
import { persistences, type Persistence } from './report';

interface PartDescription {
  about: string;
  /** How long it takes, roughly. */
  minutes: number;
  /** Only where it is named. */
  onlyByName?: true;
}

/** What can be measured, in the order in which it is: first what the others would disturb, for they leave orders under way. */
export const partDescriptions = {
  start: { about: 'a second npm start', minutes: 1 },
  rest: { about: 'CPU while nobody orders', minutes: 2 },
  orders: { about: 'instant orders of each family beside three local activities', minutes: 4 },
  reads: { about: 'reads beside bare Express', minutes: 1 },
  'hot-wallet': { about: 'orders placed on one wallet beside one bare statement', minutes: 1 },
  bulk: { about: 'orders of 5,000, one and thirty at once, and small orders beside them', minutes: 2 },
  waiting: { about: 'small orders while eSIM creates that wait are placed', minutes: 2 },
  workers: { about: 'two worker processes beside one', minutes: 2, onlyByName: true },
  cost: { about: 'what one order of each family takes, counted', minutes: 2, onlyByName: true },
  heap: { about: 'heaps after 20,000 orders', minutes: 15, onlyByName: true },
} as const satisfies Record<string, PartDescription>;

export type PartName = keyof typeof partDescriptions;

const allParts = Object.entries(partDescriptions) as [PartName, PartDescription][];

const USAGE = `npm run bench -- [parts] [options]

  --seconds <n>            of each turn (4)
  --rounds <n>             turns of each that count (3): each figure is their median
  --persistence postgres   on the Temporal server with PostgreSQL that docker-compose.yml starts, built from its source (needs Go)
  --profile                leaves CPU profiles of API and worker in .run/profiles instead of figures
  --markdown               measures nothing: prints all that .run/bench.json keeps

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

/** Reads the arguments. Throws a sentence where they make no sense. */
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
    names: namesOf(positionals),
    seconds: positive('seconds', values.seconds),
    rounds: positive('rounds', values.rounds),
    persistence: persistenceOf(values.persistence),
    profile: values.profile,
  };
}

function namesOf(given: readonly string[]): PartName[] {
  const unknown = given.find((name) => !(name in partDescriptions));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".\n\n${USAGE}`);
  const isWanted = (name: PartName, { onlyByName }: PartDescription) =>
    given.length > 0 ? given.includes(name) : !onlyByName;
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
