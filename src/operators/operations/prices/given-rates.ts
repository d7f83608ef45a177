/** Files of rates that a person or a service account gives: a change of that account. docs/decisions/0090-let-rates-age.md. */
import { checkChanges } from '../../../data/database/acting-person';
import { changedMeanwhile, findConfirmed } from '../../../data/prices/stored-confirmed-values';
import { holdRate, setByPerson } from '../../../data/prices/followed-rates';
import { pricedValue } from '../../../data/prices/pricing-settings';
import type { FollowedRate } from '../../../data/prices/rates-due-by-day';
import type { EuroRates } from '../../../domain/prices/cross-rates';
import { isLargeChange, largeText } from '../../../domain/prices/price-changes';
import type { Context } from '../context';
import { guardPrices } from '../guarded-prices';
import { applyFile, whyToHold, type Refreshed } from './applied-rate-file';
import { rateChanges, rateOf } from './rates';

/** What is shown of the name of a file. */
const MAX_NAME = 200;

/**
 * Sets each rate that follows the ECB by the file, if the change is within the limit as `rates set` compares it. Any other one is held, with
 * the name of the file and of the account, until a person accepts it.
 */
export function setByGivenFile(context: Context, file: EuroRates, name: string): Promise<Refreshed[]> {
  // The name is a text of the account, which could look like another origin.
  const origin = `given by ${context.operator} as ${JSON.stringify(name.slice(0, MAX_NAME))}`;
  return applyFile(context.database, file, {
    isOfFeed: false,
    setOrHold: (followed, rate) => setOrHold(context, followed, { day: file.day, rate, origin }),
  });
}

async function setOrHold(
  context: Context,
  followed: FollowedRate,
  { day, rate, origin }: { day: string; rate: string; origin: string },
): Promise<string | undefined> {
  const { database, config } = context;
  const { source, destination } = followed;
  const guarded = {
    ...pricedValue(database, rateOf(source, destination).value),
    changes: await rateChanges(database, followed, rate),
  };
  // Nobody forces or approves a file: what it may not set is held.
  const guard = guardPrices({ ...context, beyondGuard: () => false }, false);
  const setNow = async (): Promise<undefined> => {
    if (!(await setByPerson(database, followed, { day, rate }))) throw new Error(changedMeanwhile);
    await checkChanges(database);
  };
  const large = guarded
    .changes(await findConfirmed(database, guarded))
    .filter((change) => isLargeChange(change, config.priceChangeLimitPercent));
  const problem =
    large.length > 0
      ? largeText(large, config.priceChangeLimitPercent)
      : await database.transaction(() => guard([guarded], setNow)).catch(whyToHold);
  if (problem === undefined) return undefined;
  const reason = `${problem} (${origin})`;
  await guard([guarded], () => holdRate(database, followed, { day, rate, reason }));
  return reason;
}
