/**
 * Changes of prices, rates and settings that need `--force`, or a second person, if they are large.
 * Rule: when a change of prices needs --force or a second person
 */
import { atomically } from '../../data/database/acting-person';
import { marked } from '../../data/database/marked-changes';
import {
  lockConfirmed,
  storeConfirmed,
  type ChangedValue,
  type GuardedValue,
  type GuardPrices,
  type ValueName,
} from '../../data/prices/stored-confirmed-values';
import { changePricedValue, pricedValue, readPricedValue, type PricedValue } from '../../data/prices/pricing-settings';
import { basisOf, confirmedBy, type Basis, type KnownValue } from '../../domain/prices/confirmed-values';
import { isLargeChange, largeText, priceChangeText, type PriceChange } from '../../domain/prices/price-changes';
import type { Context } from './context';

/** A large change needs `--force`. The command then exits with 2. */
export class ForceRequired extends Error {}

/** How a large change is permitted. */
type Permission = 'APPROVED' | 'FORCED';

/**
 * Throws `ForceRequired`, which shows the large changes, if a change is large and the operator does not force it. If a rule asks for a
 * second person instead, the operation is proposed, also with `force`. Returns who permits the large changes; undefined if none is large.
 */
export function requireForce(
  force: boolean,
  { config: { priceChangeLimitPercent: limit }, beyondGuard }: Pick<Context, 'config' | 'beyondGuard'>,
  changes: readonly PriceChange[],
): Permission | undefined {
  const large = changes.filter((change) => isLargeChange(change, limit));
  if (large.length === 0) return undefined;
  const text = largeText(large, limit);
  if (beyondGuard(text)) return 'APPROVED';
  if (force) return 'FORCED';
  throw new ForceRequired(`${text}: add --force to apply it. Nothing was changed.`);
}

/**
 * Throws `ForceRequired` if values are removed and the operator does not force it. `removed`: their names. `sold`: those of them that clients
 * order, whose removal needs the second person of a rule about prices.
 */
export function requireForceToRemove(
  force: boolean,
  { beyondGuard }: Pick<Context, 'beyondGuard'>,
  { removed, sold }: { removed: readonly string[]; sold: readonly string[] },
): void {
  const needsApproval = sold.length > 0 && beyondGuard(`removes ${sold.join(', ')}`);
  const unforced = needsApproval ? removed.filter((name) => !sold.includes(name)) : removed;
  if (unforced.length === 0 || force) return;
  throw new ForceRequired(`removes ${unforced.join(', ')}: add --force to remove it. Nothing was changed.`);
}

/** A value while it is changed. */
interface Judged {
  value: GuardedValue;
  isKnown: boolean;
  basis: Basis;
  before: string | null;
  after: string | null;
  /** From the value before. */
  changes: readonly PriceChange[];
  /** From the confirmed value. */
  sinceConfirmed: readonly PriceChange[];
}

/**
 * Guards changes of an operator. Each value is compared with its last confirmed one, whoever made the steps since then. All of it is one
 * transaction, and an operator who changes one of the values meanwhile waits for its end. Only the change is marked for the trigger
 * `refuse_unguarded_change`. The guard throws `ForceRequired` after the change, which is then undone. `onChange` gets the name and the changes of each value before.
 */
export function guardPrices(
  context: Pick<Context, 'config' | 'beyondGuard' | 'database' | 'account'>,
  force: boolean,
  onChange: (name: ValueName, changes: readonly PriceChange[]) => void = () => undefined,
): GuardPrices {
  const { database } = context;
  return (values, change) =>
    atomically(database, async () => {
      const known = await lockConfirmed(
        database,
        values.map(({ name }) => name),
      );
      const before = await readAll(values);
      const kinds = [...new Set(values.map(({ name }) => name.kind))];
      const result = await marked(database, kinds, change);
      const after = await readAll(values);
      const judged: Judged[] = [];
      for (const [index, value] of values.entries()) {
        const [was, is] = [before[index] ?? null, after[index] ?? null];
        if (was !== is) judged.push(await judge(value, known[index], was, is));
      }
      for (const { value, changes } of judged) onChange(value.name, changes);
      const permission = requireForce(force, context, judged.flatMap(changesSinceConfirmed));
      await storeConfirmed(
        database,
        judged.flatMap((one) => changedValue(one, permission, context)),
      );
      for (const { value, sinceConfirmed } of judged)
        if (sinceConfirmed.length > 0) await value.report?.(sinceConfirmed, context.account.accountable);
      return result;
    });
}

async function judge(
  value: GuardedValue,
  known: KnownValue | undefined,
  before: string | null,
  after: string | null,
): Promise<Judged> {
  const basis = basisOf(known, before);
  const changes = await value.changes(before, after, before);
  const sinceConfirmed = [
    ...(basis.confirmed === before ? changes : await value.changes(basis.confirmed, after, before)),
    ...(basis.isFirst ? await value.changes(null, after, before) : []),
  ];
  return { value, isKnown: known !== undefined, basis, before, after, changes, sinceConfirmed };
}

async function readAll(values: readonly GuardedValue[]): Promise<(string | null)[]> {
  const read: (string | null)[] = [];
  for (const value of values) read.push(await value.read());
  return read;
}

function changesSinceConfirmed({ basis: { confirmed }, before, sinceConfirmed }: Judged): PriceChange[] {
  const since = confirmed === before ? '' : ' since the last confirmed value';
  return sinceConfirmed.map((one) => ({ ...one, what: `${one.what}${since}` }));
}

/** What is stored. A value without a confirmed one, and that now has none, leaves nothing. */
function changedValue(
  { value, isKnown, basis, after, sinceConfirmed }: Judged,
  permission: Permission | undefined,
  { config: { priceChangeLimitPercent: limit } }: Pick<Context, 'config'>,
): ChangedValue[] {
  const isLarge = sinceConfirmed.some((change) => isLargeChange(change, limit));
  const { confirmed, by } = confirmedBy(basis, after, isLarge ? permission : undefined);
  return confirmed === null ? [] : [{ name: value.name, isKnown, value: after, confirmed, by }];
}

/** A change that an operator requests. `what`: its description for operators. */
export interface RequestedChange {
  what: string;
  value: PricedValue;
  /** The new value; null to remove the value. */
  after: string | null;
  force: boolean;
  /** What is compared with the limit, as of `GuardedValue`. Default: the change of the value. */
  changes?: GuardedValue['changes'];
  /** The values that change with it. */
  others?: readonly GuardedValue[];
}

/** Sets one value. Returns the change. `check` gets the old value before the change. */
export function setPricedValue(
  context: Context,
  { what, value, after, force, changes = ownChange(what), others = [] }: RequestedChange,
  check: (before: string | null) => Promise<void> | void = () => undefined,
): Promise<PriceChange> {
  const { database } = context;
  const guarded = { ...pricedValue(database, value), changes };
  return guardPrices(context, force)([guarded, ...others], async () => {
    const change = { what, before: await readPricedValue(database, value), after };
    await check(change.before);
    await changePricedValue(database, value, change);
    return change;
  });
}

/** The change of a value that is compared with nothing else. */
export function ownChange(what: string): GuardedValue['changes'] {
  return (before, after) => [{ what, before, after }];
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
