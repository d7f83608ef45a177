/** Commands that change a price, a rate or a discount: they show both values, and ask for a reason and for `--force`. */
import type { Command } from 'commander';
import type { Config } from '../config';
import type { Database } from '../data/database/database';
import { changePricedValue, readPricedValue, type PricedValue } from '../data/prices/pricing-settings';
import { isLargeChange, priceChangeText, type PriceChange } from '../domain/prices/price-changes';

/** A large change without `--force`: the command changes nothing and exits with 2. */
export class ForceRequired extends Error {}

/** Lets the command apply a large change. */
export function forceable(command: Command): Command {
  return command.option('--force', 'apply a change that is larger than PRICE_CHANGE_LIMIT_PERCENT');
}

/** Throws a sentence with the old values, the new values and the differences if one of them is large. */
export function requireForce(
  command: Command,
  { priceChangeLimitPercent: limit }: Pick<Config, 'priceChangeLimitPercent'>,
  changes: readonly PriceChange[],
): void {
  const large = changes.filter((change) => isLargeChange(change, limit));
  if (large.length === 0 || command.opts<{ force?: boolean }>().force) return;
  const texts = large.map(priceChangeText).join('; ');
  throw new ForceRequired(`${texts}. More than ${limit} %: add --force to apply it. Nothing was changed.`);
}

/** A change that a command asks for, with the text that shows it. */
interface Wanted {
  what: string;
  value: PricedValue;
  /** null takes the value away. */
  after: string | null;
}

/** Sets one value and returns the text with the old and the new one. `check` sees the old value first. */
export async function setPricedValue(
  { command, database, config }: { command: Command; database: Database; config: Config },
  { what, value, after }: Wanted,
  check: (before: string | null) => Promise<void> | void = () => undefined,
): Promise<string> {
  const change = { what, before: await readPricedValue(database, value), after };
  await check(change.before);
  requireForce(command, config, [change]);
  await changePricedValue(database, value, change);
  return priceChangeText(change);
}
