/** The file of `rates reference import`. docs/operators/catalogue.md#reference-rates. */
import { parse } from 'csv-parse/sync';
import Joi from 'joi';
import type { ReferenceRate } from '../../../data/prices/reference-rates';
import { Exact } from '../../../domain/prices/money';
import type { NamedText } from '../arguments';

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
export function ratesOf(written: NamedText): ReferenceRate[] {
  const checked = rateFile.validate(contentOf(written));
  if (checked.error)
    throw new Error(
      `${written.name}: ${checked.error.message}. Compare it with: docs/operators/catalogue.md#reference-rates`,
    );
  return checked.value;
}

function contentOf({ name, text }: NamedText): unknown {
  try {
    if (!name.toLowerCase().endsWith('.csv')) return JSON.parse(text) as unknown;
    return parse(text, {
      columns: true,
      bom: true,
      trim: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}`);
  }
}
