/** The options of `npm run bench`. */
import { parseArgs } from 'node:util';
import { dimensions, type DimensionName } from './growth/dimensions';
import { persistences, type Persistence } from './report';

export interface PartDescription {
  about: string;
  /** The approximate duration. */
  minutes: number;
  /** The number of counted turns, if it differs from that of the other parts. */
  rounds?: number;
  /** Runs only if it is named. */
  onlyByName?: true;
}

/** The parts in order. The first ones would be disturbed by the open orders that the others leave behind. */
const stackParts = {
  rest: { about: 'CPU and memory without orders', minutes: 2 },
  orders: { about: 'instant orders of each family, compared with three local activities', minutes: 4 },
  reads: { about: 'reads, compared with bare Express', minutes: 1 },
  'large-read': { about: 'CPU and longest turn of the API when it reads an order of 5,000', minutes: 1 },
  events: {
    about: 'events committed while every endpoint is idle, compared with busy ones',
    minutes: 2,
    rounds: 5,
    onlyByName: true,
  },
  bulk: { about: 'orders of 5,000, one and thirty concurrently, with small orders in parallel', minutes: 2 },
  cost: { about: 'the counted work of one order of each family', minutes: 2, onlyByName: true },
} as const satisfies Record<string, PartDescription>;

export type StackPart = keyof typeof stackParts;

/** A part that compares two stacks of its own, with few and with many of something. */
export type GrowthPart = `growth:${DimensionName}`;

export type PartName = StackPart | GrowthPart;

const growthParts = Object.fromEntries(
  Object.entries(dimensions).map(([name, { about, small, large }]) => [
    `growth:${name}`,
    { about: `${about}: ${small} and ${large}`, minutes: 15, rounds: 5, onlyByName: true },
  ]),
) as Record<GrowthPart, PartDescription>;

export const partDescriptions: Readonly<Record<PartName, PartDescription>> = { ...stackParts, ...growthParts };

export const isStackPart = (name: PartName): name is StackPart => name in stackParts;
export const isGrowthPart = (name: PartName): name is GrowthPart => name in growthParts;

const allParts = Object.entries(partDescriptions) as [PartName, PartDescription][];

const USAGE = `npm run bench -- [parts] [options]

  --seconds <n>            the length of each turn (4)
  --rounds <n>             counted turns (3; growth 5): each figure is their median
  --share <share>          of the large number of growth (1): less shows less, in less time
  --release <folder>       a later, built release: growth:everything only runs its migrations, while clients order
  --persistence postgres   uses the Temporal server with PostgreSQL of docker-compose.yml, built from source (needs Go);
                           leaves out growth

Parts; without any, all but those marked *; growth means all that begin with it:
${allParts.map(([name, part]) => `  ${`${name}${part.onlyByName ? ' *' : ''}`.padEnd(22)}${part.about}; ${part.minutes} min`).join('\n')}`;

export interface MeasureOptions {
  names: readonly PartName[];
  /** Undefined: those of each part. */
  seconds: number | undefined;
  rounds: number | undefined;
  share: number;
  release: string | undefined;
  persistence: Persistence;
}

/** Reads the arguments. Returns the help if they ask for it. Throws a message if they are invalid. */
export function readOptions(args: string[]): MeasureOptions | { help: string } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      share: { type: 'string', default: '1' },
      release: { type: 'string' },
      persistence: { type: 'string', default: 'sqlite' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { help: USAGE };
  const persistence = persistenceOf(values.persistence);
  const share = positive('share', values.share);
  if (share > 1) throw new Error('--share must be at most 1.');
  return {
    names: namesOf(positionals, persistence),
    seconds: values.seconds === undefined ? undefined : positive('seconds', values.seconds),
    rounds: values.rounds === undefined ? undefined : positive('rounds', values.rounds),
    share,
    release: values.release,
    persistence,
  };
}

function namesOf(given: readonly string[], persistence: Persistence): PartName[] {
  const names = given.flatMap((name) => (name === 'growth' ? Object.keys(growthParts) : name));
  const unknown = names.find((name) => !(name in partDescriptions));
  if (unknown !== undefined) throw new Error(`Unknown part: "${unknown}".\n\n${USAGE}`);
  const isPossible = (name: PartName) => isStackPart(name) || persistence === 'sqlite';
  const isWanted = (name: PartName, { onlyByName }: PartDescription) =>
    names.length > 0 ? names.includes(name) : !onlyByName;
  return allParts.filter(([name, part]) => isPossible(name) && isWanted(name, part)).map(([name]) => name);
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
