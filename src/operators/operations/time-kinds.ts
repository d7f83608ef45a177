/** Times, days and months as arguments of operations. */
import { day, hour, minute, momentOf } from '../../domain/time';
import { InvalidArgument, type Kind } from './arguments';
import { askedBy, kindBy, ofForm } from './kinds';

/** A month in UTC, such as `2026-11`. */
export const month: Kind<Date> = askedBy(
  'month',
  kindBy(
    'month',
    (written) => {
      const first = /^\d{4}-(0[1-9]|1[0-2])$/.test(written) ? momentOf(`${written}-01`) : undefined;
      if (first) return first;
      throw new InvalidArgument('Give a month such as 2026-11.');
    },
    { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
  ),
);

/** The start of a day in UTC, such as `2026-11-26`. */
export const startOfDay: Kind<Date> = askedBy(
  'day',
  kindBy(
    'day',
    (written) => {
      const start = /^\d{4}-\d\d-\d\d$/.test(written) ? momentOf(written) : undefined;
      if (start) return start;
      throw new InvalidArgument('Give a day such as 2026-11-26.');
    },
    { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
  ),
);

const timeOrAgeAsked = ofForm('time', '2026-11-01', (written) => {
  const [, number, unit] = /^([1-9][0-9]{0,5})([mhd])$/.exec(written) ?? [];
  if (number === undefined) return isoTime(written);
  const length = unit === 'm' ? minute : unit === 'h' ? hour : day;
  return new Date(Date.now() - Number(number) * length);
});
/** A time in ISO 8601, or an age such as `90m`, `12h` or `1d`. */
export const timeOrAge: Kind<Date> = askedBy('time', timeOrAgeAsked);
/** The same, for periods of whole days (UTC). */
export const dayOrAge: Kind<Date> = askedBy('day', timeOrAgeAsked);

/** A future time in ISO 8601, or the time after a duration such as `12h` or `90d`. */
export const futureTime: Kind<Date> = askedBy(
  'day',
  ofForm('end', '90d', (written) => {
    const [, number, unit] = /^([1-9][0-9]{0,4})([hd])$/.exec(written) ?? [];
    const length = unit === 'h' ? hour : day;
    const time = number === undefined ? isoTime(written) : new Date(Date.now() + Number(number) * length);
    if (time.getTime() <= Date.now()) throw new InvalidArgument('Give a time in the future.');
    return time;
  }),
);

/** A time in ISO 8601, such as `2026-11-01` or `2026-11-01T12:00:00Z`. Without a zone it is UTC. */
function isoTime(written: string): Date {
  const time = momentOf(written);
  if (time) return time;
  throw new InvalidArgument(
    'Give a time such as 2026-11-01 or 2026-11-01T12:00:00Z, or an age such as 90m, 12h or 1d.',
  );
}
