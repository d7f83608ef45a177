/** `rates reference`: the rates that value costs. No client pays at them. docs/operators/catalogue.md#reference-rates. */
import type { Database } from '../../../data/database/database';
import { findConfirmed, type GuardedValue } from '../../../data/prices/stored-confirmed-values';
import {
  deleteReferenceRate,
  findCostRate,
  findReferenceRate,
  findStoredReferenceRate,
  listReferenceRates,
  storeReferenceRates,
  type ReferenceRate,
} from '../../../data/prices/reference-rates';
import { Exact } from '../../../domain/prices/money';
import { inverseOf, priceChangeText, withComparisons, type PriceChange } from '../../../domain/prices/price-changes';
import { inTerminal, option, word, type ArgumentValues } from '../arguments';
import type { Context } from '../context';
import { file } from '../files/file-arguments';
import { changesText, guardPrices } from '../guarded-prices';
import { currencyCode, positiveDecimal } from '../kinds';
import { everyRole, force, neededReason, operation } from '../operation';
import { tried } from '../tried';

const pair = { currency: word(currencyCode, 'ISO 4217 code'), other: word(currencyCode, 'ISO 4217 code') };

const set = operation({
  name: 'rates reference set',
  button: 'Set a reference rate',
  about: 'Set what one unit of a currency is worth in another one, and the inverse for the opposite pair',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  arguments: { ...pair, rate: word(positiveDecimal, 'decimal above 0'), force: force(), reason: neededReason },
  isUnasked: true,
  trial: 'PREVIEW',
  async preview(context, { currency: source, other: destination, rate, force: isForced }) {
    const rates = [{ source, destination, rate: rate.toFixed() }];
    return changesText(await tried(context, (trial) => storeRates(trial, rates, isForced)));
  },
  async run(context, { currency: source, other: destination, rate: exact, force: isForced }) {
    const rate = exact.toFixed();
    const changes = await storeRates(context, [{ source, destination, rate }], isForced);
    return `1 ${source} = ${rate} ${destination}\n${changes.map(priceChangeText).join('\n')}`;
  },
});

const importFile = operation({
  name: 'rates reference import',
  button: 'Import reference rates',
  about: 'Set the rates of a file, all of them or none',
  inTerminal: 'Set the rates of a file, all of them or none (format: docs/operators/catalogue.md#reference-rates)',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  arguments: {
    file: inTerminal(
      file('referenceRates', 'the file with the rates; one whose name ends in .csv is read as CSV'),
      'the file; one whose name ends in .csv is read as CSV, any other as JSON',
    ),
    force: force(),
    reason: neededReason,
  },
  isUnasked: true,
  trial: 'PREVIEW',
  async preview(context, { file: written, force: isForced }) {
    const { rates } = await written.read();
    return changesText(await tried(context, (trial) => storeRates(trial, rates, isForced)));
  },
  async run(context, { file: written, force: isForced }) {
    const { rates } = await written.read();
    const changes = await storeRates(context, rates, isForced);
    return changes.map(({ what, before, after }) => ({ what, before, after }));
  },
});

const removalArguments = { ...pair, force: force('remove it'), reason: neededReason };

const remove = operation({
  name: 'rates reference remove',
  button: 'Remove a reference rate',
  about: 'Remove a rate. Costs are then valued at the inverse of the opposite pair, or at the rate of clients',
  roles: ['finance'],
  effect: 'money',
  approval: 'PRICE',
  isUnasked: true,
  arguments: removalArguments,
  trial: 'PREVIEW',
  async preview(context, given) {
    const { before, after } = await tried(context, (trial) => removeRate(trial, given));
    const { currency: source, other: destination } = given;
    return `Removes the reference rate ${source}/${destination}, which is ${before}. Costs are then valued at ${after ?? 'no rate: they are unknown'}.`;
  },
  async run(context, given) {
    const { currency: source, other: destination } = given;
    const { after } = await removeRate(context, given);
    return `The reference rate from ${source} to ${destination} is removed. Costs are valued at ${after ?? 'no rate: they are unknown'}.`;
  },
});

