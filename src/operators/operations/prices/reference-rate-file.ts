/** The file of `rates reference import`. docs/operators/catalogue.md#reference-rates. */
import Joi from 'joi';
import type { ReferenceRate } from '../../../data/prices/reference-rates';
import { Exact } from '../../../domain/prices/money';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readCsv } from '../files/csv-rows';
import { readJsonItems } from '../files/json-items';

const currency = Joi.string()
  .pattern(/^[A-Z]{3}$/, 'ISO 4217 code')
  .required();

const referenceRate = Joi.object<ReferenceRate, true>({
  source: currency,
  destination: currency,
  rate: Joi.string()
    .pattern(/^[0-9]{1,18}(\.[0-9]{1,18})?$/, 'decimal')
    .custom((value: string, helpers) =>
      new Exact(value).isZero() ? helpers.message({ custom: '{{#label}} must be above 0' }) : value,
    )
    .required(),
});

/** One for each pair of the currencies of ISO 4217, and more. */
const MAX_RATES = 40_000;

/** The rates of the file, at least one. Throws `InvalidArgument` with the lines of the first faulty values. */
export function readReferenceRates(file: GivenFile): { rates: ReferenceRate[] } {
  const rates = new Map<string, ReferenceRate>();
  const take = (value: unknown) => {
    const checked = referenceRate.validate(value);
    if (checked.error) throw new InvalidArgument(`${checked.error.message}. ${seeFormat}.`);
    const { source, destination } = checked.value;
    const pair = `${source}/${destination}`;
    if (rates.has(pair)) throw new InvalidArgument(`${pair} contains a duplicate value.`);
    rates.set(pair, checked.value);
  };
  if (file.name.toLowerCase().endsWith('.csv'))
    readCsv(file, { columns: (names) => names, maxRows: MAX_RATES, rows: 'rates' }, take);
  else readJsonItems(file, { lists: 'file', maxItems: MAX_RATES, items: 'rates' }, ({ value }) => take(value));
  if (rates.size === 0) throw new InvalidArgument(`${file.name} has no rates. ${seeFormat}`);
  return { rates: [...rates.values()] };
}

const seeFormat = 'A rate has a source, a destination and a rate, such as USD, EUR and 0.92';
