/** `rates` and `fees`: the conversion from the product's currency to the wallet's. */
import type { Database } from '../../data/database/database';
import { listRates, readPricedValue } from '../../data/prices/pricing-settings';
import { findReferenceRate } from '../../data/prices/reference-rates';
import { familyIds } from '../../domain/orders/families';
import { inverseOf, type PriceChange } from '../../domain/prices/price-changes';
import { option, word } from '../arguments';
import { requireForce, setPricedValue } from '../guarded-prices';
import { currencyCode, percent, positiveDecimal } from '../kinds';
import { everyRole, force, neededReason, operation } from '../operation';
import { marginsText } from './resulting-margins';

const pair = {
  productCurrency: word(currencyCode, 'ISO 4217 code'),
  walletCurrency: word(currencyCode, 'ISO 4217 code'),
};

function rateOf(source: string, destination: string) {
  return {
    what: `Rate ${source}/${destination}`,
    value: { kind: 'rate', key: { source_currency: source, destination_currency: destination } },
  } as const;
}

/** A client's rate, compared with the reference rate and with the inverse of the opposite pair, if they are set. */
async function comparisons(
  database: Database,
  source: string,
  destination: string,
  after: string,
): Promise<PriceChange[]> {
  const reference = (await findReferenceRate(database, { source, destination })) ?? null;
  const opposite = await readPricedValue(database, rateOf(destination, source).value);
  const what = `Rate ${source}/${destination}, compared with`;
  return [
    { what: `${what} the reference rate`, before: reference, after },
    {
      what: `${what} the inverse of ${destination}/${source}`,
      before: opposite && inverseOf(opposite),
      after,
    },
  ];
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

const setRate = operation({
  name: 'rates set',
  button: 'Set a rate',
  about: 'Value one unit of the product currency at <rate> of the wallet currency',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  arguments: {
    ...pair,
    rate: word(positiveDecimal, 'decimal above 0'),
    force: force(),
    reason: neededReason,
  },
  async run(context, { productCurrency: source, walletCurrency: destination, rate, force: isForced }) {
    const { database } = context;
    const after = rate.toFixed();
    const change = { ...rateOf(source, destination), after, force: isForced };
    const changed = await setPricedValue(context, change, async () =>
      requireForce(isForced, context, await comparisons(database, source, destination, after)),
    );
    return [
      `1 ${source} = ${after} ${destination}`,
      changed,
      await marginsAt(database, source, destination),
    ].join('\n');
  },
});

const removeRate = operation({
  name: 'rates remove',
  button: 'Remove a rate',
  about: 'Remove a rate and its fee. Orders across the pair are then rejected',
  roles: ['finance'],
  effect: 'money',
  arguments: { ...pair, reason: neededReason },
  async run(context, { productCurrency: source, walletCurrency: destination }) {
    const removal = { ...rateOf(source, destination), after: null, force: false };
    const changed = await setPricedValue(context, removal, (before) => {
      if (before === null)
        throw new Error(`There is no rate from ${source} to ${destination}. See them with: rates list`);
    });
    return `The rate from ${source} to ${destination} is removed.\n${changed}`;
  },
});

const list = operation({
  name: 'rates list',
  about: 'All rates with their conversion fees',
  roles: everyRole,
  effect: 'reads',
  arguments: { currency: option(currencyCode, 'only the pairs with this currency') },
  columns: {
    source: 'text',
    destination: 'text',
    rate: 'text',
    voucher_fee_percent: 'text',
    updated_at: 'time',
  },
  run: ({ database }, { currency }) => listRates(database, currency),
});

const setFee = operation({
  name: 'fees set',
  button: 'Set a fee',
  about: 'Charge a percentage of the converted amount of voucher orders',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  arguments: { ...pair, percent: word(percent, '0 to 100'), force: force(), reason: neededReason },
  async run(
    context,
    { productCurrency: source, walletCurrency: destination, percent: fee, force: isForced },
  ) {
    const { database } = context;
    const rate = rateOf(source, destination).value;
    if ((await readPricedValue(database, rate)) === null)
      throw new Error(`Set the rate first: rates set ${source} ${destination} <rate>`);
    const after = fee.toFixed();
    const changed = await setPricedValue(context, {
      what: `Fee in percent of voucher orders ${source}/${destination}`,
      value: { kind: 'fee', key: { ...rate.key, family: 'VOUCHER' } },
      after,
      force: isForced,
    });
    const scope = { family: 'VOUCHER', productId: null, clientId: null } as const;
    const priced = { ...scope, currency: source, walletCurrency: destination };
    return [
      `${after} % on voucher orders from ${source} to ${destination}`,
      changed,
      await marginsText(database, priced),
    ].join('\n');
  },
});

export const rateOperations = [setRate, removeRate, list];
export const feeOperations = [setFee];
