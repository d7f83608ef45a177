/** What a file of rates does to the rates that follow the ECB, whoever gives it. docs/decisions/0090-let-rates-age.md. */
import { atomically } from '../../../data/database/acting-person';
import type { Database } from '../../../data/database/database';
import { failedStatement } from '../../../data/database/errors';
import { lockConfirmed, type ValueName } from '../../../data/prices/stored-confirmed-values';
import { followedPairs, spreadValue } from '../../../data/prices/followed-rates';
import { pricedValue } from '../../../data/prices/pricing-settings';
import { lockFollowed, type FollowedRate, type Pair } from '../../../data/prices/rates-due-by-day';
import { crossRate, type EuroRates } from '../../../domain/prices/cross-rates';
import { Exact } from '../../../domain/prices/money';
import type { PriceChange } from '../../../domain/prices/price-changes';
import { sentenceOf } from '../failure';
import { ForceRequired } from '../guarded-prices';
import { rateOf } from './rates';

/** What a file does to a rate. `reason`: why the rate is not set; null if it is, or need not be. */
interface Outcome {
  result: 'set' | 'held' | 'unchanged' | 'not in the file';
  reason: string | null;
}

export type Refreshed = PriceChange & Outcome;

/** Sets the rate, or holds it and returns why. */
export type SetOrHold = (followed: FollowedRate, rate: string) => Promise<string | undefined>;

/** Why the rate is held that a change rejects. Throws any other error, such as a conflict: it undoes the whole file. */
export function whyToHold(error: unknown): string {
  if (error instanceof ForceRequired || failedStatement(error)?.state === 'DGREF') return sentenceOf(error);
  throw error;
}

/** The values that a file may change, as the guard of changes names them. */
export const guardedNames = (database: Database, { source, destination }: Pair): [ValueName, ValueName] => [
  pricedValue(database, rateOf(source, destination).value).name,
  spreadValue(database, { source, destination }).name,
];

interface Step {
  followed: FollowedRate;
  change: PriceChange;
}

/**
 * Gives each rate that follows to `setOrHold`, with its value by the file, except one that the file may not change: all of them in one
 * transaction. Two files at once are applied one after the other. Returns what became of each rate.
 */
export function applyFile(
  database: Database,
  file: EuroRates,
  { isOfFeed, setOrHold }: { isOfFeed: boolean; setOrHold: SetOrHold },
): Promise<Refreshed[]> {
  return atomically(database, async () => {
    const pairs = await followedPairs(database);
    // Before the rates, like every other change of a rate.
    await lockConfirmed(
      database,
      pairs.flatMap((pair) => guardedNames(database, pair)),
    );
    const steps = (await lockFollowed(database, file, { pairs, isOfFeed })).map((followed): Step => {
      const { source, destination, rate: before } = followed;
      const after = followed.isDue ? (crossRate(file, followed) ?? null) : before;
      return { followed, change: { what: rateOf(source, destination).what, before, after } };
    });
    const done: Refreshed[] = [];
    for (const step of risingFirst(steps)) done.push({ ...step.change, ...(await outcomeOf(step, setOrHold)) });
    return done.toSorted((one, other) => one.what.localeCompare(other.what));
  });
}

/** If rates rise before others fall, no circle exists only in between. */
function risingFirst(steps: readonly Step[]): Step[] {
  const falls = ({ change: { before, after } }: Step) => new Exact(after ?? 0).lessThan(before ?? 0);
  return [...steps.filter((step) => !falls(step)), ...steps.filter(falls)];
}

async function outcomeOf({ followed, change: { before, after } }: Step, setOrHold: SetOrHold): Promise<Outcome> {
  if (after === null) return { result: 'not in the file', reason: 'The file lacks a currency of the pair' };
  const isSame = followed.isOfDay && before === after && followed.heldRate === null;
  if (!followed.isDue || isSame) return { result: 'unchanged', reason: null };
  const reason = await setOrHold(followed, after);
  return reason === undefined ? { result: 'set', reason: null } : { result: 'held', reason };
}
