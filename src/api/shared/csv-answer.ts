/** Answers in CSV, sent as they are read. docs/specification.md#statements. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import Joi from 'joi';
import type { Period } from '../../data/wallet-statement';
import { day } from '../../domain/time';
import { csvWriter } from '../../statements/csv';
import { validQuery } from './validation';

const MAX_PERIOD_MS = 366 * day;

/** A day (its first moment in UTC) or a moment with its offset. */
const isoMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

const moment: Joi.Schema<Date> = Joi.any()
  .custom((text: unknown, helpers) => {
    const at = typeof text === 'string' && isoMoment.test(text) ? Date.parse(text) : NaN;
    // Date.parse takes the 31st of February for a day in March.
    const isDay = typeof text === 'string' && !Number.isNaN(at) && isDayOfCalendar(text.slice(0, 10));
    return isDay ? new Date(at) : helpers.error('any.invalid');
  })
  .meta({ schema: { type: 'string', pattern: isoMoment.source, examples: ['2026-11-01'] } });

function isDayOfCalendar(text: string): boolean {
  return new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

export const periodQuery = Joi.object<Period>({
  from: moment.required().description('The day or the moment (with its offset) that the period begins with.'),
  to: moment.required().description('The day or the moment before which it ends, at most 366 days later.'),
}).custom(({ from, to }: Period, helpers) => {
  const length = to.getTime() - from.getTime();
  return length >= 0 && length <= MAX_PERIOD_MS ? { from, to } : helpers.error('any.invalid');
});

/** The period that is asked for: `from` that moment on, before `to`. 400 where it is none, or longer than 366 days. */
export function periodOf(request: Request): Period {
  return validQuery(periodQuery, request);
}

/** What the file of a period is called. */
export function fileName(what: string, { from, to }: Period): string {
  const text = (moment: Date) =>
    moment
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace(/[:.]/g, '');
  return `${what}-${text(from)}-${text(to)}.csv`;
}

/**
 * Answers with the lines, each read when there is room for it. The first is read before the answer begins, so that what
 * fails by then is an error like any other; after that the connection is broken off, and the last line is missing.
 */
export async function sendCsv(
  response: Response,
  name: string,
  columns: readonly string[],
  lines: AsyncGenerator<object>,
): Promise<void> {
  const first = await lines.next();
  response.attachment(name).type('text/csv');
  if (response.req.method === 'HEAD') {
    await lines.return(undefined);
    response.end();
    return;
  }
  const all = Readable.from(first.done ? [] : following(first.value, lines));
  await pipeline(all, csvWriter(columns), response).catch((error: unknown) => {
    if (!isHungUp(error)) throw error;
  });
}

async function* following(first: object, rest: AsyncGenerator<object>): AsyncGenerator<object> {
  yield first;
  yield* rest;
}

/** The client has gone: nobody is left to answer. */
function isHungUp(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
}
