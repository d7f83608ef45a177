/** CSV responses, streamed. docs/specification.md#statements. */
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import Joi from 'joi';
import type { Period } from '../../data/wallets/wallet-statement';
import { day, momentOf } from '../../domain/time';
import { errors } from '../../domain/errors';
import { ConcurrencyLimiter } from '../../async/concurrency-limiter';
import { csvText } from '../../statements/statements';
import { limitKeyOf } from '../middleware/caller';
import { CONSOLE_DATA } from '../server/route';
import { sendStream, takeTurn } from './large-reads';
import { validQuery } from './validation';

const MAX_PERIOD_MS = 366 * day;

/** A day (its first moment in UTC) or a moment with its offset. */
const isoMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

export const moment: Joi.Schema<Date> = Joi.any()
  .custom((text: unknown, helpers) => {
    const at = typeof text === 'string' && isoMoment.test(text) ? momentOf(text) : undefined;
    return at ?? helpers.error('any.invalid');
  })
  .meta({ schema: { type: 'string', examples: ['2026-11-01'] } });

export const periodQuery = Joi.object<Period>({
  from: moment.required().description('The start of the period: a day, or a time with its offset.'),
  to: moment
    .required()
    .description('The exclusive end of the period: a day, or a time with its offset, at most 366 days later.'),
}).custom(({ from, to }: Period, helpers) => {
  const length = to.getTime() - from.getTime();
  return length >= 0 && length <= MAX_PERIOD_MS ? { from, to } : helpers.error('any.invalid');
});

/** The requested period: from `from` (inclusive) to `to` (exclusive). Throws 400 if it is invalid or longer than 366 days. */
export function periodOf(request: Request): Period {
  return validQuery(periodQuery, request);
}

/** The name of the file for a period: `<subject>-<from>-<to>.csv`. */
export function fileName(subject: string, { from, to }: Period): string {
  const text = (moment: Date) =>
    moment
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace(/[:.]/g, '');
  return `${subject}-${text(from)}-${text(to)}.csv`;
}

/** Tells spreadsheets that a file is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Streams the lines, reading them only as fast as the client reads the response. A file for a page of the console begins with a byte
 * order mark, one of the API does not. Throws the error of the first lines. A later error
 * breaks the connection off, so the last line is missing. Throws 503 if too many files are being read and none ends within 30 s.
 */
export async function sendCsv(
  response: Response,
  name: string,
  columns: readonly string[],
  lines: AsyncIterable<object> | Iterable<object>,
): Promise<void> {
  await openFile(response);
  const text = scheduled(csvText(columns, lines), limitKeyOf(response));
  const first = await text.next();
  response.attachment(name).type('text/csv');
  if (response.req.method === 'HEAD') {
    await text.return();
    response.end();
    return;
  }
  const mark = response.req.originalUrl.startsWith(`${CONSOLE_DATA}/`) ? BYTE_ORDER_MARK : '';
  const all = Readable.from(prepended(`${mark}${first.value ?? ''}`, text), { highWaterMark: 2 });
  await sendStream(all, response);
}

async function* prepended(first: string, rest: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
  yield first;
  yield* rest;
}

/** The files being read. Each holds up to a thousand rows in memory until its client, which may be slow, has read them. */
const files = new ConcurrencyLimiter({ maxConcurrent: 200, maxPerOwner: 5 });

/** Waits until the client may read another file, and counts this file as open until its response or connection closes. */
async function openFile(response: Response): Promise<void> {
  const { permit, closed } = await takeTurn(files, response);
  if (!closed.aborted) response.once('close', () => permit.release());
}

/** The batches of rows that are being read: few at a time, so that they take few database connections and clients take turns. */
const turns = new ConcurrencyLimiter({ maxConcurrent: 2, maxPerOwner: 1 });
const TURN_LIMIT_MS = 30_000;

async function* scheduled(text: AsyncGenerator<string, void>, owner: string): AsyncGenerator<string, void> {
  try {
    for (;;) {
      const permit = await turns.acquire({ owner }, TURN_LIMIT_MS);
      if (!permit) throw errors.serviceUnavailable();
      const next = await text.next().finally(() => permit.release());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await text.return();
  }
}
