/** Safeguards of commands: confirmation at a terminal, a reason for the audit log, and `--force` for large price changes. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import * as read from './arguments';
import { printable } from './output';
import type { OperatorConfig } from '../config';
import type { Session } from './session';
import { changePricedValue, readPricedValue, type PricedValue } from '../data/prices/pricing-settings';
import { isLargeChange, priceChangeText, type PriceChange } from '../domain/prices/price-changes';

/** Adds `--yes`, which confirms in advance. */
export function dangerous(command: Command): Command {
  return command.option('-y, --yes', 'confirm in advance; without a terminal, the command does not ask');
}

/** Asks for confirmation at a terminal. Throws unless the answer is yes. `effect`: the changes that the command makes. */
export async function confirm(command: Command, effect: string): Promise<void> {
  const { stdin, stderr } = process;
  if (command.opts<{ yes?: boolean }>().yes || !stdin.isTTY) return;
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${printable(effect)} Continue? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Error('Nothing was done.');
  } finally {
    terminal.close();
  }
}

/** Adds `--reason`, which is required. */
export function reasoned(command: Command): Command {
  return command.requiredOption('--reason <text>', 'the reason, for the audit log', read.reason);
}

/** The reason of the command. Throws if there is none. `what`: the change that needs a reason, as the subject of the error message. */
export function requireReason(command: Command, what: string): string {
  const { reason } = command.optsWithGlobals<{ reason?: string }>();
  if (reason === undefined)
    throw new Error(`${what} needs a reason for the audit log: add --reason "<text>".`);
  return reason;
}

/** A large change needs `--force`. The command then exits with 2. */
export class ForceRequired extends Error {}

/** Adds `--force`, which permits large changes. */
export function forceable(
  command: Command,
  effect = 'apply a change that is larger than PRICE_CHANGE_LIMIT_PERCENT',
): Command {
  return command.option('--force', effect);
}

/** Throws `ForceRequired` if a change is large and the command lacks `--force`. The error shows the large changes. */
export function requireForce(
  command: Command,
  { priceChangeLimitPercent: limit }: Pick<OperatorConfig, 'priceChangeLimitPercent'>,
  changes: readonly PriceChange[],
): void {
  const large = changes.filter((change) => isLargeChange(change, limit));
  if (large.length === 0 || command.opts<{ force?: boolean }>().force) return;
  const texts = large.map(priceChangeText).join('; ');
  throw new ForceRequired(`${texts}. More than ${limit} %: add --force to apply it. Nothing was changed.`);
}

/** Throws `ForceRequired` if the command removes values and lacks `--force`. `removed`: the names of the values. */
export function requireForceToRemove(command: Command, removed: readonly string[]): void {
  if (removed.length === 0 || command.opts<{ force?: boolean }>().force) return;
  throw new ForceRequired(`removes ${removed.join(', ')}: add --force to remove it. Nothing was changed.`);
}

/** A change that a command requests. `what`: its description for operators. */
interface RequestedChange {
  what: string;
  value: PricedValue;
  /** The new value; null to remove the value. */
  after: string | null;
  /** The changes that are compared with the limit, given the old value. Default: the change of the value. */
  priceChanges?: (before: string | null) => readonly PriceChange[];
}

/** Sets one value. Returns text with the old and the new value. `check` gets the old value before the change. */
export async function setPricedValue(
  { command, database, config }: Session,
  { what, value, after, priceChanges }: RequestedChange,
  check: (before: string | null) => Promise<void> | void = () => undefined,
): Promise<string> {
  const change = { what, before: await readPricedValue(database, value), after };
  await check(change.before);
  requireForce(command, config, priceChanges ? priceChanges(change.before) : [change]);
  await changePricedValue(database, value, change);
  return priceChangeText(change);
}
