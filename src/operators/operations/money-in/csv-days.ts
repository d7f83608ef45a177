/** Days in CSV files of banks. */
import { InvalidArgument } from '../arguments';
import { shown, statementDay } from './statement-values';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Such as `26.11.2026`, `2026-11-26T10:00:00Z`, `26 Nov 2026` or `Nov 26, 2026, 10:00`. */
const separated = /^(\d{1,4}|[a-z]{3,9})[-./, ]+(\d{1,2}|[a-z]{3,9})[-./, ]+(\d{1,4})(.*)$/i;
/** Such as `20261126`. */
const compact = { YMD: /^(\d{4})(\d\d)(\d\d)(\D.*)?$/, DMY: /^(\d\d)(\d\d)(\d{4})(\D.*)?$/ };
/** What may follow: a time. */
const time = /^$|^[T ,]+\d{1,2}[:.]\d\d/;

/** The day, in the sequence of year, month and day that the setting names. Throws `InvalidArgument`. */
export function csvDay(written: string, sequence: 'YMD' | 'DMY' | 'MDY'): string {
  const whole = compact[sequence === 'YMD' ? 'YMD' : 'DMY'].exec(written) ?? separated.exec(written) ?? [];
  const [, first = '', second = '', third = '', behind = ''] = whole;
  if (whole.length === 0 || !time.test(behind)) throw new InvalidArgument(`"${shown(written)}" is no date`);
  const partAt = (letter: 'Y' | 'M' | 'D') => [first, second, third][sequence.indexOf(letter)] ?? '';
  const [year, month, day] = [partAt('Y'), partAt('M'), partAt('D')];
  return statementDay(year.length === 2 ? `20${year}` : year, monthNumber(month), day, written);
}

function monthNumber(written: string): string {
  const index = months.indexOf(written.slice(0, 3).toLowerCase());
  return index < 0 ? written : String(index + 1);
}
