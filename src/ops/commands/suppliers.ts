/** `suppliers`: the state of suppliers, and the pauses and balance thresholds that operators set. */
import type { Command } from 'commander';
import { reviewBalance, setBalanceAlert, listBalances } from '../../data/operations/supplier-balances';
import { readSupplierStates, type SupplierState } from '../../data/operations/supplier-overview';
import { listPauses, pauseSupplier, resumeSupplier } from '../../data/operations/supplier-pauses';
import { features, type Family } from '../../domain/orders/families';
import type { Exact } from '../../domain/prices/money';
import { environmentsOf } from '../../suppliers/registry';
import * as read from '../arguments';
import { reasoned } from '../confirmation';
import { onDatabase } from '../session';
import { configuredSupplier, configuredNames } from '../suppliers';

export function addSupplierCommands(program: Command): void {
  const suppliers = program.command('suppliers').description('The companies that sell to us');
  addLists(suppliers);
  addPause(suppliers);
  addResume(suppliers);
  addAlert(suppliers);
}

function addLists(suppliers: Command): void {
  suppliers
    .command('list')
    .description('Every configured supplier: pauses, open circuits, our account and balances, failing calls')
    .action(
      onDatabase(async ({ database, config }) => {
        const states = await readSupplierStates(database, configuredNames(config));
        return states.map((state) => overview(state, environmentsOf(config)[state.supplier]));
      }),
    );

  suppliers
    .command('show')
    .description('One supplier, with reasons and times')
    .argument('<name>', 'see suppliers list')
    .action(
      onDatabase(async ({ database, config }, name: string) => {
        const states = await readSupplierStates(database, [configuredSupplier(config, name)]);
        return states.flatMap((state) => details(state, environmentsOf(config)[name]));
      }),
    );
}

const allFamilies = 'all';

function overview(
  { supplier, pauses, circuits, blocked, balances, failingCalls }: SupplierState,
  environment: string | undefined,
) {
  return {
    supplier,
    environment,
    paused: pauses.map(({ family }) => family || allFamilies),
    circuits_open: circuits.map(({ family }) => family),
    blocked_since: blocked?.since,
    balances: balances.map(({ amount, currency }) => `${amount} ${currency}`),
    days_left: balances.map(({ daysLeft, currency }) => `${daysLeft ?? '?'} ${currency}`),
    failing_calls: failingCalls.map(({ call, family }) => (family ? `${call} (${family})` : call)),
  };
}

/** One row for each fact about the supplier. `of`: the family or the currency that the fact is about. */
function details(
  { supplier, pauses, circuits, blocked, balances, failingCalls }: SupplierState,
  environment: string | undefined,
) {
  const fact = (what: string, of: string | null, since: Date | null, detail: string | null) => ({
    supplier,
    what,
    of,
    since,
    detail,
  });
  return [
    ...(environment ? [fact('environment', null, null, environment)] : []),
    ...pauses.map(({ family, pausedAt, reason }) => fact('paused', family || allFamilies, pausedAt, reason)),
    ...circuits.map(({ family, openedAt, reason, probeAt }) =>
      fact('circuit open', family, openedAt, `${reason}; tested from ${probeAt.toISOString()}`),
    ),
    ...(blocked ? [fact('account blocked', null, blocked.since, blocked.error)] : []),
    ...balances.map(({ amount, currency, readAt, below, dailyCost, daysLeft, isLow }) =>
      fact(
        isLow ? 'balance low' : 'balance',
        currency,
        readAt,
        [
          amount,
          dailyCost === null ? 'daily costs unknown' : `${daysLeft} days at ${dailyCost} a day`,
          below === null ? 'no threshold' : `threshold ${below}`,
        ].join('; '),
      ),
    ),
    ...failingCalls.map(({ call, family, since, error }) =>
      fact(`${call} fails`, family || null, since, error),
    ),
  ];
}

/** Adds the argument for the supplier and the option for the family. */
function onSupplier(command: Command): Command {
  return command
    .argument('<name>', 'see suppliers list')
    .option('--family <family>', `${features.join(', ')}; default: all`, read.family);
}

interface PauseOptions {
  family?: Family;
  reason: string;
}

function addPause(suppliers: Command): void {
  onSupplier(reasoned(suppliers.command('pause')))
    .description('Send new orders to other sources. Placed orders continue')
    .action(
      onDatabase(async ({ database, config }, name: string, { family, reason }: PauseOptions) => {
        const supplier = configuredSupplier(config, name);
        await pauseSupplier(database, { supplier, family: family ?? '', reason });
        return `${supplier} is paused for ${family ?? 'all families'}. Resume it with: suppliers resume ${supplier}`;
      }),
    );
}

function addResume(suppliers: Command): void {
  onSupplier(reasoned(suppliers.command('resume')))
    .description('End the pause of a family, or all pauses')
    .action(
      onDatabase(async ({ database, config }, name: string, { family }: PauseOptions) => {
        const pauses = (await listPauses(database)).filter(({ supplier }) => supplier === name);
        // Checks the name only here, because a supplier that is no longer configured can still be paused.
        if (pauses.length === 0)
          throw new Error(
            `${configuredSupplier(config, name)} is not paused. See the pauses with: suppliers list`,
          );
        const hasGeneralPause = pauses.some((pause) => pause.family === '');
        if (family && hasGeneralPause)
          throw new Error(
            `${name} is paused for all families. Resume it without --family, then pause the other families.`,
          );
        const resumed = await resumeSupplier(database, name, family);
        if (resumed.length === 0)
          throw new Error(`${name} is not paused for ${family}. See the pauses with: suppliers list`);
        return `${name} is used again for ${resumed.map((resumedFamily) => resumedFamily || 'all families').join(', ')}.`;
      }),
    );
}

interface AlertOptions {
  currency: string;
  below?: Exact;
}

function addAlert(suppliers: Command): void {
  suppliers
    .command('alert')
    .description(
      'Set the threshold below which our balance is on the attention list. Without --below, remove it',
    )
    .argument('<name>', 'see suppliers list')
    .requiredOption('--currency <code>', 'ISO 4217 code', read.currencyCode)
    .option('--below <amount>', 'decimal above 0', read.positiveDecimal)
    .action(
      onDatabase(async ({ database, config }, name: string, { currency, below }: AlertOptions) => {
        const supplier = configuredSupplier(config, name);
        const before = await setBalanceAlert(database, supplier, currency, below?.toFixed() ?? null);
        await reviewBalance(database, supplier);
        const isKnown = (await listBalances(database)).some(
          (balance) => balance.supplier === supplier && balance.currency === currency,
        );
        const set = below ? `below ${below.toFixed()} ${currency}` : `removed for ${currency}`;
        const unknown = isKnown ? '' : ` ${supplier} has reported no balance in ${currency} yet.`;
        return `The alert of ${supplier} is ${set} (before: ${before ?? 'none'}).${unknown}`;
      }),
    );
}
