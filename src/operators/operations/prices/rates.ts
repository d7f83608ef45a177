/** `rates` and `fees`: the conversion from the product's currency to the wallet's. */
import { checkChanges } from '../../../data/database/acting-person';
import type { Database } from '../../../data/database/database';
import { findConfirmed } from '../../../data/prices/stored-confirmed-values';
import {
  kindsWithFee,
  listRates,
  pricedValue,
  readPricedValue,
  type FeeKind,
} from '../../../data/prices/pricing-settings';
import { families, familyIds } from '../../../domain/orders/families';
import type { Exact } from '../../../domain/prices/money';
import { inverseOf, priceChangeText, withComparisons, type PriceChange } from '../../../domain/prices/price-changes';
import { option, optionOr, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { sentenceOfPart } from '../failure';
import { changesText, ownChange, setPricedValue } from '../guarded-prices';
import { currencyCode, oneOf, percent, positiveDecimal } from '../kinds';
import { everyRole, force, neededReason, operation } from '../operation';
import { tried } from '../tried';
import { confirmedReferenceRate } from './reference-rates';
import { marginsText } from './resulting-margins';

export const currencyPair = {
  productCurrency: word(currencyCode, 'ISO 4217 code'),
  walletCurrency: word(currencyCode, 'ISO 4217 code'),
};

/** The clients' rate of a pair, as guards and messages name it. */
export function rateOf(source: string, destination: string) {
  return {
    what: `Rate ${source}/${destination}`,
    value: { kind: 'rate', key: { source_currency: source, destination_currency: destination } },
  } as const;
}

/**
 * What is compared with the limit if the clients' rate of the pair becomes `after`: the change itself, and the differences from the reference
 * rate and from the inverse of the opposite pair, if they are set.
 */
export async function rateChanges(
  database: Database,
  { source, destination }: { source: string; destination: string },
  after: string,
  what: string = rateOf(source, destination).what,
): Promise<(before: string | null) => PriceChange[]> {
  const reference = await confirmedReferenceRate(database, source, destination);
  const opposite = await findConfirmed(database, pricedValue(database, rateOf(destination, source).value));
  const others = [
    ...(reference === undefined
      ? []
      : [{ what: `${what}, compared with the reference rate`, before: reference, after }]),
    ...(opposite === null
      ? []
      : [
          {
            what: `${what}, compared with the inverse of ${destination}/${source}`,
            before: inverseOf(opposite),
            after,
          },
        ]),
  ];
  return (before) => withComparisons({ what, before, after }, others);
}

/** The margins of the products in the currency, for clients who pay in the other one, by family. */
async function marginsAt(database: Database, currency: string, walletCurrency: string): Promise<string> {
  const texts: string[] = [];
  for (const family of familyIds) {
    const scope = { family, productId: null, clientId: null, currency, walletCurrency };
    texts.push(`${family}: ${await marginsText(database, scope)}`);
  }
  return texts.join('\n');
}

const rateArguments = {
  ...currencyPair,
  rate: word(positiveDecimal, 'decimal above 0'),
  force: force(),
  reason: neededReason,
};

async function changeRate(
  context: Context,
  { productCurrency: source, walletCurrency: destination, rate, force: isForced }: ArgumentValues<typeof rateArguments>,
): Promise<PriceChange> {
  const { what, value } = rateOf(source, destination);
  const after = rate.toFixed();
  const changes = await rateChanges(context.database, { source, destination }, after);
  return setPricedValue(context, { what, value, after, force: isForced, changes });
}

/** Tries the change. `obstacle`: why the end of the transaction would undo it, such as a circle of rates; undefined if it would not. */
function triedRate(context: Context, values: ArgumentValues<typeof rateArguments>) {
  return tried(context, async (trial) => {
    const change = await changeRate(trial, values);
    const obstacle = await checkChanges(trial.database).then(() => undefined, sentenceOfPart);
    return { change, obstacle };
  });
}

const setRate = operation({
  name: 'rates set',
  button: 'Set a rate',
  about: 'Set what one unit of the product currency costs in the wallet currency',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: rateArguments,
  trial: 'PREVIEW',
  async preview(context, values) {
    const { change, obstacle } = await triedRate(context, values);
    return [changesText([change]), ...(obstacle === undefined ? [] : [`It would be rejected: ${obstacle}.`])].join(
      '\n',
    );
  },
  basis: async (context, values) => changesText([(await triedRate(context, values)).change]),
  async run(context, values) {
    const { productCurrency: source, walletCurrency: destination, rate } = values;
    const changed = await changeRate(context, values);
    return [
      `1 ${source} = ${rate.toFixed()} ${destination}`,
      priceChangeText(changed),
      await marginsAt(context.database, source, destination),
    ].join('\n');
  },
});

const removalArguments = { ...currencyPair, force: force('remove it'), reason: neededReason };

/** Removes the rate with its fees. Returns each change. */
async function deleteRate(
  context: Context,
  { productCurrency: source, walletCurrency: destination, force: isForced }: ArgumentValues<typeof removalArguments>,
): Promise<PriceChange[]> {
  const { database } = context;
  const { what, value } = rateOf(source, destination);
  const fees = (await kindsWithFee(database, value.key)).map((kind) => feeOf(source, destination, kind));
  const others = fees.map((fee) => ({ ...pricedValue(database, fee.value), changes: ownChange(fee.what) }));
  const gone: PriceChange[] = [];
  for (const fee of fees)
    gone.push({ what: fee.what, before: await readPricedValue(database, fee.value), after: null });
  const removal = { what, value, after: null, force: isForced, others };
  const removed = await setPricedValue(context, removal, (before) => {
    if (before === null)
      throw new Error(`There is no rate from ${source} to ${destination}. See them with: rates list`);
  });
  return [removed, ...gone];
}

const removeRate = operation({
  name: 'rates remove',
  button: 'Remove a rate',
  about: 'Remove a rate and its fee. Orders across the pair are then rejected',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: removalArguments,
  trial: 'PREVIEW',
  async preview(context, values) {
    const changes = await tried(context, (trial) => deleteRate(trial, values));
    return `${changesText(changes)} Orders across the pair are then rejected.`;
  },
  async run(context, values) {
    const { productCurrency: source, walletCurrency: destination } = values;
    const changed = (await deleteRate(context, values)).map(priceChangeText);
    return [`The rate from ${source} to ${destination} is removed.`, ...changed].join('\n');
  },
});

const list = operation({
  name: 'rates list',
  about: 'All rates with their fees and ages, and the rates that wait for a person',
  roles: everyRole,
  effect: 'reads',
  arguments: { currency: option(currencyCode, 'only the pairs with this currency') },
  columns: {
    source: 'text',
    destination: 'text',
    rate: 'text',
    voucher_fee_percent: 'text',
    conversion_fee_percent: 'text',
    spread_percent: 'text',
    as_of: 'time',
    age_hours: 'number',
    held_rate: 'text',
    held_reason: 'text',
    updated_at: 'time',
  },
  run: ({ database }, { currency }) => listRates(database, currency),
});

const feeArguments = {
  ...currencyPair,
  percent: word(percent, '0 to 100'),
  on: optionOr(
    oneOf('what', ['vouchers', 'conversions'] as const),
    'vouchers',
    'what it is charged on: vouchers, or conversions from the wallet currency to the other one',
  ),
  force: force(),
  reason: neededReason,
};

/** What operators call the kinds of fees that they set. */
const feeKinds = { vouchers: 'VOUCHER', conversions: 'CONVERSION' } as const;

function feeOf(source: string, destination: string, kind: FeeKind) {
  const { key } = rateOf(source, destination).value;
  return {
    what: `Fee in percent of ${kind === 'CONVERSION' ? 'conversions' : families[kind].feature}, ${source}/${destination}`,
    value: { kind: 'fee', key: { ...key, family: kind } },
  } as const;
}

async function changeFee(
  context: Context,
  {
    productCurrency: source,
    walletCurrency: destination,
    percent: fee,
    on,
    force: isForced,
  }: ArgumentValues<typeof feeArguments>,
): Promise<PriceChange> {
  const rate = rateOf(source, destination).value;
  if ((await readPricedValue(context.database, rate)) === null)
    throw new Error(
      `There is no rate from ${source} to ${destination}. Set it first with: rates set ${source} ${destination} <rate>`,
    );
  const { what, value } = feeOf(source, destination, feeKinds[on]);
  return setPricedValue(context, {
    what,
    value,
    after: fee.toFixed(),
    force: isForced,
    changes: (before, after) => [
      before === null ? firstFee(`${what}, compared by the price with none`, fee) : { what, before, after },
    ],
  });
}

/** A first fee, compared by the price, in percent, that it adds to. */
function firstFee(what: string, fee: Exact): PriceChange {
  return { what, before: '100', after: fee.plus(100).toFixed(), isFirst: true };
}

const setFee = operation({
  name: 'fees set',
  button: 'Set a fee',
  about: 'Charge a percentage of the converted amount of voucher orders, or of conversions',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: feeArguments,
  trial: 'PREVIEW',
  preview: async (context, values) => changesText([await tried(context, (trial) => changeFee(trial, values))]),
  async run(context, values) {
    const { productCurrency: source, walletCurrency: destination, percent: fee, on } = values;
    const changed = await changeFee(context, values);
    if (on === 'conversions')
      return `${fee.toFixed()} % on conversions from ${destination} to ${source}\n${priceChangeText(changed)}`;
    const scope = { family: 'VOUCHER', productId: null, clientId: null } as const;
    const priced = { ...scope, currency: source, walletCurrency: destination };
    return [
      `${fee.toFixed()} % on voucher orders from ${source} to ${destination}`,
      priceChangeText(changed),
      await marginsText(context.database, priced),
    ].join('\n');
  },
});

export const rateOperations = [setRate, removeRate, list];
export const feeOperations = [setFee];
