/** Changes of prices, rates and settings that need `--force` if they are large. */
import { changePricedValue, readPricedValue, type PricedValue } from '../data/prices/pricing-settings';
import { isLargeChange, priceChangeText, type PriceChange } from '../domain/prices/price-changes';
import type { Context } from './context';

/** A large change needs `--force`. The command then exits with 2. */
export class ForceRequired extends Error {}

/**
 * Throws `ForceRequired`, which shows the large changes, if a change is large and the operator does not force it. If a rule asks for a
 * second person instead, the operation is proposed, also with `force`.
 */
export function requireForce(
  force: boolean,
  { config: { priceChangeLimitPercent: limit }, beyondGuard }: Pick<Context, 'config' | 'beyondGuard'>,
  changes: readonly PriceChange[],
): void {
  const large = changes.filter((change) => isLargeChange(change, limit));
  if (large.length === 0) return;
  const texts = large.map(priceChangeText).join('; ');
  if (beyondGuard(`${texts}. More than ${limit} %`) || force) return;
  throw new ForceRequired(`${texts}. More than ${limit} %: add --force to apply it. Nothing was changed.`);
}

/** Throws `ForceRequired` if values are removed and the operator does not force it. `removed`: their names. */
export function requireForceToRemove(force: boolean, removed: readonly string[]): void {
  if (removed.length === 0 || force) return;
  throw new ForceRequired(`removes ${removed.join(', ')}: add --force to remove it. Nothing was changed.`);
}

/** A change that an operator requests. `what`: its description for operators. */
export interface RequestedChange {
  what: string;
  value: PricedValue;
  /** The new value; null to remove the value. */
  after: string | null;
  force: boolean;
  /** The changes that are compared with the limit, given the old value. Default: the change of the value. */
  priceChanges?: (before: string | null) => readonly PriceChange[];
}

/** Sets one value. Returns the change. `check` gets the old value before the change. */
export async function setPricedValue(
  context: Context,
  { what, value, after, force, priceChanges }: RequestedChange,
  check: (before: string | null) => Promise<void> | void = () => undefined,
): Promise<PriceChange> {
  const { database } = context;
  const change = { what, before: await readPricedValue(database, value), after };
  await check(change.before);
  requireForce(force, context, priceChanges ? priceChanges(change.before) : [change]);
  await changePricedValue(database, value, change);
  return change;
}

/** The changes that a preview names. */
const MAX_CHANGES = 20;

/** Changes as a preview shows them, with old and new values: a line each. Values that stay as they are have none. */
export function changesText(changes: readonly PriceChange[]): string {
  const texts = changes.filter(({ before, after }) => before !== after).map(priceChangeText);
  if (texts.length === 0) return 'Nothing changes: the values are the present ones.';
  const more = texts.length - MAX_CHANGES;
  const shown = texts.slice(0, MAX_CHANGES).map((text) => `${text}.`);
  return [...shown, ...(more > 0 ? [`... and ${more} more changes.`] : [])].join('\n');
}

/** The reason of the operation. Throws if there is none. `what`: the change that needs a reason, as the subject of the error message. */
export function requireReason({ reason }: Pick<Context, 'reason'>, what: string): string {
  if (reason === undefined)
    throw new Error(`${what} needs a reason for the audit log. Give it with: --reason "<text>"`);
  return reason;
}
