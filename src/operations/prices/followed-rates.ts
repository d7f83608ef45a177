/** `rates follow`, `refresh` and `accept`: rates that follow those of the ECB. docs/decisions/0090-let-rates-age.md. */
import { actingInstead, checkChanges } from '../../data/database/acting-person';
import type { Database } from '../../data/database/database';
import { marked } from '../../data/database/marked-changes';
import { changedMeanwhile } from '../../data/prices/confirmed-values';
import {
  acceptHeld,
  holdRate,
  isLaterDay,
  listFollowed,
  setFollowed,
  setSpread,
  type FollowedRate,
} from '../../data/prices/followed-rates';
import { pricedValue, readPricedValue } from '../../data/prices/pricing-settings';
import { crossRate, type EuroRates } from '../../domain/prices/cross-rates';
import { Exact } from '../../domain/prices/money';
import { isLargeChange, priceChangeText, type PriceChange } from '../../domain/prices/price-changes';
import { guardedConnector, urlProblem } from '../../notifications/webhooks/addresses';
import {
  fileOption,
  fileSizes,
  InvalidArgument,
  optionalWord,
  requiredOption,
  word,
  type ArgumentValues,
  type Kind,
  type NamedText,
} from '../arguments';
import type { Context } from '../context';
import { sentenceOfPart } from '../failure';
import { changesText, guardPrices, ownChange } from '../guarded-prices';
import { markup, positiveDecimal } from '../kinds';
import { neededReason, operation } from '../operation';
import { tried } from '../tried';
import { euroRatesOf } from './euro-rate-file';
import { downloadRates } from './rate-download';
import { currencyPair, rateOf } from './rates';

const follow = operation({
  name: 'rates follow',
  about: 'Let the rates of the ECB set this rate, with a spread in percent that clients pay on top',
  roles: ['finance'],
  effect: 'money',
  arguments: {
    ...currencyPair,
    spread: requiredOption(markup, 'what clients pay on top, in percent'),
    reason: neededReason,
  },
  preview: (_context, values) => Promise.resolve(followText(values)),
  async run({ database }, values) {
    const { productCurrency: source, walletCurrency: destination, spread } = values;
    await changeSpread(database, { source, destination }, spread.toFixed());
    return followText(values);
  },
});

const unfollow = operation({
  name: 'rates unfollow',
  about: 'Let the rates of the ECB no longer set this rate. The present rate stays',
  roles: ['finance'],
  effect: 'money',
  arguments: { ...currencyPair, reason: neededReason },
  preview: (_context, values) => Promise.resolve(unfollowText(values)),
  async run({ database }, values) {
    const { productCurrency: source, walletCurrency: destination } = values;
    await changeSpread(database, { source, destination }, null);
    return unfollowText(values);
  },
});

type Pair = ArgumentValues<typeof currencyPair>;

const followText = ({ productCurrency, walletCurrency, spread }: Pair & { spread: Exact }) =>
  `The next file of the ECB sets ${productCurrency}/${walletCurrency}, with a spread of ${spread.toFixed()} %.`;

const unfollowText = ({ productCurrency, walletCurrency }: Pair) =>
  `No file of the ECB sets ${productCurrency}/${walletCurrency} from now on.`;

async function changeSpread(
  database: Database,
  { source, destination }: { source: string; destination: string },
  spread: string | null,
): Promise<void> {
  if (await marked(database, ['RATE'], () => setSpread(database, { source, destination }, spread))) return;
  throw new Error(
    `There is no rate from ${source} to ${destination}. Set it first with: rates set ${source} ${destination} <rate>`,
  );
}

/** What a file does to a rate. `reason`: why the rate is not set; null if it is, or need not be. */
interface Outcome {
  result: 'set' | 'held' | 'unchanged' | 'not in the file';
  reason: string | null;
}

type Refreshed = PriceChange & Outcome;

const httpsUrl: Kind<string> = {
  placeholder: 'url',
  schema: { type: 'string' },
  read: (written) => {
    if (/^https:\/\/[\x21-\x7e]+$/.test(written)) return written;
    throw new InvalidArgument('Give an address that begins with https://.');
  },
};

const refresh = operation({
  name: 'rates refresh',
  about: 'Set the rates that follow the ECB by its daily file, which is read from the network or uploaded',
  roles: ['finance'],
  effect: 'money',
  arguments: {
    url: optionalWord(httpsUrl, 'where the file is, if not at the usual address'),
    file: fileOption('a file of the ECB to use instead, XML or CSV', fileSizes.rates),
  },
  isUnasked: true,
  trial: 'PREVIEW',
  async preview(context, given) {
    const rates = await readEuroRates(context, given);
    const foreseen = await tried(context, (trial) => refreshRates(trial, rates));
    const held = foreseen.filter(({ result }) => result === 'held');
    const others = foreseen.filter(({ result }) => result !== 'held');
    return [
      ...(others.length > 0 || held.length === 0 ? [changesText(others)] : []),
      ...held.map(({ reason }) => `Holds until a person accepts it: ${reason ?? ''}`),
    ].join('\n');
  },
  async run(context, given) {
    const rates = await readEuroRates(context, given);
    const reason = context.reason ?? `Rates of the ECB of ${rates.day}`;
    const refreshed = await actingInstead({ reason }, () => refreshRates(context, rates));
    if (refreshed.length === 0) context.remark('No rate follows the ECB. Let one do so with: rates follow');
    if (refreshed.some((one) => one.reason !== null)) context.mark(1);
    return refreshed;
  },
});

