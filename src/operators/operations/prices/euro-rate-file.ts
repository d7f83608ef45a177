/** The daily rates of the European Central Bank, as XML or CSV. docs/operators/catalogue.md#rates-that-follow-the-ecb. */
import { parse } from 'csv-parse/sync';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import Joi from 'joi';
import type { EuroRates } from '../../../domain/prices/cross-rates';
import { Exact } from '../../../domain/prices/money';
import { isCalendarDay } from '../../../domain/time';
import type { NamedText } from '../arguments';
import { declaresEntities, exactXml } from '../exact-xml';

interface QuotedRate {
  currency: string;
  rate: string;
}

interface DailyRates {
  day: string;
  rates: QuotedRate[];
}

const dailyRates = Joi.object<DailyRates, true>({
  day: Joi.string()
    .pattern(/^\d{4}-\d\d-\d\d$/, 'date')
    .custom((value: string, helpers) => (isCalendarDay(value) ? value : helpers.error('any.invalid')))
    .required(),
  rates: Joi.array()
    .items(
      Joi.object<QuotedRate, true>({
        currency: Joi.string()
          .pattern(/^[A-Z]{3}$/, 'ISO 4217 code')
          .invalid('EUR')
          .required(),
        rate: Joi.string()
          .pattern(/^\d{1,12}(\.\d{1,12})?$/, 'decimal')
          .custom((value: string, helpers) =>
            new Exact(value).isZero() ? helpers.message({ custom: '{{#label}} must be above 0' }) : value,
          )
          .required(),
      }),
    )
    .min(1)
    .unique('currency')
    .required(),
});

/** The rates of the file. Throws a sentence that names the first faulty value, and takes nothing of such a file. */
export function euroRatesOf({ name, text }: NamedText): EuroRates {
  const read = text
    .trimStart()
    .replace(/^\uFEFF/, '')
    .startsWith('<')
    ? readXml(text)
    : readCsv(text);
  if (typeof read === 'string') throw new Error(`${name} ${read}. Nothing was changed`);
  const checked = dailyRates.validate(read);
  if (checked.error)
    throw new Error(`${name} is no file of the ECB: ${checked.error.message}. Nothing was changed`);
  const { day, rates } = checked.value;
  return { day, perEuro: new Map(rates.map(({ currency, rate }) => [currency, rate])) };
}

const xmlParser = new XMLParser({
  ...exactXml,
  attributeNamePrefix: '',
  isArray: (_name, path) => path === 'Envelope.Cube.Cube.Cube',
});

interface EcbEnvelope {
  Envelope?: { Cube?: { Cube?: { time?: unknown; Cube?: unknown } } };
}

/** The rates as they are written, or what is wrong. */
function readXml(text: string): object | string {
  if (declaresEntities(text)) return 'has a DOCTYPE, which is not read';
  const valid = XMLValidator.validate(text);
  if (valid !== true) return `is no XML: ${valid.err.msg}`;
  const { Envelope: envelope } = xmlParser.parse(text) as EcbEnvelope;
  const daily = envelope?.Cube?.Cube;
  if (daily === undefined) return 'is no file of the ECB: it has no rates';
  if (Array.isArray(daily)) return 'has several days: give the file of one day';
  return { day: daily.time, rates: daily.Cube };
}

/** The file has a line of names and one of values. Both end with a comma. */
function readCsv(text: string): object | string {
  try {
    const lines: string[][] = parse(text, { bom: true, trim: true, skip_empty_lines: true });
    const [names = [], values = []] = lines;
    if (lines.length !== 2 || names[0] !== 'Date')
      return 'is no file of the ECB: it needs a line of names and one of rates';
    const rates = names
      .map((currency, index) => ({ currency, rate: values[index] ?? '' }))
      .slice(1)
      .filter(({ currency, rate }) => currency !== '' && rate !== 'N/A');
    return { day: dayOf(values[0] ?? ''), rates };
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
}

/** `27 November 2026` as `2026-11-27`. Any other text stays as it is. */
function dayOf(written: string): string {
  const [, date = '', month = '', year = ''] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(written) ?? [];
  const number = months.indexOf(month) + 1;
  return number === 0 ? written : [year, number, date].map((part) => String(part).padStart(2, '0')).join('-');
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
