/** `rates follow`, `unfollow` and `accept`: the rates that follow those of the ECB. docs/decisions/0090-let-rates-age.md. */
import type { Database } from '../../../data/database/database';
import { changedMeanwhile, findConfirmed } from '../../../data/prices/stored-confirmed-values';
import { newestFetched } from '../../../data/prices/kept-rate-files';
import { acceptHeld, setSpread, spreadValue, whyHeld } from '../../../data/prices/followed-rates';
import type { Pair } from '../../../data/prices/rates-due-by-day';
import { pricedValue, readPricedValue } from '../../../data/prices/pricing-settings';
import { crossRate } from '../../../domain/prices/cross-rates';
import { Exact } from '../../../domain/prices/money';
import { priceChangeText, type PriceChange } from '../../../domain/prices/price-changes';
import { requiredOption, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { changesText, guardPrices, ownChange } from '../guarded-prices';
import { markup, positiveDecimal } from '../kinds';
import { force, neededReason, operation } from '../operation';
import { tried } from '../tried';
import { refresh } from './rate-refresh';
import { currencyPair, rateChanges, rateOf } from './rates';

const followArguments = {
  ...currencyPair,
  spread: requiredOption(markup, 'what clients pay on top, in percent'),
  force: force(),
  reason: neededReason,
};

const follow = operation({
  name: 'rates follow',
  about: 'Let the rates of the ECB set this rate, with a spread in percent that clients pay on top',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  arguments: followArguments,
  trial: 'PREVIEW',
  preview: async (context, values) =>
    followText(values, await tried(context, (trial) => startFollowing(trial, values))),
  run: async (context, values) => followText(values, await startFollowing(context, values)),
});

const unfollow = operation({
  name: 'rates unfollow',
  about: 'Let the rates of the ECB no longer set this rate. The present rate stays',
  roles: ['finance'],
  effect: 'money',
  arguments: { ...currencyPair, reason: neededReason },
  preview: (_context, values) => Promise.resolve(unfollowText(values)),
  async run(context, values) {
    const { productCurrency: source, walletCurrency: destination } = values;
    // It changes no rate.
    await changeSpread(context, { source, destination }, { spread: null, force: false, changes: () => [] });
    return unfollowText(values);
  },
});

const unfollowText = ({ productCurrency, walletCurrency }: ArgumentValues<typeof currencyPair>) =>
  `No file of the ECB sets ${productCurrency}/${walletCurrency} from now on.`;

const followText = (
  { productCurrency, walletCurrency, spread }: ArgumentValues<typeof followArguments>,
  changes: readonly PriceChange[],
) =>
  [
    `The next file of the ECB sets ${productCurrency}/${walletCurrency}, with a spread of ${spread.toFixed()} %.`,
    ...changes.map(priceChangeText),
  ].join('\n');

/** Lets the rate follow. Returns what the spread changes. */
async function startFollowing(
  context: Context,
  {
    productCurrency: source,
    walletCurrency: destination,
    spread,
    force: isForced,
  }: ArgumentValues<typeof followArguments>,
): Promise<PriceChange[]> {
  const { database } = context;
  const pair = { source, destination };
  const before = await spreadValue(database, pair).read();
  const changes = await spreadChanges(database, pair, spread.toFixed());
  await changeSpread(context, pair, { spread: spread.toFixed(), force: isForced, changes });
  return changes(before);
}

/**
 * What is compared with the limit if the rate follows with the spread: the rate that the newest file of the feed with both currencies gives
 * with it, like a rate that a person sets. Without such a file, the price with the spread is compared with the price with the confirmed one.
 */
async function spreadChanges(
  database: Database,
  pair: Pair,
  spread: string,
): Promise<(confirmed: string | null) => PriceChange[]> {
  const { what, value } = rateOf(pair.source, pair.destination);
  const newest = await newestFetched(database, pair);
  const rate = newest && crossRate(newest, { ...pair, spreadPercent: spread });
  if (rate !== undefined) {
    const changes = await rateChanges(database, pair, rate, `${what} with a spread of ${spread} %`);
    const large = changes(await findConfirmed(database, pricedValue(database, value)));
    return () => large;
  }
  const priceWith = (percent: string) => new Exact(100).plus(percent).toFixed();
  return (confirmed) => [
    {
      what: `${what}, compared by the price with its spread`,
      before: priceWith(confirmed === null || confirmed === 'none' ? '0' : confirmed),
      after: priceWith(spread),
    },
  ];
}

/** Sets the spread, as one of the guarded changes. Throws if the pair has no rate. */
async function changeSpread(
  context: Context,
  pair: Pair,
  {
    spread,
    force: isForced,
    changes,
  }: { spread: string | null; force: boolean; changes: (confirmed: string | null) => PriceChange[] },
): Promise<void> {
  const { database } = context;
  const guarded = { ...spreadValue(database, pair), changes };
  // The rate that the last spread gave is held no longer.
  const { what, value } = rateOf(pair.source, pair.destination);
  const rate = { ...pricedValue(database, value), changes: ownChange(what) };
  const isFound = await guardPrices(context, isForced)([guarded, rate], () => setSpread(database, pair, spread));
  if (isFound) return;
  throw new Error(
    `There is no rate from ${pair.source} to ${pair.destination}. Set it first with: rates set ${pair.source} ${pair.destination} <rate>`,
  );
}

const acceptArguments = {
  ...currencyPair,
  rate: word(positiveDecimal, 'the held rate, as the list shows it'),
  reason: neededReason,
};

const accept = operation({
  name: 'rates accept',
  button: 'Accept the held rate',
  about: 'Set a rate that a file changes by more than the limit, with the time of the file',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  arguments: acceptArguments,
  trial: 'PREVIEW',
  preview: async (context, values) => changesText([await tried(context, (trial) => acceptRate(trial, values))]),
  run: async (context, values) => priceChangeText(await acceptRate(context, values)),
});

/** Sets the held rate. Throws if it is no longer held. A person decides, so no service account may. */
async function acceptRate(
  context: Context,
  { productCurrency: source, walletCurrency: destination, rate }: ArgumentValues<typeof acceptArguments>,
): Promise<PriceChange> {
  const { database, account } = context;
  if (account.isService) throw new Error('A person accepts a held rate, not a service account');
  const { what, value } = rateOf(source, destination);
  const pair = { source, destination };
  const after = rate.toFixed();
  const reason = await whyHeld(database, pair, after);
  if (reason === undefined)
    throw new Error(`No rate ${source}/${destination} of ${after} is held. See them with: rates list`);
  // To accept is the person's consent, unless a rule asks for a second person: also if the rate is within the limit by now.
  const isRuled = context.beyondGuard(`${what} is held: ${reason}`);
  const guarded = { ...pricedValue(database, value), changes: await rateChanges(database, pair, after) };
  return guardPrices({ ...context, beyondGuard: () => isRuled }, true)([guarded], async () => {
    const before = await readPricedValue(database, value);
    if (!(await acceptHeld(database, pair, after))) throw new Error(changedMeanwhile);
    return { what, before, after };
  });
}

export const followedRateOperations = [follow, unfollow, refresh, accept];
