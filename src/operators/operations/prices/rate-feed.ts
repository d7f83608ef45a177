/**
 * The feed of rates: the file at the address in the settings, as this process reads it. Only the feed takes steps that no person has to
 * confirm. docs/decisions/0090-let-rates-age.md.
 */
import { checkChanges } from '../../../data/database/acting-person';
import type { Database } from '../../../data/database/database';
import { marked } from '../../../data/database/marked-changes';
import {
  changedMeanwhile,
  lockConfirmed,
  storeConfirmed,
  type ChangedValue,
} from '../../../data/prices/stored-confirmed-values';
import { fileOfSteps, keepFetched } from '../../../data/prices/kept-rate-files';
import { holdRate, personsRate, setByFeed } from '../../../data/prices/followed-rates';
import type { FollowedRate } from '../../../data/prices/rates-due-by-day';
import { basisOf } from '../../../domain/prices/confirmed-values';
import { crossRate, type EuroRates } from '../../../domain/prices/cross-rates';
import { isLargeChange, priceChangeText, type PriceChange } from '../../../domain/prices/price-changes';
import type { Context } from '../context';
import { applyFile, guardedNames, whyToHold, type Refreshed, type SetOrHold } from './applied-rate-file';
import { rateOf } from './rates';

/**
 * Keeps the file, which the feed has given just now. Sets each rate that follows it, and holds one that has changed by more than the limit, or
 * with which a client would gain in a circle. The same file again changes nothing, also if a person has given another one of its day. The
 * only change of rates without the guard of operators' changes.
 */
export function refreshByFeed(
  { database, config: { priceChangeLimitPercent: limit } }: Pick<Context, 'database' | 'config'>,
  file: EuroRates,
): Promise<Refreshed[]> {
  return marked(database, ['RATE'], async () => {
    const effects: Record<'set' | 'held', string[]> = { set: [], held: [] };
    const setOrHold: SetOrHold = async (followed, rate) => {
      const { source, destination } = followed;
      const change = await stepOf(database, file, followed, rate);
      const problem = isLargeChange(change, limit)
        ? `${priceChangeText(change)}: more than ${limit} %`
        : await database.transaction(() => setNow(database, file, followed, rate)).catch(whyToHold);
      effects[problem === undefined ? 'set' : 'held'].push(`${source}/${destination}`);
      if (problem === undefined) return undefined;
      const reason = `${problem} (the feed's file of ${file.day})`;
      await holdRate(database, followed, { day: file.day, rate, reason });
      return reason;
    };
    const refreshed = await applyFile(database, file, { isOfFeed: true, setOrHold });
    await keepFetched(database, file, effects);
    return refreshed;
  });
}

/** What a step of the feed is compared with: the later one of a person's last rate, and of what the file of 30 days before gives. */
async function stepOf(
  database: Database,
  { day }: EuroRates,
  followed: FollowedRate,
  after: string,
): Promise<PriceChange> {
  const { what } = rateOf(followed.source, followed.destination);
  const basis = await fileOfSteps(database, followed, day);
  const before = basis && crossRate(basis, followed);
  if (basis && before !== undefined) return { what: `${what} since ${basis.day}`, before, after };
  return { what, before: await personsRate(database, followed), after };
}

/** Throws if a client would gain in a circle, which undoes the change. */
async function setNow(
  database: Database,
  { day }: EuroRates,
  followed: FollowedRate,
  rate: string,
): Promise<undefined> {
  if (!(await setByFeed(database, followed, { day, rate }))) throw new Error(changedMeanwhile);
  await storeConfirmed(database, [await confirmedByFeed(database, followed, rate)]);
  await checkChanges(database);
}

/** The feed confirms its rate for operators' changes, unless a person has set its spread within the last 24 hours and nobody confirmed that. */
async function confirmedByFeed(database: Database, followed: FollowedRate, rate: string): Promise<ChangedValue> {
  const { rate: before, spreadPercent } = followed;
  const names = guardedNames(database, followed);
  const [known, spread] = await lockConfirmed(database, names);
  const isConfirmed = basisOf(spread, spreadPercent).confirmed === spreadPercent;
  const { confirmed, by } = isConfirmed ? { confirmed: rate, by: 'FEED' as const } : basisOf(known, before);
  return { name: names[0], isKnown: known !== undefined, value: rate, confirmed: confirmed ?? before, by };
}