/** How long reading the file from the network may take. */
const DOWNLOAD_MS = 15_000;

/** Reads the file. Throws if its day is later than today. */
async function readEuroRates(
  { database, config }: Pick<Context, 'database' | 'config'>,
  { url = config.rateFeedUrl, file }: { url?: string | undefined; file: NamedText | undefined },
): Promise<EuroRates> {
  const rates = euroRatesOf(file ?? (await downloaded(url, config)));
  if (await isLaterDay(database, rates))
    throw new Error(`The file is of ${rates.day}, a day later than today. Nothing was changed`);
  return rates;
}

async function downloaded(
  url: string,
  { webhooks }: Pick<Context['config'], 'webhooks'>,
): Promise<NamedText> {
  const problem = urlProblem(url, { ...webhooks, httpsOnly: true });
  if (problem !== undefined) throw new Error(`${problem}. Nothing was changed`);
  const connect = guardedConnector(webhooks);
  return downloadRates(url, { connect, maxBytes: fileSizes.rates, withinMs: DOWNLOAD_MS });
}

/** A rate, with what the file makes it. */
interface Step {
  followed: FollowedRate;
  change: PriceChange;
}

/**
 * Sets each rate that follows the file, and holds one that changes by more than the limit, or with which a client would gain in a circle.
 * A rate that is as new as the file stays.
 */
function refreshRates(context: Context, file: EuroRates): Promise<Refreshed[]> {
  const { database } = context;
  return marked(database, ['RATE'], async () => {
    const steps = (await listFollowed(database, file)).map((followed): Step => {
      const { source, destination, rate: before } = followed;
      const after = followed.isOlder ? (crossRate(file, followed) ?? null) : before;
      return { followed, change: { what: rateOf(source, destination).what, before, after } };
    });
    const done: Refreshed[] = [];
    for (const step of risingFirst(steps))
      done.push({ ...step.change, ...(await setByFile(context, file, step)) });
    return done.toSorted((one, other) => one.what.localeCompare(other.what));
  });
}

/** If rates rise before others fall, no circle exists only in between. */
function risingFirst(steps: readonly Step[]): Step[] {
  const falls = ({ change: { before, after } }: Step) => new Exact(after ?? 0).lessThan(before ?? 0);
  return [...steps.filter((step) => !falls(step)), ...steps.filter(falls)];
}

async function setByFile(
  { database, config: { priceChangeLimitPercent: limit } }: Context,
  { day }: EuroRates,
  { followed, change }: Step,
): Promise<Outcome> {
  const { after: rate } = change;
  if (!followed.isOlder) return { result: 'unchanged', reason: null };
  if (rate === null) return { result: 'not in the file', reason: 'The file lacks a currency of the pair' };
  const reason = isLargeChange(change, limit)
    ? `${priceChangeText(change)}: more than ${limit} %`
    : await database.transaction(() => setNow(rate)).catch(sentenceOfPart);
  if (reason === undefined) return { result: 'set', reason: null };
  await holdRate(database, followed, { day, rate, reason });
  return { result: 'held', reason };

  /** Throws if a client would gain in a circle, which undoes the change. */
  async function setNow(after: string): Promise<undefined> {
    if (!(await setFollowed(database, followed, { day, rate: after }))) throw new Error(changedMeanwhile);
    await checkChanges(database);
  }
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
  preview: async (context, values) =>
    changesText([await tried(context, (trial) => acceptRate(trial, values))]),
  run: async (context, values) => priceChangeText(await acceptRate(context, values)),
});

/** Sets the held rate. Throws if it is no longer held. A person decides, so no service account may. */
function acceptRate(
  context: Context,
  { productCurrency: source, walletCurrency: destination, rate }: ArgumentValues<typeof acceptArguments>,
): Promise<PriceChange> {
  const { database, account } = context;
  if (account.isService) throw new Error('A person accepts a held rate, not a service account');
  const { what, value } = rateOf(source, destination);
  const guarded = { ...pricedValue(database, value), changes: ownChange(what) };
  // To accept is the person's consent to a large change, unless a rule asks for a second person.
  return guardPrices(context, true)([guarded], async () => {
    const before = await readPricedValue(database, value);
    if (!(await acceptHeld(database, { source, destination }, rate.toFixed())))
      throw new Error(
        `No rate ${source}/${destination} of ${rate.toFixed()} is held. See them with: rates list`,
      );
    return { what, before, after: rate.toFixed() };
  });
}

export const followedRateOperations = [follow, unfollow, refresh, accept];
