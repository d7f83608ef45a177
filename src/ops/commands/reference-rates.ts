/** `rates reference`: the rates that value costs. No client pays at them. docs/operators/catalogue.md#reference-rates. */
import type { Command } from 'commander';
import { parse } from 'csv-parse/sync';
import Joi from 'joi';
import {
  deleteReferenceRate,
  findReferenceRate,
  listReferenceRates,
  storeReferenceRates,
  type ReferenceRate,
} from '../../data/prices/reference-rates';
import { Exact } from '../../domain/prices/money';
import { inverseOf, priceChangeText, type PriceChange } from '../../domain/prices/price-changes';
import * as read from '../arguments';
import { forceable, reasoned, requireForce } from '../confirmation';
import { onDatabase, type Session } from '../session';
import { textOfFile } from '../text-file';

export function addReferenceRateCommands(rates: Command): void {
  const reference = rates
    .command('reference')
    .description('The rates that value costs in margins, floors and reports. No client pays at them');

  onPair(forceable(reasoned(reference.command('set'))))
    .description('Value one unit of <currency> at <rate> of <other>, and one of <other> at the inverse')
    .argument('<rate>', 'decimal above 0', read.positiveDecimal)
    .action(
      onDatabase(async (session, source: string, destination: string, rate: Exact) => {
        const changes = await storeRates(session, [{ source, destination, rate: rate.toFixed() }]);
        return `1 ${source} = ${rate.toFixed()} ${destination}\n${changes.map(priceChangeText).join('\n')}`;
      }),
    );

  forceable(reasoned(reference.command('import')))
    .description(
      'Set the rates of a file, all of them or none (format: docs/operators/catalogue.md#reference-rates)',
    )
    .argument('<file>', 'the file; one whose name ends in .csv is read as CSV, any other as JSON')
    .action(
      onDatabase(async (session, path: string) => {
        const changes = await storeRates(session, ratesOf(path));
        return changes.map(({ what, before, after }) => ({ what, before, after }));
      }),
    );

  onPair(reasoned(reference.command('remove')))
    .description(
      'Remove a rate. Costs are then valued at the inverse of the opposite pair, or at the rate of clients',
    )
    .action(
      onDatabase(async ({ database }, source: string, destination: string) => {
        if (!(await deleteReferenceRate(database, { source, destination })))
          throw new Error(
            `There is no reference rate from ${source} to ${destination}. See them with: rates reference list`,
          );
        return `The reference rate from ${source} to ${destination} is removed.`;
      }),
    );

  reference
    .command('list')
    .description('All reference rates')
    .action(onDatabase(({ database }) => listReferenceRates(database)));
}

function onPair(command: Command): Command {
  return command
    .argument('<currency>', 'ISO 4217 code', read.currencyCode)
    .argument('<other>', 'ISO 4217 code', read.currencyCode);
}

/** Stores all rates or none. A large change, also from the inverse of the opposite pair, needs `--force`. */
async function storeRates(
  { database, command, config }: Session,
  rates: readonly ReferenceRate[],
): Promise<PriceChange[]> {
  const changes = await Promise.all(
    rates.map(async ({ source, destination, rate: after }) => ({
      what: `Reference rate ${source}/${destination}`,
      before: (await findReferenceRate(database, { source, destination })) ?? null,
      after,
    })),
  );
  const given = new Map(rates.map(({ source, destination, rate }) => [`${source}/${destination}`, rate]));
  const inverted = rates.flatMap(({ source, destination, rate: after }) => {
    const opposite = given.get(`${destination}/${source}`);
    const what = `Reference rate ${source}/${destination}, compared with the inverse of ${destination}/${source}`;
    return opposite === undefined ? [] : [{ what, before: inverseOf(opposite), after }];
  });
  requireForce(command, config, [...changes, ...inverted]);
  await storeReferenceRates(database, rates);
  return changes;
}

const currency = Joi.string()
  .pattern(/^[A-Z]{3}$/, 'ISO 4217 code')
  .required();

const rateFile = Joi.array<ReferenceRate[]>()
  .items(
    Joi.object<ReferenceRate>({
      source: currency,
      destination: currency,
      rate: Joi.string()
        .pattern(/^[0-9]{1,18}(\.[0-9]{1,18})?$/, 'decimal')
        .custom((value: string, helpers) =>
          new Exact(value).isZero() ? helpers.message({ custom: '{{#label}} must be above 0' }) : value,
        )
        .required(),
    }),
  )
  .min(1)
  .unique(
    (one: ReferenceRate, other: ReferenceRate) =>
      one.source === other.source && one.destination === other.destination,
  );

/** The rates of the file. Throws a sentence that names the first faulty value. */
function ratesOf(path: string): ReferenceRate[] {
  const checked = rateFile.validate(contentOf(path));
  if (checked.error)
    throw new Error(
      `${path}: ${checked.error.message}. docs/operators/catalogue.md#reference-rates describes the format.`,
    );
  return checked.value;
}

function contentOf(path: string): unknown {
  try {
    const text = textOfFile(path);
    if (!path.toLowerCase().endsWith('.csv')) return JSON.parse(text) as unknown;
    return parse(text, {
      ...{ columns: true, bom: true, trim: true },
      ...{ skip_empty_lines: true, skip_records_with_empty_values: true },
    });
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`);
  }
}