/** Removes the rate. Returns the rate that values costs, before and after. */
async function removeRate(
  context: Context,
  { currency: source, other: destination, force: isForced }: ArgumentValues<typeof removalArguments>,
): Promise<Pick<PriceChange, 'before' | 'after'>> {
  const { database } = context;
  const valuing = async () => {
    const rate = await findCostRate(database, { source, destination });
    return rate === undefined ? null : new Exact(rate).toFixed();
  };
  const before = await valuing();
  let valuedAt: string | null = null;
  const value: GuardedValue = {
    ...storedRate(database, source, destination),
    changes: (confirmed, after) => {
      const what = `Reference rate ${source}/${destination}, without which costs are valued at ${valuedAt ?? 'no rate'}`;
      return [{ what, before: confirmed, after }];
    },
  };
  await guardPrices(context, isForced)([value], async () => {
    if (!(await deleteReferenceRate(database, { source, destination })))
      throw new Error(
        `There is no reference rate from ${source} to ${destination}. See them with: rates reference list`,
      );
    valuedAt = await valuing();
  });
  return { before, after: valuedAt };
}

const list = operation({
  name: 'rates reference list',
  button: 'List reference rates',
  about: 'All reference rates',
  roles: everyRole,
  effect: 'reads',
  arguments: { currency: option(currencyCode, 'only the pairs with this currency') },
  columns: { source: 'text', destination: 'text', rate: 'text', updated_at: 'time' },
  run: ({ database }, { currency: one }) => listReferenceRates(database, one),
});

/** The rate of the pair, as it is stored. */
function storedRate(database: Database, source: string, destination: string): Pick<GuardedValue, 'name' | 'read'> {
  return {
    name: { kind: 'REFERENCE_RATE', key: [source, destination] },
    read: async () => (await findStoredReferenceRate(database, { source, destination })) ?? null,
  };
}

/** The confirmed reference rate of the pair, or the inverse of that of the opposite pair; undefined if neither is set. */
export async function confirmedReferenceRate(
  database: Database,
  source: string,
  destination: string,
): Promise<string | undefined> {
  const own = await findConfirmed(database, storedRate(database, source, destination));
  return own ?? confirmedInverse(database, source, destination);
}

async function confirmedInverse(database: Database, source: string, destination: string): Promise<string | undefined> {
  const opposite = await findConfirmed(database, storedRate(database, destination, source));
  return opposite === null ? undefined : inverseOf(opposite);
}

/** Stores all rates or none. A large change, also from the inverse of the opposite pair, needs `--force`. */
async function storeRates(
  context: Context,
  rates: readonly ReferenceRate[],
  isForced: boolean,
): Promise<PriceChange[]> {
  const { database } = context;
  const given = new Map(rates.map(({ source, destination, rate }) => [`${source}/${destination}`, rate]));
  const changes: PriceChange[] = [];
  const values: GuardedValue[] = [];
  for (const { source, destination, rate: after } of rates) {
    const what = `Reference rate ${source}/${destination}`;
    const before = (await findReferenceRate(database, { source, destination })) ?? null;
    changes.push({ what, before, after });
    const compared = (inverse: string | undefined) => {
      const named = `${what}, compared with the inverse of ${destination}/${source}`;
      return inverse === undefined ? [] : [{ what: named, before: inverse, after }];
    };
    const others = compared(await confirmedInverse(database, source, destination));
    // A pair that comes with its opposite must agree with it, which confirms neither.
    const opposite = given.get(`${destination}/${source}`);
    const inFile = compared(opposite && inverseOf(opposite));
    values.push({
      ...storedRate(database, source, destination),
      changes: (confirmed) => [...withComparisons({ what, before: confirmed, after }, others), ...inFile],
    });
  }
  await guardPrices(context, isForced)(values, () => storeReferenceRates(database, rates));
  return changes;
}

export const referenceRateOperations = [set, importFile, remove, list];
