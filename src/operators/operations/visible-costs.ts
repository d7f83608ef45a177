/**
 * Costs and margins leave operations for the roles that see them only: the results, previews, remarks and errors of every operation pass
 * through here. docs/operators/operations.md#costs.
 * Rule: who sees costs and margins
 */
import { withCosts, withoutCosts } from '../../domain/cost-texts';
import { isAmong, marginReaders, type Role } from '../../domain/operators/roles';
import { isObject } from '../../domain/unknown-values';

/** Whether the role sees costs and margins. */
export function seesCosts({ role }: { role: Role }): boolean {
  return isAmong(marginReaders, role);
}

/** The names of columns and fields that hold costs or margins, in all spellings: `cost`, `costPercent`, `min_margin_percent`. */
const costName = /cost|margin|markup/i;
/** Those that do so by another name. `charged`: by a supplier. */
const otherNames: readonly string[] = ['charged', 'earned', 'currency_difference'];

/** The sentence as the role reads it. */
export function readableText(reader: { role: Role }, text: string): string {
  return seesCosts(reader) ? withCosts(text) : withoutCosts(text);
}

/** The row as the role reads it. `others`: its columns with costs by names that have another meaning elsewhere. */
export function visibleRow(reader: { role: Role }, row: object, others: readonly string[] = []): object {
  const shown = visibleFields(reader, row);
  return seesCosts(reader)
    ? shown
    : Object.fromEntries(
        Object.entries(shown).map(([name, value]: [string, unknown]) => [name, others.includes(name) ? null : value]),
      );
}

/** The value as the role reads it: null in place of each cost and margin, and sentences without them. */
export function readableBy(reader: { role: Role }, value: unknown): unknown {
  if (typeof value === 'string') return readableText(reader, value);
  if (Array.isArray(value)) return value.map((each: unknown) => readableBy(reader, each));
  return isPlain(value) ? visibleFields(reader, value) : value;
}

function visibleFields(reader: { role: Role }, fields: object): object {
  const isCost = costNameIn(fields);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      !seesCosts(reader) && isCost(name) ? null : readableBy(reader, value),
    ]),
  );
}

/** A fee beside a cost is a part of it. */
function costNameIn(fields: object): (name: string) => boolean {
  const hasCost = Object.keys(fields).some((name) => costName.test(name));
  return (name) => costName.test(name) || otherNames.includes(name) || (hasCost && name === 'fee');
}

/** Rows and objects, but no times. */
function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
