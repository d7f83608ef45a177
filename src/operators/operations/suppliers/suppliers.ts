/** `suppliers`: the state of suppliers, and the pauses and balance thresholds that operators set. */
import {
  findBalanceAlert,
  listBalances,
  reviewBalance,
  setBalanceAlert,
} from '../../../data/suppliers/supplier-balances';
import { readSupplierStates, type SupplierState } from '../../../data/suppliers/supplier-overview';
import { listPauses, pauseSupplier, resumeSupplier } from '../../../data/suppliers/supplier-pauses';
import { markedCost } from '../../../domain/cost-texts';
import { features } from '../../../domain/orders/families';
import { environmentsOf } from '../../../settings/supplier-environments';
import { option, requiredOption } from '../arguments';
import { comparisonText, presentOf } from '../comparison';
import type { Context } from '../context';
import { currencyCode, family, positiveDecimal } from '../kinds';
import { everyRole, neededReason, operation } from '../operation';
import { configuredNames, configuredSupplier, namedSupplier } from '../supplier-named';
import { table } from '../text';

const list = operation({
  name: 'suppliers list',
  about: 'Every configured supplier: pauses, open circuits, our account and balances, failing calls',
  roles: everyRole,
  effect: 'reads',
  arguments: {},
  columns: {
    supplier: 'text',
    environment: 'text',
    paused: 'list',
    circuits_open: 'list',
    blocked_since: 'time',
    balances: 'list',
    days_left: 'list',
    failing_calls: 'list',
  },
  async run({ database, config }) {
    const states = await readSupplierStates(database, configuredNames(config));
    return states.map((state) => supplierRow(state, environmentsOf(config)[state.supplier]));
  },
  // The table has a column for values that the JSON lacks.
  text: (found, { tableColumns }) =>
    table(
      found.map(({ supplier, environment, paused, circuits_open, blocked_since, ...others }) => ({
        supplier,
        environment,
        paused,
        circuits_open,
        blocked_since,
        ...others,
      })),
      tableColumns,
    ),
});

const show = operation({
  name: 'suppliers show',
  button: 'Show the supplier',
  about: 'One supplier, with reasons and times',
  roles: everyRole,
  effect: 'reads',
  arguments: { name: namedSupplier },
  columns: { supplier: 'text', what: 'text', of: 'text', since: 'time', detail: 'text' },
  async run({ database, config }, { name }) {
    const states = await readSupplierStates(database, [configuredSupplier(config, name)]);
    return states.flatMap((state) => details(state, environmentsOf(config)[name]));
  },
});

const allFamilies = 'all';

/** The supplier in a row: what keeps it from selling, our balances, and its failing calls. */
export function supplierRow(
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
    days_left: balances.map(({ daysLeft, currency }) => `${daysLeft ?? 'unknown'} (${currency})`),
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
          `${amount} ${currency}`,
          dailyCost === null
            ? 'daily costs unknown'
            : `${daysLeft} days at ${markedCost(`${dailyCost} ${currency}`)} a day`,
          below === null ? 'no threshold' : `threshold ${below} ${currency}`,
        ].join('; '),
      ),
    ),
    ...failingCalls.map(({ call, family, since, error }) => fact(`${call} fails`, family || null, since, error)),
  ];
}

const onSupplier = { name: namedSupplier, family: option(family, `${features.join(', ')}; default: all`) };

/** The pauses of the supplier, each with its reason. */
async function pausesOf({ database }: Context, { name }: { readonly name: string }) {
  const pauses = (await listPauses(database)).filter(({ supplier }) => supplier === name);
  const texts = pauses.map(({ family: paused, reason }) => `${paused || 'all families'} (${reason})`);
  return { of: `Supplier ${name}`, values: { paused: texts } };
}

const pause = operation({
  name: 'suppliers pause',
  about: 'Send new orders to other sources. Placed orders continue',
  roles: ['support', 'catalogue'],
  effect: 'changes',
  givesAccess: false,
  arguments: { ...onSupplier, reason: neededReason },
  compared: pausesOf,
  async run({ database, config }, { name, family: only, reason }) {
    const supplier = configuredSupplier(config, name);
    await pauseSupplier(database, { supplier, family: only ?? '', reason });
    return `${supplier} is paused for ${only ?? 'all families'}. Resume it with: suppliers resume ${supplier}`;
  },
});

const resume = operation({
  name: 'suppliers resume',
  about: 'End the pause of a family, or all pauses',
  roles: ['catalogue'],
  effect: 'changes',
  givesAccess: false,
  arguments: { ...onSupplier, reason: neededReason },
  compared: pausesOf,
  async run({ database, config }, { name, family: only }) {
    const pauses = (await listPauses(database)).filter(({ supplier }) => supplier === name);
    // Checks the name only here, because a supplier that is no longer configured can still be paused.
    if (pauses.length === 0)
      throw new Error(`${configuredSupplier(config, name)} is not paused. See the pauses with: suppliers list`);
    const hasGeneralPause = pauses.some((paused) => paused.family === '');
    if (only && hasGeneralPause)
      throw new Error(`${name} is paused for all families. Resume it without --family, then pause the other families.`);
    const resumed = await resumeSupplier(database, name, only);
    if (resumed.length === 0) throw new Error(`${name} is not paused for ${only}. See the pauses with: suppliers list`);
    return `${name} is used again for ${resumed.map((resumedFamily) => resumedFamily || 'all families').join(', ')}.`;
  },
});

const ofAlert = { name: namedSupplier, currency: requiredOption(currencyCode, 'ISO 4217 code') };

const alert = operation({
  name: 'suppliers alert',
  button: 'Set the alert',
  about: 'Set the threshold below which our balance is on the attention list. Without a threshold, remove it',
  inTerminal: 'Set the threshold below which our balance is on the attention list. Without --below, remove it',
  roles: ['catalogue'],
  effect: 'changes',
  givesAccess: false,
  arguments: { ...ofAlert, below: option(positiveDecimal, 'decimal above 0') },
  check: ({ config }, { name }) => Promise.resolve(name === undefined || configuredSupplier(config, name)),
  present: presentOf(
    ofAlert,
    async ({ database }, { name, currency }) => ({ below: await findBalanceAlert(database, name, currency) }),
    true,
  ),
  async preview({ database }, { name, currency, below }) {
    const before = await findBalanceAlert(database, name, currency);
    return `Supplier ${name}, ${currency}\n${comparisonText({ below: before }, { below: below?.toFixed() ?? null })}`;
  },
  async run({ database, config }, { name, currency, below }) {
    const supplier = configuredSupplier(config, name);
    const before = await setBalanceAlert(database, supplier, currency, below?.toFixed() ?? null);
    await reviewBalance(database, supplier);
    const isKnown = (await listBalances(database)).some(
      (balance) => balance.supplier === supplier && balance.currency === currency,
    );
    const set = below ? `below ${below.toFixed()} ${currency}` : `removed for ${currency}`;
    const unknown = isKnown ? '' : ` ${supplier} has reported no balance in ${currency} yet.`;
    return `The alert of ${supplier} is ${set} (before: ${before ?? 'none'}).${unknown}`;
  },
});

export const supplierOperations = [list, show, pause, resume, alert];
