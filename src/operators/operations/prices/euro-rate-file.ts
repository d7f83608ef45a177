/** The daily rates of the European Central Bank, as XML or CSV. docs/operators/catalogue.md#rates-that-follow-the-ecb. */
import Joi from 'joi';
import type { EuroRates } from '../../../domain/prices/cross-rates';
import { Exact } from '../../../domain/prices/money';
import { isCalendarDay } from '../../../domain/time';
import { InvalidArgument, type GivenFile } from '../arguments';
import { readCsv, type Cells } from '../files/csv-rows';
import { utf8In } from '../files/utf8-file';
import { readGroups, shape, type Group } from '../files/xml-groups';
import { at } from '../files/field-lengths';

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

/** More than the currencies of ISO 4217. */
const MAX_RATES = 1_000;

/** The rates of the file. Throws `InvalidArgument` with the first faulty value, and takes nothing of such a file. */
export function readEuroRates(file: GivenFile): EuroRates {
  try {
    const text = utf8In(file);
    const begins = text.subarray(0, 100).toString().trimStart();
    const checked = dailyRates.validate(begins.startsWith('<') ? readXml(text.toString()) : readNamesAndValues(file));
    if (checked.error) throw new InvalidArgument(`${file.name} is no file of the ECB: ${checked.error.message}`);
    const { day, rates } = checked.value;
    return { day, perEuro: new Map(rates.map(({ currency, rate }) => [currency, rate])) };
  } catch (error) {
    if (!(error instanceof InvalidArgument)) throw error;
    const message = error.message.replace(/\.$/, '');
    throw new InvalidArgument(
      `${message.startsWith(file.name) ? message : `${file.name} ${message}`}. Nothing was changed`,
    );
  }
}

const rateOfDay = shape('Rate', ['@currency', '@rate']);
const ratesOfDay = shape('Day', ['@time'], { Cube: rateOfDay });
const envelope = shape('Envelope', [], { 'Cube/Cube': ratesOfDay });

/** The rates as they are written. */
function readXml(text: string): DailyRates {
  const days: string[] = [];
  const rates: QuotedRate[] = [];
  const reader = {
    shape: envelope,
    root: () => undefined,
    opened({ name, texts }: Group) {
      const attribute = (written: string) => texts.get(`@${written}`)?.[0] ?? '';
      if (name === 'Day') days.push(attribute('time'));
      if (name !== 'Rate') return;
      if (rates.length === MAX_RATES) throw new InvalidArgument(`it has more than ${MAX_RATES} rates`);
      rates.push({ currency: attribute('currency'), rate: attribute('rate') });
    },
    closed: () => undefined,
  };
  at('cannot be read', () => readGroups(text, reader));
  if (days.length === 0) throw new InvalidArgument('is no file of the ECB: it has no rates');
  if (days.length > 1) throw new InvalidArgument('has several days: give the file of one day');
  return { day: days[0] ?? '', rates };
}

/** The file has a line of names and one of values. Both end with a comma. */
function readNamesAndValues(file: GivenFile): DailyRates {
  const needed = 'is no file of the ECB: it needs a line of names and one of rates';
  const lines: Cells[] = [];
  const columns = (names: string[]) => {
    if (names[0] !== 'Date' || names.length > MAX_RATES) throw new Error(needed);
    if (new Set(names).size < names.length) throw new Error('it has a duplicate column');
    return names;
  };
  readCsv(file, { columns, maxRows: 10, rows: 'lines' }, (cells) => void lines.push(cells));
  const [values] = lines;
  if (values === undefined || lines.length > 1) throw new InvalidArgument(needed);
  const { Date: day = '', ...quoted } = values;
  const rates = Object.entries(quoted)
    .map(([currency, rate]) => ({ currency, rate }))
    .filter(({ currency, rate }) => currency !== '' && rate !== 'N/A');
  return { day: dayOf(day), rates };
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
